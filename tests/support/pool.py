"""Every message class of the generated code: of each API, and of what the APIs import."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

from google.protobuf.message_factory import GetMessageClass

import toolwire_pb
from toolwire._messages import descriptor_of, is_map_entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.descriptor import Descriptor, FileDescriptor
    from google.protobuf.message import Message


def pool_classes() -> list[type[Message]]:
    """Returns the classes in the order of their full names, so that a seed finds the same."""
    kinds = {kind.full_name: kind for file in _files() for kind in _kinds(file)}
    return [GetMessageClass(kinds[name]) for name in sorted(kinds)]


def _files() -> Iterator[FileDescriptor]:
    prefix = f"{toolwire_pb.__name__}."
    for module in pkgutil.walk_packages(toolwire_pb.__path__, prefix):
        if module.name.endswith("_pb2"):
            yield importlib.import_module(module.name).DESCRIPTOR


def _kinds(file: FileDescriptor) -> Iterator[Descriptor]:
    found = list(file.message_types_by_name.values())
    while found:
        kind = found.pop()
        if not is_map_entry(kind):
            found += kind.nested_types
            yield kind


def full_name(cls: type[Message]) -> str:
    """Name of a class as a test's id."""
    return descriptor_of(cls).full_name
