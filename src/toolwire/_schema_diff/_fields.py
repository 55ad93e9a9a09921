"""Fields and extensions that are gone, new, or another one than they were."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolwire._schema_diff._finding import ADDITION, BEHAVIOUR, JSON, SOURCE, WIRE, Finding
from toolwire._schema_diff._kept_fields import kept_field
from toolwire._schema_diff._options import option_changes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolwire._schema_diff._index import Field
    from toolwire._schema_diff._pair_fields import FieldPairs
    from toolwire._schema_diff._peers import Peer
    from toolwire._schema_diff._types import Types


@dataclass(frozen=True, slots=True)
class FieldChanges:
    """Finds the changes of the fields of one message.

    Attributes:
        kind: ``field`` or ``extension``, as rules spell it.
        old: What an old peer knows of the message.
        new: What a new peer knows of it.
        types: Compares types.
    """

    kind: str
    old: Peer
    new: Peer
    types: Types

    def find(self, pairs: FieldPairs) -> Iterator[Finding]:
        """Yields what changed, but for oneofs."""
        for one in pairs.removed:
            yield self._removed(one)
        for one in pairs.added:
            yield self._added(one)
        for old, new in pairs.reused:
            yield self._reused(old, new)
        for old, new in pairs.kept:
            yield from self._kept(old, new)

    def _removed(self, one: Field) -> Finding:
        breaks = JSON | SOURCE
        notes = [self.new.reads(one), f'a new peer refuses "{one.json_name}" in JSON']
        if not self.new.reserved.has(one.number):
            breaks |= WIRE
        if one.presence == "required":
            notes.append("an old peer refuses messages without it")
            breaks |= WIRE
        return Finding(
            f"{self.kind}-removed",
            one.full_name,
            breaks,
            "; ".join(notes),
            old=one.declaration,
        )

    def _added(self, one: Field) -> Finding:
        breaks = ADDITION
        notes = [self.old.reads(one)]
        if one.oneof:
            notes.append(f"and sees nothing set in oneof `{one.oneof}`")
        if one.presence == "required":
            notes.append("a new peer refuses messages without it")
            breaks |= WIRE
        if "REQUIRED" in one.options.get("google.api.field_behavior", ""):
            notes.append("a new server may refuse requests without it")
            breaks |= BEHAVIOUR
        return Finding(
            f"{self.kind}-added",
            one.full_name,
            breaks,
            "; ".join(notes),
            new=one.declaration,
            new_path=one.full_name,
        )

    def _reused(self, old: Field, new: Field) -> Finding:
        return Finding(
            f"{self.kind}-number-reused",
            old.full_name,
            WIRE | JSON | SOURCE,
            f"{self.new.reads(old)}; {self.old.reads(new)}",
            old.declaration,
            new.declaration,
            new.full_name,
        )

    def _kept(self, old: Field, new: Field) -> Iterator[Finding]:
        if old.number != new.number:
            yield Finding(
                f"{self.kind}-renumbered",
                old.full_name,
                WIRE,
                f"{self.new.reads(old)}; {self.old.reads(new)}",
                str(old.number),
                str(new.number),
                new.full_name,
            )
        for change in kept_field(old, new, self.types):
            yield Finding(
                f"{self.kind}-{change.rule}",
                old.full_name,
                change.verdict.consequences,
                "; ".join(change.verdict.notes),
                change.old,
                change.new,
                new.full_name,
            )
        yield from option_changes(old.full_name, new.full_name, old.options, new.options)
