"""Defaults as JSON: what a model reads of one, it may give in a call."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from toolwire._functions._document import why_no_value
from toolwire._json._kinds import is_list, is_object
from toolwire._words import with_article

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from toolwire._functions._keywords import Json


# What JSON has itself, and so does not spell as text.
_OF_JSON = (str, int, float, list, tuple, dict, type(None))


class Untold(Exception):
    """The check of a type says nothing about a default."""


class Check(Protocol):
    """The check of a type, which may raise ``Untold``."""

    def json(self, text: str) -> object:
        """Reads JSON."""
        ...

    def python(self, value: object) -> object:
        """Reads a value of Python."""
        ...


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
    check: Check,
    *,
    is_checked: bool = False,
) -> Written:
    """Returns the JSON of a default from which its type reads it again.

    Args:
        default: The default.
        writers: Ways to write it, the best one first.
        check: How its type reads it.
        is_checked: Whether its type reads the default too, so that what it makes of it counts.
    """
    found = _written(default, writers, check)
    if not found.lost:
        return found
    try:
        meant = check.python(default)
        meant = [*cast("Iterator[object]", meant)] if isinstance(meant, Iterator) else meant
        if not is_checked and not _is_same(meant, default, is_spelled=True):
            return found
    except Exception:  # noqa: BLE001 - of a type with a check of its own
        return found
    other = _written(meant, writers, check)
    return found if other.lost else other


def _written(default: object, writers: Iterable[Callable[[Any], object]], check: Check) -> Written:
    reasons: list[str] = []
    for write in writers:
        try:
            value = cast("Json", write(default))
        except Exception:  # noqa: BLE001 - whatever the default's own code raises
            reasons.append(f"{with_article(type(default).__name__)} is no JSON")
            continue
        reason = why_no_value(value) or _why_another(value, default, write, check)
        if not reason:
            return Written(value)
        reasons.append(reason)
    return Written(None, reasons[0])


def _why_another(
    value: Json,
    default: object,
    write: Callable[[Any], object],
    check: Check,
) -> str:
    try:
        found = check.json(json.dumps(value))
    except Untold:
        return ""
    except Exception:  # noqa: BLE001 - of a type with a check of its own
        return "a call that gives it would be refused"
    try:
        is_same = _is_same(found, default) or (_is_unique(found, default) and write(found) == value)
    except Exception:  # noqa: BLE001 - likewise
        is_same = False
    return "" if is_same else "a call that gives it would mean another value"


def _is_same(found: object, default: object, *, is_spelled: bool = False) -> bool:
    """Tells whether two values are equal but for the kinds of lists in them.

    Args:
        found: What the type reads.
        default: The default.
        is_spelled: Whether text may stand for a value in it, and a member of an enum for its own.
    """
    is_same = partial(_is_same, is_spelled=is_spelled)
    if isinstance(found, Iterator):
        found = [*cast("Iterator[object]", found)]
    if found == default:
        return True
    members, others = _members(found), _members(default)
    if members is not None and others is not None:
        return members.keys() == others.keys() and all(
            is_same(members[key], others[key]) for key in members
        )
    if is_list(found) and (is_list(default) or isinstance(default, (set, frozenset))):
        items = [*cast("Iterable[object]", default)]
        return len(found) == len(items) and all(map(is_same, found, items))
    if isinstance(default, Enum):
        return is_spelled and found == default.value
    return is_spelled and isinstance(default, str) and not isinstance(found, _OF_JSON)


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
