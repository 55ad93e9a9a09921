"""What stands around each of the user's interceptors of event loops.

What is no call would break what gRPC does with it: at the end of the call, and of its channel. And
what an interceptor waits for takes its time off the call's own.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, TypeVar

import grpc

from toolwire._client._in_time import LateError, in_time
from toolwire._client.channels._interceptors import NO_CALL
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable

T = TypeVar("T")

_GRACE = 0.2  # seconds, in which gRPC says by itself that the time of a call inside is over


def guarded(interceptors: Iterable[Any]) -> list[Any]:
    """Returns interceptors of event loops, each in its guard."""
    return [
        next((guard(each) for kind, guard in _GUARDS.items() if isinstance(each, kind)), each)
        for each in interceptors
    ]


class _Guard:
    def __init__(self, inner: Any) -> None:
        self._inner = inner


class _UnaryGuard(_Guard, grpc.aio.UnaryUnaryClientInterceptor):
    async def intercept_unary_unary(
        self, continuation: Any, client_call_details: Any, request: Any
    ) -> Any:
        passage = _Passage(continuation, client_call_details)
        made = await passage.run(self._inner.intercept_unary_unary, request)
        if made is None:  # which gRPC would take for the response
            raise UsageError(NO_CALL)
        return made


class _StreamGuard(_Guard, grpc.aio.UnaryStreamClientInterceptor):
    async def intercept_unary_stream(
        self, continuation: Any, client_call_details: Any, request: Any
    ) -> Any:
        passage = _Passage(continuation, client_call_details)
        made = await passage.run(self._inner.intercept_unary_stream, request)
        return passage.as_stream(made, grpc.aio.UnaryStreamCall)


class _ExchangeGuard(_Guard, grpc.aio.StreamStreamClientInterceptor):
    async def intercept_stream_stream(
        self, continuation: Any, client_call_details: Any, request_iterator: Any
    ) -> Any:
        passage = _Passage(continuation, client_call_details)
        made = await passage.run(self._inner.intercept_stream_stream, request_iterator)
        return passage.as_stream(made, grpc.aio.StreamStreamCall)


_GUARDS: dict[type, Callable[[Any], Any]] = {
    grpc.aio.UnaryUnaryClientInterceptor: _UnaryGuard,
    grpc.aio.UnaryStreamClientInterceptor: _StreamGuard,
    grpc.aio.StreamStreamClientInterceptor: _ExchangeGuard,
}


class _Passage:
    """The way of one call through one interceptor."""

    def __init__(self, continuation: Callable[..., Any], details: Any) -> None:
        self._continuation = continuation
        self._details = details
        self._end = time.monotonic() + details.timeout
        self._has_call = False

    async def run(self, intercept: Callable[..., Any], request: Any) -> Any:
        """Returns what the interceptor makes of the call."""
        return await _until(self._end, intercept(self._go_on, self._details, request))

    async def _go_on(self, details: Any, request: Any) -> Any:
        """Stands for the continuation: the call has no more time than the interceptor has left."""
        fields = self._details._asdict()
        fields |= {name: getattr(details, name, fields[name]) for name in fields}
        left = self._end - time.monotonic()
        fields["timeout"] = left if fields["timeout"] is None else min(left, fields["timeout"])
        call = await self._continuation(grpc.aio.ClientCallDetails(**fields), request)
        self._has_call = True
        return call

    def as_stream(self, made: Any, kind: type[Any]) -> Any:
        """Returns a stream that gRPC can work with.

        Raises:
            UsageError: If it is none, which the interceptor has made.
        """
        if isinstance(made, kind):
            return made
        if not hasattr(made, "__aiter__"):
            raise UsageError(NO_CALL)
        chunks = _each(self._end, made)
        return chunks if self._has_call else _Made(chunks)


async def _until(end: float, work: Awaitable[T]) -> T:
    """Awaits what an interceptor does, until a little after the end of its call."""
    try:
        return await in_time(work, end + _GRACE - time.monotonic())
    except LateError:
        none = grpc.aio.Metadata()
        code = grpc.StatusCode.DEADLINE_EXCEEDED
        raise grpc.aio.AioRpcError(code, none, none, "an interceptor took too long") from None


async def _each(end: float, chunks: AsyncIterable[T]) -> AsyncIterator[T]:
    """Iterates over what an interceptor has made, until a little after the end of its call."""
    each = aiter(chunks)
    while True:
        try:
            chunk = await _until(end, anext(each))
        except StopAsyncIteration:
            return
        yield chunk


class _Made(grpc.aio.UnaryStreamCall[Any, Any], grpc.aio.StreamStreamCall[Any, Any]):
    """A stream that an interceptor has made without a call, for which gRPC needs one."""

    def __init__(self, chunks: AsyncIterator[Any]) -> None:
        self._chunks = chunks

    def __aiter__(self) -> AsyncIterator[Any]:
        return self._chunks

    def done(self) -> bool:
        return True

    def cancel(self) -> bool:
        return False

    cancelled = cancel

    def add_done_callback(self, callback: Callable[[Any], None]) -> None:
        callback(self)

    def time_remaining(self) -> None:
        return None

    async def code(self) -> grpc.StatusCode:
        return grpc.StatusCode.OK

    async def details(self) -> str:
        return ""

    debug_error_string = details

    async def initial_metadata(self) -> grpc.aio.Metadata:
        return grpc.aio.Metadata()

    trailing_metadata = initial_metadata

    async def wait_for_connection(self) -> None:
        pass

    async def read(self) -> Any: ...
    async def write(self, request: Any) -> None: ...
    async def done_writing(self) -> None: ...
