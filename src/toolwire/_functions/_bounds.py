"""Bounds of numbers, and counts of characters, items and members."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from toolwire._functions._context import described, say
from toolwire._functions._keywords import PLAIN
from toolwire._functions._report import fault

if TYPE_CHECKING:
    from toolwire._functions._context import Context, Place
    from toolwire._functions._keywords import Json, Node

_LARGEST_COUNT = (1 << 63) - 1
_WORDS = {"minimum": "at least", "maximum": "at most"}
_THINGS = {"maxItems": "items", "maxLength": "characters", "maxProperties": "members"}


def put_counts(context: Context, node: Node, made: Node, place: Place) -> None:
    """Writes lengths and counts, and the pattern, where the type has them."""
    for name, keyword in PLAIN.items():
        if name not in node or made["type"] not in keyword.types:
            continue
        value = node[name]
        at = (place.path, name)
        if keyword.kind == "text":
            if not isinstance(value, str):
                raise fault(f"expected text, found {described(value)}", at)
            if value:
                made[keyword.field] = value
        elif keyword.kind == "count":
            count = _count(value, at)
            if count or context.has_presence(keyword.field):
                made[keyword.field] = count
            elif name in _THINGS:  # a minimum of zero says nothing
                say(made, f"At most 0 {_THINGS[name]}.")
                context.report.dropped(at, _zero(context, "said in the description"))


def put_bounds(context: Context, node: Node, made: Node, place: Place) -> None:
    """Writes the bounds of a number; a proto has inclusive ones only."""
    for name, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        bound = _number(node, name, place)
        strict = _number(node, exclusive, place)
        tighter = max if name == "minimum" else min
        if strict is not None and made["type"] == "INTEGER":
            whole = math.floor(strict) + 1 if name == "minimum" else math.ceil(strict) - 1
            bound = whole if bound is None else tighter(bound, whole)
        elif strict is not None and (bound is None or tighter(bound, strict) == strict):
            bound = strict
            say(made, f"{'More' if name == 'minimum' else 'Less'} than {strict}.")
            context.report.changed(
                (place.path, exclusive), f"became {name}, which the bound itself fits"
            )
        if bound is not None:
            _put_bound(context, made, name, bound, place)


def _put_bound(context: Context, made: Node, name: str, bound: float, place: Place) -> None:
    at = (place.path, name)
    if not bound and not context.has_presence(name):
        words = _WORDS[name]
        say(made, f"{words[0].upper()}{words[1:]} 0.")
        context.report.dropped(at, _zero(context, "said in the description"))
        return
    try:
        exact = float(bound)
    except OverflowError:
        raise fault("is larger than any number of the proto", at) from None
    if exact != bound:
        context.report.changed(at, f"became {exact}, the nearest number that a double holds")
    made[name] = exact


def _zero(context: Context, where: str) -> str:
    return f"0 cannot be told from absent in {context.api}: {where}"


def _number(node: Node, name: str, place: Place) -> float | None:
    value = node.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise fault(f"expected a number, found {described(value)}", (place.path, name))
    return value


def _count(value: Json, at: tuple[object, str]) -> int:
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    if isinstance(value, bool) or not whole or not 0 <= cast("float", value) <= _LARGEST_COUNT:
        raise fault(f"expected a count, found {described(value)}", cast("tuple[None, str]", at))
    return int(cast("float", value))
