"""Scalars of the proto types to JSON values: one function a kind.

Rules: ProtoJSON specification, "Representation of each type".
"""

from __future__ import annotations

import base64
import math
import struct
from typing import TYPE_CHECKING

from google.protobuf.descriptor import FieldDescriptor

from toolwire._json._faults import fault

if TYPE_CHECKING:
    from toolwire._json._options import WriteOptions
    from toolwire._json._scalars_read import Scalar
    from toolwire._paths import Path

_INT64 = frozenset(
    {
        FieldDescriptor.TYPE_INT64,
        FieldDescriptor.TYPE_SINT64,
        FieldDescriptor.TYPE_SFIXED64,
        FieldDescriptor.TYPE_UINT64,
        FieldDescriptor.TYPE_FIXED64,
    }
)
_SMALLEST_NORMAL = 1.1754943508222875e-38  # of 32-bit floats; from there 6 digits are sure
_SURE_DIGITS = 6
_MOST_DIGITS = 9  # as many tell any two 32-bit floats apart


def write_scalar(options: WriteOptions, field: FieldDescriptor, value: Scalar, at: Path) -> object:
    """Writes a value of a field that is neither a message nor an enum.

    Raises:
        JsonError: If JSON cannot express the value.
    """
    if field.type == FieldDescriptor.TYPE_STRING:
        return write_string(value, at)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return write_bytes(options, value)
    if field.type == FieldDescriptor.TYPE_DOUBLE:
        return write_double(options, float(value))
    if field.type == FieldDescriptor.TYPE_FLOAT:
        return write_float(options, float(value))
    if field.type in _INT64:
        return str(value) if options.is_text else value
    return value


def write_string(value: object, at: Path) -> str:
    """Writes a string.

    Raises:
        JsonError: If it is not UTF-8, which proto2 messages let through; protobuf then gives
            the bytes.
    """
    if isinstance(value, str):
        return value
    raise fault("text that is not UTF-8; JSON cannot carry it", at)


def write_bytes(options: WriteOptions, value: Scalar) -> str | bytes:
    """Writes bytes: standard base64 with padding, or as they are."""
    raw = value if isinstance(value, bytes) else b""
    return raw if options.raw_bytes else base64.b64encode(raw).decode("ascii")


def write_double(options: WriteOptions, value: float) -> float | str:
    """Writes a double, in the shortest form that reads back; NaN and infinities as text."""
    return value if math.isfinite(value) or not options.is_text else _special(value)


def write_float(options: WriteOptions, value: float) -> float | str:
    """Writes a 32-bit float, in the shortest form that reads back as the same float."""
    return write_double(options, shortest_float(value) if math.isfinite(value) else value)


def shortest_float(value: float) -> float:
    """Returns the double with the fewest digits that rounds to the given 32-bit float."""
    first = _SURE_DIGITS if abs(value) >= _SMALLEST_NORMAL else 1
    for digits in range(first, _MOST_DIGITS):
        short = float(f"{value:.{digits}g}")
        try:
            (rounded,) = struct.unpack("<f", struct.pack("<f", short))
        except OverflowError:  # rounded up beyond the largest float
            continue
        if rounded == value:
            return short
    return float(f"{value:.{_MOST_DIGITS}g}")


def write_key(key: bool | int | str, at: Path) -> str:
    """Writes the key of a map: JSON has only text for it.

    Raises:
        JsonError: If it is text that is not UTF-8.
    """
    if isinstance(key, bool):
        return "true" if key else "false"
    return str(key) if isinstance(key, int) else write_string(key, at)


def _special(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"
