"""The command ``toolwire convert``: a message of one API as that of another."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from toolwire import (
    DescriptorError,
    Error,
    JsonError,
    Loss,
    UnknownFields,
    convert,
    from_json,
    to_dict,
    to_json,
)
from toolwire._apis import APIS
from toolwire._convert._plan import counterpart
from toolwire._messages import descriptor_of
from toolwire._types import find_message
from toolwire.cli._message import message_class
from toolwire.cli._output import Output
from toolwire.cli._show import echo, style

if TYPE_CHECKING:
    from google.protobuf.message import Message

_LOST = 3
_EPILOG = """\b
Exit codes: 0 nothing is lost; 1 the input was bad, or with --strict something would be lost;
2 wrong usage; 3 converted, and something was lost or changed: standard error says what.
"""


@click.command("convert", epilog=_EPILOG)
@click.argument(
    "file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
)
@click.option("--to", "api", required=True, type=click.Choice(list(APIS)), help="The other API.")
@click.option(
    "--type",
    "cls",
    default="Tool",
    show_default=True,
    metavar="NAME",
    callback=message_class,
    help="What FILE holds: a message of v1, such as GenerateContentRequest, or with the name of "
    "its API in front, as in gemini.Tool.",
)
@click.option("--strict", is_flag=True, help="Write no message, if anything would be lost.")
@click.option("--json", "as_json", is_flag=True, help="Write an object with the losses, too.")
def convert_command(
    *, file: Path, api: str, cls: type[Message], strict: bool, as_json: bool
) -> None:
    """Convert a message in JSON from one API to another, to standard output.

    FILE is its JSON; - is standard input. With --json the output is one object with "message",
    null where --strict refuses it, and "losses", a list of "path", "kind" and "reason".
    """
    target = _counterpart(cls, api)
    unknown = UnknownFields()
    converted = convert(_read(file, cls, unknown), to=target)
    unread = (Loss(path, "unknown", "is unknown to the schema of its own API") for path in unknown)
    losses = [*unread, *converted.losses]
    is_refused = strict and bool(losses)
    for loss in losses:
        label = "would be lost" if is_refused else "lost"
        echo(f"{style(label, fg='yellow')}: {loss}", err=True)
    if as_json:
        said: dict[str, object] = {
            "message": None if is_refused else to_dict(converted.message),
            "losses": [asdict(loss) for loss in losses],
        }
        _write(json.dumps(said, ensure_ascii=False, indent=2))
    elif not is_refused:
        _write(to_json(converted.message, indent=2))
    if losses:
        sys.exit(1 if is_refused else _LOST)


def _counterpart(cls: type[Message], api: str) -> type[Message]:
    """Finds the class of the same meaning in an API."""
    name = counterpart(descriptor_of(cls), api)
    try:
        return find_message(f"{api}.{name}")
    except DescriptorError:
        reason = f"{api} has no {name or cls.__name__}"
    raise click.BadParameter(reason, param_hint="--to")


def _read(file: Path, cls: type[Message], unknown: UnknownFields) -> Message:
    """Reads the message; its errors name the file."""
    is_stdin = str(file) == "-"
    try:
        data = sys.stdin.buffer.read() if is_stdin else file.read_bytes()
        return from_json(cls, data, unknown=unknown)
    except OSError as error:
        reason = error.strerror or str(error)
    except JsonError as error:
        reason = str(error)
    raise Error(f"{'standard input' if is_stdin else file}: {reason}")


def _write(text: str) -> None:
    output = Output()
    output.write(f"{text}\n".encode())
    output.flush()
