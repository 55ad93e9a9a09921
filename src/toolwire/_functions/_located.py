"""Where in a JSON value pydantic finds a fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._json._kinds import is_list, is_object

if TYPE_CHECKING:
    from toolwire._paths import Path


def located(steps: tuple[int | str, ...], value: object, *, is_missing: bool) -> Path:
    """Returns the path of a fault in a value; pydantic also names branches of unions.

    Args:
        steps: Where pydantic says it is.
        value: The whole value.
        is_missing: Whether the last step is what is not there.
    """
    at: Path = None
    for index, step in enumerate(steps):
        is_last = is_missing and index == len(steps) - 1
        if is_object(value) and isinstance(step, str) and (step in value or is_last):
            value = value.get(step)
        elif is_list(value) and isinstance(step, int) and (step < len(value) or is_last):
            value = None if is_last else value[step]
        else:
            continue
        at = (at, step)
    return at
