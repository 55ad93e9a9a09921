"""Rules of the function calling config."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._rules._rule import Finding, shown
from toolwire._rules._schema import enum_names, get, is_missing, json_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._rules._rule import Context

_RESTRICTING = ("ANY", "VALIDATED")
_MOST_SHOWN = 8


def allowed_mode(config: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for allowed names in a mode that does not restrict the calls.

    Source: the comment on FunctionCallingConfig.allowed_function_names.
    """
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


def allowed_declared(request: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for each allowed name that no tool of the request declares.

    Source: the comment on FunctionCallingConfig.allowed_function_names.
    """
    config = calling_config(request)
    if config is None or _has_cache(request):  # a cache has tools of its own
        return
    declared = [str(get(declaration, "name")) for declaration in declarations(request)]
    known = set(declared)
    steps = (
        json_name(request, "tool_config"),
        json_name(get(request, "tool_config"), "function_calling_config"),
        json_name(config, "allowed_function_names"),
    )
    names: list[str] = list(get(config, "allowed_function_names"))
    for index, name in enumerate(names):
        if name not in known:
            yield Finding((*steps, index), f"{shown(name)} is not declared: {_choice(declared)}")


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
        yield from getattr(tool, "function_declarations", ())


def _choice(declared: list[str]) -> str:
    if not declared:
        return "the tools declare no function"
    names = ", ".join(shown(name) for name in declared[:_MOST_SHOWN])
    more = len(declared) - _MOST_SHOWN
    return f"declared are {names}" + (f" and {more} more" if more > 0 else "")


def _has_cache(request: Message) -> bool:
    field = request.DESCRIPTOR.fields_by_name.get("cached_content")
    return field is not None and not is_missing(request, field)
