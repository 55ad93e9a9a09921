"""What docs/promises.md names is there: tests, their cases, targets of make."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
ROWS = re.findall(
    r"^\| (?!what holds|-)(.+) \| (.+) \|$",
    (ROOT / "docs" / "promises.md").read_text(),
    re.MULTILINE,
)
TEST = re.compile(r"(tests/[\w/]+\.py)::(test_\w+)(?:\[(.+)\])?")
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


@cache
def names_in(path: Path) -> frozenset[str]:
    """Returns the names of a file's tests."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return frozenset(each.name for each in body if isinstance(each, ast.FunctionDef))


@cache
def sources() -> str:
    """Returns the text of all tests and of what they share, where the names of cases stand."""
    paths = sorted((ROOT / "tests").rglob("*.py"))
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def test_the_page_has_rows() -> None:
    assert len(ROWS) > 150
    rules = [rule for rule, _ in ROWS]
    assert sorted(set(rules)) == sorted(rules)


@pytest.mark.parametrize(("rule", "cell"), ROWS, ids=[rule for rule, _ in ROWS])
def test_what_holds_it_exists(rule: str, cell: str) -> None:
    names = cell.split("<br>")
    assert len(set(names)) == len(names), rule
    for name in names:
        assert re.fullmatch("`.+`", name), name
        if name.startswith("`make "):
            assert name[len("`make ") : -1] in TARGETS, name
            continue
        found = TEST.fullmatch(name[1:-1])
        assert found, name
        path, test, case = found.groups()
        assert test in names_in(ROOT / path), name
        # A case may have the kind of client after its name.
        assert case is None or f'"{re.sub(", (Async)?Client$", "", case)}"' in sources(), name
