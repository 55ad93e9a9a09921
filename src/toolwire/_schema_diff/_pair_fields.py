"""Finds which field of the new schema is which of the old one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolwire._schema_diff._index import Field
    from toolwire._schema_diff._types import Types


@dataclass(slots=True)
class FieldPairs:
    """The fields of one message, old and new.

    Attributes:
        kept: Those in both, under whatever name or number.
        reused: A field that is gone, and another one that has its number.
        removed: Those that are gone, and their number is used by none that is new.
        added: Those that are new.
    """

    kept: list[tuple[Field, Field]] = field(default_factory=list["tuple[Field, Field]"])
    reused: list[tuple[Field, Field]] = field(default_factory=list["tuple[Field, Field]"])
    removed: list[Field] = field(default_factory=list["Field"])
    added: list[Field] = field(default_factory=list["Field"])


def pair_fields(old: Sequence[Field], new: Sequence[Field], types: Types) -> FieldPairs:
    """Pairs by name first, then by number: there a field of the same type is the same, renamed."""
    pairs = FieldPairs()
    names = {one.name: one for one in new}
    old_names = {one.name for one in old}
    numbers = {one.number: one for one in new if one.name not in old_names}
    for one in old:
        if one.name in names:
            pairs.kept.append((one, names[one.name]))
            continue
        other = numbers.pop(one.number, None)
        if other is None:
            pairs.removed.append(one)
        elif types.same_fields(one, other):
            pairs.kept.append((one, other))
        else:
            pairs.reused.append((one, other))
    taken = {other.name for _, other in (*pairs.kept, *pairs.reused)}
    pairs.added = [one for one in new if one.name not in taken]
    return pairs
