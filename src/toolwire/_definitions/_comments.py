"""The comments of .proto files, by the name of what they stand at."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from google.protobuf.descriptor_pb2 import (
        DescriptorProto,
        EnumDescriptorProto,
        FileDescriptorProto,
        SourceCodeInfo,
    )

    _Place = tuple[str, tuple[int, ...]]

# Field numbers of descriptor.proto, which the places of comments are made of.
_FILE_MESSAGES, _FILE_ENUMS, _FILE_SERVICES = 4, 5, 6
_FIELDS, _NESTED, _NESTED_ENUMS, _ONEOFS = 2, 3, 4, 8
_VALUES = _METHODS = 2


def comments(file: FileDescriptorProto) -> dict[str, str]:
    """Returns the comments of a file, leading and trailing ones joined.

    The key is the full name; that of an enum value has the enum's full name in front, too.
    """
    found = {tuple(place.path): _text(place) for place in file.source_code_info.location}
    return {name: found[path] for name, path in _places(file) if found.get(path)}


def _places(file: FileDescriptorProto) -> Iterator[_Place]:
    scope = f"{file.package}." if file.package else ""
    yield from _messages(scope, (_FILE_MESSAGES,), file.message_type)
    yield from _enums(scope, (_FILE_ENUMS,), file.enum_type)
    for index, service in enumerate(file.service):
        name, path = scope + service.name, (_FILE_SERVICES, index)
        yield name, path
        for number, method in enumerate(service.method):
            yield f"{name}.{method.name}", (*path, _METHODS, number)


def _messages(
    scope: str, start: tuple[int, ...], messages: Iterable[DescriptorProto]
) -> Iterator[_Place]:
    for index, message in enumerate(messages):
        name, path = scope + message.name, (*start, index)
        yield name, path
        for number, field in enumerate(message.field):
            yield f"{name}.{field.name}", (*path, _FIELDS, number)
        for number, oneof in enumerate(message.oneof_decl):
            yield f"{name}.{oneof.name}", (*path, _ONEOFS, number)
        yield from _messages(f"{name}.", (*path, _NESTED), message.nested_type)
        yield from _enums(f"{name}.", (*path, _NESTED_ENUMS), message.enum_type)


def _enums(
    scope: str, start: tuple[int, ...], enums: Iterable[EnumDescriptorProto]
) -> Iterator[_Place]:
    for index, enum in enumerate(enums):
        name, path = scope + enum.name, (*start, index)
        yield name, path
        for number, value in enumerate(enum.value):
            yield f"{name}.{value.name}", (*path, _VALUES, number)


def _text(place: SourceCodeInfo.Location) -> str:
    parts = (place.leading_comments, place.trailing_comments)
    return "\n\n".join(textwrap.dedent(part).strip() for part in parts if part.strip())
