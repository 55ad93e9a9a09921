"""Writes what was found as Markdown, for a changelog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._schema_diff._report import HEADINGS, change, grouped, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from toolwire._schema_diff._finding import Finding


def changes(findings: Sequence[Finding]) -> str:
    """Returns a nested list in Markdown; what is only new takes a line for each place.

    Args:
        findings: What ``compare`` found.
    """
    lines = [] if findings else ["- No changes."]
    for consequence, group in grouped(findings):
        heading = HEADINGS[consequence]
        lines.append(f"- {heading[0].upper()}{heading[1:]}:")
        items = _additions(group) if consequence == "addition" else map(_item, group)
        lines += (f"  - {item}" for item in items)
    return "".join(f"{printable(line)}\n" for line in lines)


def _item(finding: Finding) -> str:
    what = change(finding).replace("`", "'")
    text = f"`{finding.path}`" + (f": `{what}`" if what else "")
    return f"{text}; {finding.explanation}" if finding.explanation else text


def _additions(group: Iterable[Finding]) -> Iterator[str]:
    """Joins the additions of one kind in one place."""
    places: dict[tuple[str, str], list[str]] = {}
    for finding in group:
        place, _, name = finding.path.rpartition(".")
        if finding.rule == "file-added":
            place, name = "", finding.path
        kind = finding.rule.removesuffix("-added").replace("-", " ")
        places.setdefault((place, kind), []).append(name)
    for (place, kind), names in places.items():
        text = ", ".join(f"`{name}`" for name in names)
        plural = "s" if len(names) > 1 else ""
        yield f"{kind}{plural} {text}" + (f" in `{place}`" if place else "")
