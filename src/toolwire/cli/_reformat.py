"""Converts messages from one format to another, one by one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from toolwire import Error, to_json_bytes
from toolwire._streams._frames import as_array, as_delimited, as_lines
from toolwire._streams._source import PIECE
from toolwire._streams._write import to_binary
from toolwire.cli._formats import BINARY, DELIMITED, JSON, JSON_ARRAY, JSON_LINES, TEXT
from toolwire.cli._guess import guess_message
from toolwire.cli._records import first_object
from toolwire.cli._unknown import refuse_unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from io import BufferedReader
    from pathlib import Path

    from google.protobuf.message import Message

    from toolwire.cli._formats import Format, Reading
    from toolwire.cli._output import Output
    from toolwire.cli._progress import Progress

_STDIN = 0


class Input(NamedTuple):
    """Something to read.

    Attributes:
        path: The file; None is standard input.
        form: Its format.
    """

    path: Path | None
    form: Format

    def opened(self) -> BufferedReader:
        """Returns the open file.

        Raises:
            OSError: If it cannot be opened.
        """
        if self.path is None:
            return open(_STDIN, "rb", closefd=False)
        return self.path.open("rb")

    def about(self, error: Error | OSError) -> str:
        """Says what is wrong, and in which file."""
        reason = str(error.strerror if isinstance(error, OSError) else error)
        reason = reason.replace("longer than max_record,", "longer than --max-record,")
        return f"{self.path or 'standard input'}: {reason}"


@dataclass(frozen=True, slots=True)
class Writing:
    """How to write messages.

    Attributes:
        form: The format.
        indent: As in ``toolwire.to_json``.
        proto_names: As in ``toolwire.to_json``.
        enums_as_ints: As in ``toolwire.to_json``.
        include_defaults: As in ``toolwire.to_json``.
    """

    form: Format
    indent: int | None
    proto_names: bool
    enums_as_ints: bool
    include_defaults: bool

    def encode(self, message: Message) -> bytes:
        """Returns one message in the format.

        Raises:
            Error: If the format cannot express it.
        """
        if self.form in (BINARY, DELIMITED):
            return to_binary(message)
        if self.form is TEXT:
            from toolwire.cli import _text  # noqa: PLC0415 - seldom needed

            return _text.write(message)
        return to_json_bytes(
            message,
            indent=self.indent,
            proto_names=self.proto_names,
            enums_as_ints=self.enums_as_ints,
            include_defaults=self.include_defaults,
        )

    def frame(self, payloads: Iterable[bytes]) -> Iterator[bytes]:
        """Yields the output around and with the messages."""
        if self.form in (JSON, JSON_LINES):
            return as_lines(payloads)
        if self.form is JSON_ARRAY:
            return as_array(payloads, self.indent)
        return as_delimited(payloads) if self.form is DELIMITED else iter(payloads)


@dataclass
class Conversion:
    """One run of the command.

    Attributes:
        cls: The class of the messages; None is what the first object of each input looks like.
        reading: How to read.
        writing: How to write.
        output: Where to write.
        progress: Told of what was read.
        complain: Told of what is bad, which is left out; None stops at the first.
        good: How many messages were converted.
        bad: How many records or files were bad.
    """

    cls: type[Message] | None
    reading: Reading
    writing: Writing
    output: Output
    progress: Progress
    complain: Callable[[str], object] | None
    good: int = field(default=0, init=False)
    bad: int = field(default=0, init=False)

    def run(self, inputs: Sequence[Input]) -> None:
        """Converts all inputs into one output.

        Raises:
            Error: If something is bad and there is nobody to complain to.
        """
        try:
            for piece in self.writing.frame(self._payloads(inputs)):
                self.output.write(piece)
        finally:
            self.output.flush()

    def _payloads(self, inputs: Sequence[Input]) -> Iterator[bytes]:
        for one in inputs:
            try:
                with one.opened() as file:
                    yield from self._convert(one, file)
            except (Error, OSError) as error:
                failure = one.about(error)
            else:
                continue
            if self.complain is None:
                raise Error(failure)
            self.bad += 1
            self.complain(failure)

    def _convert(self, one: Input, file: BufferedReader) -> Iterator[bytes]:
        number = 0
        loses_unknown = one.form.is_binary and not self.writing.form.is_binary
        is_checked = loses_unknown and not self.reading.ignore_unknown

        def skip(error: Error) -> None:
            nonlocal number
            number += 1
            self._skip(one, error)

        cls, pieces = self.cls, self._pieces(file)
        if cls is None:
            data, pieces = first_object(pieces, one.form)
            cls = guess_message(data)
        for message in self.reading.read(cls, one.form, pieces, skip):
            try:
                if is_checked:
                    refuse_unknown(message)
                payload = self.writing.encode(message)
            except Error as error:
                record = f"record {number + 1}: " if one.form.is_stream else ""
                fault = Error(f"{record}{error}")
            else:
                number += 1
                self.good += 1
                yield payload
                continue
            skip(fault)

    def _skip(self, one: Input, error: Error) -> None:
        if self.complain is None:
            raise error
        self.bad += 1
        self.complain(one.about(error))

    def _pieces(self, file: BufferedReader) -> Iterator[bytes]:
        """Reads a file; all that came of the last piece is handed over before the next."""
        if self.output.is_file(file.fileno()):
            raise Error("the input is the output, too")
        while True:
            self.output.flush()
            piece = file.read1(PIECE)
            if not piece:
                return
            self.progress.add(len(piece))
            yield piece
