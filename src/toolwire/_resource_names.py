"""Resource names: the full one out of what a user writes, by the patterns of the schema."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PARENT = re.compile(r"projects/(?P<project>[^/]+)/locations/(?P<location>[^/]+)")
_ANY_PARENT = "projects/*/locations/*/"
_LONGEST_SHOWN = 100
_NEVER = r"\s\ud800-\udfff"  # white space, and halves of characters that UTF-8 cannot write

# What may be left out in front of a short name. A number is an endpoint, anything else a model.
_BEFORE_NUMBERS = ("", "endpoints/", "cachedContents/")
_BEFORE_NAMES = (
    "",
    "models/",
    "publishers/google/models/",
    "publishers/google/",
    "cachedContents/",
)


@dataclass(frozen=True, slots=True)
class Spelled:
    """A name as a user may write it, read by the patterns of a field.

    Attributes:
        name: The name with its collections, such as ``publishers/google/models/M``.
        is_full: Whether it stands on its own.
        needs_parent: Whether it must have a project and location in front, as opposed to may.
    """

    name: str
    is_full: bool
    needs_parent: bool


def location_of(name: str) -> str | None:
    """Returns the location in a resource name, if there is one."""
    match = _PARENT.match(name)
    return match["location"] if match else None


def parent_of(name: str) -> str | None:
    """Returns the ``projects/P/locations/L`` that a resource name begins with, if it does."""
    match = _PARENT.match(name)
    return match[0] if match else None


def read_name(field: str, name: str, patterns: Sequence[str]) -> Spelled:
    """Reads a resource name, full or short.

    Args:
        field: The field that it is for, for the error.
        name: What the user wrote.
        patterns: What the field may hold, such as ``projects/*/locations/*/endpoints/*``.

    Raises:
        UsageError: If no pattern fits, with a project and location in front or without.
    """
    prefixes = _BEFORE_NUMBERS if name.isdecimal() else _BEFORE_NAMES
    for spelled in (prefix + name for prefix in prefixes):
        stands_alone = _matches(spelled, patterns)
        if stands_alone and spelled.startswith("projects/"):
            return Spelled(spelled, is_full=True, needs_parent=False)
        if _matches(f"projects/-/locations/-/{spelled}", patterns):
            return Spelled(spelled, is_full=False, needs_parent=not stands_alone)
        if stands_alone:
            return Spelled(spelled, is_full=True, needs_parent=False)
    shown = repr(name if len(name) <= _LONGEST_SHOWN else f"{name[:_LONGEST_SHOWN]}...")
    raise UsageError(f"no {field}: {shown}; expected a short name or {_listed(patterns)}")


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(_compiled(pattern).fullmatch(name) for pattern in patterns)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    segments = (
        rf"[^{_NEVER}]+"
        if segment == "**"
        else rf"[^/{_NEVER}]+"
        if segment == "*"
        else re.escape(segment)
        for segment in pattern.split("/")
    )
    return re.compile("/".join(segments))


def _listed(patterns: Sequence[str]) -> str:
    short = [pattern.removeprefix(_ANY_PARENT) for pattern in patterns]
    listed = " or ".join(dict.fromkeys(short))
    return listed if short == [*patterns] else f"{listed}, with {_ANY_PARENT} in front or without"
