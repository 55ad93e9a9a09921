"""Chooses a type for a schema that has none: an API accepts no node without."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._functions._keywords import Json, Node, hinted_type
from toolwire._functions._report import fault
from toolwire._functions.schema._context import described

if TYPE_CHECKING:
    from toolwire._functions.schema._context import Context, Place

_FORMATS = {"int32": "integer", "int64": "integer", "float": "number", "double": "number"}


def inferred(context: Context, node: Node, place: Place) -> list[str]:
    """Returns the types of a schema without ``type``, in JSON Schema's spelling.

    Raises:
        DeclarationError: If none can be chosen.
    """
    members = node.get("enum")
    if isinstance(members, list) and members:
        return _common([kind_of(member) for member in members])
    if "const" in node:
        return [kind_of(node["const"])]
    hints = {hinted_type(name): None for name in node}
    kinds = [kind.lower() for kind in hints if kind is not None]
    if not kinds and isinstance(node.get("format"), str):
        kinds = [_FORMATS.get(str(node["format"]), "string")]
    if not kinds and node.get("default") is not None:
        kinds = [kind_of(node["default"])]
    if context.object_root and place.level == 0:
        return ["object"]
    if len(kinds) == 1:
        context.report.changed(
            place.path, f"has no type: read as {kinds[0]}, though values of other types fit it"
        )
        return kinds
    if kinds:
        raise fault(f"has no type, and its keywords speak of {' and '.join(kinds)}", place.path)
    if context.untyped is None:
        raise fault(
            "has no type, and none can be inferred: say what it holds, choose a type with "
            "untyped=, or use as_json_schema=True",
            place.path,
        )
    context.report.changed(place.path, f"any value fits it: became {context.untyped}")
    takes_null = node.get("default", False) is None
    return [context.untyped.lower(), *(["null"] if takes_null else [])]


def kind_of(value: Json) -> str:  # noqa: PLR0911 - one answer a kind
    """Returns the type of a value, in JSON Schema's spelling."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "integer" if value.is_integer() else "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"


def fits(value: Json, kind: str) -> bool:
    """Tells whether a value is of a type."""
    found = kind_of(value)
    return found == kind or (found == "integer" and kind == "number")


def check_list(value: Json, at: Place, name: str) -> list[Json]:
    """Returns a value that must be a list.

    Raises:
        DeclarationError: If it is none.
    """
    if not isinstance(value, list):
        raise fault(f"expected a list, found {described(value)}", (at.path, name))
    return value


def _common(kinds: list[str]) -> list[str]:
    found = list(dict.fromkeys(kinds))
    if "number" in found and "integer" in found:
        found.remove("integer")
    return found
