"""Whether a message of ours nests too deeply to be read, found out at little cost.

Few types of message can hold themselves, such as Schema and Struct. The walk goes straight to
the fields that lead there, and only there counts levels.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from toolwire._messages import fits, is_map_entry

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._descriptor_types import FieldType, MessageType


class _Way(NamedTuple):
    """A field that leads to a type which can hold itself."""

    name: str
    is_repeated: bool


def is_shallow(message: Message, levels: int) -> bool:
    """Tells whether at most ``levels`` levels of messages lie below a message of ours.

    Args:
        message: The message, of a type that is part of this process for good.
        levels: More than its type could have without holding itself.
    """
    ways = _ways(message.DESCRIPTOR)
    if ways is None:
        return fits(message, levels)
    for name, is_repeated in ways:
        if is_repeated:
            for item in getattr(message, name):
                if not is_shallow(item, levels - 1):
                    return False
        elif message.HasField(name) and not is_shallow(getattr(message, name), levels - 1):
            return False
    return True


@cache
def _ways(kind: MessageType) -> tuple[_Way, ...] | None:
    """Returns the fields that lead to such types; None where only counting will do."""
    if kind in _below(kind) or any(map(_leads_through_map, kind.fields)):
        return None
    return tuple(
        _Way(field.name, field.is_repeated)
        for field in kind.fields
        if field.message_type is not None and _can_be_deep(field.message_type)
    )


@cache
def _below(kind: MessageType) -> frozenset[MessageType]:
    """Returns the types that a type can hold, at any depth."""
    found: set[MessageType] = set()
    waiting = _children(kind)
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting += _children(each)
    return frozenset(found)


def _can_be_deep(kind: MessageType) -> bool:
    return any(each in _below(each) for each in (kind, *_below(kind)))


def _leads_through_map(field: FieldType) -> bool:
    kind = field.message_type
    return kind is not None and is_map_entry(kind) and _can_be_deep(kind)


def _children(kind: MessageType) -> list[MessageType]:
    return [field.message_type for field in kind.fields if field.message_type is not None]
