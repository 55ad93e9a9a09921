"""JSON values to scalars of the proto types: one function a kind.

Rules: ProtoJSON specification, "Representation of each type" and "Out of range numeric values".
"""

from __future__ import annotations

import binascii
import math
import re
from functools import partial
from struct import Struct
from typing import TYPE_CHECKING, Any, TypeAlias

from google.protobuf.descriptor import FieldDescriptor

from toolwire._json._faults import expected, fault, shown
from toolwire._json._kinds import is_bytes
from toolwire._json._tree import check_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolwire._paths import Path

Scalar: TypeAlias = bool | int | float | str | bytes
ScalarReader: TypeAlias = "Callable[[object, Path], Scalar]"
Passes: TypeAlias = "dict[type, Callable[[Any], object]]"

_FLOAT = Struct("<f")
_FAR_FROM_LARGEST = 1e38  # a third of the largest 32-bit float
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_LONGEST_NUMBER = 4000  # characters, as in a JSON text
_MOST_DIGITS = 20  # of a 64-bit integer
_SPECIAL_FLOATS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_MOST_PADDING = 2  # characters "=" at the end of base64


def _integer_reader(low: int, high: int) -> Callable[[object, Path], int]:
    """Makes a reader of integers of a range: a whole number, or a string of one.

    Exponents and zero fractions are accepted in both forms; booleans and padded strings are not.
    """

    def read(value: object, at: Path) -> int:
        number: int | None = None
        if isinstance(value, str):
            number = _whole(value)
        elif isinstance(value, int):
            number = None if isinstance(value, bool) else int(value)
        elif isinstance(value, float):
            number = int(value) if value.is_integer() else None
        if number is None or not low <= number <= high:
            raise expected(f"a whole number from {low} to {high}", value, at)
        return number

    return read


_INT32 = -(1 << 31), (1 << 31) - 1
_UINT32 = 0, (1 << 32) - 1
_INT64 = -(1 << 63), (1 << 63) - 1
_UINT64 = 0, (1 << 64) - 1

read_int32 = _integer_reader(*_INT32)


def read_double(value: object, at: Path) -> float:
    """Reads a double: a number, a string of one, "NaN", "Infinity" or "-Infinity".

    Raises:
        JsonError: If it is anything else, or a finite number beyond a double.
    """
    number: float | None = None
    if isinstance(value, float):
        return float(value)
    if isinstance(value, bool):
        pass
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
    if type(value) is float and -_FAR_FROM_LARGEST < value < _FAR_FROM_LARGEST:
        return value
    number = read_double(value, at)
    try:
        _FLOAT.pack(number)
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
    return value if value.isascii() else check_text(value, at)


def read_bytes(value: object, at: Path) -> bytes:
    """Reads bytes: base64 text, standard or URL-safe, padded or not; from Python also bytes.

    Raises:
        JsonError: If it is anything else.
    """
    if isinstance(value, str):
        data = _decode_base64(value)
        if data is not None:
            return data
        raise expected("base64 text", value, at)
    if is_bytes(value):
        return bytes(value)
    raise expected("base64 text or bytes", value, at)


_LIMITS = {
    FieldDescriptor.TYPE_INT32: _INT32,
    FieldDescriptor.TYPE_SINT32: _INT32,
    FieldDescriptor.TYPE_SFIXED32: _INT32,
    FieldDescriptor.TYPE_UINT32: _UINT32,
    FieldDescriptor.TYPE_FIXED32: _UINT32,
    FieldDescriptor.TYPE_INT64: _INT64,
    FieldDescriptor.TYPE_SINT64: _INT64,
    FieldDescriptor.TYPE_SFIXED64: _INT64,
    FieldDescriptor.TYPE_UINT64: _UINT64,
    FieldDescriptor.TYPE_FIXED64: _UINT64,
}

SCALAR_READERS: dict[int, ScalarReader] = {
    **{kind: _integer_reader(*limits) for kind, limits in _LIMITS.items()},
    FieldDescriptor.TYPE_DOUBLE: read_double,
    FieldDescriptor.TYPE_FLOAT: read_float,
    FieldDescriptor.TYPE_BOOL: read_bool,
    FieldDescriptor.TYPE_STRING: read_string,
    FieldDescriptor.TYPE_BYTES: read_bytes,
}
"""What reads each type; it raises JsonError if the value does not fit."""

_IS_EXACT = range(-(1 << 53), 1 << 53).__contains__  # integers that a double holds
PASSES: dict[int, Passes] = {
    **{kind: {int: range(low, high + 1).__contains__} for kind, (low, high) in _LIMITS.items()},
    FieldDescriptor.TYPE_BOOL: {bool: frozenset({True, False}).__contains__},
    FieldDescriptor.TYPE_STRING: {str: str.isascii},
    FieldDescriptor.TYPE_DOUBLE: {float: bool, int: _IS_EXACT},
    FieldDescriptor.TYPE_FLOAT: {int: _IS_EXACT},
}
"""For each type, by Python type, a quick test: a value that passes is read as it is.

Most values pass. The tests are functions of the interpreter, a fraction of a call of ours.
"""


def key_reader(field: FieldDescriptor) -> Callable[[object, Path], bool | int | str]:
    """Returns what reads the key of a map: text in JSON, from Python also a value of its type.

    Such a reader raises JsonError if the key does not fit the map.
    """
    if field.type == FieldDescriptor.TYPE_STRING:
        return read_string
    if field.type == FieldDescriptor.TYPE_BOOL:
        return _read_bool_key
    return partial(_read_integer_key, SCALAR_READERS.get(field.type, read_int32))


def _read_bool_key(key: object, at: Path) -> bool:
    if isinstance(key, bool):
        return key
    if key in ("true", "false"):
        return key == "true"
    shown_key = shown(key) if isinstance(key, str) else type(key).__name__
    raise fault(f'expected the key "true" or "false", found {shown_key}', at)


def _read_integer_key(read: ScalarReader, key: object, at: Path) -> int:
    if isinstance(key, str) and not _INTEGER.fullmatch(key):
        raise fault(f"expected a whole number as key, found {shown(key)}", at)
    return int(read(key, at))


def _to_double(number: int) -> float | None:
    try:
        return float(number)
    except OverflowError:
        return None


def _whole(text: str) -> int | None:
    """Returns the whole number that a text spells, exactly; None if it does not or is too big."""
    if len(text) < _MOST_DIGITS and text.isascii() and text.isdigit() and text[0] != "0":
        return int(text)  # as most are
    if len(text) > _LONGEST_NUMBER or not _NUMBER.fullmatch(text):
        return None
    if _INTEGER.fullmatch(text):
        return int(text) if len(text) <= _MOST_DIGITS else None
    from decimal import Decimal, InvalidOperation  # noqa: PLC0415 - costs an import, rare

    try:
        number = Decimal(text)
    except InvalidOperation:  # an exponent of more than 18 digits
        return None
    if number and not 0 <= number.adjusted() < _MOST_DIGITS:
        return None
    whole = int(number)
    return whole if whole == number else None


def _decode_base64(text: str) -> bytes | None:
    """Decodes base64 of either alphabet; None if it is none.

    The decoder of the standard library passes over foreign characters, and every one of them
    makes its result shorter than the length of the text says.
    """
    if "-" in text or "_" in text:
        if "+" in text or "/" in text:
            return None
        text = text.replace("-", "+").replace("_", "/")
    digits = len(text)
    while digits and text[digits - 1] == "=" and len(text) - digits < _MOST_PADDING:
        digits -= 1
    if len(text) % 4 if digits < len(text) else len(text) % 4 == 1:
        return None
    try:
        data = binascii.a2b_base64(text + "=" * (-len(text) % 4))
    except ValueError:
        return None
    return data if len(data) == digits * 3 // 4 else None
