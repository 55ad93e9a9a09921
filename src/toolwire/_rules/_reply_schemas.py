"""Rules of the JSON Schema of a reply: the part of JSON Schema that models follow."""

# ruff: noqa: ARG001  a rule gets the context, whether it asks it or not

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._message_fields import get, json_name, set_of
from toolwire._rules._rule import Finding, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._paths import Step
    from toolwire._rules._rule import Context

_FIELDS = ("response_json_schema", "response_json_schema_ordered")
_SUPPORTED = frozenset(
    {
        *("$id", "$defs", "$ref", "$anchor", "type", "format", "title", "description", "enum"),
        *("items", "prefixItems", "minItems", "maxItems", "minimum", "maximum", "anyOf", "oneOf"),
        *("properties", "additionalProperties", "required", "propertyOrdering"),
    }
)
# Where schemas stand in a schema: by name, in a list, by themselves.
_NAMED = ("$defs", "properties")
_LISTED = ("prefixItems", "anyOf", "oneOf")
_SINGLE = ("items", "additionalProperties")


def keywords(config: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each keyword of a reply's JSON Schema that is not supported."""
    for steps, names in _nodes(config):
        for name in names:
            if name not in _SUPPORTED:
                yield Finding((*steps, (name,)), f"{shown(name)} is none of the supported keywords")


def references(config: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for whatever stands beside a reference in a reply's JSON Schema."""
    for steps, names in _nodes(config):
        for name in names if "$ref" in names and len(steps) > 1 else ():
            if not name.startswith("$"):
                yield Finding((*steps, (name,)), "stands beside $ref, which stands alone")


def _nodes(config: Message) -> Iterator[tuple[tuple[Step, ...], list[str]]]:
    """Yields the way and the keywords of every schema, without recursion: a Struct may be deep."""
    waiting: list[tuple[tuple[Step, ...], Message]] = [
        ((json_name(config, name),), get(config, name)) for name in set_of(config, _FIELDS)
    ]
    while waiting:
        steps, value = waiting.pop()
        if not value.HasField("struct_value"):
            continue
        fields = get(value, "struct_value").fields
        names: list[str] = sorted(fields)
        yield steps, names
        for name in names:
            inner = fields[name]
            if name in _NAMED:
                members = inner.struct_value.fields
                waiting += [((*steps, (name,), (key,)), members[key]) for key in sorted(members)]
            elif name in _LISTED:
                items = enumerate(inner.list_value.values)
                waiting += [((*steps, (name,), index), item) for index, item in items]
            elif name in _SINGLE:
                waiting.append(((*steps, (name,)), inner))
