"""What a ``repr`` tells of calls and results: one line, without secrets or anybody else's code."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from toolwire._json._faults import is_secret
from toolwire._paths import quote
from toolwire._words import counted, kind_spoken, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST = 100  # characters of a list
_LONGEST_NAME = 40


def listed(items: Iterable[str]) -> str:
    """Returns items as a list that ends where the line does."""
    text = ""
    for item in items:
        text = f"{text}, {item}" if text else item
        if len(text) > _LONGEST:
            return f"{text[:_LONGEST]}..."
    return text


def name_shown(name: object) -> str:
    """Returns a name that a model, or a program, made up: in quotes where it is no common one."""
    if type(name) is not str:
        return kind_spoken(name)
    if name.isidentifier() and len(name) <= _LONGEST_NAME:
        return name
    quoted = quote(name, longest=_LONGEST_NAME)  # which leaves what JSON leaves as it is
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in quoted)


def members_shown(members: object) -> str:
    """Returns what an object holds, such as ``city='Lisbon', days=1``."""
    if type(members) is not dict:
        return shown(members)
    entries = cast("dict[object, object]", members).items()
    return listed(f"{name_shown(name)}={_value_shown(name, value)}" for name, value in entries)


def _value_shown(name: object, value: object) -> str:
    return "..." if type(name) is str and is_secret((None, (name,))) else shown(value)


def files_shown(files: object) -> Iterable[str]:
    """Yields how many files there are, if there are any."""
    if isinstance(files, (list, tuple)) and files:
        yield counted(len(cast("list[object]", files)), "file")
