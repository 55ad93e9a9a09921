"""Fields that the schema itself marks as required."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from toolwire._annotations import is_required
from toolwire._rules._rule import Finding
from toolwire._rules._schema import enum_names, is_missing, short_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._descriptor_types import FieldType, MessageType
    from toolwire._rules._rule import Context

# A required field that another one replaces: (message, field) to the other. A schema node that
# consists of alternatives has no type of its own.
_REPLACED = {("Schema", "type"): "any_of"}


def required(message: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields every field marked REQUIRED that is missing.

    A field without presence is missing while it has its default: on the wire the two are the same.

    Source: google.api.field_behavior.
    """
    for field in required_fields(message.DESCRIPTOR):
        if is_missing(message, field) and not _is_replaced(message, field):
            yield Finding((field.json_name,), _complaint(field))


@lru_cache(maxsize=4096)
def required_fields(kind: MessageType) -> tuple[FieldType, ...]:
    """Returns the fields of a message type that are marked REQUIRED."""
    return tuple(field for field in kind.fields if is_required(field))


def _is_replaced(message: Message, field: FieldType) -> bool:
    other = _REPLACED.get((short_name(message.DESCRIPTOR), field.name))
    return other is not None and not is_missing(message, message.DESCRIPTOR.fields_by_name[other])


def _complaint(field: FieldType) -> str:
    if field.is_repeated:
        return "is required and empty: it needs at least one item"
    names = [name for number, name in sorted(enum_names(field).items()) if number]
    if names:
        return f"is required and unset: use one of {', '.join(names[:8])}"
    return "is required and missing"
