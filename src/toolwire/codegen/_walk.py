"""Walks over what a .proto file defines."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto


def messages(file: FileDescriptorProto) -> Iterator[tuple[str, DescriptorProto]]:
    """Yields full name and description of every message, nested ones and map entries included."""

    def walk(scope: str, found: Iterable[DescriptorProto]) -> Iterator[tuple[str, DescriptorProto]]:
        for message in found:
            yield scope + message.name, message
            yield from walk(f"{scope}{message.name}.", message.nested_type)

    return walk(scope(file), file.message_type)


def type_names(file: FileDescriptorProto) -> Iterator[str]:
    """Yields the full name of every message and enum."""
    yield from (scope(file) + enum.name for enum in file.enum_type)
    for name, message in messages(file):
        yield name
        yield from (f"{name}.{enum.name}" for enum in message.enum_type)


def scope(file: FileDescriptorProto) -> str:
    """What stands before the names of a file: its package and a dot, if it has one."""
    return f"{file.package}." if file.package else ""


def count_messages(files: Iterable[FileDescriptorProto]) -> int:
    """Counts the messages that somebody wrote: no map entries."""
    found = (message for file in files for _, message in messages(file))
    return sum(1 for message in found if not message.options.map_entry)
