"""JSON Lines: one record a line."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from toolwire._streams._record import Record, ReportJson, json_fault, too_long
from toolwire._streams._source import without_mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_BLANK = b" \t\r"  # with the newline, the white space of JSON


def split_lines(pieces: Iterable[bytes], limit: int, report: ReportJson) -> Iterator[Record]:
    """Yields the lines that are not blank; the last one need not end with a newline.

    Args:
        pieces: The stream.
        limit: How many bytes a line may have.
        report: Told of a longer one, which is left out.

    Raises:
        JsonError: If the stream is in UTF-16.
    """
    rest, offset = without_mark(pieces)
    parts: list[bytes] = []
    number, line, size = 0, 1, 0
    is_skipped = False
    for piece in chain(rest, [b"\n"]):
        ends = piece.split(b"\n")
        unfinished = len(ends) - 1
        for index, part in enumerate(ends):
            size += len(part)
            if size > limit:
                if not is_skipped:
                    number += 1
                    report(json_fault(too_long(limit), Record(number, offset, b"", line, 1)))
                is_skipped = True
                parts.clear()
            else:
                parts.append(part)
            if index == unfinished:
                break
            data = b"".join(parts)
            if not is_skipped and data.strip(_BLANK):
                number += 1
                yield Record(number, offset, data, line, 1)
            parts.clear()
            offset += size + 1
            line += 1
            size = 0
            is_skipped = False
