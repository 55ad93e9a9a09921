"""All that is to be said of a definition. The names of attributes are the keys in JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a message.

    Attributes:
        name: Its name in the .proto file.
        number: Its number.
        type: Type of one value, a message or enum by its full name.
        label: Whether it holds one value, a list, or a map.
        key_type: Type of a map's keys; empty for other fields.
        has_presence: Whether it can be told from one that is not set; None for lists and maps.
        oneof: Name of its oneof, if it is in one.
        json_name: Its name in JSON.
        behaviors: What ``google.api.field_behavior`` says, such as ``REQUIRED``.
        resource: Type of the resource that it names, if it does.
        default: Its default as the .proto file declares it, if it does.
        deprecated: Whether it is.
        doc: Its comment.
    """

    name: str
    number: int
    type: str
    label: Literal["singular", "repeated", "map"]
    key_type: str
    has_presence: bool | None
    oneof: str
    json_name: str
    behaviors: tuple[str, ...]
    resource: str
    default: str
    deprecated: bool
    doc: str


@dataclass(frozen=True, slots=True)
class Oneof:
    """A oneof of a message."""

    name: str
    fields: tuple[str, ...]
    doc: str


@dataclass(frozen=True, slots=True)
class _Definition:
    """What every definition has.

    Attributes:
        name: Its full name.
        file: Import path of its .proto file.
        python: Where toolwire has it; empty where that is no module for users.
        deprecated: Whether it is.
        doc: Its comment.
    """

    name: str
    file: str
    python: str
    deprecated: bool
    doc: str


@dataclass(frozen=True, slots=True)
class Message(_Definition):
    """A message.

    Attributes:
        fields: Its fields, in the order of the .proto file.
        oneofs: Its oneofs; those that only stand for an optional field are left out.
        reserved: Ranges of numbers that no field may take, both ends included.
        reserved_names: Names that no field may take.
        nested: Full names of the messages and enums in it.
    """

    fields: tuple[Field, ...]
    oneofs: tuple[Oneof, ...]
    reserved: tuple[tuple[int, int], ...]
    reserved_names: tuple[str, ...]
    nested: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Value:
    """A value of an enum."""

    name: str
    number: int
    deprecated: bool
    doc: str


@dataclass(frozen=True, slots=True)
class Enum(_Definition):
    """An enum; ``reserved`` is as for a message."""

    values: tuple[Value, ...]
    reserved: tuple[tuple[int, int], ...]
    reserved_names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Route:
    """How a method is called over HTTP."""

    verb: str
    path: str
    body: str


@dataclass(frozen=True, slots=True)
class Method:
    """A method of a service.

    Attributes:
        name: Its name.
        request: Full name of the request.
        response: Full name of the response.
        client_streaming: Whether it takes a stream of requests.
        server_streaming: Whether it answers with a stream.
        routes: How it is called over HTTP.
        deprecated: Whether it is.
        doc: Its comment.
    """

    name: str
    request: str
    response: str
    client_streaming: bool
    server_streaming: bool
    routes: tuple[Route, ...]
    deprecated: bool
    doc: str


@dataclass(frozen=True, slots=True)
class Service(_Definition):
    """A service.

    Attributes:
        host: The host that serves wherever no location has a say.
        scopes: What a token has to be good for.
        methods: Its methods, in the order of the .proto file.
    """

    host: str
    scopes: tuple[str, ...]
    methods: tuple[Method, ...]


Definition: TypeAlias = "Message | Enum | Service"
