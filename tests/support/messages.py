"""Random messages for hypothesis, made through descriptors: of any class, from any pool."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st

from support.kinds import POOL, WRAPPERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from google.protobuf.descriptor import Descriptor
    from google.protobuf.message import Message

Draw = Any  # hypothesis' DrawFn, which is a protocol with an overloaded call

NAMES = st.sampled_from(
    ["a", "snake_case", "camelCase", "with.dot", 'quo"te', "", "é", "😀", "@type"]
)
TEXT = st.one_of(NAMES, st.text(st.characters(exclude_categories=["Cs"]), max_size=8))
DOUBLES = st.one_of(
    st.floats(allow_nan=False),  # JSON has one NaN, and protobuf many
    st.sampled_from([0.0, -0.0, 1.0, 1e300, 2.0**53, -(2.0**53) - 2, 0.1, 5e-324, math.nan]),
)
# Without the subnormal floats, which the oracle writes with needless digits, and the largest,
# which it does not read back.
FLOATS = st.one_of(
    st.floats(width=32, min_value=-(2.0**127), max_value=2.0**127, allow_subnormal=False),
    st.sampled_from([0.1, -0.0, 16777216.0, math.inf, -math.inf, math.nan]),
)
FINITE = DOUBLES.filter(math.isfinite)
_BITS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}


def scalars(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    """Returns values of a field that is no message."""
    if field.enum_type is not None:
        known = [value.number for value in field.enum_type.values]
        if field.enum_type.is_closed or field.enum_type.full_name.endswith("NullValue"):
            return st.sampled_from(known)
        return st.one_of(st.sampled_from(known), st.integers(-(2**31), 2**31 - 1))
    if field.cpp_type in _BITS:
        low, high = _BITS[field.cpp_type]
        return st.one_of(st.integers(low, high), st.sampled_from([low, high, 0, 1]))
    by_type: dict[int, st.SearchStrategy[Any]] = {
        FieldDescriptor.TYPE_BOOL: st.booleans(),
        FieldDescriptor.TYPE_STRING: TEXT,
        FieldDescriptor.TYPE_BYTES: st.binary(max_size=6),
        FieldDescriptor.TYPE_DOUBLE: DOUBLES,
        FieldDescriptor.TYPE_FLOAT: FLOATS,
    }
    return by_type[field.type]


@st.composite
def messages(draw: Draw, cls: type[Message], depth: int = 3) -> Message:
    """Returns random messages of a class, with a handful of fields set."""
    message = cls()
    fill(draw, message, depth)
    return message


def fill(draw: Draw, message: Message, depth: int) -> None:
    """Sets a handful of fields."""
    name = message.DESCRIPTOR.full_name.removeprefix("google.protobuf.")
    if name in _SPECIAL:
        _SPECIAL[name](draw, message, depth)
        return
    descriptor = cast("Descriptor", message.DESCRIPTOR)
    fields = [field for field in descriptor.fields if depth or field.message_type is None]
    chosen = [field for field in fields if field.is_required]
    if fields:
        chosen += draw(st.lists(st.sampled_from(fields), max_size=5))
    for field in chosen:
        _set(draw, message, field, depth)


def _set(draw: Draw, message: Message, field: FieldDescriptor, depth: int) -> None:
    target: Any = getattr(message, field.name)
    kind = field.message_type
    if kind is not None and kind.has_options and kind.GetOptions().map_entry:
        key_field, value_field = kind.fields_by_name["key"], kind.fields_by_name["value"]
        for key in draw(st.lists(scalars(key_field), max_size=3, unique=True)):
            if value_field.message_type is None:
                target[key] = draw(scalars(value_field))
            else:
                fill(draw, target[key], depth - 1)
    elif field.is_repeated:
        for _ in range(draw(st.integers(0, 3))):
            if kind is None:
                target.append(draw(scalars(field)))
            else:
                fill(draw, target.add(), depth - 1)
    elif kind is None:
        setattr(message, field.name, draw(scalars(field)))
    else:
        target.SetInParent()
        fill(draw, target, depth - 1)


def _timestamp(draw: Draw, message: Any, _depth: int) -> None:
    message.seconds = draw(st.integers(-62_135_596_800, 253_402_300_799))
    message.nanos = draw(st.one_of(st.integers(0, 999_999_999), st.sampled_from([0, 10**6, 5000])))


def _duration(draw: Draw, message: Any, _depth: int) -> None:
    sign = draw(st.sampled_from([-1, 1]))
    message.seconds = sign * draw(st.integers(0, 315_576_000_000))
    message.nanos = sign * draw(st.one_of(st.integers(0, 999_999_999), st.sampled_from([0, 10**7])))


def _field_mask(draw: Draw, message: Any, _depth: int) -> None:
    path = st.from_regex(r"[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*(\.[a-z]+)?", fullmatch=True)
    message.paths.extend(draw(st.lists(path, max_size=3)))


def _struct(draw: Draw, message: Any, depth: int) -> None:
    for key in draw(st.lists(TEXT, max_size=3, unique=True)):
        _value(draw, message.fields[key], depth - 1)


def _list_value(draw: Draw, message: Any, depth: int) -> None:
    for _ in range(draw(st.integers(0, 3))):
        _value(draw, message.values.add(), depth - 1)


def _value(draw: Draw, message: Any, depth: int) -> None:
    kind = draw(st.integers(0, 5 if depth > 0 else 3))
    if kind == 0:
        message.null_value = 0
    elif kind == 1:
        message.bool_value = draw(st.booleans())
    elif kind == 2:
        message.string_value = draw(TEXT)
    elif kind == 3:
        message.number_value = draw(FINITE)
    elif kind == 4:
        message.struct_value.SetInParent()
        _struct(draw, message.struct_value, depth)
    else:
        message.list_value.SetInParent()
        _list_value(draw, message.list_value, depth)


def _any(draw: Draw, message: Any, depth: int) -> None:
    if depth <= 0 or draw(st.booleans()):
        return
    pool = message.DESCRIPTOR.file.pool
    names = ["Timestamp", "Duration", "Any"]  # the oracle packs maps in no order of keys
    if pool is POOL:
        names += ["Empty", "Int64Value", "FieldMask"]
    name = draw(st.sampled_from(names))
    content = GetMessageClass(pool.FindMessageTypeByName(f"google.protobuf.{name}"))()
    fill(draw, content, depth - 1)
    message.type_url = f"type.googleapis.com/google.protobuf.{name}"
    message.value = content.SerializeToString(deterministic=True)


def _wrapper(draw: Draw, message: Any, _depth: int) -> None:
    message.value = draw(scalars(message.DESCRIPTOR.fields_by_name["value"]))


_SPECIAL: dict[str, Callable[[Draw, Any, int], None]] = {
    "Timestamp": _timestamp,
    "Duration": _duration,
    "FieldMask": _field_mask,
    "Struct": _struct,
    "ListValue": _list_value,
    "Value": _value,
    "Any": _any,
    **dict.fromkeys(WRAPPERS, _wrapper),
}
