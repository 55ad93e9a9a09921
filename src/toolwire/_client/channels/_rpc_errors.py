"""What gRPC's own errors say, those of threads and those of event loops."""

from __future__ import annotations

from traceback import walk_tb
from typing import TYPE_CHECKING, Any, cast

import grpc

from toolwire._client.channels._interceptors import NO_CALL, GivenUp
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolwire._call_errors import CallError
    from toolwire._client._headers import Header, Headers
    from toolwire._client.calls._prepared import Prepared

FAULTS = (KeyError, ValueError, AttributeError, TypeError, grpc.aio.UsageError)
"""What gRPC raises beside its errors of calls, and what an interceptor may raise just as well."""

CLOSED = "this client, or the channel that it was given, is closed"
UNDER_WAY = "the client was closed while the call was under way"
LEFT = "the stream was left"
NO_THREAD = "no thread can be started"
NOT_OVER = (
    "trailing metadata comes after the last chunk: read the stream to its end; of one that failed, "
    "its error has the details"
)


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
    return isinstance(error, grpc.aio.UsageError) or "Cannot invoke RPC" in str(error)


def is_threadless(error: RuntimeError) -> bool:
    """Tells whether Python could start no thread, as where a machine has too many."""
    return "start new thread" in str(error)


def read_fault(error: Exception) -> OddStatus:
    """Returns what an error stands for that is one of ``FAULTS``, if gRPC itself raised it.

    Raises:
        UsageError: If the client is closed, or an interceptor returned what is no call.
        Exception: The error itself, if it is an interceptor's.
    """
    try:
        if is_closed(error):
            raise UsageError(CLOSED) from None
        *_, (frame, _) = walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__", "").partition(".")[0] == "grpc":
            if isinstance(error, KeyError):
                return OddStatus(error)
            if isinstance(error, (AttributeError, TypeError)):
                raise UsageError(NO_CALL) from error
        raise error
    finally:
        del error  # which refers to this frame


def read_error(error: grpc.RpcError) -> tuple[str, str, Headers, bytes]:
    """Returns the code, the text and the headers of an error, and all that it shows."""
    if isinstance(error, GivenUp):
        return "CANCELLED", LEFT, (), b""
    if not isinstance(error, (grpc.Call, grpc.aio.AioRpcError)):
        return "UNKNOWN", str(error), (), _encode(f"{error!r}{error}")
    headers = (*headers_of(error.trailing_metadata()), *headers_of(error.initial_metadata()))
    message = str(error.details() or "")
    code: object = error.code()  # of an error of an interceptor's own it may be anything
    shown: list[str | bytes] = [f"{error!r}{message}", *(value for _, value in headers)]
    return (
        str(getattr(code, "name", "UNKNOWN")),
        message,
        headers,
        b"\n".join(text if isinstance(text, bytes) else _encode(text) for text in shown),
    )


def _encode(text: str) -> bytes:
    return text.encode(errors="surrogatepass")  # which an interceptor's own error may hold


def headers_of(metadata: object) -> Headers:
    """Returns what gRPC has as metadata, as pairs; none where an interceptor leaves it out."""
    pairs = cast("Iterable[Header]", metadata or ())
    return tuple((name, value) for name, value in pairs)
