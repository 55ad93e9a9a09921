"""The command ``toolwire declare``: the declaration of something in a Python module."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from toolwire import DeclarationError, functions, to_dict
from toolwire._apis import APIS
from toolwire.cli._load import load
from toolwire.cli._show import echo, show_error, style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolwire.functions import Change

_EPILOG = """\b
Exit codes: 0 declared; 1 it cannot be declared, or with --strict not without a change; 2 wrong
usage, such as a module that is not there.
"""


@click.command("declare", epilog=_EPILOG)
@click.argument("source", metavar="MODULE:NAME")
@click.option("--api", default="v1", show_default=True, type=click.Choice(list(APIS)))
@click.option("--name", help="Name of the function, in place of its own.")
@click.option("--strict", is_flag=True, help="Write nothing, if anything had to be changed.")
@click.option("--refs", is_flag=True, help="Carry references instead of resolving them.")
@click.option("--json-schema", is_flag=True, help="Declare the JSON Schema itself.")
@click.option("--rename", is_flag=True, help="Make names fit that the API does not take.")
@click.option("--json", "as_json", is_flag=True, help="Write an object with the changes, too.")
def declare_command(
    *,
    source: str,
    api: str,
    name: str | None,
    strict: bool,
    refs: bool,
    json_schema: bool,
    rename: bool,
    as_json: bool,
) -> None:
    """Declare a function, a model, a JSON Schema or an MCP tool, to standard output.

    MODULE:NAME is where it stands, such as shop.tools:find_order; the module is looked for in
    the current folder, too, and is imported. What was dropped or changed is told on standard
    error. With --json the output is one object with "declaration", null where --strict refuses
    it, and "changes", a list of "path", "action" and "message".
    """
    found = load(source, "MODULE:NAME")
    try:
        declared = functions.declare(
            found,
            api=api,
            name=name,
            report=True,
            strict=strict,
            as_json_schema=json_schema,
            refs=refs,
            rename=rename,
        )
    except DeclarationError as error:
        if not error.changes:
            raise
        _tell(error.changes)
        if as_json:
            _write({"declaration": None, "changes": [asdict(each) for each in error.changes]})
        else:
            show_error("strict mode allows no change")
        sys.exit(1)
    _tell(declared.changes)
    message = to_dict(declared.message)
    changes = [asdict(each) for each in declared.changes]
    _write({"declaration": message, "changes": changes} if as_json else message)


def _tell(changes: Sequence[Change]) -> None:
    for change in changes:
        echo(f"{style(change.action, fg='yellow')}: {change}", err=True)


def _write(value: object) -> None:
    echo(json.dumps(value, ensure_ascii=False, indent=2))
