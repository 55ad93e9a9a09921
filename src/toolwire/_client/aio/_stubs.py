"""Stubs of anyone's services in event loops."""

from __future__ import annotations

from collections.abc import AsyncIterable, Coroutine, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeAlias, TypeVar, overload

from google.protobuf.message import Message

from toolwire._client.aio._calls import AsyncCaller
from toolwire._client.aio._lines import AsyncLines, is_own_cancel
from toolwire._client.aio._stream import AsyncStream
from toolwire._client.channels._dial import dial_async
from toolwire._client.channels._stub_methods import Answered, StubMethod, UnaryMethod
from toolwire._client.channels._stubs import Connection, make_stub, own_method
from toolwire._client.channels._user_requests import AsyncRequests, end_of

if TYPE_CHECKING:
    from collections.abc import Callable

    import grpc
    from typing_extensions import Unpack

    from toolwire._client.calls._prepared import Options
    from toolwire._client.calls._types import AsyncStubOptions
    from toolwire._client.requests._methods import Method

S = TypeVar("S")
M = TypeVar("M", bound=Message)
Q = TypeVar("Q", bound=Message)
T = TypeVar("T")

# What compiled stubs say of their methods once they are connected.
Soon: TypeAlias = Coroutine[Any, Any, T]
One: TypeAlias = Q | Mapping[str, object]
Many: TypeAlias = Iterable[One[Q]] | AsyncIterable[One[Q]]
UnaryUnary: TypeAlias = UnaryMethod[One[Q], Soon[M], Soon[tuple[M, Answered]]]
UnaryStream: TypeAlias = StubMethod[One[Q], AsyncStream[M]]
StreamUnary: TypeAlias = UnaryMethod[Many[Q], Soon[M], Soon[tuple[M, Answered]]]
StreamStream: TypeAlias = StubMethod[Many[Q], AsyncStream[M]]


class AsyncConnected(Generic[S]):
    """A stub for event loops and its connection. Use it by ``async with``, or close it yourself.

    Attributes:
        stub: The stub, which is also what ``async with`` gives.
    """

    def __init__(
        self, make: Callable[[Any], S], target: str | None, options: AsyncStubOptions
    ) -> None:
        """Makes the stub; the connection is opened by its first call."""
        made = Connection(target, options, is_async=True)
        self._core = made.core
        self._lines = AsyncLines(
            lambda to: dial_async(made.settings, made.options, made.interceptors, to),
            options.get("channel"),
        )
        caller = AsyncCaller(made.core, self._lines, made.retrying)
        self.stub = make_stub(make, AsyncStubChannel(caller))

    async def close(self) -> None:
        """Closes the connection. Calls under way are cancelled."""
        await self._lines.close()

    async def aclose(self) -> None:
        """Does what ``close`` does, under the name that ``contextlib.aclosing`` calls."""
        await self.close()

    async def __aenter__(self) -> S:
        return self.stub

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncConnected({type(self.stub).__name__}, {self._core.describe()})"


@overload
def async_stub(
    make: Callable[[AsyncStubChannel], S],
    target: str | None = None,
    **options: Unpack[AsyncStubOptions],
) -> AsyncConnected[S]: ...
@overload
def async_stub(
    make: Callable[[grpc.aio.Channel], S],
    target: str | None = None,
    **options: Unpack[AsyncStubOptions],
) -> AsyncConnected[S]: ...
def async_stub(
    make: Callable[[Any], S], target: str | None = None, **options: Unpack[AsyncStubOptions]
) -> AsyncConnected[S]:
    """Connects a generated stub for event loops; all else is as for ``stub``.

    Args:
        make: The class of the stub.
        target: ``host`` or ``host:port``, or a target of gRPC's, such as ``unix:/path``. A ready
            ``channel`` stands in its place.
        **options: As for ``stub``.

    Raises:
        UsageError: If an option is wrong, does not go with another, or the stub is none.
    """
    return AsyncConnected(make, target, options)


class AsyncStubChannel:
    """The channel that a stub sees: its calls go through a caller of ours."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    def unary_unary(self, method: str, *serializers: Any, **more: Any) -> UnaryUnary[Any, Any]:
        """Returns what calls a method with one request and one response."""
        own, caller = own_method(method, serializers, more), self._caller

        async def with_call(request: object, options: Options) -> tuple[Any, Answered]:
            return await _tell(*await caller.call_with(own, request, options))

        return UnaryMethod(
            lambda request, options: caller.call(own, (request,), {}, options), with_call
        )

    def unary_stream(self, method: str, *serializers: Any, **more: Any) -> UnaryStream[Any, Any]:
        """Returns what calls a method with one request and many responses."""
        own = own_method(method, serializers, more, gets_many=True)
        return StubMethod(
            lambda request, options: AsyncStream(self._caller, own, (request,), {}, options)
        )

    def stream_unary(self, method: str, *serializers: Any, **more: Any) -> StreamUnary[Any, Any]:
        """Returns what calls a method with many requests and one response."""
        own = own_method(method, serializers, more, sends_many=True)

        async def answer(requests: object, options: Options) -> tuple[Any, AsyncStream[Any]]:
            async with AsyncConversation(self._caller, own, requests, options) as stream:
                return stream.only([response async for response in stream]), stream

        async def call(requests: object, options: Options) -> Any:
            return (await answer(requests, options))[0]

        async def with_call(requests: object, options: Options) -> tuple[Any, Answered]:
            return await _tell(*await answer(requests, options))

        return UnaryMethod(call, with_call)

    def stream_stream(self, method: str, *serializers: Any, **more: Any) -> StreamStream[Any, Any]:
        """Returns what calls a method with many requests and many responses."""
        own = own_method(method, serializers, more, sends_many=True, gets_many=True)
        return StubMethod(
            lambda requests, options: AsyncConversation(self._caller, own, requests, options)
        )


async def _tell(response: M, call: Any) -> tuple[M, Answered]:
    """Returns a response and what came along with it."""
    return response, Answered(await call.initial_metadata(), await call.trailing_metadata())


class AsyncConversation(AsyncStream[M]):
    """A stream whose requests cannot be sent twice, so that it is not begun again."""

    def __init__(
        self, caller: AsyncCaller, method: Method[Any, M], requests: object, options: Options
    ) -> None:
        super().__init__(caller, method, (), {}, options)
        self._requests = AsyncRequests(self._prepared, requests)

    def only(self, responses: list[M]) -> M:
        """Returns the response of a call that has one, or raises the error if there is none."""
        return responses[0] if responses else self._prepared.decode(None)

    def _sent(self) -> object:
        return self._requests

    async def _recover(self, error: grpc.RpcError) -> NoReturn:
        raise end_of(self._prepared, self._requests, error)

    def _why_cancelled(self) -> BaseException | None:
        fault = self._requests.take_fault() if is_own_cancel(True) else None
        return fault or super()._why_cancelled()
