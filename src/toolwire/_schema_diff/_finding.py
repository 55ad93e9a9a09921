"""What a comparison finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

Consequence: TypeAlias = Literal["wire", "json", "source", "behaviour", "addition"]

CONSEQUENCES: tuple[Consequence, ...] = get_args(Consequence)
"""All consequences, the gravest first."""

WIRE: frozenset[Consequence] = frozenset({"wire"})
JSON: frozenset[Consequence] = frozenset({"json"})
SOURCE: frozenset[Consequence] = frozenset({"source"})
BEHAVIOUR: frozenset[Consequence] = frozenset({"behaviour"})
ADDITION: frozenset[Consequence] = frozenset({"addition"})
NONE: frozenset[Consequence] = frozenset()


@dataclass(frozen=True, slots=True)
class Finding:
    """One change of a schema.

    Attributes:
        rule: Stable identifier of the kind of change, such as ``field-renumbered``.
        path: Full name of what changed, as the old schema has it; of what is new, its name.
        consequences: What the change breaks or brings.
        explanation: What somebody sees of it.
        old: What was there.
        new: What is there now.
        new_path: Its full name in the new schema; empty where it is gone.
        buf: The rules of buf that say the same.
        buf_breaks: What it breaks by those rules.
    """

    rule: str
    path: str
    consequences: frozenset[Consequence]
    explanation: str
    old: str = ""
    new: str = ""
    new_path: str = ""
    buf: tuple[str, ...] = ()
    buf_breaks: frozenset[Consequence] = NONE

    @property
    def gravest(self) -> Consequence:
        """The gravest consequence."""
        return next(one for one in CONSEQUENCES if one in self.consequences)


def sort_key(finding: Finding) -> tuple[int, str, str, str]:
    """Puts the gravest findings first, and those of one thing together."""
    return CONSEQUENCES.index(finding.gravest), finding.path, finding.rule, finding.new
