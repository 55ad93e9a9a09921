"""A message to a tree of Python values, by the plan of its type."""

# ruff: noqa: PLR0917 - a walk hands its state on, by position since that is faster

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolwire._json._faults import fault, too_deep
from toolwire._json._scalars_write import write_key
from toolwire._json._unknown import Unwritten, collected, refuse_below
from toolwire._messages import DEEPEST

if TYPE_CHECKING:
    from collections.abc import Iterable

    from google.protobuf.descriptor import FieldDescriptor
    from google.protobuf.message import Message

    from toolwire._json._options import WriteOptions
    from toolwire._json._plan import FieldPlan, FieldWriter, MessagePlan
    from toolwire._paths import Path

_ABSENT = object()  # a field that is not set, but was collected as unknown


def write_message(
    plan: MessagePlan,
    source: Message,
    at: Path,
    left: int,
    options: WriteOptions,
    extra: Unwritten | None,
) -> dict[str, object]:
    """Writes a message that has no JSON form of its own.

    Args:
        plan: The plan of its type.
        source: The message.
        at: The place of the message.
        left: How many levels of messages may lie below it.
        options: How to write.
        extra: What a collector holds for this place and below.

    Raises:
        JsonError: If JSON cannot express something in it, or it nests too deeply, or something
            collected has no place in it.
    """
    if extra is not None:
        return _write_with_unknown(plan, source, at, left, options, extra)
    present: Iterable[tuple[FieldDescriptor, Any]] = source.ListFields()
    if options.include_defaults:
        present = _chosen(plan, source, present, {}, options)
    proto_names = options.proto_names
    fields = plan.by_descriptor
    written: dict[str, object] = {}
    for descriptor, value in present:
        field = fields.get(descriptor) or plan.extension(descriptor)
        key = field.name if proto_names else field.json_name
        if type(value) is str or field.is_plain:
            written[key] = value  # the commonest kinds, without a call
        else:
            written[key] = field.write(field, value, (at, field.json_name), left, options, None)
    return written


def _write_with_unknown(
    plan: MessagePlan,
    source: Message,
    at: Path,
    left: int,
    options: WriteOptions,
    extra: Unwritten,
) -> dict[str, object]:
    """Writes the fields with what was collected among them, and the unknown fields behind."""
    known: dict[int, Unwritten] = {}
    unknown: dict[str, Unwritten] = {}
    for step, node in extra.below.items():
        name = str(step)
        field = plan.find(name)
        if field is None:
            unknown[name] = node
        else:
            known[field.number] = node
    written: dict[str, object] = {}
    for descriptor, value in _chosen(plan, source, source.ListFields(), known, options):
        field = plan.extension(descriptor)
        key = field.name if options.proto_names else field.json_name
        place = (at, field.json_name)
        below = known.get(field.number)
        if value is _ABSENT and below is not None:
            written[key] = collected(below, place)
        else:
            written[key] = field.write(field, value, place, left, options, below)
    for name, node in unknown.items():
        written[name] = collected(node, (at, name))
    return written


def _chosen(
    plan: MessagePlan,
    source: Message,
    present: Iterable[tuple[FieldDescriptor, Any]],
    known: dict[int, Unwritten],
    options: WriteOptions,
) -> Iterable[tuple[FieldDescriptor, Any]]:
    """Returns the fields to write with their values, in the order of their numbers."""
    chosen: dict[int, tuple[FieldDescriptor, Any]] = {}
    for field in plan.fields:
        descriptor = field.descriptor
        below = known.get(field.number)
        if below is not None and (below.collected or not descriptor.is_repeated):
            if not _has_sibling(source, descriptor):
                chosen[field.number] = descriptor, _ABSENT
        elif below is not None or (options.include_defaults and not descriptor.has_presence):
            chosen[field.number] = descriptor, getattr(source, field.name)
    chosen.update({descriptor.number: (descriptor, value) for descriptor, value in present})
    return [chosen[number] for number in sorted(chosen)]


def _has_sibling(source: Message, field: FieldDescriptor) -> bool:
    """Tells whether a member of the field's oneof is set by now, which then is the one to write."""
    oneof = field.containing_oneof
    return oneof is not None and source.WhichOneof(oneof.name) is not None


def field_writer(field: FieldPlan) -> FieldWriter:
    """Returns what writes a field."""
    if field.is_map:
        return _write_map
    if field.is_list:
        return _write_list
    if field.descriptor.enum_type is not None:
        return _write_enum
    return _write_scalar if field.descriptor.message_type is None else _write_message


def _write_message(
    field: FieldPlan,
    value: Any,
    at: Path,
    left: int,
    options: WriteOptions,
    extra: Unwritten | None,
) -> object:
    if left < 1:
        raise too_deep(DEEPEST, at)
    plan = field.message or field.find_message()
    return plan.write(plan, value, at, left - 1, options, extra)


def _write_enum(
    field: FieldPlan,
    value: Any,
    at: Path,
    _left: int,
    options: WriteOptions,
    extra: Unwritten | None,
) -> object:
    if extra is not None:
        refuse_below(extra, at)
    enum = field.enum
    if value == 0 and enum.is_null:
        return None
    return value if options.enums_as_ints else enum.names.get(value, value)


def _write_scalar(
    field: FieldPlan,
    value: Any,
    at: Path,
    _left: int,
    options: WriteOptions,
    extra: Unwritten | None,
) -> object:
    if extra is not None:
        refuse_below(extra, at)
    return field.write_scalar(value, at, options)


def _write_list(
    field: FieldPlan,
    values: Any,
    at: Path,
    left: int,
    options: WriteOptions,
    extra: Unwritten | None,
) -> list[object]:
    """Writes a list; what was collected from it stands at its old index again."""
    item_plan = field.value
    write = item_plan.write
    if extra is None:
        items: list[object] = values[:]
        if item_plan.is_plain or (item_plan.is_text and all(type(item) is str for item in items)):
            return items
        return [
            write(item_plan, item, (at, index), left, options, None)
            for index, item in enumerate(items)
        ]
    rest = dict(extra.below)
    written: list[object] = []
    for item in values:
        index = len(written)
        while index in rest and rest[index].collected:
            written.append(collected(rest.pop(index), (at, index)))
            index += 1
        node = rest.pop(index, None)
        written.append(write(item_plan, item, (at, index), left, options, node))
    for step in sorted(rest, key=lambda step: step if isinstance(step, int) else -1):
        if not isinstance(step, int):
            raise fault("an unknown field was collected in what is a list here", (at, step))
        written.append(collected(rest[step], (at, step)))
    return written


def _write_map(
    field: FieldPlan,
    values: Any,
    at: Path,
    left: int,
    options: WriteOptions,
    extra: Unwritten | None,
) -> dict[str, object]:
    """Writes a map, in the order of its keys."""
    value_plan = field.value
    write = value_plan.write
    below = extra.below if extra is not None else {}
    rest = {field.key.read_key(step, at): step for step in below}
    written: dict[str, object] = {}
    for key in sorted({*values, *rest}) if rest else sorted(values):
        text = key if type(key) is str else write_key(key, at)
        place = (at, (text,))
        if key in rest and key not in values:
            text = str(rest[key])
            written[text] = collected(below[text], (at, (text,)))
            continue
        if left < 1:
            raise too_deep(DEEPEST, place)
        node = below.get(text)
        written[text] = write(value_plan, values[key], place, left - 1, options, node)
    return written
