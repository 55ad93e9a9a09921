"""The command line on a terminal."""

from __future__ import annotations

import errno
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOOLWIRE = str(Path(sys.executable).parent / "toolwire")


def on_terminal(arguments: Sequence[str], *, columns: int, stdout: int | None = None) -> str:
    """Runs ``toolwire`` on a terminal without colours, and returns all that it shows.

    Args:
        arguments: Its arguments.
        columns: Width of the terminal.
        stdout: Where standard output goes instead.
    """
    reader, terminal = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "NO_COLOR": "1"}
    with subprocess.Popen(
        [_TOOLWIRE, *arguments],
        stdout=terminal if stdout is None else stdout,
        stderr=terminal,
        env=environment,
    ) as process:
        os.close(terminal)
        shown = b""
        try:
            while piece := os.read(reader, 1 << 16):
                shown += piece
        except OSError as error:  # how Linux says that nobody writes any more
            if error.errno != errno.EIO:
                raise
        finally:
            os.close(reader)
        process.wait(timeout=60)
    return shown.decode().replace("\r\n", "\n")
