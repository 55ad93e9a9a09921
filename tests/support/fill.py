"""Fills a message through its descriptor, so that a new field is covered with no edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from support.schema import class_of

if TYPE_CHECKING:
    from toolwire._descriptor_types import FieldType

M = TypeVar("M", bound=Message)

_INTEGERS = {
    FieldDescriptor.CPPTYPE_INT32,
    FieldDescriptor.CPPTYPE_INT64,
    FieldDescriptor.CPPTYPE_UINT32,
    FieldDescriptor.CPPTYPE_UINT64,
}


def filled(cls: type[M], *, depth: int = 3) -> M:
    """Returns a message with a value in every field, and one member of each oneof."""
    message = cls()
    for field in cls.DESCRIPTOR.fields:
        if field.message_type is None:
            _set_scalar(message, field)
        elif depth:
            _set_message(message, field, depth)
    return message


def _set_scalar(message: Message, field: FieldType) -> None:
    value = _scalar(field)
    if field.is_repeated:
        getattr(message, field.name).extend([value, value])
    else:
        setattr(message, field.name, value)


def _set_message(message: Message, field: FieldType, depth: int) -> None:
    kind = field.message_type
    assert kind is not None
    if kind.has_options and kind.GetOptions().map_entry:
        target = getattr(message, field.name)
        value = kind.fields_by_name["value"]
        key = _scalar(kind.fields_by_name["key"])
        if value.message_type is None:
            target[key] = _scalar(value)
        else:
            target[key].CopyFrom(filled(class_of(value.message_type), depth=depth - 1))
        return
    inner = filled(class_of(kind), depth=depth - 1)
    if field.is_repeated:
        getattr(message, field.name).append(inner)
    else:
        getattr(message, field.name).CopyFrom(inner)


def _scalar(field: FieldType) -> object:
    if field.enum_type is not None:
        return field.enum_type.values[-1].number
    if field.cpp_type in _INTEGERS:
        return field.number
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return True
    if field.type == FieldDescriptor.TYPE_BYTES:
        return b"\x00\xff" + field.name.encode()
    if field.type == FieldDescriptor.TYPE_STRING:
        return f"{field.name} é"
    return field.number + 0.5
