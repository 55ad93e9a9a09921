"""Every message inside a message, with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from toolwire._messages import DEEPEST, messages_in
from toolwire._rules._own import as_own

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._descriptor_types import FieldType
    from toolwire._paths import Path

# Its messages are values (Struct, Timestamp, Any ...): no rule is about them, and a Struct is deep.
_VALUES = "google.protobuf"


class Place(NamedTuple):
    """A message inside another.

    Attributes:
        message: The message.
        path: The way to it from the outermost one.
        level: How many levels of messages it lies below the outermost one.
        field: The field that holds it; None for the outermost one.
        around: The message around it, the innermost; None for the outermost one.
    """

    message: Message
    path: Path = None
    level: int = 0
    field: FieldType | None = None
    around: object = None

    @property
    def too_deep(self) -> bool:
        """Whether protobuf's binary reader refuses a message this deep."""
        return self.level > DEEPEST

    def outwards(self) -> Iterator[Place]:
        """Yields the place and all around it, the innermost first."""
        place: object = self
        while isinstance(place, Place):
            yield place
            place = place.around


def walk(message: Message) -> Iterator[Place]:
    """Yields the message and all that lie in it, outer ones first, in the order of the fields.

    Those of proto-plus are yielded as messages of our own classes.

    The walk keeps a list of its own instead of recursing, and ends where a message is too deep:
    the place that is so is the last one yielded on its way.
    """
    waiting = [Place(message)]
    while waiting:
        place = waiting.pop()
        own = as_own(place.message)
        if own is not place.message:
            place = place._replace(message=own)
        yield place
        if not place.too_deep:
            waiting.extend(reversed(list(_below(place))))


def _below(place: Place) -> Iterator[Place]:
    for field, value in place.message.ListFields():
        kind = field.message_type
        if kind is None or kind.file.package == _VALUES:
            continue
        name = field.json_name if not field.is_extension else f"[{field.full_name}]"
        here: Path = (place.path, name)
        for step, inner in messages_in(field, value):
            path = here if step is None else (here, step)
            level = place.level + (2 if isinstance(step, tuple) else 1)  # a map's entry is one, too
            yield Place(inner, path, level, field, place)
