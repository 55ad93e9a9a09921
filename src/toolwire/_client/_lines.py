"""The channels of one client, opened on first use, and the calls bound to them."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from toolwire._client import _fork
from toolwire._errors import UsageError
from toolwire._version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from toolwire._client._core import Route
    from toolwire._client._methods import Method

_MOST_LINES = 1000
_MEBIBYTE = 1 << 20

DEFAULT_OPTIONS: Mapping[str, object] = MappingProxyType(
    {
        "grpc.primary_user_agent": f"toolwire/{__version__}",
        # Requests with images and responses with many candidates are larger than 4 MiB.
        "grpc.max_receive_message_length": -1,
        "grpc.max_send_message_length": -1,
        # Trailers beyond gRPC's 8 KiB turn a detailed INVALID_ARGUMENT into RESOURCE_EXHAUSTED.
        "grpc.max_metadata_size": _MEBIBYTE,
        "grpc.absolute_max_metadata_size": _MEBIBYTE,
        # Retry policies of service configs are off; transparent retries of what was never
        # sent are not (grpc.enable_retries=0 would switch off those as well).
        "grpc.service_config_disable_resolution": 1,
        # Servers allow one ping in five minutes, and none while there is no call. An idle
        # connection is closed before a firewall forgets it, and opened again by the next call.
        "grpc.keepalive_time_ms": 330_000,
        "grpc.keepalive_timeout_ms": 20_000,
        "grpc.keepalive_permit_without_calls": 0,
        "grpc.client_idle_timeout_ms": 240_000,
        # After a restart of the server the next call finds it again soon.
        "grpc.initial_reconnect_backoff_ms": 200,
        "grpc.max_reconnect_backoff_ms": 10_000,
        # gRPC's SingleThreadedUnaryStream would save a tenth of the time for a chunk, and stays
        # off: with it, every stream that is left early costs 20 KB until its channel is closed.
    }
)
"""Options of every channel; the user's own go over them."""

NO_PROXY = ("grpc.enable_http_proxy", 0)
"""Option of a channel to this machine or without TLS: a proxy would read what it carries."""

_INTEGERS = range(-(1 << 31), 1 << 31)


def merge_options(options: Iterable[tuple[str, object]]) -> tuple[tuple[str, object], ...]:
    """Returns the options of a channel.

    Args:
        options: The user's, which win.

    Raises:
        UsageError: If they are no pairs of a name and a value that gRPC takes.
    """
    try:
        own: dict[object, object] = dict(options)
    except (TypeError, ValueError):
        raise UsageError("channel_options takes pairs of a name and a value") from None
    merged = dict(DEFAULT_OPTIONS)
    for name, value in own.items():
        is_value = value in _INTEGERS if isinstance(value, int) else isinstance(value, (str, bytes))
        if not isinstance(name, str) or not is_value:
            raise UsageError(
                "channel_options takes pairs of a name and a value: a text, and a text or an "
                f"integer of 32 bits; found {name!r}"
            )
        merged[name] = value
    return tuple(merged.items())


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """What it takes to call one method for one model.

    Attributes:
        route: Where the calls go.
        call: Makes a call; gRPC's own object for the method.
    """

    route: Route
    call: Callable[..., Any]


class Channel(Protocol):
    """What a channel of either kind can do."""

    @property
    def unary_unary(self) -> Callable[[str], Callable[..., Any]]:
        """Makes what calls a method with one request and one response."""
        ...

    @property
    def unary_stream(self) -> Callable[[str], Callable[..., Any]]:
        """Makes what calls a method with one request and many responses."""
        ...

    @property
    def stream_stream(self) -> Callable[[str], Callable[..., Any]]:
        """Makes what calls a method with many requests and many responses."""
        ...


C = TypeVar("C", bound=Channel)


class Lines(Generic[C]):
    """Channels by target, lines by method and model. One channel a target, whoever comes first."""

    def __init__(self, dial: Callable[[str], C], channel: C | None = None) -> None:
        """Remembers how to open a channel; none is opened yet.

        Args:
            dial: Opens a channel to a target.
            channel: A ready channel, which takes all calls and is not closed here.
        """
        self._dial = dial
        self._channel = channel
        self._channels: dict[str, C] = {}
        self._lines: dict[tuple[object, str], Line] = {}
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._waiting: set[threading.Event] = set()
        self._is_foreign = False
        _fork.watch(self)

    def after_fork(self) -> None:
        """Forgets the parent's channels; closing them here would disturb the parent."""
        self._lock = threading.Lock()
        is_closed = self._closing.is_set()
        self._closing = threading.Event()
        if is_closed:
            self._closing.set()
        self._waiting = set()
        _fork.keep(self._channels, self._lines)
        self._channels, self._lines = {}, {}
        self._is_foreign = self._channel is not None

    @property
    def is_closed(self) -> bool:
        """Whether the client has been closed."""
        return self._closing.is_set()

    def find(self, method: object, name: str) -> Line | None:
        """Returns the line for a method and a model, if there is one already."""
        return self._lines.get((method, name))

    def connect(self, method: Method[Any, Any], name: str, route: Route) -> Line:
        """Makes the line for a method and a model, and the channel if it is the first.

        Args:
            method: The method.
            name: The model, as the caller spells it.
            route: Where the calls go.

        Raises:
            UsageError: If the client is closed, or a forked child must not call.
        """
        with self._lock:
            channel = self._open(str(route.endpoint))
            made = channel.unary_stream if method.gets_many else channel.unary_unary
            if method.sends_many:  # the same on the wire where only the client sends many
                made = channel.stream_stream
            line = Line(route, made(method.path))
            if len(self._lines) >= _MOST_LINES:
                self._lines.clear()
            self._lines[method, name] = line
        return line

    def close(self) -> tuple[C, ...]:
        """Forgets the channels, which nobody can get any more, and returns them."""
        self._closing.set()
        with self._lock:
            for each in self._waiting:
                each.set()
            self._lines.clear()
            channels = tuple(self._channels.values())
            self._channels.clear()
        return channels

    def wait(self, seconds: float, event: threading.Event | None = None) -> bool:
        """Waits, and tells whether the client was closed meanwhile, or an event set.

        Args:
            seconds: How long, at most.
            event: The event. It is set, too, when the client is closed.
        """
        if event is None:
            return self._closing.wait(seconds)
        with self._lock:
            self._waiting.add(event)
        try:
            return self._closing.is_set() or event.wait(seconds)
        finally:
            with self._lock:
                self._waiting.discard(event)

    def _open(self, target: str) -> C:
        if self._closing.is_set():
            raise UsageError("this client is closed")
        if self._is_foreign:
            raise UsageError("the channel of this client was made in the parent of this process")
        _fork.use_grpc()
        if self._channel is not None:
            return self._channel
        channel = self._channels.get(target)
        if channel is None:
            channel = self._channels[target] = self._dial(target)
        return channel
