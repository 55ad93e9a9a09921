"""Writes down what was found, for people and for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from toolwire._schema_diff._finding import CONSEQUENCES, JSON, WIRE
from toolwire._words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from toolwire._schema_diff._finding import Consequence, Finding

HEADINGS: dict[Consequence, str] = {
    "wire": "breaks the wire",
    "json": "breaks JSON",
    "source": "breaks Python source",
    "behaviour": "changes behaviour",
    "addition": "adds",
}
_NOUNS: dict[Consequence, str] = {
    "wire": "wire",
    "json": "JSON",
    "source": "Python source",
    "behaviour": "behaviour",
    "addition": "additions",
}


def report(findings: Sequence[Finding], *, note: str = "") -> str:
    """Returns a text for people, each finding below the gravest of its consequences.

    Args:
        findings: What ``compare`` found.
        note: A last line, such as where a second opinion is from.
    """
    lines: list[str] = []
    for consequence, group in grouped(findings):
        lines += [f"{HEADINGS[consequence]} ({len(group)})"]
        for finding in group:
            lines += _lines(finding)
        lines += [""]
    lines += [_summary(findings), *([note] if note else [])]
    return "".join(f"{printable(line)}\n" for line in lines)


def to_json(findings: Sequence[Finding], *, note: str = "") -> str:
    """Returns JSON for programs.

    Args:
        findings: What ``compare`` found.
        note: As in ``report``.
    """
    answer = {
        "summary": _counts(findings),
        "note": note,
        "findings": [
            {
                "rule": finding.rule,
                "path": finding.path,
                "new_path": finding.new_path,
                "consequences": _ordered(finding.consequences),
                "old": finding.old,
                "new": finding.new,
                "explanation": finding.explanation,
                "buf": list(finding.buf),
                "buf_breaks": _ordered(finding.buf_breaks),
            }
            for finding in findings
        ],
    }
    return json.dumps(answer, indent=2) + "\n"


def grouped(findings: Sequence[Finding]) -> Iterator[tuple[Consequence, list[Finding]]]:
    """Yields each consequence with the findings of which it is the gravest, if there are any."""
    for consequence in CONSEQUENCES:
        group = [finding for finding in findings if finding.gravest == consequence]
        if group:
            yield consequence, group


def change(finding: Finding) -> str:
    """Returns what was there and what is there now."""
    if finding.old and finding.new:
        return f"{finding.old} -> {finding.new}"
    return finding.new or (f"was {finding.old}" if finding.old else "")


def printable(text: str) -> str:
    """Returns the text with everything escaped that could move the cursor of a terminal."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def _lines(finding: Finding) -> Iterator[str]:
    what = change(finding)
    yield f"  {finding.path}{': ' if what else ''}{what}  [{finding.rule}]"
    if finding.explanation:
        yield f"      {finding.explanation}"
    others = [HEADINGS[one] for one in _ordered(finding.consequences) if one != finding.gravest]
    if others:
        yield f"      also {', '.join(others)}"
    if finding.buf:
        yield f"      buf: {', '.join(finding.buf)}{_dispute(finding)}"


def _dispute(finding: Finding) -> str:
    """Says so where buf takes it for graver; its other rules are about other languages."""
    for one in _ordered(finding.buf_breaks & (WIRE | JSON)):
        if CONSEQUENCES.index(one) < CONSEQUENCES.index(finding.gravest):
            return f", which {HEADINGS[one]} by its rules"
    return ""


def _summary(findings: Sequence[Finding]) -> str:
    if not findings:
        return "no changes"
    counts = _counts(findings)
    parts = (f"{_NOUNS[one]} {counts[one]}" for one in CONSEQUENCES if counts[one])
    return f"{counted(len(findings), 'change')}: {', '.join(parts)}"


def _counts(findings: Iterable[Finding]) -> dict[Consequence, int]:
    found = list(findings)
    return {one: sum(one in finding.consequences for finding in found) for one in CONSEQUENCES}


def _ordered(consequences: frozenset[Consequence]) -> list[Consequence]:
    return [one for one in CONSEQUENCES if one in consequences]
