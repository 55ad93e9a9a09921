"""What the schema says about an API: its services, their methods and the classes of both sides."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, NamedTuple

from google.protobuf import message_factory

from toolwire._apis import find_api

if TYPE_CHECKING:
    from google.protobuf.descriptor_pool import DescriptorPool
    from google.protobuf.message import Message

_SERVICER = "Servicer"


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


class ServedApi(NamedTuple):
    """An API as a server sees it.

    Attributes:
        name: Its name, such as ``v1``.
        pool: The pool that its files are in.
        methods: The methods of all of its services.
    """

    name: str
    pool: DescriptorPool
    methods: tuple[Method, ...]

    @property
    def services(self) -> tuple[str, ...]:
        """The full names of the services."""
        return tuple(dict.fromkeys(method.service for method in self.methods))


def load(name: str) -> ServedApi:
    """Reads an API off the generated modules.

    Raises:
        DescriptorError: If there is no such API.
    """
    api = find_api(name)
    names: list[str] = importlib.import_module(f"{api.module}.grpc").__all__
    services = [found.removesuffix(_SERVICER) for found in names if found.endswith(_SERVICER)]
    pool: DescriptorPool = api.load().Tool.DESCRIPTOR.file.pool
    methods = [
        found for service in services for found in _methods(pool, f"{api.package}.{service}")
    ]
    return ServedApi(name, pool, tuple(methods))


def _methods(pool: DescriptorPool, service: str) -> list[Method]:
    return [
        Method(
            service=service,
            name=method.name,
            request=message_factory.GetMessageClass(method.input_type),
            response=message_factory.GetMessageClass(method.output_type),
            reads_stream=method.client_streaming,
            writes_stream=method.server_streaming,
        )
        for method in pool.FindServiceByName(service).methods
    ]
