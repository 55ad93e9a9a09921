"""Rules of what a schema says about values: formats, enums, bounds, defaults."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolwire._rules._rule import Finding, shown
from toolwire._rules._schema import get, is_missing, json_name
from toolwire._rules._schemas import type_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from google.protobuf.message import Message

    from toolwire._rules._rule import Context

_BOUNDS = (
    ("min_items", "max_items"),
    ("min_length", "max_length"),
    ("min_properties", "max_properties"),
    ("minimum", "maximum"),
)
_WHOLE = re.compile(r"-?(0|[1-9][0-9]*)")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")

# How a value of a type is spelled in an enum; None where it cannot be.
_SPELLED: Mapping[str, Callable[[str], object] | None] = {
    "STRING": lambda text: True,  # noqa: ARG005
    "INTEGER": _WHOLE.fullmatch,
    "NUMBER": _NUMBER.fullmatch,
    "BOOLEAN": lambda text: text in ("true", "false"),
    "NULL": lambda text: text == "null",
    "ARRAY": None,
    "OBJECT": None,
}
# What a Value of a type holds.
_HELD: Mapping[str, str] = {
    "STRING": "string_value",
    "INTEGER": "number_value",
    "NUMBER": "number_value",
    "BOOLEAN": "bool_value",
    "NULL": "null_value",
    "ARRAY": "list_value",
    "OBJECT": "struct_value",
}


def enum_values(schema: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for each value of an enum that is empty, double or of another type."""
    kind = type_of(schema)
    seen: set[str] = set()
    field = json_name(schema, "enum")
    values: list[str] = list(get(schema, "enum"))
    if values and kind is not None and _SPELLED.get(kind, len) is None:
        yield Finding(
            (field,), f"is set on {kind}: values are written as text, and these cannot be"
        )
        return
    spelled = _SPELLED.get(kind or "STRING")
    for index, value in enumerate(values):
        if not value:
            yield Finding((field, index), "is empty: a server refuses an empty value")
        elif value in seen:
            yield Finding((field, index), f"{shown(value)} stands there twice")
        elif spelled is not None and not spelled(value):
            yield Finding((field, index), f"{shown(value)} is no {kind}")
        seen.add(value)


def enum_format(schema: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for the format of an enum without values."""
    if get(schema, "format") == "enum" and not len(get(schema, "enum")):
        yield Finding((json_name(schema, "enum"),), "is empty, but the format is enum")


def known_format(schema: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a format that the API does not know of the type."""
    kind = type_of(schema)
    given: str = get(schema, "format")
    if not given or kind is None:
        return
    known = context.profile.formats.get(kind, frozenset())
    if given not in known:
        choice = f"use one of {', '.join(sorted(known))}" if known else "leave it out"
        yield Finding((json_name(schema, "format"),), f"{shown(given)} is none of {kind}: {choice}")


def bounds(schema: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for each pair of bounds that nothing fits, and for negative counts."""
    fields = schema.DESCRIPTOR.fields_by_name
    for least, most in _BOUNDS:
        low, high = get(schema, least), get(schema, most)
        for name, value in ((least, low), (most, high)):
            if value < 0 and not name.endswith("imum"):
                yield Finding((fields[name].json_name,), f"is {value}: a count is not negative")
        # A bound that cannot be told from none is none.
        both = not is_missing(schema, fields[least]) and not is_missing(schema, fields[most])
        if both and low > high:
            fault = f"is {low:g}, above {fields[most].json_name}, which is {high:g}"
            yield Finding((fields[least].json_name,), fault)


def default(schema: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for a default that is no value of the schema."""
    kind = type_of(schema)
    if kind is None or not schema.HasField("default"):
        return
    value: Message = get(schema, "default")
    held = value.WhichOneof("kind")
    at = (json_name(schema, "default"),)
    if held == "null_value" and (get(schema, "nullable") or kind == "NULL"):
        return
    if held != _HELD.get(kind, held):
        found = str(held or "nothing").removesuffix("_value")
        hint = f": set {json_name(schema, 'nullable')}, too" if held == "null_value" else ""
        yield Finding(at, f"is {found}, and the type is {kind}{hint}")
    elif held == "number_value":
        yield from _number(schema, get(value, "number_value"), kind)
    elif held == "string_value":
        text: str = get(value, "string_value")
        allowed: list[str] = list(get(schema, "enum"))
        if allowed and text not in allowed:
            yield Finding(at, f"{shown(text)} is not one of the values of enum")


def _number(schema: Message, value: float, kind: str) -> Iterator[Finding]:
    fields = schema.DESCRIPTOR.fields_by_name
    at = (json_name(schema, "default"),)
    if kind == "INTEGER" and value % 1 != 0:
        yield Finding(at, f"is {value:g}, and the type is INTEGER")
    if not is_missing(schema, fields["minimum"]) and value < get(schema, "minimum"):
        yield Finding(at, f"is {value:g}, below {fields['minimum'].json_name}")
    if not is_missing(schema, fields["maximum"]) and value > get(schema, "maximum"):
        yield Finding(at, f"is {value:g}, above {fields['maximum'].json_name}")
