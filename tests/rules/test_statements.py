"""What the schemas' comments demand, statement by statement: each has its rule, or a reason."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest

import statements
from toolwire._rules._table import RULES

if TYPE_CHECKING:
    from pathlib import Path

# An update may bring demands that nobody has judged yet, and breaks nothing by that.
judged = pytest.mark.skipif(
    statements.judged() != statements.state(),
    reason=f"the schema is not the one that was judged: run `{statements.COMMAND}`",
)


def test_the_rows_are_in_order() -> None:
    elements = [row.element for row in statements.rows()]
    assert elements == sorted(set(elements))


@judged
def test_every_demand_of_a_comment_is_judged() -> None:
    """If not: add a row, with the rules that hold it (a new one?) or with ``-`` and why not."""
    assert statements.new(statements.texts()) == []


@judged
def test_no_demand_was_reworded_since() -> None:
    """If so: judge each row again, then run ``python scripts/statements.py --seen``."""
    found = statements.texts()
    assert [*statements.reworded(found), *statements.gone(found)] == []


def test_the_rows_name_rules_or_say_why_not() -> None:
    known = {rule.id for rule in RULES}
    for name, _, held in statements.rows():
        assert re.fullmatch(r"- \w.{5,}", held) or set(held.split()) <= known, name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Optional. Names. At most 12 are taken.", ["At most 12 are taken."]),
        ("Values range from 0\n to 1.", ["Values range from 0 to 1."]),
        ("Output only. When it was made.", []),
        ("Required. What is said.", []),
        (
            "Needed there, and never empty. A name. Set one.",
            ["Needed there, and never empty.", "Set one."],
        ),
    ],
)
def test_what_a_demand_is(text: str, expected: list[str]) -> None:
    assert statements.demands(text) == expected


@pytest.fixture
def changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """The comments of a schema with a table that was judged for it, to be changed."""
    table = tmp_path / "statements.tsv"
    shutil.copy(statements.TABLE, table)
    monkeypatch.setattr(statements, "TABLE", table)
    told = statements.texts()
    new = {each.element for each in statements.new(told)}
    changed = {name: list(found) for name, found in told.items() if name not in new}
    monkeypatch.setattr(statements, "texts", lambda: changed)
    assert statements.main(["--seen"]) == 0
    return changed


def test_a_reworded_demand_is_told_until_it_was_seen(
    changed: dict[str, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """The other sentences of a comment may change as they like."""
    before = len(statements.rows())
    search, top = changed["VertexAISearch.max_results"], changed["GenerationConfig.top_p"]
    search[:] = [text.replace("at most 10", "at most 20") for text in search]
    top[:] = [text.replace("Consider only", "Take only") for text in top]
    changed["Tool.GoogleSearch.time_range_filter"][0] += " See the pages."
    assert statements.main([]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("GenerationConfig.top_p: judge again (generation.top-p): Take only")
    assert "VertexAISearch.max_results: judge again (retrieval.max-results)" in second
    assert "at most 20" in second
    assert statements.main(["--seen"]) == 0
    assert statements.main([]) == 0
    assert len(statements.rows()) == before
    assert capsys.readouterr().out == "no demand is new or was reworded\n"


def test_a_new_demand_needs_a_row_before_all_was_seen(
    changed: dict[str, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    changed["Tool.acme"] = ["Set at most three."]
    said = "Tool.acme: new, needs a row: Set at most three.\n"
    for arguments in ([], ["--seen"]):
        assert statements.main(arguments) == 1
        assert capsys.readouterr().out == said


def test_the_row_of_what_is_gone_goes_when_that_was_seen(
    changed: dict[str, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    del changed["VertexAISearch.max_results"]
    assert statements.main([]) == 1
    assert capsys.readouterr().out.startswith("VertexAISearch.max_results: gone, ")
    assert statements.main(["--seen"]) == 0
    assert "VertexAISearch.max_results" not in {row.element for row in statements.rows()}
    assert statements.main([]) == 0


def test_all_that_was_seen_is_noted_for_the_schema_that_is_there(
    changed: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert changed
    assert statements.judged() == statements.state()
    monkeypatch.setattr(statements, "state", lambda: "acme 1")
    assert statements.judged() != statements.state()
    assert statements.main(["--seen"]) == 0
    assert statements.judged() == "acme 1"
