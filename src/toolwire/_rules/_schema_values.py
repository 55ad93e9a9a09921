"""Rules of what a schema says about values: formats, enums, bounds, defaults."""

# ruff: noqa: ARG001  a rule gets the context, whether it asks it or not

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolwire._message_fields import get, json_name, set_of
from toolwire._rules._rule import Finding, shown
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


def enum_values(schema: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each value of an enum that is not of its type."""
    kind = type_of(schema)
    field = json_name(schema, "enum")
    values: list[str] = list(get(schema, "enum"))
    if values and kind is not None and _SPELLED.get(kind, len) is None:
        yield Finding(
            (field,), f"is set on {kind}: values are written as text, and these cannot be"
        )
        return
    spelled = _SPELLED.get(kind or "STRING")
    for index, value in enumerate(values):
        if value and spelled is not None and not spelled(value):
            yield Finding((field, index), f"{shown(value)} is no {kind}")


def empty_value(schema: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each value of an enum that is empty."""
    for index, value in enumerate(get(schema, "enum")):
        if not value:
            steps = (json_name(schema, "enum"), index)
            yield Finding(steps, "is empty: a server refuses an empty value")


def enum_type(schema: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for an enum of a type for which not every server takes one."""
    kind, known = type_of(schema), context.profile.enum_types
    if len(get(schema, "enum")) and kind is not None and kind not in known:
        fault = f"is set on {kind}: not every server takes it on another type than"
        yield Finding((json_name(schema, "enum"),), f"{fault} {' and '.join(known)}")


def enum_format(schema: Message, context: Context) -> Iterator[Finding]:
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


def bounds(schema: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each pair of bounds that nothing fits, and for negative counts."""
    fields = schema.DESCRIPTOR.fields_by_name
    for least, most in _BOUNDS:
        if least not in fields or most not in fields:  # in an older schema
            continue
        low, high = get(schema, least), get(schema, most)
        for name, value in ((least, low), (most, high)):
            if value < 0 and not name.endswith("imum"):
                yield Finding((fields[name].json_name,), f"is {value}: a count is not negative")
        # A bound that cannot be told from none is none.
        if len(set_of(schema, (least, most))) > 1 and low > high:
            fault = f"is {low:g}, above {fields[most].json_name}, which is {high:g}"
            yield Finding((fields[least].json_name,), fault)


def default(schema: Message, context: Context) -> Iterator[Finding]:
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
    at = (json_name(schema, "default"),)
    limits = set_of(schema, ("minimum", "maximum"))
    if kind == "INTEGER" and value % 1 != 0:
        yield Finding(at, f"is {value:g}, and the type is INTEGER")
    if "minimum" in limits and value < get(schema, "minimum"):
        yield Finding(at, f"is {value:g}, below {json_name(schema, 'minimum')}")
    if "maximum" in limits and value > get(schema, "maximum"):
        yield Finding(at, f"is {value:g}, above {json_name(schema, 'maximum')}")
