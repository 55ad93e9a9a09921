"""Fields by name, and JSON values in ``Struct`` and ``Value``.

The model works on messages of any API, and sets what the API has a field for.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, TypeAlias, cast

from toolwire._message_fields import get

if TYPE_CHECKING:
    from collections.abc import Mapping

    from google.protobuf.message import Message

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_EXACT = 2**53  # up to here a double tells all integers apart


def has(message: Message, field: str) -> bool:
    """Tells whether a message has a field of that name, and it is set."""
    known = message.DESCRIPTOR.fields_by_name.get(field)
    if known is None:
        return False
    if known.is_repeated:
        return len(get(message, field)) > 0
    return message.HasField(field) if known.has_presence else bool(get(message, field))


def put(message: Message, **fields: object) -> None:
    """Sets fields that hold no message; those that the message type has not got are left out."""
    for name, value in fields.items():
        field = message.DESCRIPTOR.fields_by_name.get(name)
        if field is None:
            continue
        if field.is_repeated:
            get(message, name).extend(value)
        else:
            setattr(message, name, value)


def part(message: Message, field: str) -> Message | None:
    """Returns the message in a field, made present, or None if there is no such field."""
    if field not in message.DESCRIPTOR.fields_by_name:
        return None
    inner: Message = get(message, field)
    inner.SetInParent()
    return inner


def add(message: Message, field: str) -> Message | None:
    """Appends a message to a repeated field, or returns None if there is no such field."""
    if field not in message.DESCRIPTOR.fields_by_name:
        return None
    added: Message = get(message, field).add()
    return added


def items(message: Message, field: str) -> list[Message]:
    """Returns the messages in a repeated field; none if there is no such field."""
    known = field in message.DESCRIPTOR.fields_by_name
    return list(get(message, field)) if known else []


def text_field(message: Message, field: str) -> str:
    """Returns the text in a field, empty if there is no such field."""
    return str(get(message, field)) if field in message.DESCRIPTOR.fields_by_name else ""


def from_struct(struct: Message) -> dict[str, Json]:
    """Returns a ``Struct`` as a dict, in the order of its keys."""
    fields: Mapping[str, Message] = get(struct, "fields")
    return {key: from_value(fields[key]) for key in sorted(fields)}


def from_value(value: Message) -> Json:
    """Returns a ``Value`` as plain Python; a whole number is an int while doubles are exact."""
    kind = value.WhichOneof("kind")
    if kind == "struct_value":
        return from_struct(get(value, kind))
    if kind == "list_value":
        return [from_value(item) for item in get(get(value, kind), "values")]
    if kind == "number_value":
        number: float = get(value, kind)
        is_whole = math.isfinite(number) and number.is_integer() and abs(number) <= _EXACT
        return int(number) if is_whole else number
    return None if kind in (None, "null_value") else cast("Json", get(value, kind))


def to_struct(plain: Mapping[str, Json], struct: Message) -> None:
    """Writes a dict into a ``Struct``."""
    struct.SetInParent()
    for key, item in plain.items():
        _to_value(item, get(struct, "fields")[key])


def _to_value(plain: Json, value: Message) -> None:
    match plain:
        case None:
            put(value, null_value=0)
        case bool():
            put(value, bool_value=plain)
        case int() | float():
            put(value, number_value=float(plain))
        case str():
            put(value, string_value=plain)
        case list():
            inner: Message = get(value, "list_value")
            inner.SetInParent()
            for item in plain:
                _to_value(item, get(inner, "values").add())
        case dict():
            to_struct(plain, get(value, "struct_value"))


def compact(plain: Json) -> str:
    """Returns a value as JSON text on one line."""
    return json.dumps(plain, ensure_ascii=False)
