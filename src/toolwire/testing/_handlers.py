"""Services as gRPC handlers, made from their descriptors."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import grpc

from toolwire._errors import DecodeError
from toolwire._messages import parse_binary
from toolwire.testing._answers import answer
from toolwire.testing._api import methods
from toolwire.testing._refusal import Refusal
from toolwire.testing._status import message_of, status_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolwire._descriptor_types import ServiceType
    from toolwire.testing._api import Method

_DETAILS = "grpc-status-details-bin"


def add_services(services: Iterable[ServiceType], server: grpc.Server) -> None:
    """Adds services to a server."""
    for service in services:
        handlers = {method.name: _handler(method) for method in methods(service)}
        generic = grpc.method_handlers_generic_handler(service.full_name, handlers)
        server.add_generic_rpc_handlers((generic,))


def _handler(method: Method) -> grpc.RpcMethodHandler[bytes, bytes]:
    """Makes the handler of a method.

    Requests and responses are bytes to gRPC: what it cannot parse it calls an internal error.
    """

    def unary(data: bytes, context: grpc.ServicerContext) -> bytes:
        return next(_responses(method, data, context))

    def stream(data: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
        yield from _responses(method, data, context)

    def refused(_: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
        yield from _responses(method, b"", context)

    if method.reads_stream:
        return grpc.stream_stream_rpc_method_handler(refused)
    if method.writes_stream:
        return grpc.unary_stream_rpc_method_handler(stream)
    return grpc.unary_unary_rpc_method_handler(unary)


def _responses(method: Method, data: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
    try:
        for response in answer(method, parse_binary(method.request, data)):
            yield response.SerializeToString()
    except DecodeError as error:
        _abort(Refusal("INVALID_ARGUMENT", f"the request is {error}"), context)
    except Refusal as refusal:
        _abort(refusal, context)


def _abort(refusal: Refusal, context: grpc.ServicerContext) -> NoReturn:
    context.set_trailing_metadata(((_DETAILS, status_of(refusal)),))
    context.abort(grpc.StatusCode[refusal.code], message_of(refusal))
