"""Reads serialized descriptor sets, and refuses what is none."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError

from toolwire._errors import DescriptorError

if TYPE_CHECKING:
    from google.protobuf.message import Message


def parse(data: bytes, origin: str) -> FileDescriptorSet:
    """Returns a descriptor set from its bytes.

    Args:
        data: The bytes.
        origin: Where they are from, for errors.

    Raises:
        DescriptorError: If they are none, or an import is missing, or the files do not fit.
    """
    try:
        found = FileDescriptorSet.FromString(data)
    except (DecodeError, UnicodeDecodeError):  # the latter where protobuf is pure Python
        raise DescriptorError(f"{origin}: not a serialized FileDescriptorSet") from None
    if not found.file:
        raise DescriptorError(f"{origin}: not a serialized FileDescriptorSet, or an empty one")
    require_text(found, origin)
    _link(found, origin)
    return found


def require_text(message: Message, origin: str) -> None:
    """Refuses texts that are no text: protobuf hands them out as bytes.

    Args:
        message: Descriptors.
        origin: Where they are from, for errors.

    Raises:
        DescriptorError: A text is not UTF-8.
    """
    for field, value in message.ListFields():
        items = value if field.is_repeated else [value]
        if field.cpp_type == field.CPPTYPE_MESSAGE:
            for item in items:
                require_text(item, origin)
        elif field.type == field.TYPE_STRING and not all(isinstance(item, str) for item in items):
            raise DescriptorError(f"{origin}: {field.full_name} is not UTF-8")


def _link(found: FileDescriptorSet, origin: str) -> None:
    """Builds all files in a pool, which refuses what does not fit."""
    files = {file.name: file for file in found.file}
    graph = {name: set(file.dependency) for name, file in files.items()}
    missing = sorted({path for paths in graph.values() for path in paths} - graph.keys())
    if missing:
        raise DescriptorError(
            f"{origin}: the descriptor set lacks the import {missing[0]}: "
            "write it with --include_imports"
        )
    pool = DescriptorPool()
    name = ""
    try:
        for name in TopologicalSorter(graph).static_order():
            pool.AddSerializedFile(files[name].SerializeToString())
    except CycleError as error:
        raise DescriptorError(f"{origin}: imports run in a circle: {error.args[1][0]}") from None
    except (TypeError, ValueError) as error:
        reason = str(error).rpartition("descriptor pool: ")[2]
        raise DescriptorError(f"{origin}: {name}: {reason}") from None
