"""``Struct``, ``Value`` and ``ListValue``: any JSON, in messages.

Rules: ProtoJSON specification, "Well-Known Types", and the comments of struct.proto. A level of
an object costs three levels of messages (map entry, value, struct), one of a list two.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from toolwire._json._copy import copy_message
from toolwire._json._faults import expected
from toolwire._json._kinds import is_object
from toolwire._json._scalars_write import write_string
from toolwire._json._schema import LIST_VALUE, STRUCT, VALUE
from toolwire._json._tree import as_list, as_object, check_text
from toolwire._messages import as_message

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._json._levels import ReadLevel, WriteLevel
    from toolwire._paths import Path

_EXACT = 1 << 53  # from there not every whole number is a double


def read_struct(level: ReadLevel, target: Any, value: object, at: Path) -> None:
    """Fills a ``Struct`` from an object; its keys are the user's and stay as they are.

    Raises:
        JsonError: If the value is no object, or something in it is no JSON.
    """
    entries = as_object(value, at)
    if not entries:
        return
    inner = level.below(2, at)
    fields = target.fields
    for key, item in entries.items():
        if not isinstance(key, str):
            raise expected("a string as key", key, at)
        read_value(inner, fields[check_text(key, at)], item, (at, (key,)))


def read_list_value(level: ReadLevel, target: Any, value: object, at: Path) -> None:
    """Fills a ``ListValue`` from a list.

    Raises:
        JsonError: If the value is no list, or something in it is no JSON.
    """
    items = as_list(value, at)
    if not items:
        return
    inner = level.below(1, at)
    values = target.values
    for index, item in enumerate(items):
        read_value(inner, values.add(), item, (at, index))


def read_value(level: ReadLevel, target: Any, value: object, at: Path) -> None:
    """Fills a ``Value`` from any JSON value, or from a message of these three types.

    Raises:
        JsonError: If the value is no JSON, nests too deeply, or is a number that no double
            holds: infinite, or from Python a whole number that would be rounded.
    """
    if value is None:
        target.null_value = 0
    elif isinstance(value, bool):
        target.bool_value = value
    elif isinstance(value, str):
        target.string_value = check_text(value, at)
    elif isinstance(value, int):
        target.number_value = _read_whole(level, value, at)
    elif isinstance(value, float):
        target.number_value = _finite(value, at)
    else:
        _read_compound(level, target, value, at)


def _read_compound(level: ReadLevel, target: Any, value: object, at: Path) -> None:
    source = as_message(value)
    if source is not None:
        _read_message(level, target, source, at)
    elif is_object(value):
        entries = as_object(value, at)
        target.struct_value.SetInParent()  # an empty object is an object
        read_struct(level.below(1, at), target.struct_value, entries, at)
    else:
        items = as_list(value, at, "a JSON value")
        target.list_value.SetInParent()
        read_list_value(level.below(1, at), target.list_value, items, at)


def _read_message(level: ReadLevel, target: Any, source: Message, at: Path) -> None:
    name = source.DESCRIPTOR.full_name
    if name == STRUCT:
        target.struct_value.SetInParent()
        copy_message(level.below(1, at), target.struct_value, source, at)
    elif name == LIST_VALUE:
        target.list_value.SetInParent()
        copy_message(level.below(1, at), target.list_value, source, at)
    elif name == VALUE:
        copy_message(level, target, source, at)
    else:
        raise expected("a JSON value", source, at)


def _read_whole(level: ReadLevel, value: int, at: Path) -> float:
    """Reads a whole number; what is no JSON text yet says that it is exact, so it must be."""
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if math.isinf(number) or (int(number) != value and not level.options.is_text):
        raise expected("a whole number that a double holds exactly, or text", value, at)
    return number


def _finite(value: float, at: Path) -> float:
    if not math.isfinite(value):
        raise expected("a finite number in a Value", value, at)
    return value


def write_struct(level: WriteLevel, source: Any, at: Path) -> dict[str, object]:
    """Writes a ``Struct`` as an object, its keys in order.

    Raises:
        JsonError: If JSON cannot express something in it, or it nests too deeply.
    """
    fields = source.fields
    if not fields:
        return {}
    inner = level.below(2, at)
    return {key: write_value(inner, fields[key], (at, (key,))) for key in sorted(fields)}


def write_list_value(level: WriteLevel, source: Any, at: Path) -> list[object]:
    """Writes a ``ListValue`` as a list.

    Raises:
        JsonError: If JSON cannot express something in it, or it nests too deeply.
    """
    values = source.values
    if not values:
        return []
    inner = level.below(1, at)
    return [write_value(inner, value, (at, index)) for index, value in enumerate(values)]


def write_value(level: WriteLevel, source: Any, at: Path) -> object:
    """Writes a ``Value``; one with nothing set is null, as in Google's own codecs.

    Raises:
        JsonError: If it is NaN or infinite, which would read back as text; or nests too deeply.
    """
    kind: str | None = source.WhichOneof("kind")
    if kind == "struct_value":
        return write_struct(level.below(1, at), source.struct_value, at)
    if kind == "list_value":
        return write_list_value(level.below(1, at), source.list_value, at)
    if kind == "number_value":
        return _write_number(source.number_value, at)
    if kind == "string_value":
        return write_string(source.string_value, at)
    return bool(source.bool_value) if kind == "bool_value" else None


def _write_number(value: float, at: Path) -> object:
    """Writes a number, a whole one without a fraction as far as doubles count in ones."""
    _finite(value, at)
    is_whole = value.is_integer() and abs(value) <= _EXACT
    if is_whole and (value or math.copysign(1, value) > 0):
        return int(value)
    return value
