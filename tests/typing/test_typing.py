"""What a user's type checker says, in strict mode."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support import field_types, method_types
from support.checkers import CHECKERS

HERE = Path(__file__).parent

pytestmark = pytest.mark.tools


def copied(name: str, folder: Path) -> Path:
    """Copies a program to where no configuration of ours reaches."""
    return Path(shutil.copy(HERE / name, folder / name))


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_users_program_is_clean(checker: str, tmp_path: Path) -> None:
    complaints = CHECKERS[checker](copied("sample.py", tmp_path))
    assert [complaint.text for complaint in complaints] == []


def test_a_users_program_runs() -> None:
    result = subprocess.run(
        [sys.executable, "-W", "error", HERE / "sample.py"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout == "ran\n"


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_users_mistakes_are_found(checker: str, tmp_path: Path) -> None:
    path = copied("wrong.py", tmp_path)
    expected = {
        number
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if line.endswith("# wrong")
    }
    complaints = CHECKERS[checker](path)
    found = {complaint.line for complaint in complaints}
    assert found == expected, "\n".join(complaint.text for complaint in complaints)


@pytest.mark.parametrize("checker", CHECKERS)
def test_every_field_has_its_type(checker: str, tmp_path: Path) -> None:
    path = tmp_path / "fields.py"
    path.write_text(field_types.program())
    complaints = CHECKERS[checker](path)
    expressions = ("expression value is unused", "Expression value is unused")
    assert [c.text for c in complaints if not c.text.endswith(expressions)] == []


@pytest.mark.parametrize("checker", CHECKERS)
def test_every_method_has_its_types(checker: str, tmp_path: Path) -> None:
    path = tmp_path / "methods.py"
    path.write_text(method_types.program())
    assert [complaint.text for complaint in CHECKERS[checker](path)] == []
