"""Puts buf's findings beside ours."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolwire._schema_diff._buf_rules import is_of_option, is_same, speaks_of_many
from toolwire._schema_diff._finding import NONE, Finding, sort_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolwire._schema_diff._buf import Complaint


def cross_check(findings: Iterable[Finding], complaints: Sequence[Complaint]) -> list[Finding]:
    """Returns our findings with what buf says of each, and what only buf has found.

    Args:
        findings: What ``compare`` found.
        complaints: What buf found between the same two schemas.
    """
    found: list[Finding] = []
    matched: set[int] = set()
    for finding in findings:
        same = [number for number, complaint in enumerate(complaints) if _match(finding, complaint)]
        matched.update(same)
        rules = sorted({complaints[number].rule for number in same})
        breaks = NONE.union(*(complaints[number].breaks for number in same))
        found.append(replace(finding, buf=tuple(rules), buf_breaks=breaks))
    found += [
        Finding(
            f"buf:{complaint.rule}",
            complaint.element,
            complaint.breaks,
            complaint.message,
            new_path=complaint.element,
            buf=(complaint.rule,),
            buf_breaks=complaint.breaks,
        )
        for number, complaint in enumerate(complaints)
        if number not in matched
    ]
    return sorted(found, key=sort_key)


def _match(finding: Finding, complaint: Complaint) -> bool:
    if finding.rule == "option-changed":
        name = (finding.old or finding.new).partition(" = ")[0]
        return complaint.element == finding.new_path and is_of_option(name, complaint.rule)
    is_here = bool(finding.new_path) and complaint.element == finding.new_path
    is_named = any(f"{name}.".startswith(f"{finding.path}.") for name in complaint.names)
    return is_same(finding.rule, complaint.rule) and (
        is_here or is_named or _is_near(finding, complaint)
    )


def _is_near(finding: Finding, complaint: Complaint) -> bool:
    """Tells whether buf points at what something is in, or was in."""
    if not complaint.element:  # a package that is gone is in no file
        return finding.old in complaint.names
    scopes = {_scope(finding.path), _scope(finding.new_path)}
    if speaks_of_many(complaint.rule):
        return complaint.element in scopes
    # It compares by number, and may point at the field that has it now, in the same message.
    own = {finding.path.rpartition(".")[2], finding.old.rpartition(" ")[2]}  # name, number
    is_close = complaint.element in scopes or _scope(complaint.element) in scopes
    return is_close and not own.isdisjoint(complaint.names)


def _scope(name: str) -> str:
    return name.rpartition(".")[0]
