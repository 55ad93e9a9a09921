"""Random schemas, each in two forms: a ``Schema`` message and, written apart, its JSON Schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable

Pair = tuple[dict[str, Any], dict[str, Any]]
Draw = Any

NAMES = ["city", "unit", "type", "order_id", "items", "properties", "días", "a.b", "query"]
PATTERNS = [
    "^[a-z]+$", "^[A-Z]{3}$", r"^\d{4}-\d{2}$", "^(foo|bar)-[0-9]+$", "x", "^[^ ]{2,5}$",
    r"^\w+@\w+\.com$", "^#[0-9a-fA-F]{6}$", "^a?b*c+$", r"^[\w.-]+$", r"^\+[1-9]\d{1,14}$",
]  # fmt: skip
FORMATS = ["date-time", "date", "time", "email", "uri", "uuid", "ipv4", "ipv6", "hostname", "any"]


def nullable(draw: Draw, pair: Pair) -> Pair:
    ours, standard = pair
    if not draw(st.booleans()):
        return pair
    standard = {**standard, "type": [standard["type"], "null"]}
    if "enum" in standard:
        standard["enum"] = [*standard["enum"], None]
    return {**ours, "nullable": True}, standard


def both(ours: dict[str, Any], standard: dict[str, Any], kind: str) -> Pair:
    return {"type": kind.upper(), **ours}, {"type": kind, **standard}


def bounds(draw: Draw, low: int, high: int) -> tuple[int | None, int | None]:
    least = draw(st.none() | st.integers(low, high))
    most = draw(st.none() | st.integers(max(least or 0, 1), high + 3))
    return least or None, most


def named(ours: tuple[str, str], standard: tuple[str, str], values: tuple[object, object]) -> Pair:
    pairs = [
        {name: value for name, value in zip(names, values, strict=True) if value is not None}
        for names in (ours, standard)
    ]
    return pairs[0], pairs[1]


@st.composite
def strings(draw: Draw) -> Pair:
    kind = draw(st.sampled_from(["plain", "enum", "pattern", "format"]))
    if kind == "enum":
        members = draw(st.lists(st.sampled_from(["A", "b c", "Ü", "1"]), min_size=1, unique=True))
        return nullable(draw, both({"enum": members}, {"enum": list(members)}, "string"))
    if kind == "pattern":
        pattern = draw(st.sampled_from(PATTERNS))
        return nullable(draw, both({"pattern": pattern}, {"pattern": pattern}, "string"))
    if kind == "format":
        format_ = draw(st.sampled_from(FORMATS))
        return nullable(draw, both({"format": format_}, {"format": format_}, "string"))
    ours, standard = named(
        ("min_length", "max_length"), ("minLength", "maxLength"), bounds(draw, 0, 30)
    )
    return nullable(draw, both(ours, standard, "string"))


@st.composite
def numbers(draw: Draw) -> Pair:
    kind = draw(st.sampled_from(["integer", "number"]))
    if draw(st.booleans()):
        members = draw(st.lists(st.integers(-5, 5), min_size=1, unique=True))
        return nullable(draw, both({"enum": list(map(str, members))}, {"enum": members}, kind))
    low = draw(st.none() | st.integers(-(10**6), 10**6))
    span = draw(st.integers(0, 10))
    high = draw(st.none() | st.just((low or 0) + span))
    if kind == "number" and low is not None and high is not None:
        low, high = low - 0.25, high + 0.25
    # v1 cannot tell a bound of zero from none, which leaves the JSON Schema stricter.
    names = ("minimum", "maximum")
    ours, standard = named(names, names, (low or None, high or None))
    return nullable(draw, both(ours, standard, kind))


@st.composite
def arrays(draw: Draw, inner: st.SearchStrategy[Pair]) -> Pair:
    item, standard_item = draw(inner)
    ours, standard = named(("min_items", "max_items"), ("minItems", "maxItems"), bounds(draw, 0, 4))
    return nullable(
        draw, both({**ours, "items": item}, {**standard, "items": standard_item}, "array")
    )


@st.composite
def objects(draw: Draw, inner: st.SearchStrategy[Pair]) -> Pair:
    found: dict[str, Pair] = draw(st.dictionaries(st.sampled_from(NAMES), inner, max_size=4))
    required = [name for name in found if draw(st.booleans())]
    forms = [{name: pair[form] for name, pair in found.items()} for form in (0, 1)]
    most = draw(st.none() | st.integers(max(1, len(required)), 6))
    ours: dict[str, Any] = {"properties": forms[0], "required": required}
    standard: dict[str, Any] = {"properties": forms[1], "required": required}
    if most is not None:
        ours["max_properties"] = standard["maxProperties"] = most
    return nullable(draw, both(ours, standard, "object"))


@st.composite
def choices(draw: Draw, inner: st.SearchStrategy[Pair]) -> Pair:
    branches = draw(st.lists(inner, min_size=1, max_size=3))
    return {"any_of": [ours for ours, _ in branches]}, {
        "anyOf": [standard for _, standard in branches]
    }


LEAVES: st.SearchStrategy[Pair] = st.one_of(
    strings(), numbers(), st.just(({"type": "BOOLEAN"}, {"type": "boolean"}))
)
_combine: Callable[[st.SearchStrategy[Pair]], st.SearchStrategy[Pair]] = lambda inner: st.one_of(  # noqa: E731
    arrays(inner), objects(inner), choices(inner)
)
SCHEMAS: st.SearchStrategy[Pair] = st.recursive(LEAVES, _combine, max_leaves=8)
PARAMETERS: st.SearchStrategy[Pair] = objects(SCHEMAS).map(
    lambda pair: (
        {key: value for key, value in pair[0].items() if key != "nullable"},
        {**pair[1], "type": "object"},
    )
)
