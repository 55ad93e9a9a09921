"""The command line, ``toolwire``; needs the extra ``cli``."""

from __future__ import annotations

import os
import sys

__all__ = ["main"]


def main() -> None:
    """Runs the command that the process was started with, and exits."""
    # gRPC writes what it thinks of a failed handshake to the terminal; our error says it once.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    try:
        from toolwire.cli._main import toolwire  # noqa: PLC0415 - click may be missing
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("click"):
            raise
        sys.exit('error: the command line needs click: pip install "toolwire[cli]"')
    toolwire(prog_name="toolwire")
