"""Runs mypy and pyright, both strict, over programs as a user writes them."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BIN = Path(sys.executable).parent


@dataclass(frozen=True, slots=True)
class Complaint:
    """One error of a type checker."""

    line: int
    text: str


def mypy(program: Path, *, python: Path = Path(sys.executable)) -> list[Complaint]:
    """Checks a program against what is installed for an interpreter."""
    result = subprocess.run(
        [
            *(BIN / "mypy", "--strict", "--python-executable", python, "--output=json"),
            *("--config-file=", f"--cache-dir={program.parent / '.mypy'}", program),
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=program.parent,
    )
    assert not result.stderr, result.stderr
    found: list[dict[str, Any]] = [json.loads(line) for line in result.stdout.splitlines() if line]
    return [
        Complaint(entry["line"], f"{Path(entry['file']).name}:{entry['line']}: {entry['message']}")
        for entry in found
        if entry["severity"] == "error"
    ]


def pyright(program: Path, *, python: Path = Path(sys.executable)) -> list[Complaint]:
    """Checks a program against what is installed for an interpreter."""
    config = {"include": [program.name], "typeCheckingMode": "strict"}
    (program.parent / "pyrightconfig.json").write_text(json.dumps(config))
    result = subprocess.run(
        [BIN / "pyright", "--outputjson", "--pythonpath", python, "-p", program.parent],
        capture_output=True,
        text=True,
        check=False,
    )
    found: dict[str, Any] = json.loads(result.stdout)
    assert found["summary"]["filesAnalyzed"] == 1, result.stdout
    return [
        Complaint(
            entry["range"]["start"]["line"] + 1,
            f"{Path(entry['file']).name}:{entry['range']['start']['line'] + 1}: {entry['message']}",
        )
        for entry in found["generalDiagnostics"]
        if entry["severity"] == "error"
    ]


CHECKERS = {"mypy": mypy, "pyright": pyright}
