"""The table of docs/rules.md is that of the code."""

from __future__ import annotations

from pathlib import Path

from toolwire._apis import APIS
from toolwire._rules import described

PAGE = Path(__file__).parent.parent.parent / "docs" / "rules.md"
_HEAD = f"| rule | what breaks it | {' | '.join(APIS)} | source |"


def table() -> str:
    """Writes the table as it should stand in the page."""
    rows = [_HEAD, "|" + "---|" * (len(APIS) + 3)]
    for rule in described():
        cells = [rule.severities.get(api, "-") for api in APIS]
        breaks = f"{rule.breaks} (on request)" if rule.older else rule.breaks
        rows.append(f"| `{rule.id}` | {breaks} | {' | '.join(cells)} | {rule.source} |")
    return "\n".join(rows) + "\n"


def test_the_table_is_that_of_the_code() -> None:
    """If it is not, put what ``print(table())`` writes in its place."""
    assert table() in PAGE.read_text(encoding="utf-8")
