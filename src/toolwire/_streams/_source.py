"""Where a stream is read from: a path, a file, or chunks, all turned into pieces of bytes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar, cast

from toolwire._errors import JsonError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

_T_co = TypeVar("_T_co", covariant=True)


class Readable(Protocol[_T_co]):
    """A file that can be read."""

    def read(self, size: int, /) -> _T_co:
        """Returns at most that many bytes or characters, and nothing at the end."""
        ...


Chunk: TypeAlias = "bytes | bytearray | memoryview[int]"
BinarySource: TypeAlias = "str | os.PathLike[str] | Readable[Chunk] | Iterable[Chunk]"
"""A path, a binary file, or an iterable of its chunks, which need not end where records do."""

Source: TypeAlias = "BinarySource | Readable[Chunk | str] | Iterable[Chunk | str]"
"""The same, or a text file, or its chunks."""

PIECE = 1 << 16
"""Bytes that are read, and looked at, at a time."""

_MARK = b"\xef\xbb\xbf"
_MARKS_OF_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def check_source(source: object) -> None:
    """Refuses what is no source before anything is read.

    Raises:
        UsageError: If it is none.
    """
    wrong = f"expected a path, a file or an iterable of chunks, found {type(source).__name__}"
    if isinstance(source, (bytes, bytearray, memoryview)):
        raise UsageError(f"{wrong}; wrap data in a list")
    if not hasattr(source, "read") and not isinstance(source, (os.PathLike, Iterable)):
        raise UsageError(wrong)


def pieces_of(source: object, *, takes_text: bool) -> Generator[bytes, None, None]:
    """Yields the bytes of a source in pieces that are neither empty nor large; text in UTF-8.

    A file that is opened here is closed when the iterator ends or is closed.

    Args:
        source: The source.
        takes_text: Whether the source may give text.

    Raises:
        JsonError: If the source gives text that is not Unicode.
        UsageError: If it gives something else than bytes or text.
        OSError: If the file cannot be opened or read.
    """
    if isinstance(source, (str, os.PathLike)):
        with open(cast("str", source), "rb", buffering=0) as file:  # noqa: PTH123 - or a PathLike
            while piece := file.read(PIECE):
                yield piece
    elif hasattr(source, "read"):
        yield from _cut(_reads(source), takes_text=takes_text)
    else:
        yield from _cut(cast("Iterable[object]", source), takes_text=takes_text)


def without_mark(pieces: Iterable[bytes]) -> tuple[Iterator[bytes], int]:
    """Takes off the byte order mark that some programs write before UTF-8.

    Returns:
        The rest, and the length of the mark.

    Raises:
        JsonError: If there is the mark of UTF-16.
    """
    rest = iter(pieces)
    head = b""
    for piece in rest:
        head += piece
        if len(head) >= len(_MARK):
            break
    if head.startswith(_MARKS_OF_UTF16):
        raise JsonError("not UTF-8: it starts with the byte order mark of UTF-16", offset=0)
    length = len(_MARK) if head.startswith(_MARK) else 0
    return chain([head[length:]], rest), length


def _reads(file: object) -> Iterator[object]:
    """Reads a file; a pipe is not waited for until a whole piece is there."""
    name = "read1" if hasattr(file, "read1") else "read"
    read: Callable[[int], object] = getattr(file, name)
    while True:
        try:
            piece = read(PIECE)
        except UnicodeDecodeError as error:
            reason = f"the text file is not {error.encoding}: {error.reason}"
        else:
            if not piece and isinstance(piece, (bytes, str)):
                return
            yield piece
            continue
        raise JsonError(reason)


def _cut(chunks: Iterable[object], *, takes_text: bool) -> Iterator[bytes]:
    for chunk in chunks:
        if isinstance(chunk, bytes) or (isinstance(chunk, str) and takes_text):
            data = chunk
        elif isinstance(chunk, (bytearray, memoryview)):
            data = bytes(cast("bytes", chunk))
        else:
            wanted = "bytes or text" if takes_text else "bytes"
            raise UsageError(f"expected {wanted} from the source, found {type(chunk).__name__}")
        for start in range(0, len(data), PIECE):
            piece = data[start : start + PIECE]
            yield _encoded(piece) if isinstance(piece, str) else piece


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        pass
    raise JsonError("not Unicode: the text has a lone surrogate")
