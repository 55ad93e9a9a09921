"""Every message inside a message, with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from toolwire._messages import DEEPEST, is_map_entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._paths import Path

# Its messages are values (Struct, Timestamp, Any ...): no rule is about them, and a Struct is deep.
_VALUES = "google.protobuf"


class Place(NamedTuple):
    """A message inside another.

    Attributes:
        message: The message.
        path: The way to it from the outermost one.
        position: Its position in the list it stands in, if it stands in one.
        level: How many levels of messages it lies below the outermost one.
    """

    message: Message
    path: Path = None
    position: int | None = None
    level: int = 0

    @property
    def too_deep(self) -> bool:
        """Whether protobuf's binary reader refuses a message this deep."""
        return self.level > DEEPEST


def walk(message: Message) -> Iterator[Place]:
    """Yields the message and all that lie in it, outer ones first, in the order of the fields.

    The walk keeps a list of its own instead of recursing, and ends where a message is too deep:
    the place that is so is the last one yielded on its way.
    """
    waiting = [Place(message)]
    while waiting:
        place = waiting.pop()
        yield place
        if not place.too_deep:
            waiting.extend(reversed(list(_below(place))))


def _below(place: Place) -> Iterator[Place]:
    message, path, _, level = place
    for field, value in message.ListFields():
        kind = field.message_type
        if kind is None or kind.file.package == _VALUES:
            continue
        here: Path = (path, field.json_name if not field.is_extension else f"[{field.full_name}]")
        if not field.is_repeated:
            yield Place(value, here, None, level + 1)
        elif not is_map_entry(kind):
            for index, item in enumerate(value):
                yield Place(item, (here, index), index, level + 1)
        elif kind.fields_by_name["value"].message_type is not None:
            for key in sorted(value):
                yield Place(value[key], (here, (str(key),)), None, level + 2)
