"""What gRPC's own errors say, those of threads and those of event loops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import grpc

from toolwire._client._interceptors import GivenUp

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolwire._call_errors import CallError
    from toolwire._client._headers import Header, Headers
    from toolwire._client._prepared import Prepared

CLOSED = "this client, or the channel that it was given, is closed"
UNDER_WAY = "the client was closed while the call was under way"


class OddStatus(grpc.RpcError):
    """A status code that older versions of gRPC's event loop client end with a KeyError for."""

    def __init__(self, fault: KeyError) -> None:
        super().__init__(f"the server ended the call with an odd status: {fault.args[0]}")


def explain(prepared: Prepared[Any, Any], error: grpc.RpcError) -> CallError:
    """Returns our error for one of gRPC's, which becomes its cause unless it shows a secret."""
    failure, shows_secret = prepared.fail(*read_error(error))
    if not shows_secret:
        failure.__cause__ = error
    return failure


def is_closed(error: Exception) -> bool:
    """Tells whether gRPC refuses a call since its channel is closed."""
    return "Cannot invoke RPC" in str(error)


def read_error(error: grpc.RpcError) -> tuple[str, str, Headers, bytes]:
    """Returns the code, the text and the headers of an error, and all that it shows."""
    if isinstance(error, GivenUp):
        return "CANCELLED", "the stream was left", (), b""
    if not isinstance(error, (grpc.Call, grpc.aio.AioRpcError)):
        return "UNKNOWN", str(error), (), f"{error!r}{error}".encode()
    headers = (*_headers(error.trailing_metadata()), *_headers(error.initial_metadata()))
    message = error.details() or ""
    shown: list[str | bytes] = [f"{error!r}{message}", *(value for _, value in headers)]
    return (
        error.code().name,
        message,
        headers,
        b"\n".join(text if isinstance(text, bytes) else text.encode() for text in shown),
    )


def _headers(metadata: object) -> Headers:
    return tuple(cast("Iterable[Header]", metadata or ()))
