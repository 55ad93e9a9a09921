"""Everything that the schema has, for tests that must hold for each message."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from toolwire import v1

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.descriptor import Descriptor

    from toolwire._descriptor_types import MessageType


def message_classes() -> list[type[Message]]:
    """Every message class of every API, nested ones included, map entries left out."""
    found: list[type[Message]] = []
    for name in v1.__all__:
        cls: object = getattr(v1, name)
        if isinstance(cls, type) and issubclass(cls, Message):
            found += _with_nested(cls)
    return found


def class_of(kind: MessageType) -> type[Message]:
    """The class of a message type, in the pool that the type is from."""
    return GetMessageClass(cast("Descriptor", kind))


def qualified(cls: type[Message]) -> str:
    """Name of a class as a test's id."""
    return cls.__qualname__


def _with_nested(cls: type[Message]) -> Iterator[type[Message]]:
    yield cls
    for nested in cls.DESCRIPTOR.nested_types:
        if not nested.GetOptions().map_entry:
            yield from _with_nested(getattr(cls, nested.name))
