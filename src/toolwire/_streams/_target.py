"""Where a stream is written to: a path or a file."""

from __future__ import annotations

import errno
import io
import os
import shutil
import tempfile
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar, cast

from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

_T_contra = TypeVar("_T_contra", contravariant=True)


class Writable(Protocol[_T_contra]):
    """A file that can be written."""

    def write(self, data: _T_contra, /) -> object:
        """Writes all of the data."""
        ...


BinaryTarget: TypeAlias = "str | os.PathLike[str] | Writable[bytes]"
"""A path, or a binary file."""

Target: TypeAlias = "BinaryTarget | Writable[str]"
"""A path, or a binary or text file."""


@contextmanager
def opened(target: object, *, takes_text: bool) -> Generator[Callable[[bytes], object], None, None]:
    """Gives the function that writes bytes to a target; to a text file as text.

    Args:
        target: The target.
        takes_text: Whether it may be a text file.

    Raises:
        UsageError: If it is no target.
        OSError: If the file cannot be written.
    """
    if isinstance(target, (str, os.PathLike)):
        with _replacing(Path(cast("str", target))) as write_bytes:
            yield write_bytes
        return
    write: Callable[[object], object] | None = getattr(target, "write", None)
    if write is None:
        raise UsageError(f"expected a path or a file to write to, found {type(target).__name__}")
    if isinstance(target, io.RawIOBase):
        yield partial(_write_all, target)
        return
    if not hasattr(target, "encoding"):  # which every text file has
        yield write
        return
    if not takes_text:
        raise UsageError("expected a binary file to write to, found a text file")

    def write_text(data: bytes) -> object:
        return write(data.decode())

    yield write_text


def _write_all(raw: io.RawIOBase, data: bytes) -> None:
    """Writes to a file without a buffer, such as that of a socket, which may take less at a time.

    Raises:
        BlockingIOError: If it takes nothing now, and is not to be waited for.
    """
    rest = memoryview(data)
    while rest:
        taken = raw.write(rest)
        if taken is None:
            raise BlockingIOError(errno.EAGAIN, "the file takes no more now; give it a buffer")
        rest = rest[taken:]


@contextmanager
def _replacing(path: Path) -> Generator[Callable[[bytes], object], None, None]:
    """Writes a new file beside the old one, and puts it in its place when all went well.

    So a path has all of a stream or what it had before, and may be what the stream is read from.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():  # a pipe or a device
        with path.open("wb") as file:
            yield file.write
        return
    folder = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    try:
        new = folder / path.name
        with new.open("wb") as file:
            yield file.write
        with suppress(FileNotFoundError):
            shutil.copymode(path, new)
        new.replace(path)
    finally:
        shutil.rmtree(folder)
