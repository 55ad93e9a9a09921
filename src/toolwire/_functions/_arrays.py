"""What an array holds. The proto has one schema for all items, and an array needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from toolwire._functions._infer import check_list

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolwire._functions._context import Context, Place
    from toolwire._functions._keywords import Json, Node

    Convert: TypeAlias = Callable[[Context, Json, Place], Node]


def put_items(context: Context, node: Node, made: Node, place: Place, convert: Convert) -> None:
    """Writes the schema of an array's items."""
    if "prefixItems" in node:
        _put_tuple(context, node, made, place, convert)
        return
    items = node.get("items", True)
    if items is False:
        _hold_nothing(context, made, place)
    elif items is True or items == {}:
        kind = context.untyped or "STRING"
        made["items"] = _bare(kind)
        context.report.changed((place.path, "items"), f"any item fits: became items of type {kind}")
    else:
        made["items"] = convert(context, items, place.below("items", levels=1))


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
        made["max_items"] = min(len(prefix), cast("int", made.get("max_items", len(prefix))))
    elif not is_closed and rest_items is not True and rest_items != {}:
        distinct += [rest_items] if rest_items not in distinct else []
    elif not is_closed:
        context.report.changed(at, "items after the first ones must fit one of these, too")
    if len(distinct) == 1:
        made["items"] = convert(context, distinct[0], place.below("prefixItems", 0, levels=1))
        return
    context.report.changed(at, "the order of items became alternatives for each item")
    union: list[Json] = [*distinct]
    made["items"] = convert(context, {"anyOf": union}, place.below("prefixItems", levels=1))


def _hold_nothing(context: Context, made: Node, place: Place) -> None:
    made["items"] = _bare(context.untyped or "STRING")
    made["description"] = f"{made.get('description', '')} Always empty.".strip()
    context.report.changed((place.path, "items"), "no item fits: said in the description")


def _bare(kind: str) -> Node:
    made: Node = {"type": kind}
    if kind == "ARRAY":
        made["items"] = {"type": "STRING"}
    return made
