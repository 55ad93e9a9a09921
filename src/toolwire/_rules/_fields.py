"""What the schema itself marks its fields as: required, read-only, fixed, deprecated."""

# ruff: noqa: ARG001  a rule gets the context, whether it asks it or not

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from toolwire._annotations import behaviors, is_required
from toolwire._message_fields import enum_names, get, is_missing, is_set, json_name, short_name
from toolwire._messages import DEEPEST
from toolwire._rules._methods import routed
from toolwire._rules._rule import Finding, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._descriptor_types import FieldType, MessageType
    from toolwire._rules._rule import Context

# A required field that another one replaces: (message, field) to the other. A schema node that
# consists of alternatives has no type of its own.
_REPLACED = {("Schema", "type"): "any_of"}
# Fields that are required by a comment only: (message, field) to where it stands.
_STATED = {
    ("EmbedContentRequest", "model"): "EmbedContentRequest.model",
    ("EmbedContentRequest", "content"): "EmbedContentRequest.content",
    ("Blob", "mime_type"): "Part",
    ("FunctionResponseBlob", "mime_type"): "FunctionResponsePart",
}


def depth(message: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a message that lies too deep: the walk knows that it does."""
    yield Finding((), f"lies deeper than {DEEPEST} levels of messages: protobuf refuses to read it")


def required(message: Message, context: Context) -> Iterator[Finding]:
    """Yields every field marked REQUIRED that is missing.

    A field without presence is missing while it has its default: on the wire the two are the same.
    """
    kind = message.DESCRIPTOR
    for field in required_fields(kind):
        if is_missing(message, field) and not _is_replaced(message, field):
            yield Finding((field.json_name,), _complaint(field, context))
    for field in _stated_fields(kind) if context.profile.api else ():
        if is_missing(message, field):
            source = f"comment on {_STATED[short_name(kind), field.name]}"
            yield Finding((field.json_name,), _complaint(field, context), source)


def output_only(message: Message, context: Context) -> Iterator[Finding]:
    """Yields every field of a request that only the server sets."""
    if context.side != "request":
        return
    for field in _marked(message.DESCRIPTOR, "OUTPUT_ONLY"):
        # The name that says which resource is meant is set by the server, and sent back.
        if not is_missing(message, field) and "IDENTIFIER" not in behaviors(field):
            yield Finding((field.json_name,), "is set by the server, which ignores it in a request")


def input_only(message: Message, context: Context) -> Iterator[Finding]:
    """Yields every field of a response that a server never returns."""
    for field in _marked(message.DESCRIPTOR, "INPUT_ONLY"):
        if not is_missing(message, field):
            yield Finding((field.json_name,), "is only for requests: a server never returns it")


def immutable(message: Message, context: Context) -> Iterator[Finding]:
    """Yields every path of an update mask that names what cannot be changed."""
    kinds = [
        field.message_type
        for field in message.DESCRIPTOR.fields
        if field.message_type is not None and field.name != "update_mask"
    ]
    if len(kinds) != 1:
        return
    kind = kinds[0]
    mask = get(message, "update_mask")
    for path in mask.paths:
        name = path.partition(".")[0]
        field = kind.fields_by_name.get(name)
        steps = (json_name(message, "update_mask"),)
        if path == "*":
            continue
        if field is None:
            yield Finding(steps, f"{shown(path)} is no field of {short_name(kind)}")
        elif {"IMMUTABLE", "OUTPUT_ONLY"} & set(behaviors(field)):
            yield Finding(steps, f"{shown(path)} cannot be changed")


def deprecated(message: Message, context: Context) -> Iterator[Finding]:
    """Yields every field that is set though its schema calls it, or its value, deprecated."""
    for field, value in message.ListFields():
        if field.has_options and field.GetOptions().deprecated:
            yield Finding((field.json_name,), "is deprecated")
        if field.enum_type is not None:
            old = _deprecated_values(field)
            for number in value if field.is_repeated else [value]:
                if number in old:
                    yield Finding((field.json_name,), f"the value {old[number]} is deprecated")


@lru_cache(maxsize=4096)
def required_fields(kind: MessageType) -> tuple[FieldType, ...]:
    """Returns the fields of a message type that are marked REQUIRED."""
    return tuple(field for field in kind.fields if is_required(field))


@lru_cache(maxsize=4096)
def _stated_fields(kind: MessageType) -> tuple[FieldType, ...]:
    name = short_name(kind)
    return tuple(
        field
        for field in kind.fields
        if (name, field.name) in _STATED and field not in required_fields(kind)
    )


@lru_cache(maxsize=4096)
def _marked(kind: MessageType, behavior: str) -> tuple[FieldType, ...]:
    """Returns the fields of a message type that are marked with a field behavior."""
    return tuple(
        field for field in kind.fields if field.has_options and behavior in behaviors(field)
    )


@lru_cache(maxsize=4096)
def _deprecated_values(field: FieldType) -> dict[int, str]:
    return {
        value.number: value.name
        for value in (field.enum_type.values if field.enum_type is not None else ())
        if value.has_options and value.GetOptions().deprecated
    }


def _is_replaced(message: Message, field: FieldType) -> bool:
    other = _REPLACED.get((short_name(message.DESCRIPTOR), field.name))
    return other is not None and is_set(message, other)


def _complaint(field: FieldType, context: Context) -> str:
    if field.is_repeated:
        return "is required and empty: it needs at least one item"
    names = [name for number, name in sorted(enum_names(field).items()) if number]
    if names:
        return f"is required and unset: use one of {', '.join(names[:8])}"
    owner = field.containing_type
    if owner is not None and field.name in routed(owner, context.profile):
        return "is required and missing; over REST it stands in the URL"
    return "is required and missing"
