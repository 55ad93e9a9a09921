"""Two schemas that both must hold, as one: for ``allOf``, and for what stands beside a union."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from toolwire._functions._keywords import ANNOTATIONS

if TYPE_CHECKING:
    from toolwire._functions._keywords import Json, Node

_LARGER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_SMALLER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})


class Unsatisfiable(Exception):
    """No value can fit both schemas."""


def merge(first: Node, second: Node) -> tuple[Node, list[str]]:
    """Returns one schema for two in canonical spelling, and the second's keywords it leaves out.

    Annotations are the first's where both have them. Schemas below that meet are left as an
    ``allOf`` of their own, which whoever walks on resolves in turn.

    Raises:
        Unsatisfiable: If nothing fits both.
    """
    made = {**second, **first}
    lost: list[str] = []
    if "properties" in first or "properties" in second:
        _merge_properties(first, second, made)
    _let_const_choose(made)
    for name in second:
        if name not in first or name in ANNOTATIONS or same(first[name], second[name]):
            continue
        if name in {"properties", "additionalProperties"} or name not in made:
            continue
        if not _merge_keyword(name, first[name], second[name], made):
            lost.append(name)
    if "additionalProperties" in first and "additionalProperties" in second:
        made["additionalProperties"] = _both(
            first["additionalProperties"], second["additionalProperties"]
        )
    return made, lost


def _merge_keyword(name: str, one: Json, other: Json, made: Node) -> bool:
    """Writes the value that stands for both; False if there is none."""
    if name == "type":
        made[name] = _common_types(one, other)
    elif name == "enum" and isinstance(one, list) and isinstance(other, list):
        made[name] = _common_members(one, other)
    elif name == "required" and isinstance(one, list) and isinstance(other, list):
        made[name] = [*one, *(item for item in other if item not in one)]
    elif name in _LARGER | _SMALLER and _are_numbers(one, other):
        choose = max if name in _LARGER else min
        made[name] = choose(cast("float", one), cast("float", other))
    elif name == "const":
        raise Unsatisfiable
    elif name == "nullable":
        made[name] = bool(one) or bool(other)
    elif name == "items":
        made[name] = _both(one, other)
    elif name in {"anyOf", "oneOf"} and isinstance(one, list):
        made[name] = [{"allOf": [branch, {name: other}]} for branch in one]
    else:
        return False
    return True


def _let_const_choose(made: Node) -> None:
    """Of an enum on one side and a const on the other the const is left."""
    members = made.get("enum")
    if "const" in made and isinstance(members, list):
        if not any(same(made["const"], member) for member in members):
            raise Unsatisfiable
        del made["enum"]


def _both(one: Json, other: Json) -> Json:
    """Returns a schema for two of which either may be true or false."""
    if one is False or other is False:
        return False
    if one is True or one == {}:
        return other
    if other is True or other in ({}, one):
        return one
    return {"allOf": [one, other]}


def _merge_properties(first: Node, second: Node, made: Node) -> None:
    """A property that one side does not name falls under that side's additionalProperties."""
    sides = [_properties(first), _properties(second)]
    if sides[0] is None or sides[1] is None:
        return  # no objects: whoever reads the properties says so
    found: Node = {}
    rest = [first.get("additionalProperties", True), second.get("additionalProperties", True)]
    for name in [*sides[0], *(name for name in sides[1] if name not in sides[0])]:
        schema = _both(sides[0].get(name, rest[0]), sides[1].get(name, rest[1]))
        if schema is not False:
            found[name] = schema
    made["properties"] = found


def _properties(node: Node) -> Node | None:
    found = node.get("properties", {})
    return found if isinstance(found, dict) else None


def _common_types(one: Json, other: Json) -> Json:
    others = set(_types(other))
    found = [
        name for name in _types(one) if name in others or (name == "integer" and "number" in others)
    ]
    if "number" in _types(one) and "integer" in others and "integer" not in found:
        found.append("integer")
    if not found:
        raise Unsatisfiable
    return found[0] if len(found) == 1 else list(found)


def _types(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [value]


def _common_members(one: list[Json], other: list[Json]) -> list[Json]:
    found = [member for member in one if any(same(member, each) for each in other)]
    if not found:
        raise Unsatisfiable
    return found


def same(one: Json, other: Json) -> bool:
    """Tells whether two JSON values are equal; Python alone takes true for 1."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _are_numbers(*values: Json) -> bool:
    return all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)
