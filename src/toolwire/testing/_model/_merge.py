"""``allOf`` made into one schema, as far as keywords combine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire.testing._model._fits import dict_of, identity, list_of, number_of, types_of

if TYPE_CHECKING:
    from toolwire.testing._model._fits import Checker, Schema
    from toolwire.testing._model._values import Json

_HIGHEST = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_LOWEST = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_MOST_PARTS = 100


def merged(schema: Schema, checker: Checker) -> Schema:
    """Returns a schema without ``allOf``, its parts merged into it.

    Where keywords cannot be combined the first one stands; the value that is made is checked
    against all of them anyway.
    """
    if "allOf" not in schema:
        return schema
    result: Schema = {}
    waiting: list[Json] = [schema]
    for _ in range(_MOST_PARTS):
        if not waiting:
            break
        part = checker.resolve(waiting.pop(0))
        if isinstance(part, dict):
            own: Schema = {key: value for key, value in part.items() if key != "allOf"}
            result = _both(result, own) if result else own
            waiting = [*list_of(part, "allOf"), *waiting][:_MOST_PARTS]
    return result


def _both(one: Schema, other: Schema) -> Schema:
    result: Schema = {**other, **one}
    for key in _HIGHEST + _LOWEST:
        bounds = [
            bound for bound in (number_of(one, key), number_of(other, key)) if bound is not None
        ]
        if bounds:
            result[key] = max(bounds) if key in _HIGHEST else min(bounds)
    if "properties" in one and "properties" in other:
        result["properties"] = _properties(dict_of(one, "properties"), dict_of(other, "properties"))
    if "required" in one and "required" in other:
        names = [*list_of(one, "required"), *list_of(other, "required")]
        result["required"] = list(dict.fromkeys(name for name in names if isinstance(name, str)))
    if "not" in one and "not" in other:
        result["not"] = {"anyOf": [one["not"], other["not"]]}
    if "enum" in one and "enum" in other:
        shared = set(map(identity, list_of(other, "enum")))
        members = list_of(one, "enum")
        result["enum"] = [member for member in members if identity(member) in shared]
    if "type" in one and "type" in other:
        result["type"] = _types(types_of(one), types_of(other))
    return result


def _properties(one: dict[str, Json], other: dict[str, Json]) -> dict[str, Json]:
    result = {**other, **one}
    for name in one.keys() & other.keys():
        if one[name] != other[name]:
            result[name] = {"allOf": [one[name], other[name]]}
    return result


def _types(one: list[str], other: list[str]) -> list[Json]:
    both: list[Json] = [
        kind
        for kind in dict.fromkeys((*one, *other))
        if (kind in one or (kind == "integer" and "number" in one))
        and (kind in other or (kind == "integer" and "number" in other))
    ]
    return both or list(one)
