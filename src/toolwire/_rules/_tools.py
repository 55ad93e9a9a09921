"""Rules of a tool and of the functions it declares."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from google.protobuf import unknown_fields

from toolwire._rules._rule import Finding, shown
from toolwire._rules._schema import get, is_missing, json_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._descriptor_types import FieldType, MessageType
    from toolwire._rules._rule import Context


@lru_cache(maxsize=64)
def kinds(kind: MessageType) -> tuple[FieldType, ...]:
    """Returns the fields that are kinds of tool: those that hold messages.

    They are no oneof in the schema, hence this.
    """
    return tuple(field for field in kind.fields if field.message_type is not None)


def kinds_set(tool: Message) -> tuple[FieldType, ...]:
    """Returns the kinds that a tool has. An empty message counts: it is present."""
    return tuple(field for field in kinds(tool.DESCRIPTOR) if not is_missing(tool, field))


def some_kind(tool: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for a tool without any kind.

    Source: the comment on Tool, which "should contain exactly one type of Tool".
    """
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


def one_kind(tool: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for a tool with several kinds.

    Source: the comment on Tool, which "should contain exactly one type of Tool".
    """
    present = kinds_set(tool)
    if len(present) > 1:
        names = " and ".join(field.json_name for field in present)
        yield Finding(
            (), f"has {len(present)} kinds of tool, {names}: put each in a Tool of its own"
        )


def function_name(function: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a declared name that is not of the published form.

    Source: the comment on FunctionDeclaration.name, in its newest published wording.
    """
    name: str = get(function, "name")
    form = context.profile.function_name
    if form is None or not name:
        return
    if len(name) > form.longest:
        fault = f"has {len(name)} characters: at most {form.longest} are allowed"
    elif not form.first.match(name):
        fault = f"starts with {shown(name[0])}: allowed are {form.words}"
    else:
        wrong = next((character for character in name if not form.rest.match(character)), None)
        if wrong is None:
            return
        fault = f"contains {shown(wrong)}: allowed are {form.words}"
    which = (
        "the function"
        if context.position is None
        else f"function {context.position + 1} of the list"
    )
    yield Finding((json_name(function, "name"),), f"{shown(name)}, {which}, {fault}")


def one_schema(function: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for each schema that is given twice, as Schema and as JSON Schema.

    Source: the comments on the ``..._json_schema`` fields, each "mutually exclusive" with its
    sibling.
    """
    fields = function.DESCRIPTOR.fields_by_name
    for name, field in fields.items():
        plain = fields.get(name.removesuffix("_json_schema"))
        if plain is None or plain is field:
            continue
        if not is_missing(function, field) and not is_missing(function, plain):
            yield Finding((field.json_name,), f"stands beside {plain.json_name}: set only one")
