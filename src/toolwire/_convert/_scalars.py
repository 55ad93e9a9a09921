"""Numbers, text and values of enums, from a field to one of another API."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, TypeAlias

from google.protobuf.descriptor import FieldDescriptor

from toolwire._convert._lost import Lost
from toolwire._paths import quote
from toolwire._words import with_article

if TYPE_CHECKING:
    from toolwire._descriptor_types import EnumType, FieldType

Scalar: TypeAlias = "bool | int | float | str | bytes"

_BITS = {
    FieldDescriptor.CPPTYPE_INT32: (-(1 << 31), (1 << 31) - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, (1 << 32) - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(1 << 63), (1 << 63) - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, (1 << 64) - 1),
}
_FLOATS = {FieldDescriptor.CPPTYPE_FLOAT: "f", FieldDescriptor.CPPTYPE_DOUBLE: "d"}


def scalar(value: Scalar, source: FieldType, target: FieldType) -> Scalar:
    """Returns the value of one field for another.

    Raises:
        Lost: If the other field cannot hold exactly this.
    """
    if source.enum_type is not None and target.enum_type is not None:
        return enum_value(int(value), source.enum_type, target.enum_type)
    if source.type == target.type:
        return value
    numbers = {*_BITS, *_FLOATS}
    if source.cpp_type in numbers and target.cpp_type in numbers:
        number = _number(float(value) if isinstance(value, float) else int(value), target)
        if number is not None:
            return number
        raise Lost(f"{value!r} does not fit the other API's {kind_of(target)}")
    raise Lost(f"the other API has {with_article(kind_of(target))} there")


def _number(value: float, target: FieldType) -> float | None:
    """Returns the number in the target's type if it is the same there."""
    if target.cpp_type in _BITS:
        low, high = _BITS[target.cpp_type]
        whole = isinstance(value, int) or (value.is_integer() and not _is_minus_zero(value))
        return int(value) if whole and low <= value <= high else None
    try:
        (number,) = struct.unpack(
            _FLOATS[target.cpp_type], struct.pack(_FLOATS[target.cpp_type], value)
        )
    except OverflowError:
        return None
    same = number == value or (math.isnan(number) and math.isnan(value))
    return float(number) if same else None


def _is_minus_zero(value: float) -> bool:
    return value == 0 and math.copysign(1, value) < 0


def is_default(value: Scalar, field: FieldType) -> bool:
    """Tells whether a field without presence cannot tell the value from unset."""
    minus_zero = isinstance(value, float) and _is_minus_zero(value)
    return bool(value == field.default_value) and not minus_zero


def enum_value(number: int, source: EnumType, target: EnumType) -> int:
    """Returns the number by which another enum knows a value, which is found by its name.

    Raises:
        Lost: If the other enum has no such value.
    """
    if source.full_name == target.full_name:
        return number
    known = source.values_by_number.get(number)
    if known is None:
        raise Lost(f"{number} has no name in {source.name}, and numbers differ between APIs")
    found = target.values_by_name.get(known.name)
    if found is not None:
        return int(found.number)
    # What is not chosen has the enum's own name in it, such as BLOCK_REASON_UNSPECIFIED.
    if number == 0 and target.values_by_number[0].name.endswith("UNSPECIFIED"):
        return 0
    raise Lost(f"{quote(known.name)} is no value of the other API's {target.name}")


def kind_of(field: FieldType) -> str:
    """Returns the type of a field in words, such as ``string``, ``Type`` or ``Retrieval``."""
    named = field.message_type or field.enum_type
    return str(named.name) if named is not None else _NAMES.get(field.type, "number")


_NAMES = {
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_BYTES: "bytes",
    FieldDescriptor.TYPE_BOOL: "bool",
    FieldDescriptor.TYPE_DOUBLE: "double",
    FieldDescriptor.TYPE_FLOAT: "float",
    FieldDescriptor.TYPE_INT32: "int32",
    FieldDescriptor.TYPE_INT64: "int64",
}
