"""Reads what somebody handed over as plain JSON of bounded size and depth, without recursion.

All later steps may then recurse, compare and copy without fear.
"""

from __future__ import annotations

import math
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from toolwire._errors import DeclarationError, JsonError
from toolwire._functions._report import fault, mistyped, unreadable
from toolwire._json import from_dict, to_dict
from toolwire._json._kinds import is_list, is_object
from toolwire._messages import as_message
from toolwire._words import with_article
from toolwire_pb.google.protobuf.struct_pb2 import Value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolwire._functions._keywords import Json
    from toolwire._paths import Path, Step

DEEPEST = 220  # of the document: a level of properties is two of them
LARGEST = 400_000  # values in all

_Waiting: TypeAlias = "tuple[object, Any, Any, Path, int]"
"""A value, its container and its key there, its path and its depth."""


class Refused:
    """Stands in a schema for what cannot be: reading it raises the reason, at its parent."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


def read(source: object, at: Path = None) -> Json:
    """Returns a copy as plain JSON; messages inside become their JSON form.

    Raises:
        DeclarationError: If something in it is no JSON, or it is too large or too deep, which
            what contains itself always is.
    """
    root: list[Any] = [None]
    waiting: list[_Waiting] = [(source, root, 0, at, 0)]
    count = 0
    while waiting:
        value, holder, key, here, depth = waiting.pop()
        count += 1
        if count > LARGEST:
            raise fault(f"a schema may have {LARGEST} values at most", at)
        if depth > DEEPEST:
            raise fault(f"nested deeper than {DEEPEST} levels, or contains itself", here)
        try:
            holder[key] = _opened(value, here, depth, waiting)
        except DeclarationError:
            raise
        except Exception as error:
            raise unreadable(error, here) from error
    return cast("Json", root[0])


def why_no_value(value: object) -> str:
    """Says why a value that may be JSON has no place in a message; nothing if it has one."""
    try:
        from_dict(Value, cast("Mapping[str, object]", value))  # of any JSON
    except JsonError as error:
        return error.reason
    return ""


def _opened(value: object, here: Path, depth: int, waiting: list[_Waiting]) -> object:
    """Returns a value; what is in it waits for its turn."""
    value = _plain(value, here)
    if is_object(value):
        made: dict[str, Any] = {}
        for name, item in value.items():
            text = _checked_name(name, here)
            made[text] = None  # keeps the order
            step: Step = (text,) if depth and _is_map(here) else text
            waiting.append((item, made, text, (here, step), depth + 1))
        return made
    if is_list(value):
        if len(value) > LARGEST:
            raise fault(f"a schema may have {LARGEST} values at most", here)
        copied: list[Any] = [None] * len(value)
        for index, item in enumerate(value):
            waiting.append((item, copied, index, (here, index), depth + 1))
        return copied
    return value


def _is_map(at: Path) -> bool:
    """Tells whether the names at a place are the user's own."""
    return at is not None and at[1] in {"properties", "$defs", "definitions", "defs"}


def _plain(value: object, at: Path) -> object:
    if isinstance(value, Enum):
        value = cast("object", value.value)
    if value is None or isinstance(value, (bool, int)) or is_object(value) or is_list(value):
        return value
    if isinstance(value, str):
        return _checked_text(value, at)
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        raise fault(f"expected a finite number, found {value}", at)
    if isinstance(value, Refused):
        raise fault(value.reason, cast("Path", at[0]) if at else None)
    message = as_message(value)
    if message is None:
        raise fault(f"expected JSON, found a Python {type(value).__name__}", at)
    try:
        return to_dict(message)
    except JsonError as error:
        raise fault(
            f"{with_article(message.DESCRIPTOR.name)} that is no JSON: {error}", at
        ) from None


def _checked_name(name: object, at: Path) -> str:
    if not isinstance(name, str):
        raise mistyped("a string as name", name, at)
    return _checked_text(name, at)


def _checked_text(text: str, at: Path) -> str:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise fault("expected text, found a lone surrogate in it", at) from None
    return str(text)
