"""``Struct`` and ``Value`` messages out of Python values."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from toolwire._calls._plain import plain
from toolwire._json import from_dict
from toolwire._json._faults import expected
from toolwire._messages import DEEPEST
from toolwire_pb.google.protobuf.struct_pb2 import Struct, Value

if TYPE_CHECKING:
    from collections.abc import Mapping


def to_struct(value: object) -> Struct:
    """Returns a Python value as a ``Struct`` that shares nothing with it.

    Beside plain JSON it takes tuples and sets (as lists), enums (as their values), datetimes,
    dates, times, Decimals and UUIDs (as text), bytes (as base64), dataclasses, pydantic models,
    numpy scalars, and messages, so also parts of another Struct; with the extra ``functions``
    whatever else pydantic writes as text, such as a timedelta or a path. Keys of mappings become
    the text that stands for them.

    Args:
        value: A mapping, or what becomes an object.

    Raises:
        JsonError: If it is no object, or something in it is no JSON: the path says where.
    """
    return from_dict(Struct, plain_object(value))


def to_value(value: object) -> Value:
    """Returns a Python value as a ``Value`` that shares nothing with it.

    Args:
        value: Anything that ``to_struct`` takes at any depth.

    Raises:
        JsonError: If it, or something in it, is no JSON: the path says where.
    """
    # The JSON of a Value need not be an object.
    return from_dict(Value, cast("Mapping[str, object]", plain(value, None, DEEPEST)))


def plain_object(value: object, left: int = DEEPEST) -> dict[str, object]:
    """Returns a Python value as a plain JSON object.

    Args:
        value: The value.
        left: How many levels of messages may lie below the ``Struct`` that will hold it.

    Raises:
        JsonError: As ``to_struct``.
    """
    found = plain(value, None, left + 1)
    if not isinstance(found, dict):
        raise expected("an object", value, None)
    return cast("dict[str, object]", found)
