"""Questions to descriptors that both directions ask."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from google.protobuf import descriptor_pool, message_factory

from toolwire._json._faults import expected, fault, shown
from toolwire._json._tree import check_text
from toolwire._messages import is_map_entry

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor, FieldDescriptor
    from google.protobuf.message import Message

    from toolwire._paths import Path

ANY = "google.protobuf.Any"
VALUE = "google.protobuf.Value"
STRUCT = "google.protobuf.Struct"
LIST_VALUE = "google.protobuf.ListValue"
TIMESTAMP = "google.protobuf.Timestamp"
DURATION = "google.protobuf.Duration"
FIELD_MASK = "google.protobuf.FieldMask"
EMPTY = "google.protobuf.Empty"
NULL_VALUE = "google.protobuf.NullValue"

_EXTENSION = re.compile(r"\[[A-Za-z_][A-Za-z0-9_.]*\]")

WRAPPERS = frozenset(
    f"google.protobuf.{kind}Value"
    for kind in ("Bool", "Bytes", "Double", "Float", "Int32", "Int64", "String", "UInt32", "UInt64")
)


def json_name(field: FieldDescriptor) -> str:
    """Returns the JSON key of a field; that of an extension is its full name in brackets."""
    return f"[{field.full_name}]" if field.is_extension else field.json_name


def find_extension(kind: Descriptor, key: str) -> FieldDescriptor | None:
    """Returns the extension that a JSON key like ``[full.name]`` stands for in a message."""
    if not (kind.is_extendable and _EXTENSION.fullmatch(key)):
        return None
    try:
        field = kind.file.pool.FindExtensionByName(key[1:-1])
    except KeyError:
        return None
    extended = field.containing_type
    return field if extended is not None and extended.full_name == kind.full_name else None


def is_map(field: FieldDescriptor) -> bool:
    """Tells whether a field is a map."""
    return field.message_type is not None and is_map_entry(field.message_type)


def entry_fields(field: FieldDescriptor) -> tuple[FieldDescriptor, FieldDescriptor]:
    """Returns the key and the value of a map field."""
    entry: Any = field.message_type
    return entry.fields_by_name["key"], entry.fields_by_name["value"]


def takes_null(field: FieldDescriptor) -> bool:
    """Tells whether JSON null is a value of the field's type, and not the lack of one.

    ProtoJSON specification, "Null values": so it is for ``NullValue``, hence for ``Value``.
    """
    if field.message_type is not None:
        return field.message_type.full_name == VALUE
    return field.enum_type is not None and field.enum_type.full_name == NULL_VALUE


def find_message_class(near: Descriptor, type_url: object, at: Path) -> type[Message]:
    """Returns the class for the type URL of an ``Any``.

    The pool of the type ``near`` is asked first, then the default pool. A type URL has a
    slash, and the type's full name after the last one (comment on ``Any.type_url``).

    Raises:
        JsonError: If it is no type URL, or no pool knows the type.
    """
    if not isinstance(type_url, str) or "/" not in type_url:
        raise expected('a type URL such as "type.googleapis.com/full.Name"', type_url, at)
    name = check_text(type_url, at).rpartition("/")[2]
    for pool in (near.file.pool, descriptor_pool.Default()):
        try:
            kind = pool.FindMessageTypeByName(name)
        except KeyError:
            continue
        return message_factory.GetMessageClass(kind)
    raise fault(f"unknown message type {shown(name)}", at)
