"""Tells whether no value fits two alternatives, as ``oneOf`` promises."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from toolwire._errors import DeclarationError
from toolwire._functions.schema._infer import kind_of
from toolwire._functions.schema._merge import same

if TYPE_CHECKING:
    from toolwire._functions._keywords import Json, Node
    from toolwire._functions.schema._context import Context

_MOST = 60  # alternatives that are compared in pairs


def are_disjoint(branches: list[Node], context: Context) -> bool:
    """Tells whether it is sure that every value fits one alternative at most."""
    if len(branches) > _MOST:
        return False
    return all(_differ(one, other, context) for one, other in combinations(branches, 2))


def _differ(one: Node, other: Node, context: Context) -> bool:
    kinds = [_kinds(node) for node in (one, other)]
    if kinds[0] and kinds[1] and not kinds[0] & kinds[1]:
        return True
    values = [_values(node) for node in (one, other)]
    if values[0] is not None and values[1] is not None:
        return _have_nothing_in_common(values[0], values[1])
    if kinds != [{"object"}, {"object"}]:
        return False
    shared = [name for name in _required(one) if name in _required(other)]
    return any(
        _have_nothing_in_common(mine, yours)
        for name in shared
        if (mine := _member_values(one, name, context)) is not None
        and (yours := _member_values(other, name, context)) is not None
    )


def _kinds(node: Node) -> set[str]:
    given = node.get("type")
    if given is None:
        return {kind_of(value) for value in _values(node) or []}
    kinds = {str(name) for name in given} if isinstance(given, list) else {str(given)}
    if node.get("nullable") is True:
        kinds.add("null")
    return kinds | {"integer"} if "number" in kinds else kinds


def _values(node: Node) -> list[Json] | None:
    members = node.get("enum")
    if isinstance(members, list):
        return members
    return [node["const"]] if "const" in node else None


def _required(node: Node) -> list[Json]:
    names = node.get("required")
    return names if isinstance(names, list) else []


def _member_values(node: Node, name: Json, context: Context) -> list[Json] | None:
    properties = node.get("properties")
    member = properties.get(str(name)) if isinstance(properties, dict) else None
    if isinstance(member, dict) and isinstance(member.get("$ref"), str):
        try:
            member = context.references.look_up(str(member["$ref"]), None)
        except DeclarationError:
            return None  # whoever converts the property says so
    return _values(member) if isinstance(member, dict) else None


def _have_nothing_in_common(one: list[Json], other: list[Json]) -> bool:
    return not any(same(mine, yours) for mine in one for yours in other)
