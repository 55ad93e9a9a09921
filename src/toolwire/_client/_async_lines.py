"""The channels of one async client: gRPC binds each to an event loop, so every loop has its own."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import TYPE_CHECKING

import grpc

from toolwire._client import _fork
from toolwire._client._lines import Lines
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from toolwire._client._async_stream import RawAsyncStream


class LoopLines(Lines[grpc.aio.Channel]):
    """The channels of one loop, and who waits there.

    Attributes:
        loop: The loop.
    """

    def __init__(
        self, dial: Callable[[str], grpc.aio.Channel], channel: grpc.aio.Channel | None
    ) -> None:
        """Remembers how to open a channel; none is opened yet."""
        super().__init__(dial, channel)
        self.loop = asyncio.get_running_loop()
        self._sleeping: set[asyncio.Future[None]] = set()

    async def sleep(self, seconds: float) -> bool:
        """Waits, and tells whether the client was closed meanwhile."""
        waker: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleeping.add(waker)
        try:
            done, _ = await asyncio.wait((waker,), timeout=seconds)
        finally:
            self._sleeping.discard(waker)
        return bool(done) or self.is_closed

    def wake(self) -> None:
        """Wakes whoever waits; in the loop itself."""
        for waker in self._sleeping:
            if not waker.done():
                waker.set_result(None)


class AsyncLines:
    """The lines of every loop that the client is used in."""

    def __init__(
        self, dial: Callable[[str], grpc.aio.Channel], channel: grpc.aio.Channel | None = None
    ) -> None:
        """Remembers how to open a channel; none is opened yet, and no loop is needed.

        Args:
            dial: Opens a channel to a target, in the running loop.
            channel: A ready channel, which takes all calls and is not closed here.
        """
        self._dial = dial
        self._channel = channel
        self._by_loop: dict[asyncio.AbstractEventLoop, LoopLines] = {}
        self._lock = threading.Lock()
        self._is_closed = False
        self._is_foreign = False
        _fork.watch(self)

    def after_fork(self) -> None:
        """Leaves the loops to the parent."""
        _fork.keep(self._by_loop)
        self._by_loop = {}
        self._lock = threading.Lock()
        self._is_foreign = self._channel is not None

    def here(self) -> LoopLines:
        """Returns the lines of the running loop.

        Raises:
            UsageError: If the client is closed, or its ready channel is of another loop.
        """
        loop = asyncio.get_running_loop()
        found = self._by_loop.get(loop)
        return found if found is not None else self._begin(loop)

    def _begin(self, loop: asyncio.AbstractEventLoop) -> LoopLines:
        with self._lock:
            if self._is_closed:
                raise UsageError("this client is closed")
            if self._is_foreign:
                raise UsageError("the channel of this client was made in another process")
            if self._channel is not None and self._by_loop:
                raise UsageError("the channel of this client is of another event loop")
            gone = [other for other in self._by_loop if other.is_closed()]
            ended = [self._by_loop.pop(other) for other in gone]
            lines = self._by_loop[loop] = LoopLines(self._dial, self._channel)
        for each in ended:  # loops that ended with the client open, as asyncio.run leaves them
            _close_now(each.close())
        return lines

    async def close(self) -> None:
        """Closes the channels of all loops, and waits for none but those of the running one."""
        with self._lock:
            self._is_closed = True
            by_loop, self._by_loop = self._by_loop, {}
        here = asyncio.get_running_loop()
        for loop, lines in by_loop.items():
            channels = lines.close()
            if loop is here:
                lines.wake()
                for channel in channels:
                    await channel.close()
            elif loop.is_closed():
                _close_now(channels)
            else:
                with contextlib.suppress(RuntimeError):  # it is closed by now
                    loop.call_soon_threadsafe(_close_there, lines, channels)


def _close_there(lines: LoopLines, channels: Iterable[grpc.aio.Channel]) -> None:
    lines.wake()
    _close_now(channels)


def _close_now(channels: Iterable[grpc.aio.Channel]) -> None:
    """Closes channels without a loop: without calls to wait for, nothing has to be awaited."""
    for channel in channels:
        closing = channel.close()
        with contextlib.suppress(StopIteration, RuntimeError):
            closing.send(None)
        closing.close()


def cancel_soon(call: RawAsyncStream | None, lines: LoopLines | None) -> None:
    """Cancels a call that nobody refers to any more; from any thread, as the collector has it.

    Args:
        call: The call, if it has begun.
        lines: The channels of its loop.
    """
    if call is not None and lines is not None:
        with contextlib.suppress(RuntimeError):  # the loop is closed, and the call with it
            lines.loop.call_soon_threadsafe(call.cancel)


def is_own_cancel(may_be: bool) -> bool:
    """Tells whether a call ended by our own doing, as opposed to its task being cancelled.

    Args:
        may_be: Whether the client or the call was closed.
    """
    task = asyncio.current_task()
    cancelling = getattr(task, "cancelling", None)  # new in Python 3.11
    return may_be and not (cancelling is not None and cancelling())
