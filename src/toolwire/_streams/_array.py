"""A JSON array, taken apart into its elements.

The scanner only knows strings, brackets and commas; whether an element is good JSON is for the
one who reads it. It looks at every byte once or twice, whatever the pieces are.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from toolwire._streams._record import Place, Record, ReportJson, json_fault, too_long
from toolwire._streams._source import without_mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SPACE = re.compile(rb"[ \t\r\n]*")
# Whole strings, and all between them, up to what may end the element: on its own level a comma
# or a bracket, deeper a bracket. Both also stop before a string that the piece does not end.
_STRING = rb'"[^"\\]*(?:\\.[^"\\]*)*"'
_SHALLOW = re.compile(rb'[^][{}",]*(?:' + _STRING + rb'[^][{}",]*)*', re.DOTALL)
_DEEP = re.compile(rb'[^][{}"]*(?:' + _STRING + rb'[^][{}"]*)*', re.DOTALL)
_IN_STRING = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*', re.DOTALL)

# A good element that lies within one piece is passed over several times faster by the standard
# library's parser. It sees each byte as a character, and makes no numbers.
_PARSER = json.JSONDecoder(strict=False, parse_int=str, parse_float=str, parse_constant=str)

_QUOTE = ord('"')
_COMMA = ord(",")
_OPENING = frozenset(b"[{")
_START, _END = ord("["), ord("]")


def split_array(pieces: Iterable[bytes], limit: int, report: ReportJson) -> Iterator[Record]:
    """Yields the elements of an array.

    Args:
        pieces: The stream.
        limit: How many bytes an element may have.
        report: Told of a longer or missing one, which is left out.

    Raises:
        JsonError: If the stream is no array, is not closed, or something follows it.
    """
    rest, offset = without_mark(pieces)
    array = _Array(Place(offset), limit, report)
    for piece in rest:
        yield from array.feed(piece)
    array.finish()


class _Array:
    """The array as far as it was read."""

    def __init__(self, place: Place, limit: int, report: ReportJson) -> None:
        self._place = place
        self._limit = limit
        self._report = report
        self._element = _Element(limit)
        self._number = 0
        self._record: Record | None = None  # the one that is being scanned
        self._is_open = False
        self._is_closed = False

    def feed(self, piece: bytes) -> Iterator[Record]:
        """Yields the elements that end in the next piece."""
        text = piece.decode("latin-1")
        at = 0
        while at < len(piece):
            begin = at
            if self._record is None:
                begin = self._next_value(piece, at)
                if begin == len(piece):
                    return
                self._number += 1
                self._record = self._place.begin(self._number)
                at = _behind_element(text, begin)
            stop = self._element.scan(piece, at)
            part = piece[begin:stop]
            self._place.pass_over(part)
            if not self._element.add(part):
                self._report(json_fault(too_long(self._limit), self._record))
            if stop == len(piece):
                return
            record = self._end(self._record, piece[stop])
            if record is not None:
                yield record
            at = stop + 1

    def finish(self) -> None:
        """Checks that the stream may end here.

        Raises:
            JsonError: If the array is not complete.
        """
        if self._record is not None:
            reason = "the input ends within this record, and the array is not closed"
            raise json_fault(reason, self._record)
        if not self._is_open:
            raise self._place.fault("expected an array, found the end")
        if not self._is_closed:
            raise self._place.fault("expected a value or ], found the end")

    def _next_value(self, piece: bytes, at: int) -> int:
        """Returns where the next element begins, or the end of the piece."""
        at = self._pass_blank(piece, at)
        if at < len(piece) and not self._is_open:
            if piece[at] != _START:
                raise self._place.fault("expected an array, which starts with [")
            self._is_open = True
            self._place.pass_over(b"[")
            at = self._pass_blank(piece, at + 1)
        if at < len(piece) and self._is_closed:
            raise self._place.fault("expected nothing after the array, found more")
        return at

    def _pass_blank(self, piece: bytes, at: int) -> int:
        blank = _SPACE.match(piece, at)
        start = blank.end() if blank else at
        self._place.pass_over(piece[at:start])
        return start

    def _end(self, record: Record, separator: int) -> Record | None:
        """Returns the record that ends before a comma or ], unless there is nothing to read."""
        self._record = None
        self._place.pass_over(b",")
        self._is_closed = separator == _END
        data = self._element.take()
        if data:
            return record._replace(data=data)
        if data is not None and not (self._is_closed and self._number == 1):
            self._report(json_fault(f"expected a value, found {chr(separator)}", record))
        return None


def _behind_element(text: str, at: int) -> int:
    """Returns where a good element ends that begins here, else where it begins."""
    try:
        return _PARSER.raw_decode(text, at)[1]
    except (ValueError, RecursionError):  # another piece is needed, or it is not good
        return at


class _Element:
    """The element that is being scanned: where the scanner is in it, and its bytes so far."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self._depth = 0
        self._in_string = False
        self._is_escaped = False

    def scan(self, piece: bytes, at: int) -> int:
        """Returns where in the piece the element ends, or the end of the piece."""
        while at < len(piece):
            if self._in_string:
                at = self._scan_string(piece, at)
                continue
            match = (_DEEP if self._depth else _SHALLOW).match(piece, at)
            at = match.end() if match else at
            if at == len(piece):
                break
            byte = piece[at]
            if byte == _QUOTE:
                self._in_string = True
            elif byte in _OPENING:
                self._depth += 1
            elif self._depth:
                self._depth -= 1
            elif byte in (_COMMA, _END):
                break
            at += 1
        return at

    def _scan_string(self, piece: bytes, at: int) -> int:
        """Returns where the string ends, or the end of the piece."""
        if self._is_escaped:
            self._is_escaped = False
            at += 1
        match = _IN_STRING.match(piece, at)
        at = match.end() if match else at
        if at < len(piece):
            self._is_escaped = piece[at] != _QUOTE  # the last byte, a backslash
            self._in_string = self._is_escaped
            at += 1
        return at

    def add(self, part: bytes) -> bool:
        """Keeps some bytes; false for those with which the element becomes too long."""
        was_short = self._size <= self._limit
        self._size += len(part)
        if self._size <= self._limit:
            self._parts.append(part)
            return True
        self._parts.clear()
        return not was_short

    def take(self) -> bytes | None:
        """Returns the bytes of the element, which ends here; None if it is too long."""
        data = b"".join(self._parts) if self._size <= self._limit else None
        self._parts.clear()
        self._size = 0
        return data
