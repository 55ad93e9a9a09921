"""A message to a tree of Python values, driven by the message's descriptor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolwire._errors import DecodeError
from toolwire._json import _schema
from toolwire._json._faults import fault
from toolwire._json._field_mask import write_field_mask
from toolwire._json._scalars_read import read_key
from toolwire._json._scalars_write import write_key, write_scalar
from toolwire._json._struct import write_list_value, write_struct, write_value
from toolwire._json._times import write_duration, write_timestamp
from toolwire._json._unknown import Unwritten, collected, refuse_below
from toolwire._messages import descriptor_of, parse_binary

if TYPE_CHECKING:
    from collections.abc import Iterable

    from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
    from google.protobuf.message import Message

    from toolwire._json._levels import WriteLevel
    from toolwire._paths import Path

_TYPE = "@type"
_ABSENT = object()  # a field that is not set, but was collected as unknown


def write_message(level: WriteLevel, source: Message, at: Path, extra: Unwritten | None) -> object:
    """Writes a message in its JSON form.

    Args:
        level: The level of the message, and how to write.
        source: The message.
        at: The place of the message.
        extra: What a collector holds for this place and below.

    Raises:
        JsonError: If JSON cannot express something in it, or it nests too deeply, or something
            collected has no place in it.
    """
    name = source.DESCRIPTOR.full_name
    if name not in _schema.SPECIAL:
        return _write_fields(level, source, at, extra)
    if name == _schema.ANY:
        return _write_any(level, source, at, extra)
    refuse_below(extra, at)
    return _write_special(level, source, at)


def _write_special(  # noqa: PLR0911 - one answer a type
    level: WriteLevel, source: Any, at: Path
) -> object:
    name = source.DESCRIPTOR.full_name
    if name == _schema.STRUCT:
        return write_struct(level, source, at)
    if name == _schema.VALUE:
        return write_value(level, source, at)
    if name == _schema.LIST_VALUE:
        return write_list_value(level, source, at)
    if name == _schema.TIMESTAMP:
        return write_timestamp(source.seconds, source.nanos, at)
    if name == _schema.DURATION:
        return write_duration(source.seconds, source.nanos, at)
    if name == _schema.FIELD_MASK:
        return write_field_mask(source.paths, at)
    field = source.DESCRIPTOR.fields_by_name["value"]
    return write_scalar(level.options, field, source.value, at)


def _write_any(
    level: WriteLevel, source: Any, at: Path, extra: Unwritten | None
) -> dict[str, object]:
    """Writes an ``Any`` (ProtoJSON specification, "Any")."""
    type_url: str = source.type_url
    if not type_url and not source.value:
        refuse_below(extra, at)
        return {}
    cls = _schema.find_message_class(source, type_url, (at, _TYPE))
    try:
        content = parse_binary(cls, source.value)
    except DecodeError as error:
        reason = error.reason
    else:
        return {_TYPE: type_url, **_write_content(level.below(1, at), content, at, extra)}
    raise fault(reason, at)


def _write_content(
    level: WriteLevel, content: Message, at: Path, extra: Unwritten | None
) -> dict[str, object]:
    if content.DESCRIPTOR.full_name not in _schema.SPECIAL:
        return _write_fields(level, content, at, extra)
    beside = dict(extra.below) if extra is not None else {}
    inside = beside.pop("value", None)
    written = {"value": write_message(level, content, (at, "value"), inside)}
    for name, node in beside.items():
        written[str(name)] = collected(node, (at, name))
    return written


def _write_fields(
    level: WriteLevel, source: Message, at: Path, extra: Unwritten | None
) -> dict[str, object]:
    written: dict[str, object] = {}
    known: dict[int, Unwritten] = {}
    unknown: dict[str, Unwritten] = {}
    if extra is not None:
        known, unknown = _sort_out(level, source, extra)
    for field, value in _chosen(level, source, known):
        name = _schema.json_name(field)
        key = field.name if level.options.proto_names and not field.is_extension else name
        written[key] = _write_field(level, field, value, (at, name), known.get(field.number))
    for name, node in unknown.items():
        written[name] = collected(node, (at, name))
    return written


def _sort_out(
    level: WriteLevel, source: Message, extra: Unwritten
) -> tuple[dict[int, Unwritten], dict[str, Unwritten]]:
    """Returns what was collected at and below known fields, and the unknown fields."""
    kind = descriptor_of(source)
    names = level.options.names.of(kind)
    known: dict[int, Unwritten] = {}
    unknown: dict[str, Unwritten] = {}
    for step, node in extra.below.items():
        name = str(step)
        field = names.get(name) or _schema.find_extension(kind, name)
        if field is None:
            unknown[name] = node
        else:
            known[field.number] = node
    return known, unknown


def _chosen(
    level: WriteLevel, source: Message, known: dict[int, Unwritten]
) -> Iterable[tuple[FieldDescriptor, Any]]:
    """Returns the fields to write with their values, in the order of their numbers."""
    present = source.ListFields()
    include_defaults = level.options.include_defaults
    if not include_defaults and not known:
        return present
    chosen: dict[int, tuple[FieldDescriptor, Any]] = {}
    for field in descriptor_of(source).fields:
        if field.number in known and not field.is_repeated:
            if not _has_sibling(source, field):
                chosen[field.number] = field, _ABSENT
        elif field.number in known or (include_defaults and not field.has_presence):
            chosen[field.number] = field, getattr(source, field.name)
    chosen.update({field.number: (field, value) for field, value in present})
    return [chosen[number] for number in sorted(chosen)]


def _has_sibling(source: Message, field: FieldDescriptor) -> bool:
    """Tells whether a member of the field's oneof is set by now, which then is the one to write."""
    oneof = field.containing_oneof
    return oneof is not None and source.WhichOneof(oneof.name) is not None


def _write_field(
    level: WriteLevel, field: FieldDescriptor, value: Any, at: Path, extra: Unwritten | None
) -> object:
    if value is _ABSENT and extra is not None:
        return collected(extra, at)
    if not field.is_repeated:
        return _write_single(level, field, value, at, extra)
    if _schema.is_map(field):
        return _write_map(level, field, value, at, extra)
    return _write_list(level, field, value, at, extra)


def _write_single(
    level: WriteLevel, field: FieldDescriptor, value: Any, at: Path, extra: Unwritten | None
) -> object:
    if field.message_type is not None:
        return write_message(level.below(1, at), value, at, extra)
    refuse_below(extra, at)
    if field.enum_type is not None:
        return _write_enum(level, field.enum_type, value)
    return write_scalar(level.options, field, value, at)


def _write_enum(level: WriteLevel, enum: EnumDescriptor, number: int) -> str | int | None:
    """Writes an enum value by its first name; an unknown one by its number."""
    if number == 0 and enum.full_name == _schema.NULL_VALUE:
        return None
    known = None if level.options.enums_as_ints else enum.values_by_number.get(number)
    return number if known is None else known.name


def _write_list(
    level: WriteLevel, field: FieldDescriptor, values: Any, at: Path, extra: Unwritten | None
) -> list[object]:
    """Writes a list; what was collected from it stands at its old index again."""
    if extra is None:
        return [
            _write_single(level, field, item, (at, index), None)
            for index, item in enumerate(values)
        ]
    rest = dict(extra.below)
    written: list[object] = []
    for item in values:
        index = len(written)
        while index in rest and rest[index].collected:
            written.append(collected(rest.pop(index), (at, index)))
            index += 1
        written.append(_write_single(level, field, item, (at, index), rest.pop(index, None)))
    behind = sorted(rest, key=lambda step: step if isinstance(step, int) else -1)
    written.extend(collected(rest[step], (at, step)) for step in behind)
    return written


def _write_map(
    level: WriteLevel, field: FieldDescriptor, values: Any, at: Path, extra: Unwritten | None
) -> dict[str, object]:
    """Writes a map, in the order of its keys."""
    key_field, value_field = _schema.entry_fields(field)
    below = extra.below if extra is not None else {}
    entries: dict[Any, tuple[str, object]] = {}
    for key in values:
        text = write_key(key, at)
        place = (at, (text,))
        inner = level.below(1, place)
        item = _write_single(inner, value_field, values[key], place, below.get(text))
        entries[key] = text, item
    for step, node in below.items():
        key = read_key(key_field, step, at)
        if key not in entries:
            entries[key] = str(step), collected(node, (at, (str(step),)))
    return dict(entries[key] for key in sorted(entries))
