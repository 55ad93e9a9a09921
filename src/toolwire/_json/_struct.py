"""``Struct``, ``Value`` and ``ListValue``: any JSON, in messages.

Rules: ProtoJSON specification, "Well-Known Types", and the comments of struct.proto. A level of
an object costs three levels of messages (map entry, value, struct), one of a list two.

They are filled in place: the constructor of a message would take a dict for a ``Struct`` as the
plain Python that it stands for.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from toolwire._json._copy import taken_as_value
from toolwire._json._faults import expected, too_deep
from toolwire._json._kinds import is_object
from toolwire._json._scalars_write import write_double, write_string
from toolwire._json._schema import LIST_VALUE, STRUCT, VALUE
from toolwire._json._tree import as_list, as_object, check_text
from toolwire._messages import DEEPEST, as_message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from google.protobuf.message import Message

    from toolwire._json._options import ReadOptions, WriteOptions
    from toolwire._json._plan import MessagePlan
    from toolwire._paths import Path

_ENTRY = 2  # levels of an entry of an object: the entry and its value
_EXACT = 1 << 53  # from there not every whole number is a double


def read_struct(
    plan: MessagePlan, value: object, at: Path, left: int, options: ReadOptions
) -> Message:
    """Reads a ``Struct`` from an object; its keys are the user's and stay as they are.

    Raises:
        JsonError: If the value is no object, or something in it is no JSON.
    """
    source = as_message(value)
    if source is not None:
        return taken_as_value(plan.cls, source, at, left, options)
    target = plan.cls()
    _fill_struct(target, as_object(value, at), at, left, options)
    return target


def read_list_value(
    plan: MessagePlan, value: object, at: Path, left: int, options: ReadOptions
) -> Message:
    """Reads a ``ListValue`` from a list.

    Raises:
        JsonError: If the value is no list, or something in it is no JSON.
    """
    source = as_message(value)
    if source is not None:
        return taken_as_value(plan.cls, source, at, left, options)
    target = plan.cls()
    _fill_list(target, as_list(value, at), at, left, options)
    return target


def read_value(
    plan: MessagePlan, value: object, at: Path, left: int, options: ReadOptions
) -> Message:
    """Reads a ``Value`` from any JSON value, or from a message of these three types.

    Raises:
        JsonError: If the value is no JSON, nests too deeply, or is a number that no double
            holds: infinite, or from Python a whole number that would be rounded.
    """
    target = plan.cls()
    _fill_value(target, value, at, left, options)
    return target


def _fill_struct(
    target: Any, entries: Mapping[Any, object], at: Path, left: int, options: ReadOptions
) -> None:
    if not entries:
        return
    if left < _ENTRY:
        raise too_deep(options.max_depth, at)
    left -= _ENTRY
    fields = target.fields
    for key, item in entries.items():
        if not isinstance(key, str):
            raise expected("a string as key", key, at)
        field = fields[key if key.isascii() else check_text(key, at)]
        _fill_value(field, item, (at, (key,)), left, options)


def _fill_list(
    target: Any, items: Sequence[object], at: Path, left: int, options: ReadOptions
) -> None:
    if not items:
        return
    if left < 1:
        raise too_deep(options.max_depth, at)
    values = target.values
    for index, item in enumerate(items):
        _fill_value(values.add(), item, (at, index), left - 1, options)


def _fill_value(target: Any, value: object, at: Path, left: int, options: ReadOptions) -> None:
    if isinstance(value, str):
        target.string_value = value if value.isascii() else check_text(value, at)
    elif value is None:
        target.null_value = 0
    elif isinstance(value, bool):
        target.bool_value = value
    elif isinstance(value, int):
        target.number_value = _read_whole(value, at, options)
    elif isinstance(value, float):
        target.number_value = _finite(value, at)
    else:
        _fill_compound(target, value, at, left, options)


def _fill_compound(target: Any, value: object, at: Path, left: int, options: ReadOptions) -> None:
    source = as_message(value)
    if source is not None:
        _put_message(target, source, at, left, options)
        return
    entries = as_object(value, at) if is_object(value) else None
    items = as_list(value, at, "a JSON value") if entries is None else ()
    if left < 1:
        raise too_deep(options.max_depth, at)
    if entries is not None:
        target.struct_value.SetInParent()  # an empty object is an object
        _fill_struct(target.struct_value, entries, at, left - 1, options)
    else:
        target.list_value.SetInParent()
        _fill_list(target.list_value, items, at, left - 1, options)


def _put_message(target: Any, source: Message, at: Path, left: int, options: ReadOptions) -> None:
    part: Any = target
    name = source.DESCRIPTOR.full_name
    if name in {STRUCT, LIST_VALUE}:
        part = target.struct_value if name == STRUCT else target.list_value
        left -= 1
    elif name != VALUE:
        raise expected("a JSON value", source, at)
    if left < 0:
        raise too_deep(options.max_depth, at)
    value = taken_as_value(_class_of(part), source, at, left, options)
    part.SetInParent()
    part.CopyFrom(value)


def _class_of(message: Message) -> type[Message]:
    return type(message)


def _read_whole(value: int, at: Path, options: ReadOptions) -> float:
    """Reads a whole number; what is no JSON text yet says that it is exact, so it must be."""
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if math.isinf(number) or (int(number) != value and not options.is_text):
        raise expected("a whole number that a double holds exactly, or text", value, at)
    return number


def _finite(value: float, at: Path) -> float:
    if not math.isfinite(value):
        raise expected("a finite number in a Value", value, at)
    return value


def write_struct(source: Any, at: Path, left: int, options: WriteOptions) -> dict[str, object]:
    """Writes a ``Struct`` as an object, its keys in order.

    Raises:
        JsonError: If JSON cannot express something in it, or it nests too deeply.
    """
    fields = source.fields
    if not fields:
        return {}
    if left < _ENTRY:
        raise too_deep(DEEPEST, at)
    left -= _ENTRY
    return {key: write_value(fields[key], (at, (key,)), left, options) for key in sorted(fields)}


def write_list_value(source: Any, at: Path, left: int, options: WriteOptions) -> list[object]:
    """Writes a ``ListValue`` as a list.

    Raises:
        JsonError: If JSON cannot express something in it, or it nests too deeply.
    """
    values = source.values
    if not values:
        return []
    if left < 1:
        raise too_deep(DEEPEST, at)
    left -= 1
    return [write_value(item, (at, index), left, options) for index, item in enumerate(values)]


def write_value(source: Any, at: Path, left: int, options: WriteOptions) -> object:
    """Writes a ``Value``; one with nothing set is null, as in Google's own codecs.

    Raises:
        JsonError: If it is NaN or infinite, which would read back as text; or nests too deeply.
    """
    kind: str | None = source.WhichOneof("kind")
    if kind == "string_value":
        return write_string(source.string_value, at)
    if kind == "number_value":
        return _write_number(source.number_value, at, options)
    if kind == "bool_value":
        return source.bool_value
    if kind in {"struct_value", "list_value"}:
        if left < 1:
            raise too_deep(DEEPEST, at)
        if kind == "struct_value":
            return write_struct(source.struct_value, at, left - 1, options)
        return write_list_value(source.list_value, at, left - 1, options)
    return None


def _write_number(value: float, at: Path, options: WriteOptions) -> object:
    """Writes a number, a whole one without a fraction as far as doubles count in ones."""
    is_whole = value.is_integer() and abs(value) <= _EXACT
    if is_whole and (value or math.copysign(1, value) > 0):
        return int(value)
    return write_double(_finite(value, at), at, options)
