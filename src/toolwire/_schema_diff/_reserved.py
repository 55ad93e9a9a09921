"""Changes of what messages and enums reserve, and of the numbers that extensions may have."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from toolwire._schema_diff._finding import BEHAVIOUR, WIRE, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolwire._schema_diff._index import Enum, Message, Ranges

    Reserving = Message | Enum


def reserved_changes(
    old: Reserving, new: Reserving, used: Iterable[tuple[int, str]]
) -> Iterator[Finding]:
    """Yields what changed.

    Args:
        old: The old message or enum.
        new: The new one.
        used: Number and name of each field or value that the new one has.
    """
    before, after = old.reserved, new.reserved
    path, new_path = old.full_name, new.full_name
    reused: list[tuple[int, int]] = []
    for number, name in used:
        if before.has(number) and not after.has(number):
            reused.append((number, number))
            note = f"peers of before may still use {number} for what it was once"
            at = f"{new_path}.{name}"
            yield Finding("reserved-number-used", at, WIRE, note, f"reserved {number}", name, at)
    names = sorted(before.names - after.names)
    lost: list[tuple[int, int] | str] = [
        *_minus(_minus(before.ranges, after.ranges), tuple(reused)),
        *map(json.dumps, names),
    ]
    names = sorted(after.names - before.names)
    gained: list[tuple[int, int] | str] = [
        *_minus(after.ranges, before.ranges),
        *map(json.dumps, names),
    ]
    if lost:
        note = "what was given up may come back with another meaning"
        yield Finding("reserved-removed", path, BEHAVIOUR, note, old=_text(lost), new_path=new_path)
    if gained:
        note = "it cannot come back with another meaning"
        yield Finding("reserved-added", path, BEHAVIOUR, note, new=_text(gained), new_path=new_path)


def extensible_changes(old: Message, new: Message) -> Iterator[Finding]:
    """Yields how the numbers that extensions of a message may have changed."""
    path, new_path = old.full_name, new.full_name
    lost = _minus(old.extensible, new.extensible)
    gained = _minus(new.extensible, old.extensible)
    if lost:
        note = "extensions with these numbers do not compile any more"
        yield Finding(
            "extension-range-removed", path, BEHAVIOUR, note, old=_text(lost), new_path=new_path
        )
    if gained:
        note = "extensions may have these numbers"
        yield Finding(
            "extension-range-added", path, BEHAVIOUR, note, new=_text(gained), new_path=new_path
        )


def _minus(ranges: Ranges, others: Ranges) -> Ranges:
    """Returns what of some ranges is in none of others."""
    left = list(ranges)
    for first, last in others:
        left = [
            part
            for start, end in left
            for part in ((start, min(end, first - 1)), (max(start, last + 1), end))
            if part[0] <= part[1]
        ]
    return tuple(left)


def _text(parts: Iterable[tuple[int, int] | str]) -> str:
    return ", ".join(part if isinstance(part, str) else _range(*part) for part in parts)


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first} to {last}"
