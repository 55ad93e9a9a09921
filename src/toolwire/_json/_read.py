"""A tree of Python values to what a message's constructor takes, by the plan of its type.

Nested messages become dicts, so that one call of one constructor makes the whole message; types
with a JSON form of their own, extensions, and messages that the caller gave become instances.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from toolwire._json._build import build, with_extensions
from toolwire._json._copy import taken_as_value
from toolwire._json._faults import expected, fault, near, shown, too_deep
from toolwire._json._scalars_write import write_key
from toolwire._json._tree import as_list, as_object, check_text
from toolwire._json._unknown import collect
from toolwire._messages import as_message
from toolwire._paths import quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from google.protobuf.message import Message

    from toolwire._json._options import ReadOptions
    from toolwire._json._plan import FieldPlan, FieldReader, MessagePlan
    from toolwire._json._scalars_read import Scalar
    from toolwire._paths import Path


def read_root(plan: MessagePlan, value: object, options: ReadOptions) -> Any:
    """Reads a whole message.

    Raises:
        JsonError: If the value does not fit the message.
    """
    made = plan.read(plan, value, None, options.max_depth, options)
    message = build(plan, made)
    if not isinstance(value, dict) and message is as_message(value):  # never the caller's own
        copy = plan.cls()
        copy.CopyFrom(message)
        return copy
    return message


def read_message(
    plan: MessagePlan, value: Any, at: Path, left: int, options: ReadOptions
) -> Message | dict[str, Any]:
    """Reads a message that has no JSON form of its own.

    Args:
        plan: The plan of its type.
        value: Its JSON form, or a message of the same full name.
        at: The place of the message.
        left: How many levels of messages may lie below it.
        options: How to read.

    Returns:
        What the constructor of a message around it takes.

    Raises:
        JsonError: If the value does not fit the message.
    """
    entries: dict[Any, object] = value
    if type(value) is not dict:
        return _read_other(plan, value, at, left, options)
    made: dict[str, Any] = {}
    members: dict[str, FieldPlan] = {}
    fields = plan.by_json_name
    for key, item in entries.items():
        field = fields.get(key) or _find_field(plan, entries, key, at)
        if field is None:
            read_unknown_field(plan, key, item, at, options)
            continue
        if field.oneof is not None and (item is not None or field.takes_null):
            _check_oneof(members, field, at)
        passes = field.passes.get(type(item))
        if passes is not None and passes(item):
            made[field.name] = item
            continue
        if item is None and not field.takes_null:
            continue
        read = field.read(field, item, (at, field.json_name), left, options)
        if read is not None:  # else an enum value that is passed over
            made[field.name] = read
    if options.is_text:
        entries.clear()  # the tree is ours and was read: half the memory at the peak
    return _complete(plan, made, at) if plan.required or plan.is_extendable else made


def _read_other(
    plan: MessagePlan, value: object, at: Path, left: int, options: ReadOptions
) -> Message | dict[str, Any]:
    """Reads what is no plain dict: a message, or another mapping."""
    source = as_message(value)
    if source is not None:
        return taken_as_value(plan.cls, source, at, left, options)
    return read_message(plan, dict(as_object(value, at)), at, left, options)


def _complete(plan: MessagePlan, made: dict[str, Any], at: Path) -> Message | dict[str, Any]:
    for field in plan.required:
        if field.name not in made:
            raise fault("required field is missing", (at, field.json_name))
    return with_extensions(plan, made)


def _find_field(
    plan: MessagePlan, value: Mapping[Any, object], key: object, at: Path
) -> FieldPlan | None:
    """Returns the field of a key that is no JSON name.

    Only here one field can stand in the object twice: by both of its names.
    """
    if not isinstance(key, str):
        raise expected("a string as field name", key, at)
    field = plan.find(key)
    if field is not None and field.json_name != key and field.json_name in value:
        first, second = (name for name in value if name in {key, field.json_name})
        both = f"{shown(first)} and {shown(second)}"
        raise fault(f"{both} are the same field", (at, field.json_name))
    return field


def _check_oneof(members: dict[str, FieldPlan], field: FieldPlan, at: Path) -> None:
    oneof = str(field.oneof)
    other = members.setdefault(oneof, field)
    if other is not field:
        both = f"{shown(other.json_name)} and {shown(field.json_name)}"
        raise fault(f"{both} are both set, but {shown(oneof)} takes one of them", at)


def read_unknown_field(
    plan: MessagePlan | None, key: object, value: object, at: Path, options: ReadOptions
) -> None:
    """Passes over, collects or refuses what is no field of the message.

    Raises:
        JsonError: As the options say, and if it is nothing that JSON can express.
    """
    if not isinstance(key, str):
        raise expected("a string as field name", key, at)
    if options.unknown == "error":
        names = plan.by_json_name if plan is not None else ()
        hint = near(key, names) or (_below(plan, key) if plan is not None else "")
        raise fault(f"unknown field {shown(key)}{hint}", (at, key))
    collect(options.unknown, value, (at, check_text(key, at)))


def _below(plan: MessagePlan, name: str) -> str:
    """Returns ``; did you mean "a.b"?`` where the messages of just one field have such a field."""
    owners = [field for field in plan.fields if _has_field(field, name)]
    if len(owners) != 1:
        return ""
    (owner,) = owners
    return f"; did you mean {quote(owner.json_name + ('[].' if owner.is_list else '.') + name)}?"


def _has_field(field: FieldPlan, name: str) -> bool:
    if field.descriptor.message_type is None or field.is_map:
        return False
    plan = field.find_message()
    return not plan.is_special and plan.find(name) is not None


def field_reader(field: FieldPlan) -> FieldReader:
    """Returns what reads a field."""
    if field.is_map:
        return _read_map
    if field.is_list:
        return _read_list
    if field.descriptor.enum_type is not None:
        return _read_enum
    return _read_single_message if field.descriptor.message_type is not None else _read_scalar


def _read_scalar(
    field: FieldPlan, value: object, at: Path, _left: int, _options: ReadOptions
) -> Scalar:
    return field.read_scalar(value, at)


def _read_enum(
    field: FieldPlan, value: object, at: Path, _left: int, options: ReadOptions
) -> int | None:
    return field.enum.read(value, at, options)


def _read_single_message(
    field: FieldPlan, value: object, at: Path, left: int, options: ReadOptions
) -> Message | dict[str, Any]:
    if left < 1:
        raise too_deep(options.max_depth, at)
    plan = field.message or field.find_message()
    return plan.read(plan, value, at, left - 1, options)


def _read_list(
    field: FieldPlan, value: Any, at: Path, left: int, options: ReadOptions
) -> list[Any]:
    items: Sequence[object] = value
    if type(value) is not list:
        items = as_list(value, at)
    item_plan = field.value
    if item_plan.is_text and _are_plain(items):
        return list(items)
    plan, read_item, levels = item_plan.reader()
    left -= levels
    made: list[Any] = []
    for index, item in enumerate(items):
        passes = item_plan.passes.get(type(item))
        if passes is not None and passes(item):
            made.append(item)
            continue
        place = (at, index)
        if item is None and not item_plan.takes_null:
            raise _null_item(place)
        if left < 0:
            raise too_deep(options.max_depth, place)
        read = read_item(plan, item, place, left, options)
        if read is not None:
            made.append(read)
    return made


def _read_map(
    field: FieldPlan, value: Any, at: Path, left: int, options: ReadOptions
) -> dict[Any, Any]:
    entries: Mapping[Any, object] = value
    if type(value) is not dict:
        entries = as_object(value, at)
    value_plan = field.value
    is_text, read_key = field.key.is_text, field.key.read_key
    plan, read_item, levels = value_plan.reader()
    left -= 1 + levels  # an entry is a message of its own
    seen: set[bool | int | str] = set()
    made: dict[Any, Any] = {}
    for name, item in entries.items():
        key = read_key(name, at)
        place: Path = (at, (name,))
        if not is_text:
            place = (at, (name if isinstance(name, str) else write_key(key, at),))
            if key in seen:  # equal texts are one key of a dict, but 1 and "1" are two
                raise fault("duplicate key", place)
            seen.add(key)
        if item is None and not value_plan.takes_null:
            raise _null_item(place)
        if left < 0:
            raise too_deep(options.max_depth, place)
        read = read_item(plan, item, place, left, options)
        if read is not None:
            made[key] = read
    return made


def _are_plain(items: Sequence[object]) -> bool:
    """Tells whether all items are texts in ASCII, which are taken as they are."""
    try:
        return all(map(str.isascii, cast("Sequence[str]", items)))
    except TypeError:  # not all are texts
        return False


def _null_item(at: Path) -> Exception:
    """The error for null as an item (ProtoJSON specification, "Null values")."""
    return fault("null is no item of a list or map", at)
