"""Stubs of anyone's services over our channels, for threads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeAlias, TypeVar, overload

from google.protobuf.message import Message

from toolwire._client.blocking._calls import Caller
from toolwire._client.blocking._stream import Stream
from toolwire._client.channels._dial import dial, intercept
from toolwire._client.channels._lines import Lines
from toolwire._client.channels._stub_methods import Answered, StubMethod, UnaryMethod
from toolwire._client.channels._stubs import Connection, make_stub, own_method
from toolwire._client.channels._user_requests import Requests, end_of

if TYPE_CHECKING:
    from collections.abc import Callable

    import grpc
    from typing_extensions import Unpack

    from toolwire._client.calls._prepared import Options
    from toolwire._client.calls._types import StubOptions
    from toolwire._client.channels._interceptors import RawStream
    from toolwire._client.requests._methods import Method

S = TypeVar("S")
M = TypeVar("M", bound=Message)
Q = TypeVar("Q", bound=Message)

# What compiled stubs say of their methods once they are connected.
One: TypeAlias = Q | Mapping[str, object]
UnaryUnary: TypeAlias = UnaryMethod[One[Q], M, tuple[M, Answered]]
UnaryStream: TypeAlias = StubMethod[One[Q], Stream[M]]
StreamUnary: TypeAlias = UnaryMethod[Iterable[One[Q]], M, tuple[M, Answered]]
StreamStream: TypeAlias = StubMethod[Iterable[One[Q]], Stream[M]]


class Connected(Generic[S]):
    """A stub and its connection. Use it as a context manager, or close it yourself.

    Attributes:
        stub: The stub, which is also what ``with`` gives.
    """

    def __init__(self, make: Callable[[Any], S], target: str | None, options: StubOptions) -> None:
        """Makes the stub; the connection is opened by its first call."""
        made = Connection(target, options, is_async=False)
        self._core = made.core
        channel = options.get("channel")
        if channel is not None:
            channel = intercept(channel, made.interceptors)
        self._lines = Lines(
            lambda to: dial(made.settings, made.options, made.interceptors, to), channel
        )
        self.stub = make_stub(make, StubChannel(Caller(made.core, self._lines, made.retrying)))

    def close(self) -> None:
        """Closes the connection. Calls under way are cancelled."""
        for channel in self._lines.close():
            channel.close()

    def __enter__(self) -> S:
        return self.stub

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Connected({type(self.stub).__name__}, {self._core.describe()})"


@overload
def stub(
    make: Callable[[StubChannel], S], target: str | None = None, **options: Unpack[StubOptions]
) -> Connected[S]: ...
@overload
def stub(
    make: Callable[[grpc.Channel], S], target: str | None = None, **options: Unpack[StubOptions]
) -> Connected[S]: ...
def stub(
    make: Callable[[Any], S], target: str | None = None, **options: Unpack[StubOptions]
) -> Connected[S]:
    """Connects a generated stub of any service.

    Use it as a context manager: ``with stub(GreeterStub, "host:443") as greeter``. Its methods take
    ``timeout``, ``metadata`` and ``retries``, and raise ``UsageError``, ``JsonError`` or
    ``CallError``, and what the user's own requests raise as they are iterated over. The credential
    is what is given here: none of the environment is sent.

    What toolwire compiled is typed by what its methods are here. What another compiler wrote is
    typed as itself.

    Args:
        make: The class of the stub.
        target: ``host`` or ``host:port``, or a target of gRPC's, such as ``unix:/path``. A ready
            ``channel`` stands in its place.
        **options: As for ``Client``: ``credentials``, ``api_key``, ``quota_project``,
            ``root_certificates``, ``client_certificate``, ``insecure``, ``channel``,
            ``channel_options``, ``interceptors``, ``timeout`` (seconds), ``retries``,
            ``on_retry``, ``log_contents``.

    Raises:
        UsageError: If an option is wrong, does not go with another, or the stub is none.
    """
    return Connected(make, target, options)


class StubChannel:
    """The channel that a stub sees: its calls go through a caller of ours."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def unary_unary(self, method: str, *serializers: Any, **more: Any) -> UnaryUnary[Any, Any]:
        """Returns what calls a method with one request and one response."""
        own, caller = own_method(method, serializers, more), self._caller
        return UnaryMethod(
            lambda request, options: caller.call(own, (request,), {}, options),
            lambda request, options: _tell(*caller.call_with(own, request, options)),
        )

    def unary_stream(self, method: str, *serializers: Any, **more: Any) -> UnaryStream[Any, Any]:
        """Returns what calls a method with one request and many responses."""
        own = own_method(method, serializers, more, gets_many=True)
        return StubMethod(
            lambda request, options: Stream(self._caller, own, (request,), {}, options)
        )

    def stream_unary(self, method: str, *serializers: Any, **more: Any) -> StreamUnary[Any, Any]:
        """Returns what calls a method with many requests and one response."""
        own = own_method(method, serializers, more, sends_many=True)

        def call(requests: object, options: Options) -> tuple[Any, Stream[Any]]:
            with Conversation(self._caller, own, requests, options) as stream:
                return stream.only(list(stream)), stream

        return UnaryMethod(
            lambda requests, options: call(requests, options)[0],
            lambda requests, options: _tell(*call(requests, options)),
        )

    def stream_stream(self, method: str, *serializers: Any, **more: Any) -> StreamStream[Any, Any]:
        """Returns what calls a method with many requests and many responses."""
        own = own_method(method, serializers, more, sends_many=True, gets_many=True)
        return StubMethod(
            lambda requests, options: Conversation(self._caller, own, requests, options)
        )


def _tell(response: M, call: Any) -> tuple[M, Answered]:
    """Returns a response and what came along with it."""
    return response, Answered(call.initial_metadata(), call.trailing_metadata())


class Conversation(Stream[M]):
    """A stream whose requests cannot be sent twice, so that it is not begun again."""

    def __init__(
        self, caller: Caller, method: Method[Any, M], requests: object, options: Options
    ) -> None:
        self._requests = Requests(method, requests)
        super().__init__(caller, method, (), {}, options)

    def only(self, responses: list[M]) -> M:
        """Returns the response of a call that has one, or raises the error if there is none."""
        return responses[0] if responses else self._prepared.decode(None)

    def _begin(self) -> RawStream:
        try:
            call = super()._begin()
        except BaseException:
            self._requests.begun(None)
            raise
        self._requests.begun(call)
        return call

    def _sent(self) -> object:
        return self._requests

    def _recover(self, error: grpc.RpcError) -> NoReturn:
        raise end_of(self._prepared, self._requests, error)
