"""Messages as values: of any class with the same full name, from any pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._errors import DecodeError
from toolwire._json._faults import expected, fault
from toolwire._json._levels import too_deep
from toolwire._messages import fits, parse_binary

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._json._levels import ReadLevel
    from toolwire._paths import Path


def copy_message(level: ReadLevel, target: Message, source: Message, at: Path) -> None:
    """Copies a message that a caller gave for a message field.

    Raises:
        JsonError: If it is of another type, nests too deeply, or lacks a required field.
    """
    name = target.DESCRIPTOR.full_name
    if source.DESCRIPTOR.full_name != name:
        raise expected(f"a {name}", source, at)
    limit = level.options.max_depth
    if not fits(source, limit - level.depth):
        raise too_deep(limit, at)
    if not source.IsInitialized():
        raise fault(f"a {name} that lacks a required field", at)
    if type(source) is type(target):
        target.CopyFrom(source)
        return
    try:
        copy = parse_binary(type(target), source.SerializeToString())
    except DecodeError as error:
        reason = error.reason
    else:
        target.CopyFrom(copy)
        return
    raise fault(reason, at)
