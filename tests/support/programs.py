"""Programs that tests run in a fresh interpreter."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_HANG = 60  # seconds


def run_code(code: str, *arguments: str, env: Mapping[str, str] | None = None) -> str:
    """Runs a program and returns what it printed; if it hangs or fails, so does the test.

    Args:
        code: The program; it may be indented.
        *arguments: What it finds in ``sys.argv``.
        env: Variables to add to the environment.
    """
    result = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=_HANG,
        env={**os.environ, **(env or {})},
    )
    assert result.returncode == 0, result.stderr
    return result.stdout
