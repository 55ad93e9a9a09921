"""Standard output for bytes, which may go away."""

from __future__ import annotations

import os
import stat
import sys
from typing import NoReturn

_STDOUT = 1
_BROKEN_PIPE = 141  # what a shell sees of a program that SIGPIPE ended


class Output:
    """Standard output. Where it fails, the process ends: quietly if nobody reads any more."""

    def __init__(self) -> None:
        try:
            self._file = open(_STDOUT, "wb", buffering=1 << 16, closefd=False)  # noqa: SIM115
        except OSError as error:
            leave(error)

    def write(self, data: bytes) -> None:
        """Writes, now or at the next flush."""
        try:
            self._file.write(data)
        except OSError as error:
            leave(error)

    def flush(self) -> None:
        """Hands over all that was written."""
        try:
            self._file.flush()
        except OSError as error:
            leave(error)

    def is_terminal(self) -> bool:
        """Tells whether somebody looks at it."""
        return self._file.isatty()

    def is_file(self, descriptor: int) -> bool:
        """Tells whether an open file is the regular file that the output goes to."""
        own, other = os.fstat(_STDOUT), os.fstat(descriptor)
        return stat.S_ISREG(own.st_mode) and os.path.samestat(own, other)


def leave(failure: OSError) -> NoReturn:
    """Ends the process, since it cannot write: quietly if nobody reads any more."""
    _drop()
    if isinstance(failure, BrokenPipeError):
        sys.exit(_BROKEN_PIPE)
    sys.exit(f"error: standard output: {failure.strerror}")


def settle() -> None:
    """Writes what Python has not written yet of its own standard output, if it can be written."""
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison] - so it is when closed
        return
    try:
        sys.stdout.flush()
    except OSError:
        _drop()


def _drop() -> None:
    """Has what is still in a buffer go nowhere: Python would fail over it when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), _STDOUT)
