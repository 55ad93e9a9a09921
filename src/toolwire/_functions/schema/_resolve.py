"""Resolves what a schema is composed of: its reference, and the schemas of its ``allOf``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._functions._keywords import ANNOTATIONS, Json, Node, canonical
from toolwire._functions._report import Unfit, fault
from toolwire._functions.schema._context import described
from toolwire._functions.schema._merge import Unsatisfiable, merge
from toolwire._functions.schema._refs import name_of, shown_cycle
from toolwire._functions.schema._titles import is_name_of

if TYPE_CHECKING:
    from toolwire._functions.schema._context import Context, Place

_BESIDE_REF = ANNOTATIONS | {"$ref", "nullable"}


def resolve(context: Context, raw: Json, place: Place, *, carry: bool = True) -> tuple[Node, Place]:
    """Returns a schema without ``$ref`` and ``allOf``, and the place with a name it may lend.

    Args:
        context: The walk.
        raw: The schema.
        place: Where it stands.
        carry: Leaves a reference that the API is to carry as it is.

    Raises:
        DeclarationError: If a reference leads nowhere or into a cycle.
        Unfit: If nothing fits.
    """
    context.enter(place)
    node = context.spelled(raw, place.path)
    while "$ref" in node:
        if carry and context.refs and node.keys() <= _BESIDE_REF:
            return node, place
        node, place = _follow(context, node, place)
    if "allOf" in node:
        return _merge_all(context, node, place, carry=carry)
    return node, place


def holds_anything(context: Context, schema: Json, place: Place) -> bool:
    """Tells whether any value fits a schema, since neither it nor what it refers to demands any."""
    if not isinstance(schema, dict) or canonical(schema).keys() - _BESIDE_REF:
        return schema is True
    try:
        return resolve(context, schema, place, carry=False)[0].keys() <= _BESIDE_REF
    except Unfit:  # whoever converts it says so
        return False


def combined(context: Context, first: Node, second: Node, place: Place) -> Node:
    """Merges two schemas that both must hold, and reports what finds no place.

    Raises:
        Unfit: If nothing fits both.
    """
    try:
        made, lost, closed = merge(first, second)
    except Unsatisfiable:
        raise Unfit("nothing fits all of the schemas that must hold here", place.path) from None
    report_closed(context, closed, place)
    for name in lost:
        context.report.dropped(
            (place.path, name), "two schemas must hold here, and only the first one's is kept"
        )
    return made


def report_closed(context: Context, names: list[str], place: Place) -> None:
    """Reports the properties that a schema which must hold as well forbids."""
    for name in names:
        context.report.dropped(
            ((place.path, "properties"), (name,)),
            "additionalProperties: false of a schema that must hold here as well forbids it",
        )


def _follow(context: Context, node: Node, place: Place) -> tuple[Node, Place]:
    """Puts what a reference points at in its place; what stands beside it must hold as well."""
    ref = node["$ref"]
    if not isinstance(ref, str):
        raise fault(f"expected text, found {described(ref)}", (place.path, "$ref"))
    target = context.references.look_up(ref, place.path)
    cycle = context.references.cycle(ref)
    if cycle and not context.refs:
        raise fault(
            f"the schema contains itself: {shown_cycle(cycle)}; {_way_out(context)}",
            (place.path, "$ref"),
        )
    if ref in place.followed:
        raise fault(
            f"the schema contains itself: {shown_cycle(cycle)}; a reference cannot be carried "
            "beside other keywords, or where all there is on the way are references",
            (place.path, "$ref"),
        )
    if target is False:
        raise Unfit("points at false: nothing fits", (place.path, "$ref"))
    found: Node = {} if target is True else context.spelled(target, place.path)
    if is_name_of(found.get("title"), name_of(ref)) and not context.titles:
        del found["title"]  # as tools write it
    local = {name: value for name, value in node.items() if name != "$ref"}
    place = place.below(levels=0, name=place.name)
    if cycle:
        place = place._replace(followed=(*place.followed, ref))
    context.enter(place)
    if local.keys() <= ANNOTATIONS:
        return {**found, **local}, place
    return {"allOf": [local, found]}, place


def _merge_all(context: Context, node: Node, place: Place, *, carry: bool) -> tuple[Node, Place]:
    branches = node["allOf"]
    if not isinstance(branches, list):
        raise fault("expected a list of schemas", (place.path, "allOf"))
    made = {name: value for name, value in node.items() if name != "allOf"}
    carry = carry and len(branches) == 1 and made.keys() <= _BESIDE_REF
    for index, branch in enumerate(branches):
        there = place.below("allOf", index, levels=0, name=place.name)
        if branch is True:
            continue
        if branch is False:
            raise Unfit("is false: nothing fits", there.path)
        found, _ = resolve(context, branch, there, carry=carry)
        made = combined(context, made, found, place)
    return made, place


def _way_out(context: Context) -> str:
    if context.has("ref") and context.has("defs"):
        return "carry the reference with refs=True, or the whole with as_json_schema=True"
    return f"the {context.api} schema has no references: use as_json_schema=True"
