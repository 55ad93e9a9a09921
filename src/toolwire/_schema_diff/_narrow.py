"""Takes from a schema what some of its messages, enums and services need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    ServiceDescriptorProto,
)

from toolwire._schema_diff._build import is_common, joined

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    Definition = DescriptorProto | EnumDescriptorProto | ServiceDescriptorProto


def narrow(files: FileDescriptorSet, roots: Collection[str]) -> FileDescriptorSet:
    """Returns the part of a schema that its roots need; a root that it does not have is skipped.

    A nested type brings the outermost one that it is in, and all that this one needs.

    Args:
        files: The descriptors, imports included.
        roots: Full names of messages, enums, services or methods.
    """
    homes = defined(files)
    needs: dict[str, set[str]] = {}
    for file in files.file:
        for item in _outermost(file):
            needs[joined(file.package, item.name)] = set(_uses(item))
    kept: set[str] = set()
    pending = [homes[root] for root in roots if root in homes]
    while pending:
        name = pending.pop()
        if name not in kept:
            kept.add(name)
            pending += [homes[used] for used in needs[name] if used in homes]
    left = {file.name: _only(file, kept, homes) for file in files.file}
    paths: set[str] = set()
    imports = [name for name, file in left.items() if any(_outermost(file))]
    while imports:
        path = imports.pop()
        if path in left and path not in paths:
            paths.add(path)
            imports += left[path].dependency
    return FileDescriptorSet(file=[file for name, file in left.items() if name in paths])


def defined(files: FileDescriptorSet) -> dict[str, str]:
    """Returns the full name of each message, enum, service and method, to its outermost one."""
    homes: dict[str, str] = {}
    for file in files.file:
        for item in _outermost(file):
            name = joined(file.package, item.name)
            homes.update(dict.fromkeys(_names(name, item), name))
    return homes


def _only(
    file: FileDescriptorProto, kept: Collection[str], homes: Mapping[str, str]
) -> FileDescriptorProto:
    """Returns a copy of a file without what is not kept; a common one is kept whole."""
    copy = FileDescriptorProto()
    copy.CopyFrom(file)
    if is_common(file.name):
        return copy
    copy.ClearField("source_code_info")  # its places are not those of the copy
    for kind in ("message_type", "enum_type", "service"):
        items = getattr(copy, kind)
        chosen = [item for item in items if joined(file.package, item.name) in kept]
        del items[:]
        items.extend(chosen)
    if not any(_outermost(copy)):
        copy.ClearField("options")  # it is there as an import only
    extensions = [one for one in copy.extension if homes.get(one.extendee[1:]) in kept]
    del copy.extension[:]
    copy.extension.extend(extensions)
    return copy


def _outermost(file: FileDescriptorProto) -> Iterator[Definition]:
    yield from file.message_type
    yield from file.enum_type
    yield from file.service


def _names(name: str, item: Definition) -> Iterator[str]:
    """Yields the full names of a definition and of what is inside it."""
    yield name
    if isinstance(item, ServiceDescriptorProto):
        yield from (joined(name, method.name) for method in item.method)
    elif isinstance(item, DescriptorProto):
        for nested in item.nested_type:
            yield from _names(joined(name, nested.name), nested)
        yield from (joined(name, enum.name) for enum in item.enum_type)


def _uses(item: Definition) -> Iterator[str]:
    """Yields the full names of the types that a definition mentions."""
    if isinstance(item, ServiceDescriptorProto):
        for method in item.method:
            yield from (method.input_type[1:], method.output_type[1:])
    elif isinstance(item, DescriptorProto):
        yield from (field.type_name[1:] for field in (*item.field, *item.extension))
        for nested in item.nested_type:
            yield from _uses(nested)
