"""Defaults as JSON: what a model reads of one, it may give in a call."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from toolwire._functions._document import why_no_value
from toolwire._json._kinds import is_list, is_object
from toolwire._words import with_article

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from toolwire._functions._keywords import Json


class Written(NamedTuple):
    """A default as JSON.

    Attributes:
        value: The JSON.
        lost: Why it has no place in a declaration; empty if it has one.
    """

    value: Json
    lost: str = ""


def written(
    default: object,
    writers: Iterable[Callable[[Any], object]],
    read: Callable[[str], object],
) -> Written:
    """Returns the JSON of a default from which its type reads it again.

    Args:
        default: The default.
        writers: Ways to write it, the best one first.
        read: How its type reads JSON.
    """
    reasons: list[str] = []
    for write in writers:
        try:
            value = cast("Json", write(default))
        except Exception:  # noqa: BLE001 - whatever the default's own code raises
            reasons.append(f"{with_article(type(default).__name__)} is no JSON")
            continue
        reason = why_no_value(value) or _why_another(value, default, write, read)
        if not reason:
            return Written(value)
        reasons.append(reason)
    return Written(None, reasons[0])


def _why_another(
    value: Json,
    default: object,
    write: Callable[[Any], object],
    read: Callable[[str], object],
) -> str:
    try:
        found = read(json.dumps(value))
    except Exception:  # noqa: BLE001 - of a type with a check of its own
        return "a call that gives it would be refused"
    try:
        is_same = _is_same(found, default) or (_is_unique(found, default) and write(found) == value)
    except Exception:  # noqa: BLE001 - likewise
        is_same = False
    return "" if is_same else "a call that gives it would mean another value"


def _is_same(found: object, default: object) -> bool:
    """Tells whether two values are equal but for the kinds of lists in them."""
    if isinstance(found, Iterator):
        found = [*cast("Iterator[object]", found)]
    if found == default:
        return True
    members, others = _members(found), _members(default)
    if members is not None and others is not None:
        return members.keys() == others.keys() and all(
            _is_same(members[key], others[key]) for key in members
        )
    if is_list(found) and (is_list(default) or isinstance(default, (set, frozenset))):
        items = [*cast("Iterable[object]", default)]
        return len(found) == len(items) and all(map(_is_same, found, items))
    return False


def _members(value: object) -> Mapping[Any, object] | None:
    """Returns what a mapping, a dataclass or a model holds, and its class; None for others."""
    if is_object(value):
        return value
    kind = type(value)
    if dataclasses.is_dataclass(kind):
        names = [each.name for each in dataclasses.fields(kind)]
        return {"": kind, **{name: getattr(value, name) for name in names}}
    return {"": kind, **vars(value)} if hasattr(kind, "__pydantic_fields__") else None


def _is_unique(found: object, default: object) -> bool:
    """Tells whether values are of a class for which no two are equal."""
    kind = type(default)
    return type(found) is kind and kind.__eq__ is object.__eq__
