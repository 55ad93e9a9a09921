"""Messages as values: of any class with the same full name, from any pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._errors import DecodeError
from toolwire._json._faults import expected, fault, too_deep
from toolwire._messages import descriptor_of, fits, parse_binary
from toolwire._words import with_article

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._json._options import ReadOptions
    from toolwire._paths import Path


def taken_as_value(
    cls: type[Message], source: Message, at: Path, left: int, options: ReadOptions
) -> Message:
    """Returns a message that a caller gave for a message field, in the class of the field.

    Raises:
        JsonError: If it is of another type, nests too deeply, or lacks a required field.
    """
    name = descriptor_of(cls).full_name
    if source.DESCRIPTOR.full_name != name:
        raise expected(with_article(name), source, at)
    if not fits(source, left):
        raise too_deep(options.max_depth, at)
    if not source.IsInitialized():
        raise fault(f"{with_article(name)} that lacks a required field", at)
    if type(source) is cls:
        return source
    try:
        return parse_binary(cls, source.SerializeToString())
    except DecodeError as error:
        reason = error.reason
    raise fault(reason, at)
