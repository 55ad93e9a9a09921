"""Declared parameters as JSON Schema, whichever of the two forms they are declared in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from toolwire._messages import is_map_entry
from toolwire._rules._schema import enum_names, get, short_name
from toolwire.testing._model._values import from_value, has

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire.testing._model._values import Json

_INTEGER = re.compile(r"-?[0-9]{1,18}")
_NUMBER = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18})?([eE][+-]?[0-9]{1,2})?")


def parameters(declaration: Message) -> dict[str, Json]:
    """Returns the JSON Schema of a function's parameters; without any, of an empty object."""
    if has(declaration, "parameters_json_schema"):
        given = from_value(get(declaration, "parameters_json_schema"))
        if isinstance(given, dict):
            return given
    if has(declaration, "parameters"):
        return to_json_schema(get(declaration, "parameters"))
    return {"type": "object"}


def to_json_schema(schema: Message) -> dict[str, Json]:
    """Translates a ``Schema`` message; keywords that JSON Schema has not got stay as they are."""
    found: dict[str, Json] = {}
    for field, value in schema.ListFields():
        kind = field.message_type
        if field.enum_type is not None:
            found[field.json_name] = enum_names(field).get(value, "").lower()
        elif kind is None:
            found[field.json_name] = list(value) if field.is_repeated else value
        elif is_map_entry(kind):
            found[field.json_name] = {key: to_json_schema(value[key]) for key in sorted(value)}
        elif short_name(kind) == short_name(schema.DESCRIPTOR):
            found[field.json_name] = _each(value) if field.is_repeated else to_json_schema(value)
        else:
            found[field.json_name] = from_value(value)
    return _reword(found)


def _each(schemas: Any) -> list[Json]:
    return [to_json_schema(schema) for schema in schemas]


def _reword(found: dict[str, Json]) -> dict[str, Json]:
    """Turns OpenAPI's keywords into those of JSON Schema."""
    kind = found.get("type")
    members = found.get("enum")
    if kind == "":  # a type that this schema does not know
        del found["type"]
    if isinstance(members, list):
        found["enum"] = [_member(str(member), kind) for member in members]
    reference = found.pop("ref", None)
    if isinstance(reference, str):
        found["$ref"] = reference.replace("#/defs/", "#/$defs/")
    if "defs" in found:
        found["$defs"] = found.pop("defs")
    if found.pop("nullable", False):
        _allow_null(found)
    return found


def _member(text: str, kind: Json) -> Json:
    """Returns a member of an enumeration, which a ``Schema`` spells as text whatever the type."""
    if kind == "integer" and _INTEGER.fullmatch(text):
        return int(text)
    if kind == "number" and _NUMBER.fullmatch(text):
        return float(text)
    if kind == "boolean":
        return {"true": True, "false": False}.get(text.lower(), text)
    return text


def _allow_null(found: dict[str, Json]) -> None:
    if isinstance(found.get("type"), str):
        found["type"] = [found["type"], "null"]
    if isinstance(found.get("enum"), list):
        found["enum"] = [*_list(found["enum"]), None]
    if isinstance(found.get("anyOf"), list):
        found["anyOf"] = [*_list(found["anyOf"]), {"type": "null"}]


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
