"""Alternatives: ``anyOf``, ``oneOf``, and lists of types."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from toolwire._functions._disjoint import are_disjoint
from toolwire._functions._infer import check_list, fits
from toolwire._functions._keywords import ANNOTATIONS, TYPES, types_of
from toolwire._functions._merge import Unsatisfiable, merge
from toolwire._functions._report import fault
from toolwire._functions._resolve import resolve

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolwire._functions._context import Context, Place
    from toolwire._functions._keywords import Json, Node

_MOVED = ("default", "example")


def convert_union(
    context: Context,
    node: Node,
    place: Place,
    convert: Callable[[Context, Node, Place], Node],
    *,
    spelled: tuple[str, ...] = (),
) -> Node:
    """Converts a schema with alternatives; what stands beside them moves into each.

    Args:
        context: The walk.
        node: The schema.
        place: Where it stands.
        convert: Converts one alternative.
        spelled: The keyword that the alternatives come from, if not from one of their own.
    """
    keyword = "anyOf" if "anyOf" in node else "oneOf"
    beside = {name: value for name, value in node.items() if name in ANNOTATIONS}
    rest = {name: node[name] for name in node.keys() - ANNOTATIONS - {keyword, "nullable"}}
    nullable = node.get("nullable") is True
    alternatives: list[Node] = []
    branches: list[tuple[Node, Place]] = []
    given = check_list(node[keyword], place, keyword)
    for index, branch in enumerate(given):
        there = place.below(*(spelled or (keyword, index)), levels=1)
        found, there = _alternative(context, branch, rest, there)
        if found is None:
            continue
        alternatives.append(found)
        if _is_null(found):
            nullable = True
        else:
            branches.append((found, there))
    if keyword == "oneOf" and not are_disjoint(alternatives, context):
        context.report.changed(
            (place.path, keyword), "became any_of: a value that fits several of them fits it, too"
        )
    if not branches:
        if not nullable:
            raise fault("nothing fits any of the alternatives", (place.path, keyword))
        return convert(context, {**beside, "type": "null"}, place)
    if len(branches) == 1:
        made = convert(context, {**branches[0][0], **beside}, place)
        return _made_nullable(made) if nullable else made
    any_of = [convert(context, found, there) for found, there in branches]
    if nullable:
        any_of = [_made_nullable(each) for each in any_of]
    _move_annotations(context, beside, any_of, place)
    return {"any_of": cast("Json", any_of)}


def _is_null(node: Node) -> bool:
    """Tells whether nothing but null fits."""
    return (
        node.get("type") == "null"
        or node.get("enum") == [None]
        or ("const" in node and node["const"] is None)
    )


def _alternative(
    context: Context, branch: Json, rest: Node, place: Place
) -> tuple[Node | None, Place]:
    """Returns an alternative merged with what stands beside it; None if nothing can fit that."""
    if branch is False:
        return None, place
    node, place = resolve(context, {} if branch is True else branch, place, carry=not rest)
    if not rest:
        return node, place
    try:
        made, lost = merge(node, rest)
    except Unsatisfiable:
        return None, place
    for name in lost:
        context.report.dropped((place.path, name), "the one beside the alternatives is dropped")
    return made if _keep_fitting(made) else None, place


def _keep_fitting(node: Node) -> bool:
    """Takes out what says nothing about the type of a node; False if no value is left."""
    kind = node.get("type")
    if not isinstance(kind, str) or kind not in TYPES:
        return True
    for name in list(node):
        types = types_of(name)
        if types and TYPES[kind] not in types:
            del node[name]
    members = node.get("enum")
    if isinstance(members, list):
        node["enum"] = [member for member in members if fits(member, kind)]
        if members and not node["enum"]:
            return False
    return "const" not in node or fits(node["const"], kind)


def _move_annotations(context: Context, beside: Node, any_of: list[Node], place: Place) -> None:
    """Moves what may not stand beside alternatives into them."""
    text = beside.get("description")
    if isinstance(text, str) and text:
        bare = [each for each in any_of if "description" not in each]
        for each in bare:
            each["description"] = text
        if not bare:
            any_of[0]["description"] = f"{text} {any_of[0]['description']}"
    for name in _MOVED:
        if name not in beside:
            continue
        for each in any_of:
            if name not in each and context.has(name) and _takes(each, beside[name]):
                each[name] = beside[name]
                break
        else:
            context.report.dropped((place.path, name), "fits none of the alternatives")
    for name in ("title", "examples"):
        if name in beside:
            _drop(context, name, beside, place)


def _takes(made: Node, value: Json) -> bool:
    if value is None:
        return made.get("nullable") is True
    return fits(value, str(made.get("type", "")).lower())


def _drop(context: Context, name: str, beside: Node, place: Place) -> None:
    title = beside.get("title")
    made_up = place.name is not None and title == place.name.replace("_", " ").title()
    if name != "title" or not (made_up or not isinstance(title, str)):
        context.report.dropped((place.path, name), "nothing may stand beside any_of")


def _made_nullable(made: Node) -> Node:
    """Lets null fit a converted schema; alternatives stand alone, so each of them takes it."""
    branches = made.get("any_of")
    if isinstance(branches, list):
        made["any_of"] = [_made_nullable(cast("Node", each)) for each in branches]
    elif made.get("type") != "NULL":
        made["nullable"] = True
    return made
