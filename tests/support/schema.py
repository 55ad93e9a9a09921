"""Everything that the schema has, for tests that must hold for each message."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from google.protobuf.message_factory import GetMessageClass

from toolwire._apis import APIS, api_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.descriptor import Descriptor
    from google.protobuf.message import Message

    from toolwire._descriptor_types import MessageType


def message_classes() -> list[type[Message]]:
    """Every message class of every API, nested ones included, map entries left out."""
    return [cls for api in APIS.values() for outer in api.classes() for cls in _with_nested(outer)]


def class_of(kind: MessageType) -> type[Message]:
    """The class of a message type, in the pool that the type is from."""
    return GetMessageClass(cast("Descriptor", kind))


def qualified(cls: type[Message]) -> str:
    """Name of a class as a test's id, with the API's in front."""
    api = api_of(cls.DESCRIPTOR.file.package)
    return cls.__qualname__ if api is None else f"{api.name}.{cls.__qualname__}"


def _with_nested(cls: type[Message]) -> Iterator[type[Message]]:
    yield cls
    for nested in cls.DESCRIPTOR.nested_types:
        if not nested.GetOptions().map_entry:
            yield from _with_nested(getattr(cls, nested.name))
