"""Whatever comes in: a message or a JsonError, and what is accepted is sound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from support.native import binary
from toolwire._errors import JsonError
from toolwire._json import UnknownFields, from_binary, from_dict, from_json, to_json

if TYPE_CHECKING:
    from google.protobuf.message import Message

MOST = 3000  # bytes of an error, whatever the size of the input


def unknown_of(policy: str) -> Any:
    """Returns what ``unknown=`` takes: a new collector for ``"collect"``."""
    return UnknownFields() if policy == "collect" else policy


def check_sound(cls: type[Message], given: object, unknown: Any = "error") -> bool:
    """Reads, and tells whether it was accepted; that can be sent, and says the same in JSON."""
    read: Any = from_json if isinstance(given, (str, bytes)) else from_dict
    try:
        message: Message = read(cls, given, unknown=unknown)
    except JsonError as caught:
        error = str(caught)
    else:
        _check_message(cls, given, message, unknown)
        return True
    assert len(error.encode()) < MOST
    return False


def _check_message(cls: type[Message], given: object, message: Message, unknown: Any) -> None:
    data = message.SerializeToString(deterministic=True)
    assert binary(from_binary(cls, data)) == data, (cls.DESCRIPTOR.full_name, given)
    collected = unknown if isinstance(unknown, UnknownFields) else None
    again = from_json(cls, to_json(message, unknown=collected), unknown=UnknownFields())
    assert binary(again) == data, (cls.DESCRIPTOR.full_name, given)
