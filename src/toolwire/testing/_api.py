"""What the schema says about an API: its methods and the classes of both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from google.protobuf import message_factory

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor
    from google.protobuf.message import Message

    from toolwire._descriptor_types import MessageType, ServiceType


class Method(NamedTuple):
    """One method of a service.

    Attributes:
        service: Full name of the service.
        name: Name of the method.
        request: Class of the request.
        response: Class of the response, or of one chunk of it.
        reads_stream: Whether the client sends a stream.
        writes_stream: Whether the server answers with one.
    """

    service: str
    name: str
    request: type[Message]
    response: type[Message]
    reads_stream: bool
    writes_stream: bool


def methods(service: ServiceType) -> list[Method]:
    """Returns the methods of a service."""
    return [
        Method(
            service=service.full_name,
            name=method.name,
            request=_class_of(method.input_type),
            response=_class_of(method.output_type),
            reads_stream=method.client_streaming,
            writes_stream=method.server_streaming,
        )
        for method in service.methods
    ]


def _class_of(kind: MessageType) -> type[Message]:
    return message_factory.GetMessageClass(cast("Descriptor", kind))
