"""The tools that ``toolwire call`` offers: of the API, of others, and Python functions."""

from __future__ import annotations

import contextlib
import shlex
from typing import TYPE_CHECKING, Any, cast

import click

from toolwire import DeclarationError, Error, from_dict
from toolwire._apis import APIS
from toolwire._functions._declare import declare
from toolwire._functions._report import Declared
from toolwire._json._faults import found as describe
from toolwire._json._kinds import is_object
from toolwire._messages import as_message
from toolwire.cli._guess import is_tool_of_others
from toolwire.cli._show import echo, style
from toolwire.cli._sources import of_pair, sources

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from google.protobuf.message import Message

    from toolwire.cli._sources import Source

_OF_SCHEMAS = frozenset({"type", "properties", "$ref"})  # no Tool and no declaration has such a key
_OF_OPENAI = frozenset({"name", "description", "parameters", "strict"})


def given_tools(given: str, hint: str) -> list[Source]:
    """Returns what an option gives: functions, toolboxes and tools.

    Raises:
        BadParameter: If there is no such thing, or something else.
        Error: If the file is no JSON.
    """
    found = sources(given, hint)
    for each in found:
        if each.is_python and not (is_code(each.found) or _is_tool(each.found)):
            kind = each.found
            what = f"a class, {kind.__name__}" if isinstance(kind, type) else describe(kind, None)
            raise click.BadParameter(
                f"expected a function, a Toolbox or a Tool as {each.place}, found {what}",
                param_hint=hint,
            )
    return found


def is_code(found: object) -> bool:
    """Tells whether something can be run: a function, with a declaration or not, or a Toolbox."""
    is_function = callable(found) and not isinstance(found, type)
    is_box = as_message(getattr(found, "tool", None)) is not None
    return is_function or is_box or of_pair(found) is not None


def _is_tool(found: object) -> bool:
    return (
        isinstance(found, Declared)
        or as_message(found) is not None
        or is_object(found)
        or (hasattr(found, "inputSchema") and not isinstance(found, type))
    )


def to_tools(api: str, found: Sequence[Source]) -> list[Message]:
    """Returns tools, and declarations of functions as one tool behind them.

    Args:
        api: Name of the API.
        found: What there is; what can be run is left out, since it is declared when it is run.

    Raises:
        Error: If something is no tool.
    """
    messages: Any = APIS[api].load()
    tools: list[Message] = []
    functions: list[Message] = []
    for source in found:
        if is_code(source.found):
            continue
        with _named(source.place):
            made = _to_message(messages, api, source)
        (tools if isinstance(made, messages.Tool) else functions).append(made)
    if functions:
        tools.append(messages.Tool(function_declarations=functions))
    return tools


def _to_message(messages: Any, api: str, source: Source) -> Message:
    """Returns a Tool or the declaration of a function."""
    item = source.found
    if isinstance(item, Declared):
        item = cast("Declared[Message]", item).message
    if isinstance(item, (messages.Tool, messages.FunctionDeclaration)):
        return cast("Message", item)
    if is_tool_of_others(item) or _has_schema(item):
        return _declared(api, source)
    if not is_object(item) and as_message(item) is None:
        raise Error(f"expected an object, found {describe(item, None)}")
    is_function = is_object(item) and "name" in item  # which no Tool has
    kind: type[Message] = messages.FunctionDeclaration if is_function else messages.Tool
    return from_dict(kind, cast("Mapping[str, object]", item))


def _has_schema(item: object) -> bool:
    """Tells a JSON Schema, or a function that has one for its parameters, from a message."""
    if not is_object(item):
        return False
    parameters = item.get("parameters")
    is_of_openai = is_object(parameters) and parameters.get("type") == "object"
    return not _OF_SCHEMAS.isdisjoint(item) or (is_of_openai and item.keys() <= _OF_OPENAI)


def _declared(api: str, source: Source) -> Message:
    """Declares a tool of others, and tells what was changed.

    Raises:
        Error: If it cannot be declared as it is, with the command for those options that could.
    """
    try:
        made = cast("Declared[Message]", declare(source.found, api=api, report=True))
    except DeclarationError as error:
        raise Error(_with_command(str(error), api, source)) from error
    for change in made.changes:
        echo(f"{source.place}: {style(change.action, fg='yellow')}: {change}", err=True)
    return made.message


def _with_command(reason: str, api: str, source: Source) -> str:
    """Returns a reason that tells which command has the options that it speaks of."""
    from toolwire.cli._declare import spelled  # noqa: PLC0415 - seldom needed

    as_tool = source.index is not None
    said = spelled(reason, as_tool=as_tool)
    if said == reason:
        return reason
    command = (
        f"toolwire declare {shlex.quote(source.given)}{' --tool' if as_tool else ''} --api {api}"
    )
    return f"{said}: options of `{command}`, which writes what --tool takes"


@contextlib.contextmanager
def _named(place: str) -> Generator[None]:
    """Says in an error what is at fault."""
    try:
        yield
    except Error as error:
        raise Error(f"{place}: {error}") from error
