"""Short ways to declare a schema, for tests that look at one property."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import toolwire
from toolwire import functions

if TYPE_CHECKING:
    from toolwire.functions import Change

Json = Any


def declared(schema: Json, *, api: str = "v1", **options: Any) -> tuple[Json, list[Change]]:
    """Returns the declaration of a function with a schema as JSON, and what was changed."""
    given: dict[str, Any] = {"name": "f", "description": "Does.", **options}
    found = functions.declare(schema, api=api, report=True, **given)
    return toolwire.to_dict(found.message), found.changes


def node(schema: Json, *, api: str = "v1", definitions: Json = None, **options: Any) -> Json:
    """Returns what one property became; nothing may have been changed."""
    made, changes = property_of(schema, api=api, definitions=definitions, **options)
    assert changes == {}
    return made


def property_of(
    schema: Json, *, api: str = "v1", definitions: Json = None, **options: Any
) -> tuple[Json, dict[str, str]]:
    """Returns what one property became, and the changes below it: path to action."""
    document: Json = {"type": "object", "properties": {"x": schema}}
    if definitions is not None:
        document["$defs"] = definitions
    made, changes = declared(document, api=api, **options)
    prefix = 'properties["x"]'
    assert all(change.path.startswith(prefix) for change in changes)
    found: dict[str, str] = {
        change.path[len(prefix) :].lstrip("."): change.action for change in changes
    }
    return made["parameters"]["properties"]["x"], found
