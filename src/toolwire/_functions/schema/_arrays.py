"""What an array holds. The proto has one schema for all items, and an array needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from toolwire._functions._report import Unfit
from toolwire._functions.schema._context import say
from toolwire._functions.schema._infer import check_list
from toolwire._functions.schema._resolve import holds_anything

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolwire._functions._keywords import Json, Node
    from toolwire._functions.schema._context import Context, Place

    Convert: TypeAlias = Callable[[Context, Json, Place], Node]


def put_items(context: Context, node: Node, made: Node, place: Place, convert: Convert) -> None:
    """Writes the schema of an array's items."""
    if "prefixItems" in node:
        _put_tuple(context, node, made, place, convert)
        return
    items = node.get("items", True)
    if items is False:
        _check_room(node, 0, place)
        _hold_nothing(context, made, place)
    else:
        _put_each(context, items, made, place.below("items", levels=1), convert)


def _put_each(context: Context, items: Json, made: Node, place: Place, convert: Convert) -> None:
    """Writes the schema of each item, of a chosen type where any fits."""
    if holds_anything(context, items, place):
        kind = context.untyped or "STRING"
        items = {**(items if isinstance(items, dict) else {}), "type": kind.lower()}
        context.report.changed(place.path, f"any item fits: became items of type {kind}")
    made["items"] = convert(context, items, place)


def _put_tuple(context: Context, node: Node, made: Node, place: Place, convert: Convert) -> None:
    """Positions of one and the same schema are items; others become alternatives."""
    prefix = check_list(node["prefixItems"], place, "prefixItems")
    at = (place.path, "prefixItems")
    if not prefix:
        rest = {name: value for name, value in node.items() if name != "prefixItems"}
        put_items(context, rest, made, place, convert)
        return
    distinct = [schema for index, schema in enumerate(prefix) if schema not in prefix[:index]]
    rest_items = node.get("items", True)
    most = node.get("maxItems")
    is_closed = rest_items is False or (isinstance(most, (int, float)) and most <= len(prefix))
    if rest_items is False:
        _check_room(node, len(prefix), place)
        made["max_items"] = min(len(prefix), cast("int", made.get("max_items", len(prefix))))
    elif not is_closed and not holds_anything(context, rest_items, place.below("items", levels=1)):
        distinct += [rest_items] if rest_items not in distinct else []
    elif not is_closed:
        context.report.changed(at, "items after the first ones must fit one of these, too")
    if len(distinct) == 1:
        _put_each(context, distinct[0], made, place.below("prefixItems", 0, levels=1), convert)
        return
    here = place.below("prefixItems", levels=1)
    kinds = [*(_kind(context, each, here) for each in prefix), *([] if is_closed else ["others"])]
    say(made, f"Items in this order: {', '.join(kinds)}.")
    reason = "the order of items became alternatives for each item, and is said in the description"
    context.report.changed(at, reason)
    union: list[Json] = [*distinct]
    made["items"] = convert(context, {"anyOf": union}, here)


def _kind(context: Context, schema: Json, place: Place) -> str:
    """Returns in a few words what an item is, as far as its schema says it right away."""
    node = _target(context, schema, place)
    branches = node.get("anyOf", node.get("oneOf"))
    every = branches if isinstance(branches, list) else [node]
    found: list[Json] = []
    for each in every:
        kinds = _target(context, each, place).get("type", "value")
        found += kinds if isinstance(kinds, list) else [kinds]
    return " or ".join(dict.fromkeys(str(kind).lower() for kind in found))


def _target(context: Context, schema: Json, place: Place) -> Node:
    ref = schema.get("$ref") if isinstance(schema, dict) else None
    found = context.references.look_up(ref, place.path) if isinstance(ref, str) else schema
    return found if isinstance(found, dict) else {}


def _check_room(node: Node, most: int, place: Place) -> None:
    """Refuses an array that must be longer than the schemas of its items let it be."""
    least = node.get("minItems", 0)
    if isinstance(least, (int, float)) and least > most:
        raise Unfit(
            f"{least} is more than the {most} items that may be there: nothing fits both",
            (place.path, "minItems"),
        )


def _hold_nothing(context: Context, made: Node, place: Place) -> None:
    made["items"] = {"type": context.untyped or "STRING"}
    say(made, "Always empty.")
    context.report.changed((place.path, "items"), "no item fits: said in the description")
