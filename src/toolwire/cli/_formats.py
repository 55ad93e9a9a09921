"""The formats that ``toolwire json`` reads and writes, and how each is read."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from toolwire import Error, JsonError, from_binary, from_json
from toolwire._streams._record import too_long
from toolwire._streams._source import without_mark
from toolwire._words import with_article
from toolwire.cli._guess import looks_like
from toolwire.streams import read_delimited, read_json_array, read_json_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from google.protobuf.message import Message

    from toolwire import DecodeError


@dataclass(frozen=True, slots=True)
class Format:
    """A format of messages.

    Attributes:
        name: Its name as an option.
        suffixes: What names of such files end with.
        is_stream: Whether it holds any number of messages, or just one.
        is_json: Whether it is JSON.
        is_binary: Whether it is no text.
    """

    name: str
    suffixes: tuple[str, ...] = ()
    is_stream: bool = False
    is_json: bool = False
    is_binary: bool = False


JSON = Format("json", (".json",), is_json=True)
JSON_LINES = Format("jsonl", (".jsonl", ".ndjson"), is_stream=True, is_json=True)
JSON_ARRAY = Format("json-array", is_stream=True, is_json=True)
BINARY = Format("binary", (".binpb", ".pb"), is_binary=True)
DELIMITED = Format("delimited", (".delim",), is_stream=True, is_binary=True)
TEXT = Format("text", (".txtpb",))

FORMATS: Mapping[str, Format] = MappingProxyType(
    {one.name: one for one in (JSON, JSON_LINES, JSON_ARRAY, BINARY, DELIMITED, TEXT)}
)
"""Every format by its name."""


def guess(path: Path) -> Format | None:
    """Returns the format that the name of a file speaks of, if it does."""
    suffix = path.suffix.lower()
    return next((found for found in FORMATS.values() if suffix in found.suffixes), None)


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read messages.

    Attributes:
        ignore_unknown: Whether to skip what the schema does not know.
        max_record: How many bytes a message may have.
    """

    ignore_unknown: bool
    max_record: int

    def read(
        self,
        cls: type[Message],
        form: Format,
        pieces: Iterable[bytes],
        on_error: Callable[[JsonError | DecodeError], object],
    ) -> Iterator[Message]:
        """Yields the messages of an input.

        Args:
            cls: Their class.
            form: Its format.
            pieces: Its bytes.
            on_error: Told of a bad record of a stream, which is left out.

        Raises:
            Error: If the input is bad as a whole.
        """
        if form is DELIMITED:
            yield from read_delimited(cls, pieces, max_record=self.max_record, on_error=on_error)
        elif form.is_stream:
            read = read_json_lines if form is JSON_LINES else read_json_array
            yield from read(
                cls,
                pieces,
                unknown="ignore" if self.ignore_unknown else "error",
                max_record=self.max_record,
                on_error=on_error,
            )
        else:
            yield self._read_one(cls, form, pieces)

    def _read_one(self, cls: type[Message], form: Format, pieces: Iterable[bytes]) -> Message:
        if form is BINARY:
            return from_binary(cls, self._whole(pieces))
        data = self._whole(without_mark(pieces)[0])
        if form is JSON:
            return self._parse_json(cls, data)
        from toolwire.cli import _text  # noqa: PLC0415 - seldom needed

        return _text.parse(cls, data, ignore_unknown=self.ignore_unknown)

    def _parse_json(self, cls: type[Message], data: bytes) -> Message:
        try:
            return from_json(cls, data, unknown="ignore" if self.ignore_unknown else "error")
        except JsonError as error:
            if not error.path and data.lstrip().startswith(b"["):
                hint = "is it an array of messages? Then use --from json-array"
            elif other := looks_like(data, cls):
                hint = f"it looks like {with_article(other)}"
            else:
                raise
            reason = f"{error}; {hint}"
        raise Error(reason)

    def _whole(self, pieces: Iterable[bytes]) -> bytes:
        data = bytearray()
        for piece in pieces:
            data += piece
            if len(data) > self.max_record:
                raise Error(too_long(self.max_record))
        return bytes(data)
