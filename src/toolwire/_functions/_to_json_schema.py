"""From the Schema of an API back to JSON Schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from toolwire._errors import DeclarationError, JsonError
from toolwire._functions._document import read
from toolwire._functions._keywords import TYPES, unspelled
from toolwire._functions._report import guarded, mistyped
from toolwire._json import to_dict
from toolwire._json._kinds import is_object
from toolwire._message_fields import short_name
from toolwire._messages import as_message

if TYPE_CHECKING:
    from toolwire._functions._keywords import Json, Node

_NUMBERS = ("minimum", "maximum")
_RENAMED = {
    **{name: name for name in ("items", "additionalProperties", "properties", "anyOf")},
    "defs": "$defs",
    "ref": "$ref",
    "example": "examples",
}


def to_json_schema(schema: object) -> dict[str, Any]:
    """Returns the JSON Schema (draft 2020-12) of a Schema message.

    Args:
        schema: A Schema of any API and pool, a proto-plus wrapper of one, or its JSON form.

    Returns:
        A schema that the same values fit. Properties stand in their ``property_ordering``.

    Raises:
        DeclarationError: If it is none of these, or nests too deeply.
    """
    with guarded():
        message = as_message(schema)
    if message is None and not is_object(schema):
        raise mistyped("a Schema", schema)
    if message is not None:
        if short_name(message.DESCRIPTOR).rpartition(".")[2] != "Schema":
            raise mistyped("a Schema", message)
        try:
            schema = to_dict(message)
        except JsonError as error:
            raise DeclarationError(error.reason, path=error.path) from None
    return cast("dict[str, Any]", _standard(cast("Node", read(schema))))


def _standard(node: Node) -> Node:
    made: Node = {}
    kind = _kind(node.get("type"))
    if kind:
        made["type"] = kind
    for name, value in node.items():
        if name in _RENAMED:
            made[_RENAMED[name]] = _renamed(node, name, value)
        elif name == "enum" and isinstance(value, list):
            made[name] = [unspelled(each, kind) for each in value]
        elif name in _NUMBERS and isinstance(value, float) and value.is_integer():
            made[name] = int(value)
        elif name not in {"type", "nullable", "propertyOrdering"}:
            made[name] = value
    return _nullable(made) if node.get("nullable") is True else made


def _renamed(node: Node, name: str, value: Json) -> Json:
    """Translates what holds schemas, or has another name in JSON Schema."""
    match value:
        case _ if name == "example":
            return [value]
        case str() if name == "ref":
            return value.replace("#/defs/", "#/$defs/", 1)
        case dict() if name in {"properties", "defs"}:
            return {key: _part(value[key]) for key in _order(node, name, value)}
        case list():
            return [_part(each) for each in value]
        case _:
            return _part(value)


def _part(value: Json) -> Json:
    return _standard(value) if isinstance(value, dict) else value


def _kind(given: Json) -> str:
    """Returns a type as JSON Schema writes it; empty for none, and for one of the future."""
    lower = given.lower() if isinstance(given, str) else ""
    return lower if lower in TYPES else ""


def _order(node: Node, name: str, entries: Node) -> list[str]:
    given = node.get("propertyOrdering") if name == "properties" else None
    first = [key for key in given if key in entries] if isinstance(given, list) else []
    ordered = dict.fromkeys(str(key) for key in first)
    return [*ordered, *(key for key in entries if key not in ordered)]


def _nullable(made: Node) -> Node:
    """Lets null fit as well."""
    if "type" in made:
        made["type"] = [str(made["type"]), "null"]
        members = made.get("enum")
        if isinstance(members, list):
            made["enum"] = [*members, None]
        return made
    null: Node = {"type": "null"}
    if isinstance(made.get("anyOf"), list):
        return {**made, "anyOf": [*cast("list[Json]", made["anyOf"]), null]}
    if "$ref" in made:
        ref = made.pop("$ref")
        return {**made, "anyOf": [{"$ref": ref}, null]}
    return made
