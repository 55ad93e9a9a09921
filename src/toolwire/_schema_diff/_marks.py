"""Gives everything in a schema a line of its own, by which a tool's complaint finds it again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from google.protobuf.descriptor_pb2 import FileDescriptorSet

from toolwire._schema_diff._build import joined

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import (
        DescriptorProto,
        EnumDescriptorProto,
        FileDescriptorProto,
    )

# Tools point at the name or the type of a thing: the parts have the line of the whole.
_PARTS = ((), *((part,) for part in range(1, 11)), (4, 34))  # the last: a method's idempotency


@dataclass(slots=True)
class Marks:
    """A schema whose lines are numbers of what is in it.

    Attributes:
        files: The schema.
        lines: File and line, from 1, to the full name of what is there.
        packages: Each file's package.
        known: Full name of each thing, to that of what it stands for: itself, but the entry of
            a map stands for the field.
    """

    files: FileDescriptorSet
    lines: dict[tuple[str, int], str] = field(default_factory=dict[tuple[str, int], str])
    packages: dict[str, str] = field(default_factory=dict[str, str])
    known: dict[str, str] = field(default_factory=dict[str, str])


def mark(files: FileDescriptorSet) -> Marks:
    """Returns a copy of a schema, marked."""
    copy = FileDescriptorSet()
    copy.CopyFrom(files)
    marks = Marks(copy)
    for file in copy.file:
        file.ClearField("source_code_info")
        _Marker(file, marks).run()
    return marks


class _Marker:
    """Marks one file."""

    def __init__(self, file: FileDescriptorProto, marks: Marks) -> None:
        self._file = file
        self._marks = marks
        self._line = 0

    def run(self) -> None:
        package = self._file.package
        self._marks.packages[self._file.name] = package
        for number, message in enumerate(self._file.message_type):
            self._message(message, (4, number), joined(package, message.name))
        for number, enum in enumerate(self._file.enum_type):
            self._enum(enum, (5, number), joined(package, enum.name))
        for number, service in enumerate(self._file.service):
            name = joined(package, service.name)
            self._mark((6, number), name)
            for inner, method in enumerate(service.method):
                self._mark((6, number, 2, inner), joined(name, method.name))
        for number, extension in enumerate(self._file.extension):
            self._mark((7, number), joined(package, extension.name))

    def _message(self, message: DescriptorProto, place: tuple[int, ...], name: str) -> None:
        self._mark(place, name)
        entries = {one.type_name: one.name for one in message.field}
        for number, one in enumerate(message.field):
            self._mark((*place, 2, number), joined(name, one.name))
        for number, nested in enumerate(message.nested_type):
            inner = (*place, 3, number)
            full_name = joined(name, nested.name)
            if nested.options.map_entry and f".{full_name}" in entries:
                self._entry(inner, full_name, joined(name, entries[f".{full_name}"]))
            else:
                self._message(nested, inner, full_name)
        for number, enum in enumerate(message.enum_type):
            self._enum(enum, (*place, 4, number), joined(name, enum.name))
        for number, one in enumerate(message.extension):
            self._mark((*place, 6, number), joined(name, one.name))
        for number, oneof in enumerate(message.oneof_decl):
            self._mark((*place, 8, number), joined(name, oneof.name))

    def _entry(self, place: tuple[int, ...], name: str, owner: str) -> None:
        for part in (place, (*place, 2, 0), (*place, 2, 1)):
            self._mark(part, owner)
        self._marks.known[name] = owner

    def _enum(self, enum: EnumDescriptorProto, place: tuple[int, ...], name: str) -> None:
        self._mark(place, name)
        for number, value in enumerate(enum.value):
            self._mark((*place, 2, number), joined(name, value.name))

    def _mark(self, place: tuple[int, ...], name: str) -> None:
        self._line += 1
        for part in _PARTS:
            self._file.source_code_info.location.add(path=(*place, *part), span=(self._line, 0, 1))
        self._marks.lines[self._file.name, self._line + 1] = name
        self._marks.known[name] = name
