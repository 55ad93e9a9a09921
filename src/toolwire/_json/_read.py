"""A tree of Python values to a message, driven by the message's descriptor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolwire._json import _schema
from toolwire._json._copy import copy_message
from toolwire._json._faults import expected, fault, found, near, shown
from toolwire._json._field_mask import read_field_mask
from toolwire._json._scalars_read import INT32, Scalar, read_integer, read_key, read_scalar
from toolwire._json._scalars_write import write_key
from toolwire._json._struct import read_list_value, read_struct, read_value
from toolwire._json._times import read_duration, read_timestamp
from toolwire._json._tree import as_list, as_object, check_text, plain
from toolwire._json._unknown import UnknownFields
from toolwire._messages import as_message, descriptor_of
from toolwire._paths import render

if TYPE_CHECKING:
    from collections.abc import Mapping

    from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
    from google.protobuf.message import Message

    from toolwire._json._levels import ReadLevel
    from toolwire._paths import Path

_TYPE = "@type"


def read_message(level: ReadLevel, target: Message, value: object, at: Path) -> None:
    """Fills an empty message from the value that stands for it.

    Args:
        level: The level of the message, and how to read.
        target: The message to fill.
        value: Its JSON form, or a message of the same full name.
        at: The place of the message.

    Raises:
        JsonError: If the value does not fit the message.
    """
    name = target.DESCRIPTOR.full_name
    if name == _schema.VALUE:
        read_value(level, target, value, at)
        return
    source = as_message(value)
    if source is not None:
        copy_message(level, target, source, at)
    elif name in _schema.SPECIAL:
        _read_special(level, target, value, at)
    else:
        _read_fields(level, target, as_object(value, at), at)


def _read_special(level: ReadLevel, target: Any, value: object, at: Path) -> None:
    name = target.DESCRIPTOR.full_name
    if name == _schema.STRUCT:
        read_struct(level, target, value, at)
    elif name == _schema.LIST_VALUE:
        read_list_value(level, target, value, at)
    elif name == _schema.TIMESTAMP:
        target.seconds, target.nanos = read_timestamp(value, at)
    elif name == _schema.DURATION:
        target.seconds, target.nanos = read_duration(value, at)
    elif name == _schema.FIELD_MASK:
        target.paths.extend(read_field_mask(value, at))
    elif name == _schema.ANY:
        _read_any(level, target, as_object(value, at), at)
    else:
        target.value = read_scalar(target.DESCRIPTOR.fields_by_name["value"], value, at)


def _read_any(level: ReadLevel, target: Any, value: Mapping[object, object], at: Path) -> None:
    """Fills an ``Any`` (ProtoJSON specification, "Any")."""
    if not value:
        return
    if _TYPE not in value:
        raise fault('an Any without "@type"', at)
    type_url = value[_TYPE]
    content = _schema.find_message_class(target, type_url, (at, _TYPE))()
    body = {key: item for key, item in value.items() if key != _TYPE}
    _read_content(level.below(1, at), content, body, at)
    target.type_url = type_url
    target.value = content.SerializeToString(deterministic=True)


def _read_content(level: ReadLevel, content: Message, body: dict[object, object], at: Path) -> None:
    name = content.DESCRIPTOR.full_name
    if name not in _schema.SPECIAL:
        if name == _schema.EMPTY and body.get("value") == {}:
            del body["value"]  # older codecs wrote it, as for the special types
        _read_fields(level, content, body, at)
        return
    if "value" not in body:
        raise fault(f'an Any with a {name} but without "value"', at)
    read_message(level, content, body.pop("value"), (at, "value"))
    for key, item in body.items():
        _read_unknown_field(level, None, key, item, at)


def _read_fields(
    level: ReadLevel, target: Message, value: Mapping[object, object], at: Path
) -> None:
    kind = descriptor_of(target)
    names = level.options.names.of(kind)
    seen: dict[int, str] = {}
    members: dict[str, FieldDescriptor] = {}
    for key, item in value.items():
        if not isinstance(key, str):
            raise expected("a string as field name", key, at)
        field = names.get(key) or _schema.find_extension(kind, key)
        if field is None:
            _read_unknown_field(level, kind, key, item, at)
            continue
        place = (at, _schema.json_name(field))
        if field.number in seen:
            both = f"{shown(seen[field.number])} and {shown(key)}"
            raise fault(f"{both} are the same field", place)
        seen[field.number] = key
        if item is None and (field.is_repeated or not _schema.takes_null(field)):
            continue
        _check_oneof(members, field, at)
        _read_field(level, target, field, item, place)
    _check_required(kind, target, at)


def _check_oneof(members: dict[str, FieldDescriptor], field: FieldDescriptor, at: Path) -> None:
    if field.containing_oneof is None:
        return
    oneof = field.containing_oneof.name
    other = members.setdefault(oneof, field)
    if other is not field:
        both = f"{shown(other.json_name)} and {shown(field.json_name)}"
        raise fault(f"{both} are both set, but {shown(oneof)} takes one of them", at)


def _check_required(kind: Descriptor, target: Message, at: Path) -> None:
    for field in kind.fields:
        if field.is_required and not target.HasField(field.name):
            raise fault("required field is missing", (at, field.json_name))


def _read_field(
    level: ReadLevel, target: Any, field: FieldDescriptor, value: object, at: Path
) -> None:
    if field.is_repeated:
        container = target.Extensions[field] if field.is_extension else getattr(target, field.name)
        if _schema.is_map(field):
            _read_map(level, container, field, value, at)
        else:
            _read_list(level, container, field, value, at)
    elif field.message_type is not None:
        part = target.Extensions[field] if field.is_extension else getattr(target, field.name)
        part.SetInParent()
        read_message(level.below(1, at), part, value, at)
    else:
        scalar = _read_single(level, field, value, at)
        if scalar is None:
            return
        if field.is_extension:
            target.Extensions[field] = scalar
        else:
            setattr(target, field.name, scalar)


def _read_list(
    level: ReadLevel, target: Any, field: FieldDescriptor, value: object, at: Path
) -> None:
    for index, item in enumerate(as_list(value, at)):
        place = (at, index)
        _check_null(field, item, place)
        if field.message_type is not None:
            read_message(level.below(1, place), target.add(), item, place)
        else:
            scalar = _read_single(level, field, item, place)
            if scalar is not None:
                target.append(scalar)


def _read_map(
    level: ReadLevel, target: Any, field: FieldDescriptor, value: object, at: Path
) -> None:
    key_field, value_field = _schema.entry_fields(field)
    seen: set[bool | int | str] = set()
    for name, item in as_object(value, at).items():
        key = read_key(key_field, name, at)
        place = (at, (name if isinstance(name, str) else write_key(key, at),))
        if key in seen:
            raise fault("duplicate key", place)
        seen.add(key)
        _check_null(value_field, item, place)
        if value_field.message_type is not None:
            read_message(level.below(2, place), target[key], item, place)
        else:
            scalar = _read_single(level.below(1, place), value_field, item, place)
            if scalar is not None:
                target[key] = scalar


def _check_null(field: FieldDescriptor, item: object, at: Path) -> None:
    """Refuses null as an item (ProtoJSON specification, "Null values")."""
    if item is None and not _schema.takes_null(field):
        raise fault("null is no item of a list or map", at)


def _read_single(
    level: ReadLevel, field: FieldDescriptor, value: object, at: Path
) -> Scalar | None:
    """Reads a value that is no message; None where an unknown enum value is passed over."""
    if field.enum_type is None:
        return read_scalar(field, value, at)
    return _read_enum(level, field.enum_type, value, at)


def _read_enum(level: ReadLevel, enum: EnumDescriptor, value: object, at: Path) -> int | None:
    if value is None and enum.full_name == _schema.NULL_VALUE:
        return 0
    if isinstance(value, str):
        known = enum.values_by_name.get(check_text(value, at))
        if known is not None:
            return known.number
        hint = near(value, enum.values_by_name)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        number = read_integer(value, at, INT32)
        if not enum.is_closed or number in enum.values_by_number:
            return number
        hint = ""
    else:
        raise expected(f"a value of {enum.full_name}", value, at)
    if level.options.unknown == "error":
        raise fault(f"{found(value, at)} is no value of {enum.full_name}{hint}", at)
    _collect(level, value, at)
    return None


def _read_unknown_field(
    level: ReadLevel, kind: Descriptor | None, key: object, value: object, at: Path
) -> None:
    if not isinstance(key, str):
        raise expected("a string as field name", key, at)
    place = (at, key)
    if level.options.unknown == "error":
        names = [field.json_name for field in kind.fields] if kind is not None else []
        raise fault(f"unknown field {shown(key)}{near(key, names)}", place)
    _collect(level, value, (at, check_text(key, at)))


def _collect(level: ReadLevel, value: object, at: Path) -> None:
    unknown = level.options.unknown
    if isinstance(unknown, UnknownFields):
        unknown[render(at)] = plain(value, at)
