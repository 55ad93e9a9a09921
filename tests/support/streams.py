"""Streams in every format, and the ways to cut them into chunks."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from toolwire import streams

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from google.protobuf.message import Message


class Format(NamedTuple):
    """A format, by its two functions."""

    name: str
    read: Callable[..., Any]
    write: Callable[..., int]

    def __str__(self) -> str:
        return self.name


LINES = Format("json_lines", streams.read_json_lines, streams.write_json_lines)
ARRAY = Format("json_array", streams.read_json_array, streams.write_json_array)
DELIMITED = Format("delimited", streams.read_delimited, streams.write_delimited)
FORMATS = [LINES, ARRAY, DELIMITED]


def written(form: Format, messages: Iterable[object], **options: Any) -> bytes:
    """Returns messages as a stream."""
    file = io.BytesIO()
    form.write(messages, file, **options)
    return file.getvalue()


def cut(data: Any, size: int) -> Iterator[Any]:
    """Yields data in chunks of one size."""
    for start in range(0, len(data), size):
        yield data[start : start + size]


def binary(messages: Iterable[Message]) -> list[bytes]:
    """Compares what == cannot: NaN, and the sign of zero."""
    return [message.SerializeToString(deterministic=True) for message in messages]


def is_open(path: Path) -> bool:
    """Tells whether this process has a file open."""
    return any(os.path.realpath(link) == str(path) for link in Path("/proc/self/fd").iterdir())
