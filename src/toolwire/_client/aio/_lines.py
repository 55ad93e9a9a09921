"""The channels of one async client: gRPC binds each to an event loop, so every loop has its own."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import weakref
from typing import TYPE_CHECKING, Any

import grpc

from toolwire._client import _fork, _gevent
from toolwire._client.aio._raw import cancel
from toolwire._client.channels._lines import Lines
from toolwire._client.channels._rpc_errors import NO_THREAD, UNDER_WAY
from toolwire._client.credentials._identity import IdentityError
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable

    from toolwire._client.aio._raw import RawAsyncStream


class LoopLines(Lines[grpc.aio.Channel]):
    """The channels of one loop, who waits there, and what is being received.

    Attributes:
        loop: The loop.
    """

    def __init__(
        self, dial: Callable[[str], grpc.aio.Channel], channel: grpc.aio.Channel | None
    ) -> None:
        """Remembers how to open a channel; none is opened yet."""
        super().__init__(dial, channel)
        self.loop = asyncio.get_running_loop()
        self._sleeping: set[asyncio.Event] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._under_way: weakref.WeakSet[RawAsyncStream] = weakref.WeakSet()

    def add(self, call: RawAsyncStream) -> None:
        """Has a call cancelled with the client; gRPC before 1.80 forgets it on Python 3.10."""
        self._under_way.add(call)

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Begins what has to be done at the end of a call, and is waited for by ``end``."""
        task = self.loop.create_task(work)
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
        return task

    async def end(self) -> None:
        """Waits until what calls leave behind is done."""
        if self._ending:
            await asyncio.wait(tuple(self._ending))

    def check_here(self, what: str) -> None:
        """Refuses what was begun in this loop to another one.

        Args:
            what: What it is.

        Raises:
            UsageError: If another loop is running.
        """
        if self.loop is not asyncio.get_running_loop():
            raise UsageError(f"this {what} was begun in another event loop")

    async def sleep(self, seconds: float, event: asyncio.Event | None = None) -> bool:
        """Waits, and tells whether the client was closed meanwhile, or an event set.

        Args:
            seconds: How long, at most.
            event: The event. It is set, too, when the client is closed.
        """
        waker = asyncio.Event() if event is None else event
        self._sleeping.add(waker)
        try:
            await asyncio.wait_for(waker.wait(), seconds)
        except asyncio.TimeoutError:
            pass
        finally:
            self._sleeping.discard(waker)
        return waker.is_set() or self.is_closed

    def give_up(self) -> None:
        """Cancels what is under way and wakes whoever waits; in the loop itself."""
        for call in tuple(self._under_way):
            cancel(call)
        for waker in self._sleeping:
            waker.set()


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
        _fork.watch(self._after_fork)

    def _after_fork(self) -> None:
        """Leaves the loops to the parent."""
        _fork.keep(self._by_loop)
        self._by_loop = {}
        self._lock = threading.Lock()
        self._is_foreign = self._channel is not None

    def here(self) -> LoopLines:
        """Returns the lines of the running loop.

        Raises:
            UsageError: If the client is closed, its ready channel is of another loop, or gevent
                runs the threads.
        """
        loop = asyncio.get_running_loop()
        found = self._by_loop.get(loop)
        return found if found is not None else self._begin(loop)

    def _begin(self, loop: asyncio.AbstractEventLoop) -> LoopLines:
        _gevent.check_async()
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
                lines.give_up()
                for channel in channels:
                    await channel.close()
                await lines.end()
            elif loop.is_closed():
                _close_now(channels)
            else:
                with contextlib.suppress(RuntimeError):  # it is closed by now
                    loop.call_soon_threadsafe(_close_there, lines, channels)


def _close_there(lines: LoopLines, channels: Iterable[grpc.aio.Channel]) -> None:
    lines.give_up()
    _close_now(channels)


def _close_now(channels: Iterable[grpc.aio.Channel]) -> None:
    """Closes channels without a loop: without calls to wait for, nothing has to be awaited."""
    for channel in channels:
        closing = channel.close()
        with contextlib.suppress(StopIteration, RuntimeError):
            closing.send(None)
        closing.close()


def check_thread() -> None:
    """Sees to it that gRPC can start a thread for event loops: without, it ends the process.

    Raises:
        IdentityError: If no thread can be started.
    """
    try:
        threading.Thread(target=int, daemon=True).start()
    except RuntimeError:
        raise IdentityError("UNAVAILABLE", NO_THREAD) from None


def cancel_soon(call: RawAsyncStream | None, lines: LoopLines | None) -> None:
    """Cancels a call that nobody refers to any more; from any thread, as the collector has it.

    Args:
        call: The call, if it has begun.
        lines: The channels of its loop.
    """
    if call is not None and lines is not None:
        with contextlib.suppress(RuntimeError):  # the loop is closed, and the call with it
            lines.loop.call_soon_threadsafe(cancel, call)


def is_own_cancel(may_be: bool) -> bool:
    """Tells whether a call ended by our own doing, as opposed to its task being cancelled.

    Args:
        may_be: Whether the client or the call was closed.
    """
    task = asyncio.current_task()
    cancelling = getattr(task, "cancelling", None)  # new in Python 3.11
    return may_be and not (cancelling is not None and cancelling())


def why_cancelled(lines: LoopLines | None, left: str) -> str:
    """Returns why what was under way is cancelled by our own doing; empty if its task was.

    Args:
        lines: The channels of its loop.
        left: What to say if it was left; empty if it was not.
    """
    reason = left or (UNDER_WAY if lines is not None and lines.is_closed else "")
    return reason if is_own_cancel(bool(reason)) else ""
