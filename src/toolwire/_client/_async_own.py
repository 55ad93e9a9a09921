"""Stubs of anyone's services in event loops: the twin of ``_own``."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import grpc
from google.protobuf.message import Message

from toolwire._client._async_calls import AsyncCaller
from toolwire._client._async_lines import AsyncLines
from toolwire._client._async_stream import AsyncStream
from toolwire._client._dial import dial_async
from toolwire._client._own import Connection, as_call, encode, own_method

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Unpack

    from toolwire._client._async_stream import RawAsyncStream
    from toolwire._client._methods import Method
    from toolwire._client._own import StubOptions
    from toolwire._client._prepared import Options

S = TypeVar("S")
M = TypeVar("M", bound=Message)


class AsyncConnected(Generic[S]):
    """A stub for event loops and its connection. Use it by ``async with``, or close it yourself.

    Attributes:
        stub: The stub.
    """

    def __init__(
        self, make: Callable[[grpc.aio.Channel], S], target: str, options: StubOptions
    ) -> None:
        """Makes the stub; the connection is opened by its first call."""
        made = Connection(target, options, (grpc.aio.ClientInterceptor,))
        self._core = made.core
        self._lines = AsyncLines(
            lambda to: dial_async(made.settings, made.options, made.interceptors, to)
        )
        caller = AsyncCaller(made.core, self._lines, made.retrying)
        channel: Any = AsyncStubChannel(caller)  # has all that a stub asks for
        self.stub = make(channel)

    async def close(self) -> None:
        """Closes the connection. Calls under way are cancelled."""
        await self._lines.close()

    async def __aenter__(self) -> S:
        return self.stub

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncConnected({type(self.stub).__name__}, {self._core.describe()})"


def async_stub(
    make: Callable[[grpc.aio.Channel], S], target: str, **options: Unpack[StubOptions]
) -> AsyncConnected[S]:
    """Connects a generated stub for event loops; all else is as for ``stub``.

    Args:
        make: The class of the stub.
        target: ``host`` or ``host:port``.
        **options: As for ``stub``.

    Raises:
        UsageError: If an option is wrong, does not go with another, or the stub is none.
    """
    return AsyncConnected(make, target, options)


class AsyncStubChannel:
    """The channel that a stub sees: its calls go through a caller of ours."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    def unary_unary(self, method: str, *serializers: Any, **more: Any) -> Any:
        """Returns what calls a method with one request and one response."""
        own = own_method(method, serializers, more)
        return as_call(lambda request, options: self._caller.call(own, (request,), {}, options))

    def unary_stream(self, method: str, *serializers: Any, **more: Any) -> Any:
        """Returns what calls a method with one request and many responses."""
        own = own_method(method, serializers, more, gets_many=True)
        return as_call(lambda request, options: self._caller.start(own, (request,), {}, options))

    def stream_unary(self, method: str, *serializers: Any, **more: Any) -> Any:
        """Returns what calls a method with many requests and one response."""
        own = own_method(method, serializers, more, sends_many=True)

        async def call(requests: Any, options: Options) -> Any:
            stream = _Conversation(self._caller, own, requests, options)
            async with stream:
                async for response in stream:
                    return response
            return stream.without_response()

        return as_call(call)

    def stream_stream(self, method: str, *serializers: Any, **more: Any) -> Any:
        """Returns what calls a method with many requests and many responses."""
        own = own_method(method, serializers, more, sends_many=True, gets_many=True)
        return as_call(
            lambda requests, options: _Conversation(self._caller, own, requests, options)
        )


class _Conversation(AsyncStream[M]):
    """A stream whose requests cannot be sent twice, so that it is not begun again."""

    def __init__(
        self,
        caller: AsyncCaller,
        method: Method[Any, M],
        requests: Iterable[object] | AsyncIterable[object],
        options: Options,
    ) -> None:
        super().__init__(caller, caller.prepare(method, (), {}, options))
        self._method = method
        self._requests = requests
        self._has_chunk = True

    def without_response(self) -> M:
        """Raises the error of a call that ended well without any response."""
        return self._prepared.decode(None)

    async def _begin(self) -> RawAsyncStream:
        self._lines, line = await self._caller.reach(self._prepared)
        sent: Any = self._encoded()
        self._call = self._caller.begin(line, self._prepared, sent)
        return self._call

    async def _encoded(self) -> AsyncIterator[bytes]:
        if isinstance(self._requests, AsyncIterable):
            async for request in self._requests:
                yield encode(self._method, request)
        else:
            for request in self._requests:
                yield encode(self._method, request)
