"""The command ``toolwire declare``: declarations of what is in Python modules and JSON files."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, TypedDict

import click

from toolwire import DeclarationError, functions, to_dict
from toolwire._apis import APIS
from toolwire._words import counted
from toolwire.cli._records import check_stdin
from toolwire.cli._show import echo, show_error, show_json, style
from toolwire.cli._sources import sources
from toolwire.cli._spelled import on_command_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Unpack

    from toolwire._functions._overloads import UntypedName
    from toolwire.functions import Change

_EPILOG = """\
Exit codes: 0 declared; 1 it cannot be declared, or with --strict not without a change; 2 wrong
usage, such as a module that is not there.
"""
_SOURCE = "MODULE:NAME|FILE"


class _Options(TypedDict):
    api: str
    strict: bool
    refs: bool
    as_json_schema: bool
    rename: bool
    response: bool
    untyped: UntypedName | None
    titles: bool
    older: bool


@click.command(
    "declare", short_help="Declare functions, models or tools of others.", epilog=_EPILOG
)
@click.argument("given", metavar=f"{_SOURCE}...", nargs=-1, required=True)
@click.option("--tool", "as_tool", is_flag=True, help="Write one Tool, with all that is given.")
@click.option(
    "--api",
    default="v1",
    show_default=True,
    type=click.Choice(list(APIS)),
    help="The API to declare it to.",
)
@click.option("--name", help="Name of the function, in place of its own.")
@click.option("--description", help="What the function does, in place of its own.")
@click.option("--strict", is_flag=True, help="Write nothing, if anything had to be changed.")
@click.option("--refs", is_flag=True, help="Carry references instead of resolving them.")
@click.option(
    "--json-schema", "as_json_schema", is_flag=True, help="Declare the JSON Schema itself."
)
@click.option("--rename", is_flag=True, help="Make names fit that the API does not take.")
@click.option("--response", is_flag=True, help="Declare what the function returns, too.")
@click.option("--untyped", help="Type for what may hold anything, such as STRING.")
@click.option("--titles", is_flag=True, help="Keep titles that tools make of names, too.")
@click.option("--older", is_flag=True, help="Tell of names, too, that only older pages refuse.")
@click.option("--json", "as_json", is_flag=True, help="Write an object with the changes, too.")
def declare_command(
    *,
    given: Sequence[str],
    as_tool: bool,
    as_json: bool,
    name: str | None,
    description: str | None,
    **options: Unpack[_Options],
) -> None:
    """Declare a function, a model, a JSON Schema or a tool of others, to standard output.

    MODULE:NAME is where it stands, such as shop.tools:find_order; the module is looked for in
    the current folder, too, and is imported. FILE is JSON: the schema of the parameters, a tool as
    MCP, OpenAI or Anthropic write it, a list of these, or what MCP answers to tools/list; - is
    standard input. Several functions make one Tool, with --tool.

    What was dropped or changed is told on standard error. With --json the output is one object
    with "declaration", or "tool", null where --strict refuses it, and "changes", a list of "path",
    "action" and "message".
    """
    check_stdin(given)
    found = [one.found for each in given for one in sources(each, _SOURCE)]
    if as_tool and (name is not None or description is not None):
        raise click.UsageError("--name and --description are of one function, not of a --tool")
    if not as_tool and len(found) != 1:
        raise click.UsageError(f"found {counted(len(found), 'function')}: one Tool takes --tool")
    key = "tool" if as_tool else "declaration"
    try:
        declared = (
            functions.tool(found, report=True, **options)
            if as_tool
            else functions.declare(
                found[0], report=True, name=name, description=description, **options
            )
        )
    except DeclarationError as error:
        if not error.changes:
            reason = spelled(error.reason, as_tool=as_tool)
            raise DeclarationError(reason, path=error.path, function=error.function) from error
        _tell(error.changes, as_tool=as_tool)
        if as_json:
            _write({key: None, "changes": [asdict(each) for each in error.changes]})
        else:
            show_error("strict mode allows no change")
        sys.exit(1)
    _tell(declared.changes, as_tool=as_tool)
    message = to_dict(declared.message)
    changes = [asdict(each) for each in declared.changes]
    _write({key: message, "changes": changes} if as_json else message)


def spelled(text: str, *, as_tool: bool) -> str:
    """Names the options of this command that a text speaks of.

    Args:
        text: The text.
        as_tool: Whether it is of a command with --tool, which has no --name.
    """
    others = {"name": "--name, without --tool"} if as_tool else {}
    return on_command_line(text, declare_command, **others)


def _tell(changes: Sequence[Change], *, as_tool: bool) -> None:
    for change in changes:
        text = spelled(str(change), as_tool=as_tool)
        echo(f"{style(change.action, fg='yellow')}: {text}", err=True)


def _write(value: object) -> None:
    show_json(json.dumps(value, ensure_ascii=False, indent=2))
