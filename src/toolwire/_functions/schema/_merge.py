"""Two schemas that both must hold, as one: for ``allOf``, and for what stands beside a union."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple, cast

from toolwire._functions._keywords import ANNOTATIONS

if TYPE_CHECKING:
    from toolwire._functions._keywords import Json, Node

_LARGER = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_OF_OBJECTS = frozenset({"properties", "additionalProperties"})
_OF_ARRAYS = frozenset({"prefixItems", "items"})
_SMALLER = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})


class Unsatisfiable(Exception):
    """No value can fit both schemas."""


class Merged(NamedTuple):
    """One schema for two.

    Attributes:
        node: The schema.
        lost: Keywords of the second that it leaves out.
        closed: Properties of one that the other's ``additionalProperties: false`` forbids.
    """

    node: Node
    lost: list[str]
    closed: list[str]


def merge(first: Node, second: Node) -> Merged:
    """Returns one schema for two in canonical spelling.

    Annotations are the first's where both have them. Schemas below that meet are left as an
    ``allOf`` of their own, which whoever walks on resolves in turn.

    Raises:
        Unsatisfiable: If nothing fits both.
    """
    made = {**second, **first}
    lost: list[str] = []
    closed: list[str] = []
    if "properties" in first or "properties" in second:
        closed = _merge_properties(first, second, made)
    done = _OF_OBJECTS
    if "prefixItems" in made:
        _merge_items(first, second, made)
        done = done | _OF_ARRAYS
    _let_const_choose(made, first, second)
    for name in second:
        if name not in first or name in ANNOTATIONS or same(first[name], second[name]):
            continue
        if name in done or name not in made:
            continue
        if not _merge_keyword(name, first[name], second[name], made):
            lost.append(name)
    if "additionalProperties" in first and "additionalProperties" in second:
        made["additionalProperties"] = _both(
            first["additionalProperties"], second["additionalProperties"]
        )
    return Merged(made, lost, closed)


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


def _let_const_choose(made: Node, *sides: Node) -> None:
    """Of enums and a const, on whichever side, the const is left."""
    if "const" not in made:
        return
    for members in (side.get("enum") for side in sides):
        if isinstance(members, list):
            if not any(same(made["const"], member) for member in members):
                raise Unsatisfiable
            made.pop("enum", None)


def _merge_items(first: Node, second: Node, made: Node) -> None:
    """Writes the positions of both; one that a side does not name falls under its items."""
    one, other = (node.get("prefixItems", []) for node in (first, second))
    if not isinstance(one, list) or not isinstance(other, list):
        return  # no positions: whoever reads them says so
    rest = [node.get("items", True) for node in (first, second)]
    found: list[Json] = []
    for mine, yours in zip_longest(one, other):
        schema = _both(rest[0] if mine is None else mine, rest[1] if yours is None else yours)
        if schema is False:  # the array ends before it
            rest[0] = False
            break
        found.append(schema)
    made["prefixItems"] = cast("Json", found)
    if (items := _both(*rest)) is not True:
        made["items"] = items


def _both(one: Json, other: Json) -> Json:
    """Returns a schema for two of which either may be true or false."""
    if one is False or other is False:
        return False
    if one is True or one == {}:
        return other
    if other is True or other in ({}, one):
        return one
    return {"allOf": [one, other]}


def _merge_properties(first: Node, second: Node, made: Node) -> list[str]:
    """Writes the properties of both; returns those that only one side names, and the other forbids.

    A property that one side does not name falls under that side's additionalProperties.
    """
    one, other = _properties(first), _properties(second)
    if one is None or other is None:
        return []  # no objects: whoever reads the properties says so
    found: Node = {}
    closed: list[str] = []
    for name in [*one, *(name for name in other if name not in one)]:
        schema = _both(one.get(name, _rest(first)), other.get(name, _rest(second)))
        said = one.get(name) is False or other.get(name) is False
        if schema is False and not said:
            closed.append(name)
        else:
            found[name] = schema
    made["properties"] = found
    return closed


def _rest(node: Node) -> Json:
    """Returns the schema of members without a property; a pattern of names may let some in."""
    return True if "patternProperties" in node else node.get("additionalProperties", True)


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
