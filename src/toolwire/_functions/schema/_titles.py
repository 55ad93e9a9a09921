"""Titles that tools make of names: they say no more than the name does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolwire._functions._keywords import Json
    from toolwire._functions.schema._context import Context, Place

_CLASS_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*(\[.*\])?|[A-Za-z0-9_]+(Arguments|Output)")
_BRACKETS = re.compile(r"[^a-zA-Z0-9.\-_]")


def is_own(context: Context, title: Json, place: Place) -> bool:
    """Tells whether the title of a schema is the user's own, or those of tools are kept, too."""
    name = place.name
    if context.titles or not isinstance(title, str):
        return True
    if name is None:
        return place.level > 0 or _CLASS_NAME.fullmatch(title) is None
    made = {name.replace("_", " ").title(), name.title().replace("_", " ")}
    return title != name and title not in {each.strip() for each in made}


def is_name_of(title: Json, name: str) -> bool:
    """Tells whether a title is a definition's name, which pydantic writes without brackets."""
    return isinstance(title, str) and name in {title, _BRACKETS.sub("_", title)}
