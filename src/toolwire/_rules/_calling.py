"""Rules of the function calling config."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._rules._rule import Finding, listed, shown
from toolwire._rules._schema import enum_names, get, is_missing, json_name
from toolwire._rules._tools import functions_of, kinds_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._paths import Step
    from toolwire._rules._rule import Context

_RESTRICTING = ("ANY", "VALIDATED")


def allowed_mode(config: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for allowed names in a mode that does not restrict the calls."""
    mode = mode_name(config)
    # A mode that the schema does not know may well be one that restricts.
    if is_missing(config, config.DESCRIPTOR.fields_by_name["allowed_function_names"]):
        return
    if mode is not None and mode not in _RESTRICTING:
        known = enum_names(config.DESCRIPTOR.fields_by_name["mode"]).values()
        modes = [name for name in _RESTRICTING if name in known]
        yield Finding(
            (json_name(config, "allowed_function_names"),),
            f"is set in mode {mode}: it takes mode {' or '.join(modes)}",
        )


def allowed_names(config: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for each allowed name that is empty or stands there twice."""
    seen: set[str] = set()
    for index, name in enumerate(get(config, "allowed_function_names")):
        steps = (json_name(config, "allowed_function_names"), index)
        if not name:
            yield Finding(steps, "is empty: expected the name of a declared function")
        elif name in seen:
            yield Finding(steps, f"{shown(name)} stands there twice")
        seen.add(name)


def allowed_declared(request: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
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
            choice = f"declared are {listed(declared)}" if declared else NOTHING_DECLARED
            yield Finding((*steps, index), f"{shown(name)} is not declared: {choice}")


def needs_functions(request: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for a mode that forces a call where nothing can be called."""
    config = calling_config(request)
    if config is None or has_cache(request) or mode_name(config) != "ANY":
        return
    if not any(True for _ in declarations(request)) and not brings_functions(request):
        yield Finding(
            (*_steps(request), json_name(config, "mode")), f"is ANY, but {NOTHING_DECLARED}"
        )


NOTHING_DECLARED = "the tools declare no function"


def mode_name(config: Message) -> str | None:
    """Returns the name of the config's mode, or None if the schema does not know the number."""
    return enum_names(config.DESCRIPTOR.fields_by_name["mode"]).get(get(config, "mode"))


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


def has_cache(request: Message) -> bool:
    """Tells whether a cache comes before a request's own content."""
    field = request.DESCRIPTOR.fields_by_name.get("cached_content")
    return field is not None and field.message_type is None and not is_missing(request, field)


def _steps(request: Message) -> tuple[Step, ...]:
    config: Message = get(request, "tool_config")
    return json_name(request, "tool_config"), json_name(config, "function_calling_config")
