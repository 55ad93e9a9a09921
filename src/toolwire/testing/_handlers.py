"""Services as gRPC handlers, made from their descriptors."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NoReturn

import grpc

from toolwire._errors import DecodeError
from toolwire._messages import parse_binary
from toolwire.testing._answers import answer
from toolwire.testing._api import methods
from toolwire.testing._refusal import Refusal
from toolwire.testing._status import message_of, status_of
from toolwire.testing._store import Store

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolwire._descriptor_types import ServiceType
    from toolwire.testing._api import Method

_DETAILS = "grpc-status-details-bin"


def add_services(services: Iterable[ServiceType], server: grpc.Server) -> None:
    """Adds services to a server; what they keep, they keep together."""
    store = Store()
    for service in services:
        handlers = {method.name: _handler(method, store) for method in methods(service)}
        generic = grpc.method_handlers_generic_handler(service.full_name, handlers)
        server.add_generic_rpc_handlers((generic,))


def _handler(method: Method, store: Store) -> grpc.RpcMethodHandler[bytes, bytes]:
    """Makes the handler of a method.

    Requests and responses are bytes to gRPC: what it cannot parse it calls an internal error.
    """
    respond = partial(_respond, method, store)

    def stream(data: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
        return respond(iter((data,)), context)

    def unary(data: bytes, context: grpc.ServicerContext) -> bytes:
        return next(stream(data, context))

    def gather(received: Iterator[bytes], context: grpc.ServicerContext) -> bytes:
        return next(respond(received, context))

    if method.reads_stream and method.writes_stream:
        return grpc.stream_stream_rpc_method_handler(respond)
    if method.reads_stream:
        return grpc.stream_unary_rpc_method_handler(gather)
    if method.writes_stream:
        return grpc.unary_stream_rpc_method_handler(stream)
    return grpc.unary_unary_rpc_method_handler(unary)


def _respond(
    method: Method, store: Store, received: Iterator[bytes], context: grpc.ServicerContext
) -> Iterator[bytes]:
    requests = (parse_binary(method.request, data) for data in received)
    try:
        for response in answer(method, requests, store):
            yield response.SerializeToString()
    except DecodeError as error:
        _abort(Refusal("INVALID_ARGUMENT", f"the request is {error}"), context)
    except Refusal as refusal:
        _abort(refusal, context)


def _abort(refusal: Refusal, context: grpc.ServicerContext) -> NoReturn:
    context.set_trailing_metadata(((_DETAILS, status_of(refusal)),))
    context.abort(grpc.StatusCode[refusal.code], message_of(refusal))
