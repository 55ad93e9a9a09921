"""The keywords of JSON Schema and OpenAPI, as a table: to which field each one goes."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from toolwire._json import near

if TYPE_CHECKING:
    from collections.abc import Mapping

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Node: TypeAlias = "dict[str, Json]"

Kind = Literal["text", "count", "number", "value"]

TYPES: Mapping[str, str] = {
    "string": "STRING",
    "number": "NUMBER",
    "integer": "INTEGER",
    "boolean": "BOOLEAN",
    "array": "ARRAY",
    "object": "OBJECT",
    "null": "NULL",
}


class Keyword(NamedTuple):
    """Where the value of a keyword goes, if it goes there as it is.

    Attributes:
        field: Field of the proto's Schema.
        kind: What the value must be.
        types: Types that the keyword says something about; empty for all.
    """

    field: str
    kind: Kind
    types: tuple[str, ...] = ()


_NUMERIC = ("INTEGER", "NUMBER")

PLAIN: Mapping[str, Keyword] = {
    "title": Keyword("title", "text"),
    "description": Keyword("description", "text"),
    "default": Keyword("default", "value"),
    "example": Keyword("example", "value"),
    "minItems": Keyword("min_items", "count", ("ARRAY",)),
    "maxItems": Keyword("max_items", "count", ("ARRAY",)),
    "minLength": Keyword("min_length", "count", ("STRING",)),
    "maxLength": Keyword("max_length", "count", ("STRING",)),
    "pattern": Keyword("pattern", "text", ("STRING",)),
    "minProperties": Keyword("min_properties", "count", ("OBJECT",)),
    "maxProperties": Keyword("max_properties", "count", ("OBJECT",)),
    "minimum": Keyword("minimum", "number", _NUMERIC),
    "maximum": Keyword("maximum", "number", _NUMERIC),
}

# Keywords that a rule of their own reads, by the types they speak of.
RULED: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("type", "nullable", "enum", "const", "format", "examples"), ()),
    **dict.fromkeys(("anyOf", "oneOf", "allOf", "$ref"), ()),
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), _NUMERIC),
    **dict.fromkeys(("items", "prefixItems", "additionalItems"), ("ARRAY",)),
    **dict.fromkeys(("properties", "required", "propertyOrdering"), ("OBJECT",)),
    "additionalProperties": ("OBJECT",),
}

# Keywords of RULED that hold schemas.
_PARTS = frozenset(
    {"anyOf", "oneOf", "allOf", "prefixItems", "items", "additionalItems", "additionalProperties"}
    | {"properties"}
)

# They change no verdict and say nothing to a model.
SILENT = frozenset(
    {
        "$schema",
        "$id",
        "$comment",
        "$anchor",
        "$dynamicAnchor",
        "$recursiveAnchor",
        "$defs",
        "definitions",
        "components",
        "discriminator",
        "$vocabulary",
    }
)

# Keywords that say nothing about which values are valid.
ANNOTATIONS = frozenset(
    {"title", "description", "default", "example", "examples", "propertyOrdering", *SILENT}
    | {"deprecated", "readOnly", "writeOnly", "externalDocs", "xml"}
)

# Unsupported keywords from which a type may be inferred none the less.
_HINTS: Mapping[str, str] = {
    **dict.fromkeys(("patternProperties", "propertyNames", "dependentRequired"), "OBJECT"),
    **dict.fromkeys(("dependentSchemas", "unevaluatedProperties"), "OBJECT"),
    **dict.fromkeys(("uniqueItems", "contains", "unevaluatedItems"), "ARRAY"),
    "multipleOf": "NUMBER",
    **dict.fromkeys(("contentEncoding", "contentMediaType"), "STRING"),
}

# Keywords of JSON Schema that no API has, and that are no slips of the pen.
_KNOWN = frozenset(
    {"not", "if", "then", "else", "dependencies", "minContains", "maxContains", "contentSchema"}
    | {"$dynamicRef", "$recursiveRef", *ANNOTATIONS, *_HINTS, *PLAIN, *RULED}
)

_VALUES = frozenset({"default", "const", "example"})  # of which null is one

_UPPER = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SPELLINGS: Mapping[str, str] = {
    **{_UPPER.sub("_", name).lower(): name for name in (*PLAIN, *RULED)},
    "ref": "$ref",
    "defs": "$defs",
}


def types_of(keyword: str) -> tuple[str, ...] | None:
    """Returns the types a keyword speaks of, empty for all; None for one that is not known."""
    if keyword in PLAIN:
        return PLAIN[keyword].types
    return RULED.get(keyword)


def hinted_type(keyword: str) -> str | None:
    """Returns the type that a keyword hints at, or None."""
    types = types_of(keyword)
    if types:
        return types[-1]
    return _HINTS.get(keyword)


def misspelt(keyword: str) -> str:
    """Returns ``; did you mean "x"?`` for a keyword that nobody knows and one is near to."""
    return "" if keyword in _KNOWN or keyword[:2] == "x-" else near(keyword, (*PLAIN, *RULED))


def canonical(node: Mapping[str, Json]) -> Node:
    """Returns a schema with its keywords in JSON Schema's own spelling.

    Read are the names of proto fields (``any_of``), of proto-plus (``type_``), and ``ref`` and
    ``defs``; where two spellings stand side by side, JSON Schema's own wins. A keyword that is
    null is none, but where null is a value.
    """
    found: Node = {}
    for name, value in node.items():
        if value is None and name not in _VALUES:
            continue
        if types_of(name) is not None or name in SILENT:
            found[name] = value
            continue
        bare = name.removesuffix("_")
        spelled = bare if bare in PLAIN or bare in RULED else _SPELLINGS.get(bare, name)
        if spelled == name or spelled not in node:
            found[spelled] = value
    _read_draft_4_bound(found, "exclusiveMinimum", "minimum")
    _read_draft_4_bound(found, "exclusiveMaximum", "maximum")
    if isinstance(found.get("id"), str):  # draft 4's
        found.setdefault("$id", found.pop("id"))
    _read_draft_7_tuple(found)
    for name in _PARTS & found.keys():
        found[name] = _with_false(found[name], is_map=name == "properties")
    return found


def _read_draft_4_bound(node: Node, exclusive: str, inclusive: str) -> None:
    """Turns draft 4's and OpenAPI 3.0's flag beside a bound into an exclusive bound."""
    flag = node.get(exclusive)
    if isinstance(flag, bool):
        del node[exclusive]
        if flag and inclusive in node:
            node[exclusive] = node.pop(inclusive)


def _read_draft_7_tuple(node: Node) -> None:
    """Turns a list under ``items`` into ``prefixItems``, as it is written today."""
    if isinstance(node.get("items"), list):
        node["prefixItems"] = node.pop("items")
        if "additionalItems" in node:
            node["items"] = node.pop("additionalItems")


def _with_false(part: Json, *, is_map: bool = False) -> Json:
    """Writes false for a schema, or each of several, that says ``not: {}``, as Zod does for it."""
    if isinstance(part, list):
        return [_with_false(each) for each in part]
    if not isinstance(part, dict):
        return part
    if is_map:
        return {name: _with_false(each) for name, each in part.items()}
    return False if part.get("not") == {} or part.get("not") is True else part


def unspelled(value: Json, kind: str) -> Json:
    """Reads the text that stands for a value of another type."""
    if kind in {"integer", "number", "boolean"} and isinstance(value, str):
        try:
            found: Json = json.loads(value)
        except ValueError:
            return value
        return value if isinstance(found, (str, list, dict)) else found
    return value
