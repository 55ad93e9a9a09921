"""The APIs as parameters of tests; and a small API in a pool of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from toolwire._apis import APIS

if TYPE_CHECKING:
    from collections.abc import Callable

    from google.protobuf.message import Message

    Edit = Callable[[descriptor_pb2.FileDescriptorProto], None]

SERVED = [name for name, api in APIS.items() if api.services()]
RETRIEVING = [name for name, api in APIS.items() if hasattr(api.load(), "Retrieval")]

of_every_api = pytest.mark.parametrize("api", APIS.values(), ids=APIS)
of_every_served_api = pytest.mark.parametrize("api", SERVED)


def module(api: str) -> Any:
    """Returns the module of an API, as far as the tests know: with any name in it."""
    return APIS[api].load()


def foreign(cls: type[Message], edit: Edit | None = None) -> type[Any]:
    """Returns the class of the same full name from another pool, whose files may be edited."""
    pool = descriptor_pool.DescriptorPool()
    _copy(cls.DESCRIPTOR.file, pool, edit or (lambda _: None), set())
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(cls.DESCRIPTOR.full_name))


def renamed(cls: type[Message], package: str) -> type[Any]:
    """Returns a class of the same fields in another package: another API's message."""
    own = cls.DESCRIPTOR.file.package

    def rename(file: descriptor_pb2.FileDescriptorProto) -> None:
        if file.package == own:
            file.package = package
            del file.service[:]
            for message in file.message_type:
                _rename(message, f".{own}.", f".{package}.")

    pool = descriptor_pool.DescriptorPool()
    _copy(cls.DESCRIPTOR.file, pool, rename, set())
    name = cls.DESCRIPTOR.full_name.replace(own, package)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(name))


def _copy(file: Any, pool: descriptor_pool.DescriptorPool, edit: Edit, done: set[str]) -> None:
    if file.name in done:
        return
    done.add(file.name)
    for dependency in file.dependencies:
        _copy(dependency, pool, edit, done)
    proto = descriptor_pb2.FileDescriptorProto.FromString(file.serialized_pb)
    edit(proto)
    pool.Add(proto)


def _rename(message: descriptor_pb2.DescriptorProto, old: str, new: str) -> None:
    for field in message.field:
        if field.type_name.startswith(old):
            field.type_name = new + field.type_name.removeprefix(old)
    for nested in message.nested_type:
        _rename(nested, old, new)
