"""The progress bar of ``toolwire validate`` and ``convert``, as somebody sees it on a terminal."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from support.terminals import on_terminal

TOOL = {"functionDeclarations": [{"name": "f", "description": "x" * 200_000}], "x": 1}
COMMANDS = {
    "validate": (["validate"], "50 errors, 0 warnings"),
    "convert": (["convert", "--to", "gemini"], "lost: record 50: x: is unknown"),
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Long enough for a bar, with something to tell of each record."""
    path = tmp_path_factory.mktemp("long") / "tools.jsonl"
    path.write_text(f"{json.dumps(TOOL)}\n" * 50)
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_it_is_shown_and_gone_where_something_is_told(command: str, file: Path) -> None:
    arguments, last = COMMANDS[command]
    with Path(os.devnull).open("wb") as nowhere:
        shown = on_terminal([*arguments, str(file)], columns=200, stdout=nowhere.fileno())
    assert re.match(r"\r\[[#.]{24}\] +\d+% of 10.0 MB, ", shown)
    seen = [line.rpartition("\r")[2] for line in shown.split("\n")]  # as it is at the end
    assert any(line.startswith(last) for line in seen)
    assert not any("% of" in line for line in seen)


@pytest.mark.parametrize("command", COMMANDS)
def test_it_is_not_in_the_way_of_output_on_the_terminal(command: str, file: Path) -> None:
    arguments, _ = COMMANDS[command]
    assert "% of" not in on_terminal([*arguments, str(file)], columns=200)
