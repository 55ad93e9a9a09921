"""What the author of a class says of it and of its fields, where pydantic does not read it."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

from toolwire._functions._extras import require
from toolwire._functions.python._callables import text_of
from toolwire._functions.python._docs import own_docstring, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def describe(node: dict[str, Any], source: type, names: Mapping[str, Iterable[str]]) -> None:
    """Describes a class and its fields, in the schema of it.

    Args:
        node: The schema that pydantic made of the class, with its properties.
        source: A pydantic model, a dataclass or a TypedDict.
        names: The aliases that each field may have there.

    Raises:
        MissingExtraError: If the extra is not installed.
    """
    doc = parse(own_docstring(source))
    written = node.pop("description", "")
    text = doc.text if written in {"", inspect.cleandoc(source.__doc__ or "")} else written
    if text:
        node["description"] = text
    hints = field_hints(source)
    annotated = {name: text for name, hint in hints.items() if (text := text_of(hint))}
    told = {**_told_by_bases(source), **doc.parameters, **annotated}
    properties: dict[str, Any] = node["properties"]
    for name, about in told.items():
        keys = (*names.get(name, ()), name)
        key = next((each for each in keys if each in properties), None)
        if key is not None and isinstance(properties[key], dict):  # a model may write it itself
            properties[key].setdefault("description", about)


def _told_by_bases(source: type) -> dict[str, str]:
    """Returns what the docstrings of the classes that one derives from say of the fields."""
    found: dict[str, str] = {}
    for base in reversed(require("typing_extensions").get_original_bases(source)):
        kind = get_origin(base) or base
        if isinstance(kind, type):
            found |= {**_told_by_bases(kind), **parse(own_docstring(kind)).parameters}
    return found


def field_hints(source: type) -> dict[str, Any]:
    """Returns the annotations of the fields of a class; none where they cannot be read."""
    fields: Mapping[str, Any] = getattr(source, "__pydantic_fields__", {})
    if fields:  # which pydantic has read, and finds more names than this does
        return {name: _annotated(each.annotation, each.metadata) for name, each in fields.items()}
    extensions = require("typing_extensions")
    qualifiers = {extensions.Required, extensions.NotRequired, extensions.ReadOnly}
    try:
        hints: dict[str, Any] = get_type_hints(source, include_extras=True)
    except Exception:  # noqa: BLE001 - likewise
        return {}
    for name, hint in hints.items():
        while get_origin(hint) in qualifiers:
            hint = get_args(hint)[0]  # noqa: PLW2901 - the type that is qualified
        hints[name] = hint
    return hints


def _annotated(kind: Any, metadata: list[Any]) -> Any:
    args: Any = (kind, *metadata)
    return Annotated[args] if metadata else kind
