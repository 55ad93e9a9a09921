"""What tests run in other processes: importable there, as a test module is not."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from google.protobuf.message import Message


def echo(messages: list[Message]) -> list[Message]:
    """Returns what crossed the border, so that it crosses it once more."""
    return messages


def run_python(*arguments: str | Path) -> str:
    """Runs Python in a fresh process with warnings as errors, and returns what it printed."""
    command = [sys.executable, "-W", "error", *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout
