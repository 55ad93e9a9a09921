"""Messages of the same names in another descriptor pool, as other packages have them."""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pb2
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass

from toolwire import v1


class Wrapper:
    """What proto-plus hands out: an object around a message."""

    def __init__(self, message: Any) -> None:
        self._pb = message


def foreign(name: str) -> Any:
    """Returns the class of a message of v1, such as ``Tool``, in a pool of its own."""
    return GetMessageClass(_POOL.FindMessageTypeByName(f"google.cloud.aiplatform.v1.{name}"))


def _copy_pool() -> DescriptorPool:
    pool = DescriptorPool()
    added: set[str] = set()

    def add(file: Any) -> None:
        if file.name in added:
            return
        added.add(file.name)
        for dependency in file.dependencies:
            add(dependency)
        pool.Add(descriptor_pb2.FileDescriptorProto.FromString(file.serialized_pb))

    add(v1.GenerateContentRequest.DESCRIPTOR.file)
    return pool


_POOL = _copy_pool()
