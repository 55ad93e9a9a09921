"""Questions to messages and descriptors that every rule asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._descriptor_types import FieldType, MessageType


def get(message: Message, field: str) -> Any:
    """Returns the value of a field that the message type has, whichever class it is of."""
    return getattr(message, field)


def json_name(message: Message, field: str) -> str:
    """Returns the JSON name of a field that the message type has."""
    return message.DESCRIPTOR.fields_by_name[field].json_name


def short_name(kind: MessageType) -> str:
    """Returns a message type's name without the package, such as ``Tool.GoogleSearch``."""
    return kind.full_name.removeprefix(f"{kind.file.package}.")


def is_missing(message: Message, field: FieldType) -> bool:
    """Tells whether a field is absent, or has the default that stands for absence."""
    if field.is_repeated:
        return not len(get(message, field.name))
    if field.has_presence:
        return not message.HasField(field.name)
    return bool(get(message, field.name) == field.default_value)


def enum_names(field: FieldType) -> dict[int, str]:
    """Returns the values of an enum field by number; empty for any other field."""
    if field.enum_type is None:
        return {}
    return {value.number: value.name for value in field.enum_type.values}
