"""Rules of a schema's structure: types, members, alternatives, references."""

# ruff: noqa: ARG001  a rule gets the context, whether it asks it or not

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._message_fields import (
    enum_name,
    enum_names,
    field_of,
    get,
    is_set,
    json_name,
    set_of,
    short_name,
)
from toolwire._paths import steps_up
from toolwire._rules._rule import Finding, listed, repeated, shown
from toolwire._rules._walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from google.protobuf.message import Message

    from toolwire._rules._rule import Context

_DEFINITION = "#/defs/"
_NUMERIC = ("INTEGER", "NUMBER")

# Fields that say something about some types only, and nothing about others.
KEYWORDS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("min_items", "max_items"), ("ARRAY",)),
    **dict.fromkeys(("min_length", "max_length", "pattern"), ("STRING",)),
    **dict.fromkeys(("min_properties", "max_properties"), ("OBJECT",)),
    **dict.fromkeys(("property_ordering", "additional_properties"), ("OBJECT",)),
    **dict.fromkeys(("minimum", "maximum"), _NUMERIC),
}
# Those that a server refuses on another type.
_STRUCTURE: Mapping[str, str] = {"items": "ARRAY", "properties": "OBJECT", "required": "OBJECT"}


def type_of(schema: Message) -> str | None:
    """Returns the type of a schema node; None if it has none, or one that is not known here."""
    return enum_name(schema, "type") if get(schema, "type") else None


def has_type(schema: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a node with neither type, alternatives nor reference."""
    field = field_of(schema, "type")
    if not any(is_set(schema, name) for name in ("type", "any_of", "ref")):
        names = [name for number, name in sorted(enum_names(field).items()) if number]
        yield Finding((field.json_name,), f"is unset: use one of {', '.join(names)}")


def has_items(schema: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for an array that does not say of what."""
    if type_of(schema) == "ARRAY" and not is_set(schema, "items"):
        yield Finding((json_name(schema, "items"),), "is missing: an ARRAY says what it is of")


def structure(schema: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for members of what is no object, and elements of what is no array."""
    kind = type_of(schema)
    for name, wanted in _STRUCTURE.items():
        if kind not in (None, wanted) and is_set(schema, name):
            yield Finding((json_name(schema, name),), f"is set on {kind}: only {wanted} takes it")


def keywords(schema: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each limit that says nothing about a node's type."""
    kind = type_of(schema)
    for name, types in KEYWORDS.items():
        if kind is not None and kind not in types and is_set(schema, name):
            fault = f"is set on {kind}: it says something about {' and '.join(types)} only"
            yield Finding((json_name(schema, name),), fault)


def required_names(schema: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each required name that is no property."""
    yield from _names(schema, "required")


def ordered_names(schema: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each ordered name that is no property."""
    yield from _names(schema, "property_ordering")


def twice(schema: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each name or value of a list that stands there twice."""
    for field in set_of(schema, ("required", "property_ordering", "enum")):
        yield from repeated(schema, field)


def alternatives(schema: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for whatever stands beside alternatives."""
    if not is_set(schema, "any_of"):
        return
    for field, _ in schema.ListFields():
        if field.name not in ("any_of", "defs"):
            fault = f"stands beside {json_name(schema, 'any_of')}: put it into the alternatives"
            yield Finding((field.json_name,), fault)


def additional_properties(schema: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a rule of other members that is neither a bool nor a schema."""
    if schema.HasField("additional_properties"):
        kind = get(schema, "additional_properties").WhichOneof("kind")
        if kind not in ("bool_value", "struct_value"):
            found = str(kind or "nothing").removesuffix("_value")
            fault = f"is {found}: expected a bool, or a schema as an object"
            yield Finding((json_name(schema, "additional_properties"),), fault)


def inner_definitions(schema: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for definitions on an inner node."""
    if context.lies_in("Schema") and is_set(schema, "defs"):
        fault = "stands on an inner node: only the outermost one has definitions"
        yield Finding((json_name(schema, "defs"),), fault)


def references(schema: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each reference of a whole schema that leads nowhere."""
    if context.lies_in("Schema"):
        return
    defined: list[str] = sorted(get(schema, "defs"))
    for place in walk(schema):
        if short_name(place.message.DESCRIPTOR) != "Schema" or not get(place.message, "ref"):
            continue
        pointer: str = get(place.message, "ref")
        steps = tuple(reversed(tuple(steps_up(place.path))))
        at = (*steps, json_name(place.message, "ref"))
        if not pointer.startswith(_DEFINITION):
            yield Finding(at, f"is {shown(pointer)}: expected {_DEFINITION} and a name")
        elif pointer.removeprefix(_DEFINITION) not in get(schema, "defs"):
            choice = f"defined are {listed(defined)}" if defined else "nothing is defined"
            yield Finding(at, f"{shown(pointer)} leads nowhere: {choice} at the outermost node")


def inner_example(schema: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for an example that nobody looks at."""
    if context.lies_in("Schema") and is_set(schema, "example"):
        fault = "stands on an inner node: only one on the outermost is looked at"
        yield Finding((json_name(schema, "example"),), fault)


def _names(schema: Message, field: str) -> Iterator[Finding]:
    known: list[str] = sorted(get(schema, "properties"))
    if type_of(schema) not in (None, "OBJECT"):
        return  # that is another rule's
    for index, name in enumerate(get(schema, field)):
        steps = (json_name(schema, field), index)
        if name not in get(schema, "properties"):
            choice = f"there are {listed(known)}" if known else "there are none"
            yield Finding(steps, f"{shown(name)} is not among the properties: {choice}")
