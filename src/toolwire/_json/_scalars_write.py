"""Scalars of the proto types to JSON values: one function a kind.

Rules: ProtoJSON specification, "Representation of each type".
"""

from __future__ import annotations

import binascii
import math
from struct import Struct
from typing import TYPE_CHECKING, Any, TypeAlias

from google.protobuf.descriptor import FieldDescriptor

from toolwire._json._faults import fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolwire._json._options import WriteOptions
    from toolwire._paths import Path

    ScalarWriter: TypeAlias = Callable[[Any, Path, WriteOptions], object]

_PLAINEST, _LONGEST = 1e-4, 1e16  # Python writes exponents below the one and from the other
_FLOAT = Struct("<f")
_SMALLEST_NORMAL = 1.1754943508222875e-38  # of 32-bit floats; from there 6 digits are sure
_SURE_DIGITS = 6
_MOST_DIGITS = 9  # as many tell any two 32-bit floats apart


class LongFloat(float):
    """A number for JSON text with an exponent, which orjson and Python spell differently."""

    __slots__ = ()


def write_string(value: object, at: Path, _options: WriteOptions | None = None) -> str:
    """Writes a string.

    Raises:
        JsonError: If it is not UTF-8, which proto2 messages let through; protobuf then gives
            the bytes.
    """
    if isinstance(value, str):
        return value
    raise fault("text that is not UTF-8; JSON cannot carry it", at)


def write_bytes(value: Any, _at: Path, options: WriteOptions) -> str | bytes:
    """Writes bytes: standard base64 with padding, or as they are."""
    if options.raw_bytes:
        return bytes(value)
    return binascii.b2a_base64(value, newline=False).decode("ascii")


def write_long(value: Any, _at: Path, options: WriteOptions) -> str | int:
    """Writes an integer of 64 bits: in JSON text as a string."""
    return str(value) if options.is_text else int(value)


def write_double(value: Any, _at: Path, options: WriteOptions) -> float | str:
    """Writes a double, in the shortest form that reads back; NaN and infinities as text."""
    if not options.is_text or _PLAINEST <= abs(value) < _LONGEST or value == 0:
        return float(value)
    if math.isfinite(value):
        return LongFloat(value)
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def write_float(value: Any, at: Path, options: WriteOptions) -> float | str:
    """Writes a 32-bit float, in the shortest form that reads back as the same float."""
    return write_double(shortest_float(value) if math.isfinite(value) else value, at, options)


def _write_plain(value: Any, _at: Path, _options: WriteOptions) -> object:
    return value


PLAIN = frozenset(
    {
        FieldDescriptor.TYPE_BOOL,
        FieldDescriptor.TYPE_INT32,
        FieldDescriptor.TYPE_SINT32,
        FieldDescriptor.TYPE_SFIXED32,
        FieldDescriptor.TYPE_UINT32,
        FieldDescriptor.TYPE_FIXED32,
    }
)
"""Types whose values in Python are those in JSON."""

SCALAR_WRITERS: dict[int, ScalarWriter] = {
    **dict.fromkeys(PLAIN, _write_plain),
    FieldDescriptor.TYPE_STRING: write_string,
    FieldDescriptor.TYPE_BYTES: write_bytes,
    FieldDescriptor.TYPE_DOUBLE: write_double,
    FieldDescriptor.TYPE_FLOAT: write_float,
    FieldDescriptor.TYPE_INT64: write_long,
    FieldDescriptor.TYPE_SINT64: write_long,
    FieldDescriptor.TYPE_SFIXED64: write_long,
    FieldDescriptor.TYPE_UINT64: write_long,
    FieldDescriptor.TYPE_FIXED64: write_long,
}
"""What writes each type; it raises JsonError if JSON cannot express the value."""


def shortest_float(value: float) -> float:
    """Returns the double with the fewest digits that rounds to the given 32-bit float."""
    first = _SURE_DIGITS if abs(value) >= _SMALLEST_NORMAL else 1
    for digits in range(first, _MOST_DIGITS):
        short = float(f"{value:.{digits}g}")
        try:
            (rounded,) = _FLOAT.unpack(_FLOAT.pack(short))
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
