"""JSON values to scalars of the proto types: one function a kind.

Rules: ProtoJSON specification, "Representation of each type" and "Out of range numeric values".
"""

from __future__ import annotations

import binascii
import math
import re
import struct
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, TypeAlias

from google.protobuf.descriptor import FieldDescriptor

from toolwire._json._faults import expected, fault, shown
from toolwire._json._kinds import is_bytes
from toolwire._json._tree import check_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolwire._paths import Path

Scalar: TypeAlias = bool | int | float | str | bytes

INT32 = (-(1 << 31), (1 << 31) - 1)
UINT32 = (0, (1 << 32) - 1)
INT64 = (-(1 << 63), (1 << 63) - 1)
UINT64 = (0, (1 << 64) - 1)

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_LONGEST_NUMBER = 4000  # characters, as in a JSON text
_MOST_DIGITS = 20  # of a 64-bit integer
_SPECIAL_FLOATS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_STANDARD = re.compile(r"[A-Za-z0-9+/]*(={0,2})")
_URL_SAFE = re.compile(r"[A-Za-z0-9_-]*(={0,2})")


def read_integer(value: object, at: Path, limits: tuple[int, int]) -> int:
    """Reads an integer: a whole number in range, or a string of one.

    Exponents and zero fractions are accepted in both forms.

    Raises:
        JsonError: If it is anything else; booleans and padded strings are.
    """
    number: int | None = None
    if isinstance(value, bool):
        pass
    elif isinstance(value, int):
        number = int(value)
    elif isinstance(value, float):
        number = int(value) if value.is_integer() else None
    elif isinstance(value, str):
        number = _whole(value)
    low, high = limits
    if number is None or not low <= number <= high:
        raise expected(f"a whole number from {low} to {high}", value, at)
    return number


def read_int32(value: object, at: Path) -> int:
    """Reads an int32, sint32 or sfixed32."""
    return read_integer(value, at, INT32)


def read_uint32(value: object, at: Path) -> int:
    """Reads a uint32 or fixed32."""
    return read_integer(value, at, UINT32)


def read_int64(value: object, at: Path) -> int:
    """Reads an int64, sint64 or sfixed64."""
    return read_integer(value, at, INT64)


def read_uint64(value: object, at: Path) -> int:
    """Reads a uint64 or fixed64."""
    return read_integer(value, at, UINT64)


def read_double(value: object, at: Path) -> float:
    """Reads a double: a number, a string of one, "NaN", "Infinity" or "-Infinity".

    Raises:
        JsonError: If it is anything else, or a finite number beyond a double.
    """
    number: float | None = None
    if isinstance(value, bool):
        pass
    elif isinstance(value, float):
        return float(value)
    elif isinstance(value, int):
        number = _to_double(value)
    elif isinstance(value, str):
        if value in _SPECIAL_FLOATS:
            return _SPECIAL_FLOATS[value]
        if len(value) <= _LONGEST_NUMBER and _NUMBER.fullmatch(value):
            number = float(value)
            if math.isinf(number):
                number = None
    if number is None:
        raise expected('a number, "NaN", "Infinity" or "-Infinity"', value, at)
    return number


def read_float(value: object, at: Path) -> float:
    """Reads a float: as ``read_double``, within the range of 32-bit floats.

    Raises:
        JsonError: If it is anything else, or rounds to more than the largest float.
    """
    number = read_double(value, at)
    try:
        struct.pack("<f", number)
    except OverflowError:
        pass
    else:
        return number
    raise expected("a number within 32-bit floats, up to 3.4028235e38", value, at)


def read_bool(value: object, at: Path) -> bool:
    """Reads a bool: true or false and nothing else.

    Raises:
        JsonError: If it is anything else.
    """
    if not isinstance(value, bool):
        raise expected("true or false", value, at)
    return value


def read_string(value: object, at: Path) -> str:
    """Reads a string.

    Raises:
        JsonError: If it is anything else, or holds lone surrogates.
    """
    if not isinstance(value, str):
        raise expected("a string", value, at)
    return check_text(value, at)


def read_bytes(value: object, at: Path) -> bytes:
    """Reads bytes: base64 text, standard or URL-safe, padded or not; from Python also bytes.

    Raises:
        JsonError: If it is anything else.
    """
    if is_bytes(value):
        return bytes(value)
    if not isinstance(value, str):
        raise expected("base64 text or bytes", value, at)
    match = _STANDARD.fullmatch(value) or _URL_SAFE.fullmatch(value)
    size = len(value)
    if match is not None:
        padding = len(match[1])
        is_whole = size % 4 == 0 if padding else size % 4 != 1
        if is_whole:
            text = value.replace("-", "+").replace("_", "/")
            return binascii.a2b_base64(text + "=" * (-size % 4))
    raise expected("base64 text", value, at)


_READERS: dict[int, Callable[[object, Path], Scalar]] = {
    FieldDescriptor.TYPE_INT32: read_int32,
    FieldDescriptor.TYPE_SINT32: read_int32,
    FieldDescriptor.TYPE_SFIXED32: read_int32,
    FieldDescriptor.TYPE_UINT32: read_uint32,
    FieldDescriptor.TYPE_FIXED32: read_uint32,
    FieldDescriptor.TYPE_INT64: read_int64,
    FieldDescriptor.TYPE_SINT64: read_int64,
    FieldDescriptor.TYPE_SFIXED64: read_int64,
    FieldDescriptor.TYPE_UINT64: read_uint64,
    FieldDescriptor.TYPE_FIXED64: read_uint64,
    FieldDescriptor.TYPE_DOUBLE: read_double,
    FieldDescriptor.TYPE_FLOAT: read_float,
    FieldDescriptor.TYPE_BOOL: read_bool,
    FieldDescriptor.TYPE_STRING: read_string,
    FieldDescriptor.TYPE_BYTES: read_bytes,
}


def read_scalar(field: FieldDescriptor, value: object, at: Path) -> Scalar:
    """Reads a value of a field that is neither a message nor an enum.

    Raises:
        JsonError: If the value does not fit the field.
    """
    return _READERS[field.type](value, at)


def read_key(field: FieldDescriptor, key: object, at: Path) -> bool | int | str:
    """Reads the key of a map: text in JSON, from Python also a value of the key's type.

    Raises:
        JsonError: If the key does not fit the map.
    """
    if field.type == FieldDescriptor.TYPE_STRING:
        return read_string(key, at)
    if field.type == FieldDescriptor.TYPE_BOOL:
        if isinstance(key, bool):
            return key
        if key in ("true", "false"):
            return key == "true"
        raise fault(f'expected the key "true" or "false", found {_shown_key(key)}', at)
    if isinstance(key, str) and not _INTEGER.fullmatch(key):
        raise fault(f"expected a whole number as key, found {shown(key)}", at)
    number = read_scalar(field, key, at)
    return int(number)


def _shown_key(key: object) -> str:
    return shown(key) if isinstance(key, str) else type(key).__name__


def _to_double(number: int) -> float | None:
    try:
        return float(number)
    except OverflowError:
        return None


def _whole(text: str) -> int | None:
    """Returns the whole number that a text spells, exactly; None if it does not or is too big."""
    if len(text) > _LONGEST_NUMBER:
        return None
    if _INTEGER.fullmatch(text):
        return int(text) if len(text) <= _MOST_DIGITS else None
    if not _NUMBER.fullmatch(text):
        return None
    try:
        number = Decimal(text)
    except InvalidOperation:  # an exponent of more than 18 digits
        return None
    if number and not 0 <= number.adjusted() < _MOST_DIGITS:
        return None
    whole = int(number)
    return whole if whole == number else None
