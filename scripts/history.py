"""docs/schema-history.md: what each update of the schema changed, the newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._schema_diff import changes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolwire._schema_diff import Finding

HISTORY = "docs/schema-history.md"
_HEAD = """\
# What changed in the schema

`make update` adds an entry for each schema that it takes in, the newest first. The entries are
`toolwire proto diff` of the schemas before and after.
"""


def with_entry(text: str, title: str, findings: Sequence[Finding]) -> str:
    """Returns the history with one more entry.

    Args:
        text: The history so far; "" where there is none.
        title: The heading of the entry.
        findings: What changed.
    """
    head, mark, entries = (text or _HEAD).partition("\n## ")
    entry = f"\n## {title}\n\n{changes(findings).strip()}\n"
    return f"{head.rstrip()}\n{entry}{mark}{entries}"
