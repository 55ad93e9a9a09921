"""The tree between JSON text and messages: dicts, lists, strings, numbers, booleans, None."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from toolwire._json._faults import expected, fault, shown
from toolwire._json._kinds import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolwire._paths import Path

_DEEPEST = 200  # levels of a value that no schema describes
_LONGEST_INTEGER = 1328  # bits; no more digits than are read from a text


class RepeatedKey(dict[str, object]):
    """An object of a JSON text in which one key stands twice; whoever meets it refuses it."""

    key: str


def as_object(value: object, at: Path, what: str = "an object") -> Mapping[object, object]:
    """Returns a JSON object, or the Python mapping that stands for one.

    Raises:
        JsonError: If it is something else, or an object with a repeated key.
    """
    if type(value) is dict:  # the commonest, without more questions
        return cast("dict[object, object]", value)
    if isinstance(value, RepeatedKey):
        raise fault(f"duplicate key {shown(value.key)}", at)
    if not is_object(value):
        raise expected(what, value, at)
    return value


def as_list(value: object, at: Path, what: str = "a list") -> Sequence[object]:
    """Returns a JSON array, or the Python sequence that stands for one.

    Raises:
        JsonError: If it is something else.
    """
    if type(value) is list:
        return cast("list[object]", value)
    if not is_list(value):
        raise expected(what, value, at)
    return value


def check_text(text: str, at: Path) -> str:
    """Returns the text if protobuf can carry it.

    Raises:
        JsonError: If it holds lone surrogates, which no UTF-8 can express.
    """
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            pass
        else:
            return text
        raise fault("text with a lone surrogate; it cannot be written as UTF-8", at)
    return text


def plain(value: object, at: Path, levels: int = _DEEPEST) -> object:
    """Returns a copy of a value that no schema describes, sure to be plain JSON.

    Raises:
        JsonError: If it holds anything that JSON cannot express, or nests too deeply.
    """
    if is_object(value) or is_list(value):
        if levels == 0:
            raise fault(f"more than {_DEEPEST} levels of lists and objects", at)
        if not is_object(value):
            items = as_list(value, at)
            return [plain(item, (at, index), levels - 1) for index, item in enumerate(items)]
        copy: dict[str, object] = {}
        for key, item in as_object(value, at).items():
            if not isinstance(key, str):
                raise expected("a string as key", key, at)
            copy[check_text(key, at)] = plain(item, (at, (key,)), levels - 1)
        return copy
    return _plain_scalar(value, at)


def _plain_scalar(value: object, at: Path) -> object:
    if isinstance(value, str):
        return check_text(value, at)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise expected("a finite number", value, at)
    elif isinstance(value, int):
        if value.bit_length() > _LONGEST_INTEGER:
            raise expected("a number of ordinary size", value, at)
    elif value is not None:
        raise expected("a JSON value", value, at)
    return value
