"""Stubs of anyone's services over our channels, with our deadline, retries and errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypedDict, TypeVar

import grpc
from google.protobuf.message import Message

from toolwire._apis import Api
from toolwire._client._calls import Caller
from toolwire._client._copies import to_message
from toolwire._client._core import Core
from toolwire._client._dial import dial
from toolwire._client._interceptors import KINDS, as_stream, check_interceptors
from toolwire._client._lines import Lines, merge_options
from toolwire._client._methods import Method, class_of
from toolwire._client._prepared import Options
from toolwire._client._retry import Retrying, check_retries, retryable_codes
from toolwire._client._rpc_errors import CLOSED, is_closed
from toolwire._client._settings import Arguments, check_text, read_settings
from toolwire._client._stream import Stream
from toolwire._errors import UsageError
from toolwire._messages import DEEPEST, is_message_class

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import TracebackType

    from google.auth.credentials import Credentials
    from typing_extensions import Self, Unpack

    from toolwire._client import _types as t
    from toolwire._client._mtls import Source
    from toolwire._client._retry import Retry
    from toolwire._client._stream import RawStream

S = TypeVar("S")
M = TypeVar("M", bound=Message)

_API = Api(name="", package="", module="", is_regional=False)
_SCOPES = ("https://www.googleapis.com/auth/cloud-platform",)
_WITHOUT = ("credentials", "wait_for_ready", "compression")


class StubOptions(TypedDict, total=False):
    """What ``stub`` takes beside the target; it means what it means for a ``Client``."""

    credentials: Credentials | None
    api_key: str | None
    quota_project: str | None
    root_certificates: bytes | None
    client_certificate: Source | None
    insecure: bool
    channel_options: Sequence[tuple[str, object]]
    interceptors: Sequence[Any]
    timeout: float
    retries: int
    on_retry: Callable[[Retry], object] | None
    log_contents: bool


class Connection:
    """What the connections of stubs have in common: where they lead, and how calls are made."""

    def __init__(self, target: str, options: StubOptions, kinds: tuple[type[Any], ...]) -> None:
        """Checks the options; nothing is opened yet.

        Args:
            target: ``host`` or ``host:port``.
            options: The others.
            kinds: What an interceptor may be.

        Raises:
            UsageError: If one is wrong, or does not go with another.
        """
        unknown = sorted(options.keys() - StubOptions.__annotations__.keys())
        if unknown:
            raise UsageError(f"a stub takes no {unknown[0]!r}")
        given = Arguments(
            project=None,
            location=None,
            api_endpoint=check_text("target", target),
            credentials=options.get("credentials"),
            api_key=options.get("api_key"),
            quota_project=options.get("quota_project"),
            root_certificates=options.get("root_certificates"),
            client_certificate=options.get("client_certificate"),
            universe_domain=None,
            insecure=options.get("insecure", False),
            timeout=options.get("timeout", 600.0),
            log_contents=options.get("log_contents", False),
            has_channel=False,
            asks_environment=False,  # whose credential is not meant for just any server
        )
        self.settings = read_settings(_API, _SCOPES, given)
        self.core = Core(self.settings, f"grpc/{grpc.__version__}", has_channel=False)
        self.options = merge_options(options.get("channel_options", ()))
        self.interceptors = check_interceptors(options.get("interceptors", ()), kinds)
        self.retrying = Retrying(check_retries(options.get("retries", 4)), options.get("on_retry"))


class Connected(Generic[S]):
    """A stub and its connection. Use it as a context manager, or close it yourself.

    Attributes:
        stub: The stub.
    """

    def __init__(
        self, make: Callable[[grpc.Channel], S], target: str, options: StubOptions
    ) -> None:
        """Makes the stub; the connection is opened by its first call."""
        made = Connection(target, options, KINDS)
        self._core = made.core
        self._lines = Lines(lambda to: dial(made.settings, made.options, made.interceptors, to))
        self.stub = make(StubChannel(Caller(made.core, self._lines, made.retrying)))

    def close(self) -> None:
        """Closes the connection. Calls under way are cancelled."""
        for channel in self._lines.close():
            channel.close()

    def __enter__(self) -> S:
        return self.stub

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Connected({type(self.stub).__name__}, {self._core.describe()})"


def stub(
    make: Callable[[grpc.Channel], S], target: str, **options: Unpack[StubOptions]
) -> Connected[S]:
    """Connects a generated stub of any service.

    Use it as a context manager: ``with stub(GreeterStub, "host:443") as greeter``. Its methods take
    ``timeout``, ``metadata`` and ``retries``, and raise ``UsageError``, ``JsonError`` or
    ``CallError``. The credential is what is given here: none of the environment is sent.

    Args:
        make: The class of the stub.
        target: ``host`` or ``host:port``.
        **options: As for ``Client``: ``credentials``, ``api_key``, ``quota_project``,
            ``root_certificates``, ``client_certificate``, ``insecure``, ``channel_options``,
            ``interceptors``, ``timeout`` (seconds), ``retries``, ``on_retry``, ``log_contents``.

    Raises:
        UsageError: If an option is wrong, does not go with another, or the stub is none.
    """
    return Connected(make, target, options)


class StubChannel(grpc.Channel):
    """The channel that a stub sees: its calls go through a caller of ours."""

    def __init__(self, caller: Caller) -> None:
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

        def call(requests: Iterable[object], options: Options) -> Any:
            stream, prepared = self._converse(own, requests, options)
            with stream:
                for response in stream:
                    return response
            return prepared.decode(None)

        return as_call(call)

    def stream_stream(self, method: str, *serializers: Any, **more: Any) -> Any:
        """Returns what calls a method with many requests and many responses."""
        own = own_method(method, serializers, more, sends_many=True, gets_many=True)
        return as_call(lambda requests, options: self._converse(own, requests, options)[0])

    def subscribe(self, callback: Any, try_to_connect: bool = False) -> None:  # noqa: ARG002
        """Is not there: the connection is made as needed."""
        raise UsageError("this channel cannot be watched: it connects as needed")

    def unsubscribe(self, callback: Any) -> None:  # noqa: ARG002
        """Is not there, as ``subscribe``."""
        raise UsageError("this channel cannot be watched: it connects as needed")

    def close(self) -> None:
        """Does nothing: whoever connected the stub closes."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _converse(
        self, method: Method[Any, M], requests: Iterable[object], options: Options
    ) -> tuple[Stream[M], Any]:
        """Begins a call whose requests cannot be sent twice, so that it is not made again."""
        prepared, line = self._caller.prepare(method, (), {}, options)

        def begin() -> RawStream:
            try:
                call: RawStream = as_stream(
                    line.call(
                        _encoded(method, requests),
                        timeout=prepared.left(),
                        metadata=prepared.headers,
                    )
                )
            except ValueError as error:
                if not is_closed(error):
                    raise
                raise UsageError(CLOSED) from None
            return call

        return Stream(begin, prepared, _give_up), prepared


def own_method(
    path: str,
    serializers: Sequence[Any],
    more: dict[str, Any],
    *,
    sends_many: bool = False,
    gets_many: bool = False,
) -> Method[Any, Any]:
    """Returns a method as generated code names it, with the classes of its messages.

    Args:
        path: The method, as gRPC spells it.
        serializers: The two functions of generated code, by position.
        more: The two, by name, and what else it says.
        sends_many: Whether the client sends a stream.
        gets_many: Whether the server answers with one.

    Raises:
        UsageError: If it is not of code that protobuf generated.
    """
    read = [*serializers, None, None][1] or more.get("response_deserializer")
    response: Any = getattr(read, "__self__", None)
    service, _, name = path.strip("/").rpartition("/")
    if is_message_class(response):
        try:
            found: Any = response.DESCRIPTOR.file.pool.FindServiceByName(service)
            request = class_of(found.methods_by_name[name].input_type)
        except KeyError:
            pass
        else:
            return Method(
                name=name,
                service=service,
                request=request,
                response=response,
                sends_many=sends_many,
                gets_many=gets_many,
                target="",
                routes={},
                references={},
                named=(),
                inner=(),
                required=(),
                positional=(),
                opening=None,
                mask=None,
                is_intricate=False,
                paging=None,
                default_host="",
                retryable=frozenset() if sends_many else retryable_codes(name),
            )
    raise UsageError(f"{path} is no method of a stub that protobuf's compiler generated")


def as_call(call: Callable[[Any, Options], Any]) -> Callable[..., Any]:
    """Returns what a stub has as a method, with the arguments that gRPC's own have."""

    def invoke(
        request: Any,
        timeout: float | None = None,
        metadata: t.Metadata | None = None,
        *,
        retries: int | None = None,
        **others: object,
    ) -> Any:
        check_others(others)
        return call(request, Options(timeout, retries, metadata or ()))

    return invoke


def check_others(others: dict[str, object]) -> None:
    """Refuses what gRPC's own calls take beside, and these do not.

    Raises:
        UsageError: If one is set.
    """
    for name, value in others.items():
        if name not in _WITHOUT:
            raise UsageError(f"a call takes no {name!r}")
        if value is not None:
            raise UsageError(f"a call of a connected stub takes no {name}: give it to the stub")


def encode(method: Method[Any, Any], message: object) -> bytes:
    """Returns a message to send, encoded.

    Raises:
        JsonError: If it is none of the method's.
    """
    read: Message = to_message(method.request, message, "", DEEPEST)
    return read.SerializeToString()


def _encoded(method: Method[Any, Any], requests: Iterable[object]) -> Iterator[bytes]:
    for request in requests:
        yield encode(method, request)


def _give_up(prepared: Any, failure: Any, _left: object) -> None:
    raise prepared.ended(failure)
