"""Alternatives: ``anyOf``, ``oneOf``, and lists of types."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from toolwire._functions._keywords import ANNOTATIONS, TYPES, types_of
from toolwire._functions._report import SHOWN, Unfit
from toolwire._functions.schema._context import say
from toolwire._functions.schema._disjoint import are_disjoint
from toolwire._functions.schema._infer import check_list, fits
from toolwire._functions.schema._merge import Unsatisfiable, merge
from toolwire._functions.schema._resolve import report_closed, resolve
from toolwire._functions.schema._titles import is_own
from toolwire._paths import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from toolwire._functions._keywords import Json, Node
    from toolwire._functions.schema._context import Context, Place

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
    given = check_list(node[keyword], place, keyword)
    places = [
        place.below(*(spelled or (keyword, index)), levels=1) for index, _ in enumerate(given)
    ]
    alternatives = _alternatives(context, given, rest, places)
    _require_tag(context, node.get("discriminator"), alternatives, place)
    if keyword == "oneOf" and not are_disjoint([each for each, _ in alternatives], context):
        context.report.changed(
            (place.path, keyword), "became any_of: a value that fits several of them fits it, too"
        )
    branches = [each for each in alternatives if not _is_null(each[0])]
    nulls = [each for each in alternatives if _is_null(each[0])]
    nullable = node.get("nullable") is True or bool(_converted(context, nulls, convert))
    any_of: list[Node] = []
    if len(branches) > 1:
        made = _converted(context, branches, convert)
        branches = [each for each, schema in made if schema.get("type") != "NULL"]
        nullable = nullable or len(branches) < len(made)
        any_of = [leaf for _, schema in made for leaf in _leaves(schema)]
    if not branches:
        if not nullable:
            raise Unfit("nothing fits any of the alternatives", (place.path, keyword))
        return convert(context, {**beside, "type": "null"}, place)
    if len(branches) == 1:
        flag: Node = {"nullable": True} if nullable else {}
        return convert(context, {**branches[0][0], **beside, **flag}, place)
    for each in any_of if nullable else ():
        each["nullable"] = True
    _move_annotations(context, beside, any_of, place)
    return {"any_of": cast("Json", any_of)}


def _alternatives(
    context: Context, given: list[Json], rest: Node, places: list[Place]
) -> list[tuple[Node, Place]]:
    """Returns the alternatives that something may fit, merged with what stands beside them."""
    kept: list[tuple[Node, Place]] = []
    for branch, place in zip(given, places, strict=True):
        with _leaving_out(context):
            found, there = _alternative(context, branch, rest, place)
            if found is not None:
                kept.append((found, there))
    return kept


def _require_tag(
    context: Context, discriminator: Json, alternatives: list[tuple[Node, Place]], place: Place
) -> None:
    """Requires the member that tells the alternatives apart: without it, nobody can choose one."""
    tag = discriminator.get("propertyName") if isinstance(discriminator, dict) else None
    for node, _ in alternatives:
        properties, required = node.get("properties"), node.get("required", [])
        if not isinstance(tag, str) or not isinstance(properties, dict) or tag not in properties:
            continue
        if isinstance(required, list) and tag not in required:
            node["required"] = [*required, tag]
            reason = f"{quote(tag, longest=SHOWN)} tells the alternatives apart: became required"
            context.report.changed((place.path, "discriminator"), reason)


def _converted(
    context: Context,
    alternatives: list[tuple[Node, Place]],
    convert: Callable[[Context, Node, Place], Node],
) -> list[tuple[tuple[Node, Place], Node]]:
    """Returns the alternatives that something fits, each with what became of it."""
    found: list[tuple[tuple[Node, Place], Node]] = []
    for each in alternatives:
        with _leaving_out(context):
            found.append((each, convert(context, *each)))
    return found


def _leaves(made: Node) -> list[Node]:
    """Returns a converted alternative, or those that it has itself; null is told beside them."""
    if made.get("type") == "NULL":
        return []
    return cast("list[Node]", made.get("any_of", [made]))


@contextmanager
def _leaving_out(context: Context) -> Generator[None]:
    """Leaves an alternative out that nothing fits."""
    try:
        yield
    except Unfit as error:
        context.report.dropped(error.at, f"{error.reason}: the alternative is left out")


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
        made, lost, closed = merge(node, rest)
    except Unsatisfiable:
        return None, place
    report_closed(context, closed, place)
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
        for each in any_of:
            own = str(each.pop("description", text))
            each["description"] = text
            if own != text:
                say(each, own)
    for name in _MOVED:
        if name not in beside:
            continue
        for each in any_of:
            if name not in each and context.has(name) and _takes(each, beside[name]):
                each[name] = beside[name]
                break
        else:
            context.report.dropped((place.path, name), "fits none of the alternatives")
    reason = "nothing may stand beside any_of"
    title = beside.get("title", "")
    if title != "" and is_own(context, title, place):
        context.report.dropped((place.path, "title"), reason)
    if "examples" in beside:
        context.report.dropped((place.path, "examples"), reason)


def _takes(made: Node, value: Json) -> bool:
    if value is None:
        return made.get("nullable") is True
    return fits(value, str(made.get("type", "")).lower())
