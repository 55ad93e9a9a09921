"""Rules of the function calling config."""

# ruff: noqa: ARG001  a rule gets the context, whether it asks it or not

from __future__ import annotations

from typing import TYPE_CHECKING

from google.protobuf import unknown_fields

from toolwire._message_fields import (
    enum_name,
    enum_names,
    field_of,
    get,
    is_missing,
    is_set,
    json_name,
)
from toolwire._rules._rule import Finding, listed, repeated, shown
from toolwire._rules._tools import functions_of, kinds_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._paths import Step
    from toolwire._rules._rule import Context

_RESTRICTING = ("ANY", "VALIDATED")
_NOTHING_DECLARED = "the tools declare no function"


def allowed_mode(config: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for allowed names in a mode that does not restrict the calls."""
    if not is_set(config, "allowed_function_names"):
        return
    mode = enum_name(config, "mode")
    # A mode that the schema does not know may well be one that restricts.
    if mode is not None and mode not in _RESTRICTING:
        known = enum_names(field_of(config, "mode")).values()
        modes = [name for name in _RESTRICTING if name in known]
        yield Finding(
            (json_name(config, "allowed_function_names"),),
            f"is set in mode {mode}: it takes mode {' or '.join(modes)}",
        )


def allowed_names(config: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each allowed name that is empty."""
    for index, name in enumerate(get(config, "allowed_function_names")):
        if not name:
            steps = (json_name(config, "allowed_function_names"), index)
            yield Finding(steps, "is empty: expected the name of a declared function")


def allowed_twice(config: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each allowed name that stands there twice."""
    yield from repeated(config, "allowed_function_names")


def allowed_declared(request: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each allowed name that no tool of the request declares."""
    config = calling_config(request)
    if config is None or has_cache(request):  # a cache has tools of its own
        return
    declared = declared_names(request)
    known = set(declared)
    steps = (*_steps(request), json_name(config, "allowed_function_names"))
    names: list[str] = list(get(config, "allowed_function_names"))
    for index, name in enumerate(names):
        if name and name not in known:
            choice = f"declared are {listed(declared)}" if declared else _NOTHING_DECLARED
            yield Finding((*steps, index), f"{shown(name)} is not declared: {choice}")


def needs_functions(request: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a mode that forces a call where nothing can be called."""
    config = calling_config(request)
    if config is not None and enum_name(config, "mode") == "ANY" and _calls_nothing(request):
        yield Finding(
            (*_steps(request), json_name(config, "mode")), f"is ANY, but {_NOTHING_DECLARED}"
        )


def without_functions(request: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for any other config of calls where nothing can be called."""
    config = calling_config(request)
    if config is not None and enum_name(config, "mode") != "ANY" and _calls_nothing(request):
        yield Finding(_steps(request), f"is set, but {_NOTHING_DECLARED}: leave it out")


def calling_config(request: Message) -> Message | None:
    """Returns the function calling config of a request, if it has one."""
    config: Message = get(request, "tool_config")
    if "function_calling_config" not in config.DESCRIPTOR.fields_by_name:
        return None
    if not config.HasField("function_calling_config"):
        return None
    found: Message = get(config, "function_calling_config")
    return found


def declarations(request: Message) -> Iterator[Message]:
    """Yields every function declaration of a request's tools."""
    tools: list[Message] = get(request, "tools")
    for tool in tools:
        yield from functions_of(tool)


def declared_names(request: Message) -> list[str]:
    """Returns the names of the functions that a request declares."""
    return [str(get(declaration, "name")) for declaration in declarations(request)]


def brings_functions(request: Message) -> bool:
    """Tells whether a tool brings functions along that the request does not declare."""
    tools: list[Message] = list(get(request, "tools"))
    return any(field.name == "computer_use" for tool in tools for field in kinds_set(tool))


def _calls_nothing(request: Message) -> bool:
    """Tells whether a request has no function to call, as far as its schema shows."""
    tools: list[Message] = list(get(request, "tools"))
    return not (
        has_cache(request)
        or any(True for _ in declarations(request))
        or brings_functions(request)
        or any(len(unknown_fields.UnknownFieldSet(tool)) for tool in tools)
    )


def has_cache(request: Message) -> bool:
    """Tells whether a cache comes before a request's own content."""
    field = request.DESCRIPTOR.fields_by_name.get("cached_content")
    return field is not None and field.message_type is None and not is_missing(request, field)


def _steps(request: Message) -> tuple[Step, ...]:
    config: Message = get(request, "tool_config")
    return json_name(request, "tool_config"), json_name(config, "function_calling_config")
