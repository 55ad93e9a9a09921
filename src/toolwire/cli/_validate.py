"""The command ``toolwire validate``: the rules that a message breaks."""

from __future__ import annotations

import io
import json
import sys
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from toolwire import DescriptorError, Error, JsonError, Violation, from_json, streams, violations
from toolwire._apis import APIS
from toolwire._rules import described
from toolwire._types import find_message
from toolwire.cli._show import echo, style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._rules import Described

_COLORS = {"error": "red", "warning": "yellow"}
_EPILOG = """\b
Exit codes: 0 nothing was found, or warnings only; 1 the input was bad, or an error was found, with
--strict also a warning; 2 wrong usage.
"""


@click.command("validate", epilog=_EPILOG)
@click.argument(
    "file",
    required=False,
    type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
)
@click.option(
    "--type",
    "name",
    default="Tool",
    show_default=True,
    metavar="NAME",
    help="What FILE holds, such as GenerateContentRequest, or with its API in front, as in "
    "gemini.Tool.",
)
@click.option("--api", type=click.Choice(list(APIS)), help="The API whose rules hold.")
@click.option("--older", is_flag=True, help="Warn of what only older pages refuse, too.")
@click.option("--strict", is_flag=True, help="Let warnings count as errors.")
@click.option("--rules", is_flag=True, help="List the rules, and read nothing.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def validate_command(
    *,
    file: Path | None,
    name: str,
    api: str | None,
    older: bool,
    strict: bool,
    rules: bool,
    as_json: bool,
) -> None:
    """Tell which rules a message in JSON breaks, to standard output.

    FILE is its JSON, or that of a list of messages; - is standard input. A message without its
    API in front of its name is one of --api, by default of v1. With --json the output is one
    object with "violations", a list of "path", "rule", "severity", "message" and "source".
    """
    if rules:
        if file is not None:
            raise click.UsageError("--rules takes no FILE")
        _list(described(), as_json=as_json)
        return
    if file is None:
        raise click.UsageError("missing argument 'FILE'")
    found = list(_check(file, _class(name, api), api, older=older))
    count = Counter(violation.severity for violation in found)
    if as_json:
        said = {"violations": [asdict(violation) for violation in found]}
        echo(json.dumps(said, ensure_ascii=False, indent=2))
    else:
        for violation in found:
            label = style(violation.severity, fg=_COLORS[violation.severity])
            echo(f"{label}: {violation} [{violation.rule}]")
        echo(f"{count['error']} errors, {count['warning']} warnings", err=True)
    if count["error"] or (strict and count["warning"]):
        sys.exit(1)


def _class(name: str, api: str | None) -> type[Message]:
    """Finds the class that a name means, in an API where it does not say which."""
    try:
        return find_message(name if api is None or "." in name else f"{api}.{name}")
    except DescriptorError as error:
        reason = str(error)
    raise click.BadParameter(reason, param_hint="--type")


def _check(file: Path, cls: type[Message], api: str | None, *, older: bool) -> Iterator[Violation]:
    """Yields the violations of a message, or of each in a list; errors of JSON name the file."""
    is_stdin = str(file) == "-"
    try:
        data = sys.stdin.buffer.read() if is_stdin else file.read_bytes()
        is_list = data.lstrip().startswith(b"[")
        for number, message in enumerate(_read(data, cls, is_list=is_list)):
            for found in violations(message, api, older=older):
                yield replace(found, path=f"[{number}]{_dotted(found.path)}") if is_list else found
    except OSError as error:
        reason = error.strerror or str(error)
    except JsonError as error:
        reason = str(error)
    else:
        return
    raise Error(f"{'standard input' if is_stdin else file}: {reason}")


def _read(data: bytes, cls: type[Message], *, is_list: bool) -> Iterator[Message]:
    if is_list:
        yield from streams.read_json_array(cls, io.BytesIO(data))
    else:
        yield from_json(cls, data)


def _dotted(path: str) -> str:
    return f".{path}" if path and not path.startswith("[") else path


def _list(rules: list[Described], *, as_json: bool) -> None:
    if as_json:
        said = {"rules": [asdict(rule) for rule in rules]}
        echo(json.dumps(said, ensure_ascii=False, indent=2))
        return
    for rule in rules:
        echo(style(rule.id, bold=True))
        echo(f"  {_where(rule)}: {rule.breaks}")
        echo(f"  {style(rule.source, dim=True)}")


def _where(rule: Described) -> str:
    """Says what a violation is in which API."""
    apis: dict[str, list[str]] = {}
    for api, severity in rule.severities.items():
        apis.setdefault(severity, []).append(api)
    parts = [f"{severity} in {', '.join(names)}" for severity, names in apis.items()]
    return "; ".join(parts) + (", on request" if rule.older else "")
