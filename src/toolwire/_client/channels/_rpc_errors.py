"""What gRPC's own errors say, those of threads and those of event loops."""

from __future__ import annotations

import contextlib
import re
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, cast

import grpc

from toolwire._client.channels._interceptors import NO_CALL
from toolwire._errors import UsageError
from toolwire._words import with_article

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolwire._call_errors import CallError
    from toolwire._client._headers import Header, Headers
    from toolwire._client.calls._prepared import Prepared

FAULTS = (KeyError, ValueError, AttributeError, TypeError, grpc.aio.UsageError)
"""What gRPC raises beside its errors of calls, and what an interceptor may raise just as well."""

CLOSED = "this client, or the channel that it was given, is closed"
UNDER_WAY = "the client was closed while the call was under way"
NO_THREAD = "no thread can be started"
NOT_OVER = (
    "trailing metadata comes after the last chunk: read the stream to its end; of one that failed, "
    "its error has the details"
)

_NO_BYTES = re.compile(r"expected bytes, got (\w+)")  # as gRPC says it of a request


class OddStatus(grpc.RpcError):
    """A status code that older versions of gRPC's event loop client end with a KeyError for."""

    def __init__(self, fault: KeyError) -> None:
        super().__init__(f"the server ended the call with an odd status: {fault.args[0]}")

    def code(self) -> grpc.StatusCode:
        """Returns what other versions make of it."""
        return grpc.StatusCode.UNKNOWN

    def details(self) -> str:
        """Returns what happened."""
        return str(self)


def explain(prepared: Prepared[Any, Any], error: grpc.RpcError) -> CallError:
    """Returns our error for one of gRPC's, which becomes its cause unless it shows a secret.

    Args:
        prepared: The call.
        error: The error. It may be an interceptor's own, with whatever methods.

    Raises:
        grpc.RpcError: The error itself, if it has no status.
    """
    try:
        code = _ask(error, "code")
        if not isinstance(code, grpc.StatusCode):
            prepared.end("CANCELLED")
            raise error
        failure, shows_secret = prepared.fail(code.name, *_read(error))
        if not shows_secret:
            failure.__cause__ = error
        return failure
    finally:
        del error  # which may refer to this frame


def is_closed(error: Exception) -> bool:
    """Tells whether gRPC refuses a call since its channel is closed."""
    return isinstance(error, grpc.aio.UsageError) or "Cannot invoke RPC" in str(error)


def is_threadless(error: RuntimeError) -> bool:
    """Tells whether Python could start no thread, as where a machine has too many."""
    return "start new thread" in str(error)


def read_fault(error: Exception) -> grpc.RpcError:
    """Returns what an error stands for that is one of ``FAULTS``, if gRPC itself raised it.

    Raises:
        UsageError: If the client is closed, or an interceptor returned what is no call, or passed
            on what is no request.
        Exception: The error itself, if it is an interceptor's.
    """
    try:
        if is_closed(error):
            raise UsageError(CLOSED) from None
        *_, (frame, _) = walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__", "").partition(".")[0] == "grpc":
            if isinstance(error, KeyError):
                return OddStatus(error)
            if isinstance(error, AttributeError) and isinstance(error.obj, grpc.RpcError):
                return error.obj  # of the inner of two interceptors, in the place of a call
            odd = _NO_BYTES.search(str(error))
            if odd is not None:
                found = with_article(odd[1])
                raise UsageError(
                    f"an interceptor must pass requests on as bytes, found {found}"
                ) from error
            if isinstance(error, (AttributeError, TypeError)):
                raise UsageError(NO_CALL) from error
        raise error
    finally:
        del error  # which refers to this frame


def _read(error: grpc.RpcError) -> tuple[str, Headers, bytes]:
    """Returns the text and the headers of an error, and all that it shows."""
    message = str(_ask(error, "details") or "")
    headers = (*_headers(error, "trailing_metadata"), *_headers(error, "initial_metadata"))
    shown: list[str | bytes] = [f"{error!r}{message}", *(value for _, value in headers)]
    return (
        message,
        headers,
        b"\n".join(text if isinstance(text, bytes) else _encode(text) for text in shown),
    )


def _ask(error: grpc.RpcError, name: str) -> object:
    """Returns what a method of an error says; None if it does not work."""
    with contextlib.suppress(Exception):
        said: object = getattr(error, name)()
        return said
    return None


def _headers(error: grpc.RpcError, name: str) -> Headers:
    with contextlib.suppress(Exception):
        return headers_of(_ask(error, name))
    return ()


def _encode(text: str) -> bytes:
    return text.encode(errors="surrogatepass")  # which an interceptor's own error may hold


def headers_of(metadata: object) -> Headers:
    """Returns what gRPC has as metadata, as pairs; none where an interceptor leaves it out."""
    pairs = cast("Iterable[Header]", metadata or ())
    return tuple((name, value) for name, value in pairs)
