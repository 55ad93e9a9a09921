"""Bounds of numbers, and counts of characters, items and members."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, cast

from toolwire._functions._keywords import PLAIN
from toolwire._functions._report import Unfit, fault
from toolwire._functions.schema._context import described, say
from toolwire._functions.schema._said import bound_sentence
from toolwire._json._faults import found

if TYPE_CHECKING:
    from toolwire._functions._keywords import Json, Node
    from toolwire._functions.schema._context import Context, Place
    from toolwire._paths import Path

_LARGEST_COUNT = (1 << 63) - 1
_THINGS = {"maxItems": "items", "maxLength": "characters", "maxProperties": "members"}
_COUNTS = {name.replace("max", "min"): name for name in _THINGS}
_ENDS = (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum"))


class _End(NamedTuple):
    """One end of the numbers that fit.

    Attributes:
        keyword: The keyword that it comes from.
        value: The number.
        is_open: Whether that number itself does not fit.
    """

    keyword: str
    value: float
    is_open: bool = False


def put_counts(context: Context, node: Node, made: Node, place: Place) -> None:
    """Writes lengths and counts, and the pattern, where the type has them."""
    counts: dict[str, int] = {}
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
            counts[name] = count = _count(value, at)
            if count or context.has_presence(keyword.field):
                made[keyword.field] = count
            elif name in _THINGS:  # a minimum of zero says nothing
                say(made, f"At most 0 {_THINGS[name]}.")
                context.report.dropped(at, _zero(context))
    _check_counts(counts, place)


def _check_counts(counts: dict[str, int], place: Place) -> None:
    for least, most in _COUNTS.items():
        if counts.get(least, 0) > counts.get(most, _LARGEST_COUNT):
            reason = f"{counts[least]} is more than {most}, {counts[most]}: nothing fits both"
            raise Unfit(reason, (place.path, least))


def put_bounds(context: Context, node: Node, made: Node, place: Place) -> None:
    """Writes the bounds of a number; a proto has inclusive ones only."""
    is_whole = made["type"] == "INTEGER"
    low, high = (_end(node, name, strict, place, is_whole=is_whole) for name, strict in _ENDS)
    if low and high and _exclude_all(low, high, is_whole=is_whole):
        reason = f"{low.value} and {high.keyword}, {high.value}, leave no number between them"
        raise Unfit(reason, (place.path, low.keyword))
    for (name, _), end in zip(_ENDS, (low, high), strict=True):
        if end is not None:
            _put_end(context, made, name, end, place)


def _end(node: Node, name: str, exclusive: str, place: Place, *, is_whole: bool) -> _End | None:
    """Returns the tighter one of an inclusive and an exclusive bound."""
    bound = _number(node, name, place)
    strict = _number(node, exclusive, place)
    if strict is None:
        return None if bound is None else _End(name, bound)
    is_low = name == "minimum"
    end = _End(exclusive, strict, is_open=True)
    if is_whole:
        end = _End(exclusive, math.floor(strict) + 1 if is_low else math.ceil(strict) - 1)
    is_looser = bound is not None and (bound > end.value if is_low else bound < end.value)
    return _End(name, cast("float", bound)) if is_looser else end


def _exclude_all(low: _End, high: _End, *, is_whole: bool) -> bool:
    if is_whole:
        return math.ceil(low.value) > math.floor(high.value)
    return low.value > high.value or (low.value == high.value and (low.is_open or high.is_open))


def _put_end(context: Context, made: Node, name: str, end: _End, place: Place) -> None:
    at = (place.path, end.keyword)
    is_lost = not end.value and not context.has_presence(name)
    if is_lost or end.is_open:
        say(made, bound_sentence(name, end.value, is_open=end.is_open))
    if is_lost:
        context.report.dropped(at, _zero(context))
        return
    if end.is_open:
        context.report.changed(at, f"became {name}, which the bound itself fits")
    try:
        exact = float(end.value)
    except OverflowError:
        raise fault("is larger than any number of the proto", at) from None
    if exact != end.value:
        context.report.changed(at, f"became {exact}, the nearest number that a double holds")
    made[name] = exact


def _zero(context: Context) -> str:
    return f"0 cannot be told from absent in {context.api}: said in the description"


def _number(node: Node, name: str, place: Place) -> float | None:
    value = node.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise fault(f"expected a number, found {described(value)}", (place.path, name))
    return value


def _count(value: Json, at: Path) -> int:
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    if isinstance(value, bool) or not whole or not 0 <= cast("float", value) <= _LARGEST_COUNT:
        raise fault(
            f"expected a whole number from 0 to {_LARGEST_COUNT}, found {found(value, None)}", at
        )
    return int(cast("float", value))
