"""Values of packages that may not be there: a value of one proves that it has been imported."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from toolwire._json._faults import fault, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolwire._paths import Path


class Dumped(NamedTuple):
    """What a model says that it is in JSON."""

    content: object


def unboxed(value: object) -> object:
    """Returns a numpy scalar as the Python scalar that it holds, and anything else as it is.

    What numpy hands out for a time of nanoseconds is a bare number, and for no time at all None:
    so these stay boxed and are refused.
    """
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(value, numpy.generic):
        return value
    scalar: Any = value
    held: object = scalar.item()
    is_time = isinstance(scalar, (numpy.datetime64, numpy.timedelta64))
    return value if is_time and (held is None or isinstance(held, int)) else held


def spelled(value: object) -> str | None:
    """Returns the text that an argument of a type is read from, as pydantic writes it.

    Such as that of a timedelta, a path or an address. None for what has no such text, and without
    the extra ``functions``, whose arguments these are.
    """
    try:
        from pydantic_core import to_jsonable_python  # noqa: PLC0415 - for what is rare

        found: object = to_jsonable_python(value)
    except (ImportError, ValueError):  # the latter are pydantic's own of what it does not know
        return None
    return found if isinstance(found, str) else None


def encoded(value: str | bytes, metadata: Iterable[Any]) -> str | bytes:
    """Returns a value as the text that pydantic decodes, by what is annotated to its type."""
    pydantic = sys.modules.get("pydantic")
    if pydantic is None:
        return value
    for each in metadata:
        if isinstance(each, pydantic.EncodedStr) and isinstance(value, str):
            return str(each.encode_str(value))
        if isinstance(each, pydantic.EncodedBytes) and isinstance(value, bytes):
            return bytes(each.encode(value)).decode()
    return value


def dumped(value: object, at: Path) -> Dumped | None:
    """Returns the JSON that a model or dataclass of pydantic makes of itself, else None.

    Raises:
        JsonError: If it cannot.
    """
    pydantic = sys.modules.get("pydantic")
    model: Any = value
    if pydantic is None:
        return None
    if isinstance(value, pydantic.BaseModel):
        dump = model.model_dump
    elif pydantic.dataclasses.is_pydantic_dataclass(type(value)):
        dump = partial(model.__pydantic_serializer__.to_python, value)
    else:
        return None
    try:
        return Dumped(dump(mode="json", by_alias=True, warnings=False))
    except Exception as error:  # noqa: BLE001 - a model may have serializers of its own
        reason = f"the model {type(value).__name__} gives no JSON: {shown(str(error))}"
    raise fault(reason, at)
