"""The private descriptor pool in which the generated modules register.

Protobuf's default pool takes a file such as ``google/cloud/aiplatform/v1/tool.proto`` once a
process: a second package that ships it fails at import. These modules therefore have a pool of
their own, and live in one process with any other package that has the same messages.

A generated module calls ``Default().AddSerializedFile(...)`` as it would on protobuf's pool,
and ``finish`` once its classes exist.
"""

from __future__ import annotations

import copyreg
import importlib
import importlib.util
from operator import attrgetter
from typing import TYPE_CHECKING

from google.protobuf import descriptor_pb2, descriptor_pool

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from google.protobuf.descriptor import Descriptor, FileDescriptor
    from google.protobuf.message import Message

POOL = descriptor_pool.DescriptorPool()
"""The pool of every message class below this package."""

_ROOT = __name__.rpartition(".")[0]


class _Registrar:
    """Stands where generated code expects protobuf's pool."""

    def AddSerializedFile(self, serialized: bytes) -> FileDescriptor:  # noqa: N802
        """Adds a file, after the imports that the pool does not have yet."""
        file = descriptor_pb2.FileDescriptorProto.FromString(serialized)
        for name in file.dependency:
            _require(name)
        POOL.AddSerializedFile(serialized)
        return POOL.FindFileByName(file.name)


def Default() -> _Registrar:  # noqa: N802
    """Answers as ``google.protobuf.descriptor_pool.Default`` does."""
    return _Registrar()


def _require(name: str) -> None:
    """Brings an imported file into the pool: our own copy where there is one, else protobuf's.

    Our own copy goes first: once a file came from the default pool, a copy with other bytes
    would be refused.
    """
    try:
        POOL.FindFileByName(name)
    except KeyError:
        pass
    else:
        return
    own = f"{_ROOT}.{name.removesuffix('.proto').replace('/', '.').replace('-', '_')}_pb2"
    if _exists(own):
        importlib.import_module(own)
        return
    adopted = descriptor_pool.Default().FindFileByName(name)
    for dependency in adopted.dependencies:
        _require(dependency.name)
    POOL.AddSerializedFile(adopted.serialized_pb)


def _exists(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def finish(file: FileDescriptor, module_globals: Mapping[str, type[Message]]) -> None:
    """Teaches pickle every message class of a file.

    Protobuf pickles a nested class by looking it up in the default pool, which has not got it.
    """
    for name, descriptor in file.message_types_by_name.items():
        _register(module_globals[name], descriptor)


def _register(cls: type[Message], descriptor: Descriptor) -> None:
    copyreg.pickle(cls, _reduce)
    for nested in descriptor.nested_types:
        if not nested.GetOptions().map_entry:
            _register(getattr(cls, nested.name), nested)


def _reduce(
    message: Message,
) -> tuple[Callable[[str, str, bytes], Message], tuple[str, str, bytes]]:
    cls = type(message)
    return _load, (cls.__module__, cls.__qualname__, message.SerializePartialToString())


def _load(module: str, qualname: str, data: bytes) -> Message:
    cls: type[Message] = attrgetter(qualname)(importlib.import_module(module))
    message = cls()
    message.MergeFromString(data)
    return message
