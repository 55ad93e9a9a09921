"""The channels of one client, opened on first use, and the calls bound to them."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from toolwire._client import _fork
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolwire._client.calls._core import Route
    from toolwire._client.requests._methods import Method

_MOST_LINES = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """What it takes to call one method for one model.

    Attributes:
        route: Where the calls go.
        call: Makes a call; gRPC's own object for the method.
    """

    route: Route
    call: Any


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
        self._lock = threading.RLock()  # a signal handler may call or close in the middle of it
        self._closing = threading.Event()
        self._waiting: set[threading.Event] = set()
        self._is_foreign = False
        self._is_stuck = False
        _fork.watch(self._after_fork)

    def _after_fork(self) -> None:
        """Forgets the parent's channels; closing them here would disturb the parent."""
        self._lock = threading.RLock()
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

    def has_channel(self, route: Route) -> bool:
        """Tells whether there is a channel already to where a route goes."""
        return self._channel is not None or str(route.endpoint) in self._channels

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

    def abandon(self, route: Route) -> None:
        """Forgets a channel whose thread could not be started, and for which gRPC goes on waiting.

        Its streams would never end, whatever their deadline, and neither would closing or freeing
        it: so it is kept.

        Args:
            route: Where it leads.
        """
        with self._lock:
            _fork.keep(self._channels.pop(str(route.endpoint), self._channel))
            self._lines.clear()
            self._is_stuck = self._channel is not None

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

    def check_open(self) -> None:
        """Refuses a call of a client that is closed.

        Raises:
            UsageError: If it is.
        """
        if self._closing.is_set():
            raise UsageError("this client is closed")

    def _open(self, target: str) -> C:
        self.check_open()
        if self._is_foreign:
            raise UsageError("the channel of this client was made in the parent of this process")
        if self._is_stuck:
            raise UsageError("gRPC lacks a thread for the channel of this client: make another one")
        _fork.use_grpc()
        if self._channel is not None:
            return self._channel
        channel = self._channels.get(target)
        if channel is None:
            channel = self._channels.setdefault(target, self._dial(target))
            if self._closing.is_set():  # by a signal handler, meanwhile
                self._channels.clear()
                self.check_open()
        return channel
