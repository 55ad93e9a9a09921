"""Fields of a binary message that its schema does not know, which no text format can name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from google.protobuf.unknown_fields import UnknownFieldSet

from toolwire import Error
from toolwire._messages import messages_in
from toolwire._paths import Path, render

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from google.protobuf.message import Message


def refuse_unknown(message: Message) -> None:
    """Checks that a message has no unknown field, and takes them off it.

    Raises:
        Error: If it has, with the path of the first.
    """
    data = message.SerializePartialToString()
    message.DiscardUnknownFields()
    if message.ByteSize() == len(data):
        return
    for part, path in _parts(type(message).FromString(data), None):
        for field in cast("Iterable[Any]", UnknownFieldSet(part)):
            place = render(path)
            raise Error(
                f"{place}{': ' if place else ''}field number {field.field_number} is not one of "
                f"{part.DESCRIPTOR.full_name}, so only binary can hold it"
            )


def _parts(message: Message, path: Path) -> Iterator[tuple[Message, Path]]:
    """Yields a message and all messages in it, with their paths."""
    yield message, path
    for field, value in message.ListFields():
        for step, part in messages_in(field, value):
            at = (path, field.json_name)
            yield from _parts(part, at if step is None else (at, step))
