"""A schema as a comparison wants it: by full names, with everything inherited resolved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Presence: TypeAlias = Literal["implicit", "explicit", "required", "none"]
Options: TypeAlias = "Mapping[str, str]"
Ranges: TypeAlias = "tuple[tuple[int, int], ...]"
"""Ranges of numbers; both ends belong to them."""


@dataclass(frozen=True, slots=True)
class Type:
    """The type of one value.

    Attributes:
        kind: A scalar type, ``enum``, ``message``, or ``group``, which is a delimited message.
        name: Full name of the message or enum.
    """

    kind: str
    name: str = ""

    def __str__(self) -> str:
        return f"group {self.name}" if self.kind == "group" else self.name or self.kind


@dataclass(frozen=True, slots=True)
class Field:
    """A field or an extension.

    Attributes:
        full_name: Its full name.
        name: Its name among its siblings; of an extension, the full name.
        number: Its number.
        type: Type of its value, or of one of them.
        key: Type of a map's keys; None for other fields.
        repeated: Whether it is a list or a map.
        presence: How one sees whether it is set; ``none`` for a repeated field.
        oneof: Name of its oneof, or an empty string.
        json_name: Its name in JSON.
        default: Its default as declared, or an empty string.
        options: Its options as text.
    """

    full_name: str
    name: str
    number: int
    type: Type
    key: Type | None
    repeated: bool
    presence: Presence
    oneof: str
    json_name: str
    default: str
    options: Options

    @property
    def cardinality(self) -> str:
        """Whether it is ``singular``, ``repeated`` or a ``map``."""
        return "map" if self.key else "repeated" if self.repeated else "singular"

    @property
    def declaration(self) -> str:
        """What a .proto file says of it."""
        return f"{self} {self.name} = {self.number}"

    def __str__(self) -> str:
        if self.key:
            return f"map<{self.key}, {self.type}>"
        return f"repeated {self.type}" if self.repeated else str(self.type)


@dataclass(frozen=True, slots=True)
class Reserved:
    """What no field or value may use.

    Attributes:
        ranges: Numbers.
        names: Names.
    """

    ranges: Ranges
    names: frozenset[str]

    def has(self, number: int) -> bool:
        """Tells whether a number is reserved."""
        return any(first <= number <= last for first, last in self.ranges)


@dataclass(frozen=True, slots=True)
class Message:
    """A message, its nested types left out.

    Attributes:
        full_name: Its full name.
        file: Path of its file.
        fields: Its fields, by place.
        oneofs: Names of its oneofs.
        reserved: What is reserved.
        extensible: Numbers that extensions may have.
        options: Its options as text.
    """

    full_name: str
    file: str
    fields: tuple[Field, ...]
    oneofs: tuple[str, ...]
    reserved: Reserved
    extensible: Ranges
    options: Options


@dataclass(frozen=True, slots=True)
class Value:
    """A value of an enum: its own name, which stands beside that of the enum, and number."""

    name: str
    number: int
    options: Options


@dataclass(frozen=True, slots=True)
class Enum:
    """An enum.

    Attributes:
        full_name: Its full name.
        file: Path of its file.
        values: Its values, by place.
        closed: Whether a reader takes an unknown number for an unknown field.
        reserved: What is reserved.
        options: Its options as text.
    """

    full_name: str
    file: str
    values: tuple[Value, ...]
    closed: bool
    reserved: Reserved
    options: Options


@dataclass(frozen=True, slots=True)
class Method:
    """A method of a service.

    Attributes:
        full_name: Its full name.
        request: Type of what a client sends.
        response: Type of what a server sends.
        streams: Whether the client, and whether the server, sends any number of them.
        options: Its options as text.
    """

    full_name: str
    request: Type
    response: Type
    streams: tuple[bool, bool]
    options: Options

    @property
    def name(self) -> str:
        """Its own name."""
        return self.full_name.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Service:
    """A service."""

    full_name: str
    file: str
    methods: tuple[Method, ...]
    options: Options


@dataclass(frozen=True, slots=True)
class File:
    """A file: its path, its package, its syntax or edition, and its options as text."""

    path: str
    package: str
    syntax: str
    options: Options


@dataclass(frozen=True, slots=True)
class Schema:
    """All of a schema.

    Attributes:
        files: Files to compare, by path.
        messages: Messages by full name, map entries left out.
        enums: Enums by full name.
        services: Services by full name.
        extensions: Full name of an extended message to its extensions.
    """

    files: dict[str, File]
    messages: dict[str, Message]
    enums: dict[str, Enum]
    services: dict[str, Service]
    extensions: dict[str, list[Field]]


Definition: TypeAlias = "Message | Enum | Service"


def definitions(schema: Schema) -> dict[str, Definition]:
    """Returns what a schema defines and is to be compared, by full name."""
    tables = (schema.messages, schema.enums, schema.services)
    return {
        name: item for table in tables for name, item in table.items() if item.file in schema.files
    }
