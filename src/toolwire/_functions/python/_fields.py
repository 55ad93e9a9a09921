"""The fields of classes, and their names in JSON, as pydantic's core schemas tell them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Mapping


def fields_in(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the fields in the core schema of a model, a dataclass or a TypedDict, by name.

    Args:
        schema: The core schema; for anything else there are none.
        definitions: What it refers to, by name.
    """
    found: Any = schema
    while "schema" in found or "schema_ref" in found:
        found = found["schema"] if "schema" in found else definitions.get(found["schema_ref"], {})
    fields = found.get("fields", {})
    if isinstance(fields, dict):
        return cast("Mapping[str, Any]", fields)
    return {each["name"]: each for each in fields}  # of a dataclass


def names_in(field: Mapping[str, Any], mode: str) -> list[str]:
    """Returns the aliases of a field, without those that are paths into another field.

    Args:
        field: Its core schema.
        mode: Those of ``validation`` or of ``serialization``.
    """
    alias: Any = field.get(f"{mode}_alias", [])
    if isinstance(alias, str):
        return [alias]
    paths = alias if alias and isinstance(alias[0], list) else [alias]
    return [path[0] for path in paths if len(path) == 1 and isinstance(path[0], str)]
