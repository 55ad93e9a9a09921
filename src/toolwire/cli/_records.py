"""A file of JSON that holds one message, a list of them, or JSON Lines."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from itertools import chain
from typing import TYPE_CHECKING

import click

from toolwire import Error, JsonError, UnknownFields, from_json, streams
from toolwire._streams._array import split_array
from toolwire._streams._lines import split_lines
from toolwire._streams._record import LARGEST
from toolwire._streams._source import pieces_of, without_mark
from toolwire.cli._formats import JSON, JSON_ARRAY, JSON_LINES, guess
from toolwire.cli._guess import guess_message
from toolwire.cli._progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from pathlib import Path
    from typing import BinaryIO

    from google.protobuf.message import Message

    from toolwire.cli._formats import Format


_READERS = {JSON_ARRAY: streams.read_json_array, JSON_LINES: streams.read_json_lines}


class Records:
    """The messages in JSON, of which one is in memory at a time.

    Attributes:
        file: The file, for its name.
        form: JSON, an array or JSON Lines.
        progress: Shows how much of it was read.
    """

    def __init__(self, file: Path, pieces: Iterator[bytes], progress: Progress) -> None:
        """Looks at the first few bytes.

        Args:
            file: The file, for its name.
            pieces: What is in it.
            progress: Told of what was read.

        Raises:
            JsonError: If it is in UTF-16, or by its name no JSON at all.
        """
        form = _guess_json(file)
        self.progress = progress
        self.file = file
        self._pieces, _ = without_mark(pieces)
        self.form = JSON_LINES if form is JSON_LINES else self._looks_like()

    def guess(self, api: str = "v1") -> type[Message]:
        """Guesses the class of an API that the messages are of, by the keys of the first object.

        Raises:
            Error: As ``guess_message`` does.
        """
        data, self._pieces = first_object(self._pieces, self.form)
        with blaming(self.file):
            return guess_message(data, api)

    def messages(
        self,
        cls: type[Message],
        unknown: UnknownFields,
        on_error: Callable[[JsonError], object] | None = None,
    ) -> Iterator[Message]:
        """Yields the messages, and has in ``unknown`` what the schema does not know of each.

        Args:
            cls: The class of the messages.
            unknown: Filled anew for each message.
            on_error: Called with the error of each that is not of the class, after which reading
                goes on; without it the error is raised.

        Raises:
            Error: If one is not of the class, or the file cannot be read.
        """
        with blaming(self.file):
            if self.form in _READERS:
                read = _READERS[self.form]
                yield from read(cls, self._pieces, unknown=unknown, on_error=on_error)
            else:
                yield from self._only(cls, unknown, on_error)

    def _only(
        self,
        cls: type[Message],
        unknown: UnknownFields,
        on_error: Callable[[JsonError], object] | None,
    ) -> Iterator[Message]:
        """Yields the one message, as ``messages`` does."""
        try:
            message = from_json(cls, b"".join(self._pieces), unknown=unknown)
        except JsonError as error:
            if on_error is None:
                raise
            on_error(error)
        else:
            yield message

    def placed(self, path: str, number: int) -> str:
        """Returns the path of something in a message, whose number is from 0."""
        if self.form is JSON_ARRAY:
            return f"[{number}]{'.' if path and not path.startswith('[') else ''}{path}"
        if self.form is JSON_LINES:
            return f"record {number + 1}{': ' if path else ''}{path}"
        return path

    def fault(self, reason: str, number: int) -> Error:
        """Returns the error for a message, whose number is from 0."""
        place = self.placed("", number)
        return Error(f"{named(self.file)}: {place}{': ' if place else ''}{reason}")

    def _looks_like(self) -> Format:
        """Tells an array by its bracket, and JSON Lines by a second line behind a whole value."""
        seen: list[bytes] = []
        is_array = next(filter(bytes.strip, _noting(self._pieces, seen)), b"").lstrip()[:1] == b"["
        self._pieces = chain(seen, self._pieces)
        if is_array:
            return JSON_ARRAY
        seen = []
        lines = split_lines(_noting(self._pieces, seen), LARGEST, lambda _: None)
        first, second = next(lines, None), next(lines, None)
        self._pieces = chain(seen, self._pieces)
        several = first is not None and second is not None and _is_whole(first.data)
        return JSON_LINES if several else JSON


def _guess_json(file: Path) -> Format | None:
    """Returns the format that the name of a file speaks of, if it does.

    Raises:
        JsonError: If that is no JSON.
    """
    form = guess(file)
    if form is not None and not form.is_json:
        reason = f"by its name it is {form.name}, and no JSON: `toolwire json` makes it JSON"
        raise JsonError(reason)
    return form


def first_object(pieces: Iterator[bytes], form: Format) -> tuple[bytes, Iterator[bytes]]:
    """Returns the first object in JSON, as far as there is one, and all pieces again."""
    if form is JSON:
        data = b"".join(pieces)
        return data, iter([data])
    split = split_array if form is JSON_ARRAY else split_lines
    seen: list[bytes] = []
    data = b""
    with contextlib.suppress(JsonError):  # whoever reads it says what is wrong
        records = split(_noting(pieces, seen), LARGEST, lambda _: None)
        texts = (record.data.lstrip() for record in records)
        data = next((text for text in texts if text.startswith(b"{")), b"")
    return data, chain(seen, pieces)


def _noting(pieces: Iterator[bytes], seen: list[bytes]) -> Iterator[bytes]:
    """Yields the pieces, and notes those that were taken."""
    for piece in pieces:
        seen.append(piece)
        yield piece


def _is_whole(text: bytes) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


class Unreadable(Error):
    """A file that cannot be read.

    Attributes:
        reason: What is wrong with it, without its name.
    """

    def __init__(self, file: Path, reason: str) -> None:
        self.reason = reason
        super().__init__(f"{named(file)}: {reason}")


@contextlib.contextmanager
def blaming(file: Path) -> Generator[None]:
    """Says in an error which file is at fault; ``-`` is standard input.

    Raises:
        Unreadable: If it cannot be read, or what is read is no JSON of what it should be.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
    except JsonError as error:
        reason = str(error)
    else:
        return
    raise Unreadable(file, reason)


def named(file: Path) -> str:
    """Returns the name of a file, ``-`` being standard input, for an error."""
    return "standard input" if str(file) == "-" else str(file)


@contextlib.contextmanager
def opened(file: Path) -> Generator[Records]:
    """Opens a file of messages, or standard input for ``-``.

    Raises:
        Unreadable: As ``blaming`` does.
    """
    progress = Progress([file])
    with contextlib.closing(_pieces(file, progress)) as pieces:
        with blaming(file):
            records = Records(file, pieces, progress)
        try:
            yield records
        finally:
            progress.clear()


def _pieces(file: Path, progress: Progress) -> Generator[bytes]:
    with blaming(file):
        for piece in pieces_of(_stdin() if str(file) == "-" else file, takes_text=False):
            progress.add(len(piece))
            yield piece


@contextlib.contextmanager
def reading(file: Path) -> Generator[bytes]:
    """Reads a file of JSON as a whole, or standard input for ``-``.

    Raises:
        Unreadable: As ``blaming`` does.
    """
    with blaming(file):
        _guess_json(file)
        data = read_stdin() if str(file) == "-" else file.read_bytes()
        yield b"".join(without_mark([data])[0])


def read_optional(file: Path | None) -> bytes | None:
    """Reads a file that an option may name.

    Raises:
        Error: If it cannot be read.
    """
    if file is None:
        return None
    with blaming(file):
        return file.read_bytes()


def check_stdin(given: Iterable[object]) -> None:
    """Checks that at most one of several arguments is standard input.

    Raises:
        UsageError: If there are more, of which all but the first would read nothing.
    """
    if sum(str(each) == "-" for each in given) > 1:
        raise click.UsageError("- stands twice, and standard input can be read only once")


def read_stdin() -> bytes:
    """Reads standard input.

    Raises:
        OSError: If there is none.
    """
    return _stdin().read()


def as_text(given: str | bytes | None, name: str) -> str:
    """Returns a text as it was given; Python keeps what is no UTF-8 in an argument as it came.

    Args:
        given: An argument, or what was read.
        name: Its name, for the error.

    Raises:
        UsageError: If it is not UTF-8.
    """
    data = os.fsencode(given) if isinstance(given, str) else given or b""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{name}: byte {error.start} is not UTF-8") from None


def _stdin() -> BinaryIO:
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison] - so it is when closed
        raise OSError("standard input is closed")
    return sys.stdin.buffer
