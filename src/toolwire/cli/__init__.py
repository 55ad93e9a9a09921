"""The command line, ``toolwire``; needs the extra ``cli``."""

from __future__ import annotations

import io
import os
import sys

from toolwire.cli._output import leave, settle

__all__ = ["main"]


def main() -> None:
    """Runs the command that the process was started with, and exits."""
    # gRPC writes what it thinks of a failed handshake to the terminal; our error says it once.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    output: object = sys.stdout  # None where it was closed
    if isinstance(output, io.TextIOWrapper):
        output.reconfigure(errors="backslashreplace")  # for what a locale has no letters
    try:
        from toolwire.cli._main import toolwire  # noqa: PLC0415 - click may be missing
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("click"):
            raise
        sys.exit('error: the command line needs click: pip install "toolwire[cli]"')
    except KeyboardInterrupt:  # which click turns into the same, once it is there
        sys.exit("Aborted!")
    try:
        toolwire(prog_name="toolwire")
    except OSError as error:  # what click writes itself, such as the help
        leave(error)
    finally:
        settle()
