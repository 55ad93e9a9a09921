"""One record of a stream before it is read as a message, and errors that know its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeAlias

from toolwire._errors import DecodeError, JsonError

if TYPE_CHECKING:
    from collections.abc import Callable

LARGEST = 512 * 1024 * 1024
"""How many bytes a record may have unless the caller says otherwise."""

ReportJson: TypeAlias = "Callable[[JsonError], object]"
ReportBinary: TypeAlias = "Callable[[DecodeError], object]"
"""Told of a bad record. It raises the error, or returns, and reading goes on."""

_CONTINUATIONS = bytes(range(0x80, 0xC0))  # of UTF-8: all bytes of a character but the first


class Record(NamedTuple):
    """One record.

    Attributes:
        number: Its number, from 1.
        offset: Byte of the stream at which it begins.
        data: Its bytes.
        line: Line on which it begins, from 1; None in a binary stream.
        column: Column at which it begins, in characters, from 1; likewise.
    """

    number: int
    offset: int
    data: bytes
    line: int | None = None
    column: int | None = None


class Place:
    """A place in a text that is passed over piece by piece.

    Attributes:
        offset: In bytes, from 0.
        line: From 1.
        column: In characters, from 1.
    """

    __slots__ = ("column", "line", "offset")

    def __init__(self, offset: int) -> None:
        self.offset = offset
        self.line = 1
        self.column = 1

    def pass_over(self, data: bytes) -> None:
        """Moves behind some bytes."""
        self.offset += len(data)
        newline = data.rfind(b"\n")
        if newline >= 0:
            self.line += data.count(b"\n")
            self.column = 1
            data = data[newline + 1 :]
        self.column += len(data if data.isascii() else data.translate(None, _CONTINUATIONS))

    def begin(self, number: int) -> Record:
        """Returns a record without data that begins here."""
        return Record(number, self.offset, b"", self.line, self.column)

    def fault(self, reason: str) -> JsonError:
        """Returns the error for what is wrong here, outside the records."""
        return JsonError(
            f"{reason} (line {self.line}, column {self.column})",
            line=self.line,
            column=self.column,
            offset=self.offset,
        )


def refuse(error: JsonError | DecodeError) -> NoReturn:
    """Reports a bad record by raising the error."""
    raise error


def json_fault(reason: str, record: Record) -> JsonError:
    """Returns the error for a record that cannot even be looked at."""
    return JsonError(
        reason,
        line=record.line,
        column=record.column,
        record=record.number,
        offset=record.offset,
    )


def too_long(limit: int) -> str:
    """Returns the reason why a record is refused for its length."""
    return f"longer than max_record, which is {limit} bytes"


def placed(error: JsonError, record: Record) -> JsonError:
    """Returns the error of one record with its place in the stream."""
    reason, line, column = error.reason, record.line, record.column
    if error.line is not None and error.column is not None and line and column:
        # The text is no JSON: the place is within the record.
        reason = reason.removesuffix(f" (line {error.line}, column {error.column})")
        column = error.column + (column - 1 if error.line == 1 else 0)
        line += error.line - 1
    return JsonError(
        reason,
        path=error.path,
        line=line,
        column=column,
        record=record.number,
        offset=record.offset,
    )
