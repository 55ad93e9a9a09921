"""A progress bar on the terminal for long input."""

from __future__ import annotations

import os
import stat
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_STDIN, _STDOUT, _STDERR = 0, 1, 2
_LONG = 8_000_000  # bytes of input from which on it is shown
_SECONDS = 0.1  # between two pictures
_WIDTH = 24
_MB = 1_000_000


class Progress:
    """Shows how much of the input was read, where somebody looks at standard error.

    Nothing is shown where the output goes to the terminal as well.
    """

    def __init__(self, files: Iterable[Path]) -> None:
        """Begins.

        Args:
            files: What will be read; ``-`` is standard input.
        """
        sizes = [_size(file) for file in files]
        total = None if None in sizes else sum(filter(None, sizes))
        self._total = total
        self._done = 0
        self._start = time.monotonic()
        self._next = self._start  # when the next picture is due
        self._shown = 0
        is_seen = os.isatty(_STDERR) and not os.isatty(_STDOUT)
        self._is_wanted = is_seen and (total is None or total >= _LONG)

    def add(self, count: int) -> None:
        """Counts some bytes that were read."""
        self._done += count
        if not self._is_wanted or (self._total is None and self._done < _LONG):
            return
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _SECONDS
            self._show(self._picture(now - self._start))

    def clear(self) -> None:
        """Takes the bar off the terminal, until the next bytes."""
        if self._shown:
            sys.stderr.write("\r" + " " * self._shown + "\r")
            sys.stderr.flush()
            self._shown = 0

    def _show(self, text: str) -> None:
        sys.stderr.write("\r" + text.ljust(self._shown))
        sys.stderr.flush()
        self._shown = max(self._shown, len(text))

    def _picture(self, seconds: float) -> str:
        speed = self._done / max(seconds, 0.001)
        if self._total is None:
            return f"{self._done / _MB:.1f} MB, {speed / _MB:.1f} MB/s"
        part = min(self._done / self._total, 1.0)
        bar = ("#" * int(part * _WIDTH)).ljust(_WIDTH, ".")
        left = int((self._total - self._done) / speed)
        return (
            f"[{bar}] {part:4.0%} of {self._total / _MB:.1f} MB, {speed / _MB:.1f} MB/s, "
            f"{left // 60}:{left % 60:02d} left"
        )


def _size(file: Path) -> int | None:
    """Returns how many bytes there are; None if that is not known, as for a pipe."""
    with suppress(OSError):
        found = os.fstat(_STDIN) if str(file) == "-" else file.stat()
        if stat.S_ISREG(found.st_mode):
            return found.st_size
    return None
