"""``FieldMask``: paths of field names to one text in camelCase and back.

Rules: ProtoJSON specification, "Non-Round Trippable FieldMasks".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from toolwire._json._faults import expected, fault, shown
from toolwire._json._tree import check_text

if TYPE_CHECKING:
    from toolwire._paths import Path

_HUMP = re.compile("[A-Z]")
_SNAKE = re.compile("_([a-z])")


def write_field_mask(source: Any, at: Path) -> str:
    """Writes the paths, in camelCase and with commas between them.

    Raises:
        JsonError: If a path would not come back as it is, such as ``Name`` or ``x_1``.
    """
    written: list[str] = []
    for path in source.paths:
        camel = _SNAKE.sub(lambda match: match[1].upper(), path)
        if not path or "," in path or "_" in camel or _to_snake(camel) != path:
            raise fault(f"the path {shown(path)} has no form in JSON that reads back", at)
        written.append(camel)
    return ",".join(written)


def read_field_mask(value: object, at: Path) -> dict[str, list[str]]:
    """Reads the paths of a mask.

    Raises:
        JsonError: If it is no text, or a path is empty or not in camelCase.
    """
    if not isinstance(value, str):
        raise expected('field names such as "name,displayName"', value, at)
    camels = check_text(value, at).split(",") if value else []
    for camel in camels:
        if not camel or "_" in camel:
            raise fault(f"expected a field name in camelCase, found {shown(camel)}", at)
    return {"paths": [_to_snake(camel) for camel in camels]}


def _to_snake(camel: str) -> str:
    return _HUMP.sub(lambda match: f"_{match[0].lower()}", camel)
