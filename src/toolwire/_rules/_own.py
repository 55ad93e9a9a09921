"""Messages of the official packages as those of our own classes, whose schema says more."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, cast

from google.protobuf.message_factory import GetMessageClass

from toolwire._apis import api_of
from toolwire._errors import DecodeError
from toolwire._messages import DEEPEST, fits, parse_binary

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor
    from google.protobuf.message import Message

    from toolwire._descriptor_types import MessageType


def as_own(message: Message) -> Message:
    """Returns a message that proto-plus made as one of our own class; any other as it is.

    So it stays, too, where our schema does not know all that is in it.
    """
    cls = _own_class(message.DESCRIPTOR)
    if cls is None or not fits(message, DEEPEST):
        return message
    try:
        own = parse_binary(cls, message.SerializePartialToString())
    except DecodeError:  # the two schemas have a field of one number and two types
        return message
    size = own.ByteSize()
    own.DiscardUnknownFields()
    return own if own.ByteSize() == size else message


@lru_cache(maxsize=4096)
def _own_class(kind: MessageType) -> type[Message] | None:
    """Returns our class of a message type that proto-plus made.

    It writes schemas out of Python classes: names and numbers are Google's, and nothing says what
    is required or deprecated, nor how a method is called. Such a file has no options at all, which
    every one has that protoc compiled.
    """
    api = api_of(kind.file.package)
    if api is None or kind.file.has_options:
        return None
    pool = api.files()[0].pool
    try:
        own = cast("Descriptor", pool.FindMessageTypeByName(kind.full_name))
    except KeyError:
        return None
    return None if own is kind else GetMessageClass(own)
