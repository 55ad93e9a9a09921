"""The command line, ``toolwire``; needs the extra ``cli``."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Runs the command that the process was started with, and exits."""
    try:
        from toolwire.cli._main import toolwire  # noqa: PLC0415 - click may be missing
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("click"):
            raise
        sys.exit('error: the command line needs click: pip install "toolwire[cli]"')
    toolwire(prog_name="toolwire")
