"""Length-delimited binary: before each message its length as a varint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._errors import DecodeError
from toolwire._streams._record import Record, too_long

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MOST_BYTES = 10  # of a varint
_MORE = 0x80
_SEVEN_BITS = 0x7F


def split_delimited(pieces: Iterable[bytes], limit: int) -> Iterator[Record]:
    """Yields the messages of a stream, in binary.

    Args:
        pieces: The stream.
        limit: How many bytes a message may have.

    Raises:
        DecodeError: If a length is no varint or above the limit, or the stream ends too early.
    """
    cursor = _Cursor(pieces)
    number = 0
    while True:
        offset = cursor.offset
        number += 1
        length = _length(cursor, number)
        if length is None:
            return
        if length > limit:
            reason = f"a length of {length} bytes, {too_long(limit)}"
            raise DecodeError(reason, record=number, offset=offset)
        data = cursor.take(length)
        if len(data) < length:
            reason = f"the input ends after {len(data)} of {length} bytes"
            raise DecodeError(reason, record=number, offset=offset)
        yield Record(number, offset, data)


def varint(length: int) -> bytes:
    """Returns a length as protobuf writes it."""
    encoded = bytearray()
    while length > _SEVEN_BITS:
        encoded.append(length & _SEVEN_BITS | _MORE)
        length >>= 7
    encoded.append(length)
    return bytes(encoded)


def _length(cursor: _Cursor, number: int) -> int | None:
    """Reads a length; None at the end of the stream."""
    offset = cursor.offset
    length = 0
    for index in range(_MOST_BYTES):
        byte = cursor.take(1)
        if not byte:
            if index == 0:
                return None
            raise DecodeError("the input ends within a length", record=number, offset=offset)
        length |= (byte[0] & _SEVEN_BITS) << (7 * index)
        if byte[0] < _MORE:
            return length
    reason = f"a length of more than {_MOST_BYTES} bytes; is the stream length-delimited?"
    raise DecodeError(reason, record=number, offset=offset)


class _Cursor:
    """Takes bytes off a stream, however its pieces are cut.

    Attributes:
        offset: How many bytes were taken.
    """

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = iter(pieces)
        self._piece = b""
        self._at = 0
        self.offset = 0

    def take(self, length: int) -> bytes:
        """Returns the next bytes; fewer at the end of the stream."""
        end = self._at + length
        if end > len(self._piece):
            return self._collect(length)
        data = self._piece[self._at : end]
        self._at = end
        self.offset += length
        return data

    def _collect(self, length: int) -> bytes:
        parts = [self._piece[self._at :]]
        missing = length - len(parts[0])
        self._piece, self._at = b"", 0
        while missing:
            self._piece = next(self._pieces, b"")
            if not self._piece:
                break
            parts.append(self._piece[:missing])
            self._at = len(parts[-1])
            missing -= self._at
        self.offset += length - missing
        return b"".join(parts)
