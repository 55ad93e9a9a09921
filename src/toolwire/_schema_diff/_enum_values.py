"""Changes of the values of an enum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._schema_diff._finding import ADDITION, JSON, SOURCE, WIRE, Finding
from toolwire._schema_diff._options import option_changes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolwire._schema_diff._index import Enum, Value


def value_changes(old: Enum, new: Enum) -> Iterator[Finding]:
    """Yields the changes of the values of one enum.

    A value is the same where its name is; one whose name is gone, too, where a new name has its
    number.
    """
    olds = {value.name for value in old.values}
    by_name = {value.name: value for value in new.values}
    fresh: dict[int, Value] = {}
    for value in new.values:
        if value.name not in olds:
            fresh.setdefault(value.number, value)
    kept: set[str] = set()
    for value in old.values:
        other = by_name.get(value.name) or fresh.pop(value.number, None)
        if other is None:
            yield _removed(value, old, new)
            continue
        kept.add(other.name)
        yield from _kept(value, other, old, new)
    for value in new.values:
        if value.name not in kept:
            path = f"{new.full_name}.{value.name}"
            note = f'{_reads("an old", old, value.number)}, and refuses "{value.name}" in JSON'
            yield Finding("enum-value-added", path, ADDITION, note, new=_text(value), new_path=path)


def _kept(value: Value, other: Value, old: Enum, new: Enum) -> Iterator[Finding]:
    path, new_path = f"{old.full_name}.{value.name}", f"{new.full_name}.{other.name}"
    if value.number != other.number:
        reads = _reads("a new", new, value.number), _reads("an old", old, other.number)
        yield Finding(
            "enum-value-moved",
            path,
            WIRE,
            "; ".join(reads),
            str(value.number),
            str(other.number),
            new_path,
        )
    if value.name != other.name:
        note = (
            f'in JSON a new peer refuses "{value.name}", and an old one "{other.name}"; '
            f"in Python `{value.name}` is an error now"
        )
        yield Finding(
            "enum-value-renamed", path, JSON | SOURCE, note, value.name, other.name, new_path
        )
    yield from option_changes(path, new_path, value.options, other.options)


def _removed(value: Value, old: Enum, new: Enum) -> Finding:
    breaks = JSON | SOURCE
    alias = {one.name for one in old.values if one.number == value.number}
    is_known = any(one.number == value.number and one.name in alias for one in new.values)
    if not is_known and not new.reserved.has(value.number):
        breaks |= WIRE
    note = (
        f'{_reads("a new", new, value.number)}, and refuses "{value.name}" in JSON; '
        f"in Python `{value.name}` is an error now"
    )
    path = f"{old.full_name}.{value.name}"
    return Finding("enum-value-removed", path, breaks, note, old=_text(value))


def _reads(who: str, enum: Enum, number: int) -> str:
    """Says what a peer takes a number for."""
    for value in enum.values:
        if value.number == number:
            return f"{who} peer reads {number} as `{value.name}`"
    if enum.closed:
        return f"{who} peer takes a field with {number} for unknown"
    reserved = " (reserved)" if enum.reserved.has(number) else ""
    return f"{who} peer reads {number} as a number without a name{reserved}"


def _text(value: Value) -> str:
    return f"{value.name} = {value.number}"
