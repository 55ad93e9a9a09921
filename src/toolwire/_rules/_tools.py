"""Rules of a tool, and of the tools of a request: kinds, numbers, duplicates."""

# ruff: noqa: ARG001  a rule gets the context, whether it asks it or not

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from google.protobuf import unknown_fields

from toolwire._message_fields import get, is_missing, json_name
from toolwire._rules._rule import Finding, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._descriptor_types import FieldType, MessageType
    from toolwire._rules._rule import Context

_INPUTS = frozenset({"parameters", "input_schema"})


@lru_cache(maxsize=64)
def kinds(kind: MessageType) -> tuple[FieldType, ...]:
    """Returns the fields that are kinds of tool: those that hold messages.

    They are no oneof in the schema, hence this.
    """
    return tuple(field for field in kind.fields if field.message_type is not None)


def kinds_set(tool: Message) -> tuple[FieldType, ...]:
    """Returns the kinds that a tool has. An empty message counts: it is present."""
    return tuple(field for field in kinds(tool.DESCRIPTOR) if not is_missing(tool, field))


@lru_cache(maxsize=64)
def function_field(kind: MessageType) -> FieldType | None:
    """Returns the field with the functions of a type of tool: the list of what takes input.

    A name alone does not tell: other kinds of tool, such as a list of servers, have one, too.
    """
    for field in kinds(kind):
        names = field.message_type.fields_by_name if field.message_type is not None else ()
        if field.is_repeated and "name" in names and not _INPUTS.isdisjoint(names):
            return field
    return None


def functions_of(tool: Message) -> list[Message]:
    """Returns the functions that a tool declares."""
    field = function_field(tool.DESCRIPTOR)
    return [] if field is None else list(get(tool, field.name))


def some_kind(tool: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a tool without any kind."""
    if kinds_set(tool):
        return
    names = ", ".join(field.json_name for field in kinds(tool.DESCRIPTOR))
    unknown = unknown_fields.UnknownFieldSet(tool)
    numbers = sorted({unknown[i].field_number for i in range(len(unknown))})
    if numbers:
        fields = ", ".join(map(str, numbers[:8]))
        yield Finding((), f"has no kind of tool that the schema knows, only unknown field {fields}")
    else:
        yield Finding((), f"has no kind of tool: set one of {names}")


def one_kind(tool: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a tool with several kinds."""
    present = kinds_set(tool)
    if len(present) > 1:
        names = " and ".join(field.json_name for field in present)
        yield Finding(
            (), f"has {len(present)} kinds of tool, {names}: put each in a Tool of its own"
        )


def count(tool: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for more functions in a tool than the API takes."""
    yield from _too_many(tool, context.profile.most_functions, "at most {} are allowed")


def older_count(tool: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each number of older pages that a tool's functions exceed."""
    for most in context.profile.older_counts:
        yield from _too_many(tool, most, "older pages allow at most {}")


def count_in_request(request: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for more functions in all tools together than the API takes."""
    most = context.profile.most_functions
    numbers = [len(functions_of(tool)) for tool in get(request, "tools")]
    if sum(numbers) > most >= max(numbers, default=0):
        yield Finding(
            (json_name(request, "tools"),),
            f"declare {sum(numbers)} functions together: at most {most} are allowed",
        )


def duplicate_names(tool: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each function of a tool that has the name of an earlier one."""
    field = function_field(tool.DESCRIPTOR)
    seen: dict[str, int] = {}
    for index, function in enumerate(functions_of(tool)):
        name: str = get(function, "name")
        if field is not None and name and seen.setdefault(name, index) != index:
            steps = (field.json_name, index, json_name(function, "name"))
            where = f"{field.json_name}[{seen[name]}]"
            yield Finding(steps, f"{shown(name)} is declared already, by {where}")


def duplicates_in_request(request: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each function that a tool before its own declares, too."""
    seen: dict[str, int] = {}
    tools: list[Message] = list(get(request, "tools"))
    for number, tool in enumerate(tools):
        field = function_field(tool.DESCRIPTOR)
        for index, function in enumerate(functions_of(tool)):
            name: str = get(function, "name")
            if field is not None and name and seen.setdefault(name, number) != number:
                steps = (json_name(request, "tools"), number, field.json_name, index)
                where = f"{json_name(request, 'tools')}[{seen[name]}]"
                fault = f"{shown(name)} is declared already, by {where}"
                yield Finding((*steps, json_name(function, "name")), fault)


def two_searches(request: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for the search of Gemini 1.5 beside that of later models."""
    tools: list[Message] = list(get(request, "tools"))
    present = {field.name: field.json_name for tool in tools for field in kinds_set(tool)}
    if {"google_search", "google_search_retrieval"} <= present.keys():
        older, newer = present["google_search_retrieval"], present["google_search"]
        yield Finding(
            (json_name(request, "tools"),),
            f"have {older}, for Gemini 1.5, beside {newer}, for later models: keep one of the two",
        )


def json_output(request: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for output as JSON together with tools, which some models refuse."""
    config: Message = get(request, "generation_config")
    wanted: str = getattr(config, "response_mime_type", "")
    if wanted not in ("", "text/plain") and len(get(request, "tools")):
        steps = (json_name(request, "generation_config"), json_name(config, "response_mime_type"))
        yield Finding(
            steps, f"{shown(wanted)} together with tools is refused by some models: try without"
        )


def _too_many(tool: Message, most: int, limit: str) -> Iterator[Finding]:
    field = function_field(tool.DESCRIPTOR)
    number = len(functions_of(tool))
    if field is not None and number > most:
        yield Finding((field.json_name,), f"has {number} functions: {limit.format(most)}")
