"""Types of Python whose values do not go into a set, as pydantic's core schemas tell them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

_NEVER = {"list", "set", "dict", "typed-dict"}
_CLASSES = {"model", "dataclass"}
_INSIDE = {"default", "function-before", "nullable"}


def is_unhashable(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> bool:
    """Tells whether it is sure that no value of a type goes into a set, but None.

    Args:
        schema: The core schema of the type.
        definitions: What it refers to, by name.
    """
    kind = schema["type"]
    if kind == "definition-ref":
        target = definitions.get(schema["schema_ref"])
        return target is not None and is_unhashable(target, definitions)
    if kind in _CLASSES:
        return schema["cls"].__hash__ is None
    if kind in _INSIDE:
        return is_unhashable(schema["schema"], definitions)
    if kind == "tuple":
        return any(is_unhashable(each, definitions) for each in schema["items_schema"])
    if kind == "union":
        return all(is_unhashable(_choice(each), definitions) for each in schema["choices"])
    return kind in _NEVER


def _choice(given: object) -> Mapping[str, Any]:
    """Returns one schema of a union, which may stand there with a label."""
    found: Mapping[str, Any] = cast("Any", given[0] if isinstance(given, tuple) else given)
    return found
