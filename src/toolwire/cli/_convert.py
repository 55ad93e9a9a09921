"""The command ``toolwire convert``: a message of one API as that of another."""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from toolwire import DescriptorError, Loss, UnknownFields, convert, to_dict, to_json_bytes
from toolwire._apis import APIS
from toolwire._convert._plan import counterpart
from toolwire._messages import descriptor_of
from toolwire._streams._frames import as_array, as_lines
from toolwire._streams._source import PIECE
from toolwire._types import find_message
from toolwire._words import with_article
from toolwire.cli._formats import JSON, JSON_ARRAY, JSON_LINES
from toolwire.cli._message import message_class
from toolwire.cli._records import opened
from toolwire.cli._show import show_pieces, style
from toolwire.cli._wrap import echo_wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire.cli._records import Records

_LOST = 3
_UNKNOWN = "unknown"
_EPILOG = """\
Exit codes: 0 nothing is lost; 1 the input was bad, or with --strict something would be lost;
2 wrong usage; 3 converted, and something was lost or changed: standard error says what.
"""


@click.command(
    "convert", short_help="Convert messages in JSON from one API to another.", epilog=_EPILOG
)
@click.argument(
    "file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
)
@click.option("--to", "api", required=True, type=click.Choice(list(APIS)), help="The other API.")
@click.option(
    "--type",
    "cls",
    metavar="NAME",
    callback=message_class,
    help="What FILE holds: a message of v1, such as GenerateContentRequest, or with the name of "
    "its API in front, as in gemini.Tool; else a message of v1, guessed by its keys.",
)
@click.option("--strict", is_flag=True, help="Write no message, if anything would be lost.")
@click.option("--json", "as_json", is_flag=True, help="Write an object with the losses, too.")
def convert_command(
    *, file: Path, api: str, cls: type[Message] | None, strict: bool, as_json: bool
) -> None:
    """Convert a message in JSON from one API to another, to standard output.

    FILE is its JSON, that of a list of messages, or JSON Lines, and so is the output; - is standard
    input. With --json the output is one object with "message", a list for a list and null where
    --strict refuses it, and "losses", a list of "path", "kind" and "reason"; for JSON Lines it is
    one on a line for each record.
    """
    with opened(file) as records, tempfile.TemporaryFile() as made:
        source = records.guess() if cls is None else cls
        move = _Move(records, source, _counterpart(source, api), is_strict=strict)
        for piece in move.objects() if as_json else move.messages():
            made.write(piece)  # and no further: of bad input nothing is written
        if as_json or not (strict and move.losses):
            made.seek(0)
            show_pieces(iter(lambda: made.read(PIECE), b""))
    if move.losses:
        sys.exit(1 if strict else _LOST)


def _counterpart(cls: type[Message], api: str) -> type[Message]:
    """Finds the class of the same meaning in an API."""
    name = counterpart(descriptor_of(cls), api)
    try:
        return find_message(f"{api}.{name}")
    except DescriptorError:
        reason = f"{api} has no {name or cls.__name__}"
    raise click.BadParameter(reason, param_hint="--to")


@dataclass
class _Move:
    """The conversion of what is in a file.

    Attributes:
        records: What there is.
        source: The class of the messages.
        target: What they become.
        is_strict: Whether a message of which something would be lost is none.
        losses: How many losses there were.
    """

    records: Records
    source: type[Message]
    target: type[Message]
    is_strict: bool
    losses: int = 0

    def messages(self) -> Iterator[bytes]:
        """Yields the messages as JSON: one, a list, or JSON Lines, as they came."""
        indent = None if self.records.form is JSON_LINES else 2
        found = (message for message, _ in self._told() if message is not None)
        texts = (to_json_bytes(message, indent=indent) for message in found)
        return as_array(texts, indent) if self.records.form is JSON_ARRAY else as_lines(texts)

    def objects(self) -> Iterator[bytes]:
        """Yields an object with message and losses: one for all, or for each of JSON Lines."""
        if self.records.form is JSON_LINES:
            for message, losses in self._told():
                made = None if message is None else to_dict(message)
                yield from as_lines([_object(made, losses, indent=None)])
            return
        messages: list[dict[str, object]] = []
        told: list[Loss] = []
        for number, (message, losses) in enumerate(self._told()):
            messages += [] if message is None else [to_dict(message)]
            told += self._placed(losses, number)
        several = self.records.form is JSON_ARRAY
        refused = self.is_strict and bool(told)
        whole = None if refused else messages if several else messages[0]
        yield from as_lines([_object(whole, told, indent=2)])

    def _told(self) -> Iterator[tuple[Message | None, list[Loss]]]:
        """Yields each message and its losses, told of already; None is one that is left out."""
        label = style("would be lost" if self.is_strict else "lost", fg="yellow")
        for number, (message, losses) in enumerate(self._converted()):
            self.losses += len(losses)
            for loss in self._placed(losses, number):
                self.records.progress.clear()
                echo_wrapped(f"{label}: {loss}", err=True)
            yield None if self.is_strict and losses else message, losses

    def _placed(self, losses: list[Loss], number: int) -> list[Loss]:
        place = self.records.placed
        return [replace(loss, path=place(loss.path, number)) for loss in losses]

    def _converted(self) -> Iterator[tuple[Message | None, list[Loss]]]:
        """Yields each converted message, None if nothing of it is left, and what was lost.

        Raises:
            Error: If one is not of the class, or has nothing that one of the class has.
        """
        unknown = UnknownFields()
        for number, message in enumerate(self.records.messages(self.source, unknown)):
            if unknown and not message.ListFields():
                name = with_article(self.source.DESCRIPTOR.full_name)
                reason = f"nothing in it is of {name}: say with --type what it is"
                raise self.records.fault(reason, number)
            converted = convert(message, to=self.target)
            unread = "is unknown to the schema of its own API"
            losses = [*(Loss(path, _UNKNOWN, unread) for path in unknown), *converted.losses]
            several = self.records.form is not JSON
            if several and converted.losses and not converted.message.ListFields():
                kind = self.source.DESCRIPTOR.name
                yield None, [*losses, Loss("", kind, "left out: nothing of it is left")]
            else:
                yield converted.message, losses


def _object(message: object, losses: list[Loss], *, indent: int | None) -> bytes:
    said = {"message": message, "losses": [asdict(loss) for loss in losses]}
    return json.dumps(said, ensure_ascii=False, indent=indent).encode()
