"""Changes of enums."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._schema_diff._enum_values import value_changes
from toolwire._schema_diff._finding import BEHAVIOUR, Finding
from toolwire._schema_diff._options import option_changes
from toolwire._schema_diff._reserved import reserved_changes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolwire._schema_diff._index import Enum


def enum_changes(old: Enum, new: Enum) -> Iterator[Finding]:
    """Yields the changes of one enum."""
    yield from value_changes(old, new)
    used = [(value.number, value.name) for value in new.values]
    yield from reserved_changes(old, new, used)
    yield from option_changes(old.full_name, new.full_name, old.options, new.options)
    for rule, note, before, after in (
        (
            "enum-openness-changed",
            "an open enum keeps a number without a value, a closed one makes the field unknown",
            _openness(old),
            _openness(new),
        ),
        (
            "enum-default-changed",
            "each side reads its own first value where nothing was sent",
            _default(old),
            _default(new),
        ),
    ):
        if before != after:
            yield Finding(rule, old.full_name, BEHAVIOUR, note, before, after, new.full_name)


def _openness(enum: Enum) -> str:
    return "closed" if enum.closed else "open"


def _default(enum: Enum) -> str:
    return str(enum.values[0].number) if enum.values else ""
