"""Fields of any message by their names, whether they are set, and the names of their enums."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolwire._errors import DescriptorError

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._descriptor_types import FieldType, MessageType


class MissingField(DescriptorError):
    """A message of a schema, older or newer than ours, that has no such field."""

    def __init__(self, kind: MessageType, name: str) -> None:
        super().__init__(f"{kind.full_name} has no field {name}")


def get(message: Message, field: str) -> Any:
    """Returns the value of a field, whichever class the message is of.

    Raises:
        MissingField: If the message type has none of that name.
    """
    try:
        return getattr(message, field)
    except AttributeError:
        pass
    return getattr(message, field_of(message, field).name)


def find_field(kind: MessageType, name: str) -> FieldType | None:
    """Returns the field that the schema knows by a name, if a message type has one.

    proto-plus writes an underscore behind the names that mean something in Python: ``type_``.
    """
    known = kind.fields_by_name
    return known.get(name) or known.get(f"{name}_")


def schema_name(field: FieldType) -> str:
    """Returns the name that the schema has for a field: without proto-plus's underscore."""
    return field.name.removesuffix("_")


def field_of(message: Message, name: str) -> FieldType:
    """Returns a field by its name.

    Raises:
        MissingField: If the message type has none of that name.
    """
    field = find_field(message.DESCRIPTOR, name)
    if field is None:
        raise MissingField(message.DESCRIPTOR, name)
    return field


def json_name(message: Message, field: str) -> str:
    """Returns the JSON name of a field.

    Raises:
        MissingField: If the message type has none of that name.
    """
    return field_of(message, field).json_name


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


def is_set(message: Message, name: str) -> bool:
    """Tells whether a message type has a field and a message sets it."""
    field = find_field(message.DESCRIPTOR, name)
    return field is not None and not is_missing(message, field)


def set_of(message: Message, names: tuple[str, ...]) -> list[str]:
    """Returns those of some fields that a message type has and a message sets."""
    return [name for name in names if is_set(message, name)]


def enum_name(message: Message, field: str) -> str | None:
    """Returns the name of an enum field's value, or None if the schema does not know the number.

    Raises:
        MissingField: If the message type has no such field.
    """
    return enum_names(field_of(message, field)).get(get(message, field))


def enum_names(field: FieldType) -> dict[int, str]:
    """Returns the values of an enum field by number; empty for any other field."""
    if field.enum_type is None:
        return {}
    return {value.number: value.name for value in field.enum_type.values}
