"""A session in which both sides send, in an event loop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import grpc
from google.protobuf.message import Message

from toolwire._call_errors import CallError
from toolwire._client import _fork
from toolwire._client.aio._exchange import leave
from toolwire._client.aio._lines import cancel_soon, why_cancelled
from toolwire._client.aio._raw import read
from toolwire._client.calls._settings import check_timeout
from toolwire._client.calls._talk import EVER, LATE, BaseSession, Within, to_reply, to_sent
from toolwire._client.channels._rpc_errors import UNDER_WAY, explain
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence

    from typing_extensions import Self

    from toolwire._client.aio._calls import AsyncCaller
    from toolwire._client.aio._lines import LoopLines
    from toolwire._client.aio._raw import RawAsyncStream
    from toolwire._client.calls._prepared import Options, Prepared
    from toolwire._client.requests._methods import Method

Q = TypeVar("Q", bound=Message)
R = TypeVar("R", bound=Message)
T = TypeVar("T")

_Begun: TypeAlias = "tuple[LoopLines, RawAsyncStream, R | None]"

_LEFT = "the session was closed"


class AsyncSession(BaseSession[Q, R], AsyncIterator[R]):
    """A session: messages go out by ``send`` and ``reply``, and come in by iteration.

    It begins with ``async with``, or with the first message either way. Then the message that
    sets it up is sent, and the server's word that it is set up is waited for, which stays
    readable as ``ready``.
    """

    _call: RawAsyncStream | None = None
    _opening: asyncio.Task[_Begun[R]] | None = None

    def __init__(
        self,
        caller: AsyncCaller,
        method: Method[Q, R],
        given: Sequence[object],
        fields: Mapping[str, object],
        options: Options,
    ) -> None:
        """Remembers the call; the arguments are those of ``AsyncCaller.call``."""
        super().__init__(method)
        self._caller = caller
        self._prepared = caller.prepare(method, given, fields, options)
        self._has_first = bool(given or fields)
        self._lines: LoopLines | None = None
        self._writing = asyncio.Lock()
        self._waiting: asyncio.Task[R | None] | None = None
        self._is_receiving = False
        self._is_over = False
        _fork.watch(self._after_fork)

    def _after_fork(self) -> None:
        """Leaves the call to the parent, whose loop is not here."""
        _fork.keep(self._call, self._lines, self._opening, self._waiting)
        self._call = self._opening = self._waiting = None
        self._is_left = True

    async def send(
        self, content: object = None, /, *, turn_complete: bool = True, **fields: object
    ) -> None:
        """Sends a message.

        Args:
            content: A conversation: text, parts, turns, or a list of them; or a ready message.
            turn_complete: Whether the model may answer the conversation now.
            **fields: Fields of a message by their proto names, in place of all that, such as
                ``realtime_input``.

        Raises:
            UsageError: If there is nothing to send, or the session has ended.
            JsonError: If a value does not fit.
            CallError: If the session cannot begin.
        """
        await self._put(to_sent(self._method, content, fields, ends_turn=turn_complete))

    async def reply(self, responses: object) -> None:
        """Sends the results of the functions that the model called.

        Args:
            responses: Function responses: messages, dicts, or a turn or parts that hold them.

        Raises:
            UsageError: If the session has ended, or takes no such results.
            JsonError: If one is none.
            CallError: If the session cannot begin.
        """
        await self._put(to_reply(self._method, responses))

    async def receive(self, timeout: float | None = None) -> R | None:
        """Waits for the next message, and returns None after the last one.

        To stop waiting by ``asyncio.wait_for`` or ``asyncio.timeout`` cancels the session.

        Args:
            timeout: The most seconds to wait; 0 only looks whether one has come since the last
                look. The session goes on if none comes in that time.

        Raises:
            TimeoutError: If none comes in that time.
            UsageError: If another task is receiving.
            CallError: If the session fails.
        """
        seconds = None if timeout is None else check_timeout(timeout, may_be_zero=True)
        if self._is_receiving:
            raise UsageError("another task is receiving: only one at a time can")
        self._is_receiving = True
        within = Within(seconds)
        try:
            call = await self._open(within)
            return self._take_kept() or await self._read(call, within)
        finally:
            self._is_receiving = False

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> R:
        message = await self.receive()
        if message is None:
            raise StopAsyncIteration
        return message

    async def done_sending(self) -> None:
        """Says that nothing more will be sent; what the server still sends can be received."""
        call = await self._open()
        if not (self._is_done or self._is_left):
            self._is_done = True
            with contextlib.suppress(grpc.aio.InternalError):  # the server has ended the session
                await self._hand_over(call.done_writing)

    async def aclose(self) -> None:
        """Ends the session at once, as often as you like."""
        self._is_left = True
        if self._opening is not None:
            self._prepared.end("CANCELLED")
            self._take_over(self._opening)
            if self._opening.get_loop() is not asyncio.get_running_loop():
                self._leave_soon(self._opening)
            elif self._call is None:
                await _give_up(self._opening)
            else:
                await leave(self._call, self._lines)
                if self._waiting is not None:
                    await asyncio.wait((self._waiting,))

    def __del__(self) -> None:
        if self._opening is not None and not self._is_over:
            self._prepared.end("CANCELLED")
            self._take_over(self._opening)
            self._leave_soon(self._opening)

    def _leave_soon(self, opening: asyncio.Task[Any]) -> None:
        """Cancels whatever is under way, from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop is closed
            opening.get_loop().call_soon_threadsafe(opening.cancel)
        cancel_soon(self._call, self._lines)

    async def __aenter__(self) -> Self:
        try:
            await self._open()
        except BaseException:
            await self.aclose()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _open(self, within: Within = EVER) -> RawAsyncStream:
        """Begins the session, for whoever comes first; the others wait until it has begun."""
        opening = self._opening
        if opening is None:
            if self._is_left:
                raise self._prepared.cancelled(_LEFT)
            work = _begin(
                self._caller, self._prepared, sends=self._has_first, waits=(self._word is not None)
            )
            opening = self._opening = _start(work)
        elif opening.get_loop() is not asyncio.get_running_loop():
            raise UsageError("this session was begun in another event loop")
        if self._call is not None:
            return self._call
        _, call, _ = await self._finish(opening, within)
        self._take_over(opening)
        return call

    def _take_over(self, opening: asyncio.Task[_Begun[R]]) -> None:
        """Takes the call over, once it has begun."""
        has_begun = opening.done() and not opening.cancelled() and opening.exception() is None
        if self._call is None and has_begun:
            self._lines, self._call, first = opening.result()
            if self._word is not None:
                self._is_over = first is None
                self._take_first(first)

    async def _put(self, message: Q) -> None:
        self._check_open()
        call = await self._open()
        self._check_sending(has_ended=self._is_over)
        try:
            await self._hand_over(call.write, self._prepared.send(message.SerializeToString()))
        except (grpc.RpcError, asyncio.InvalidStateError):
            self._check_sending(has_ended=True)

    async def _hand_over(
        self, send: Callable[..., Coroutine[Any, Any, None]], *what: bytes
    ) -> None:
        """Waits until gRPC has taken something, one thing at a time."""
        try:
            async with self._writing:
                await send(*what)
        except asyncio.CancelledError:
            cancelled = why_cancelled(self._lines, _LEFT if self._is_left else "")
            if not cancelled:
                raise
        else:
            return
        raise self._prepared.cancelled(cancelled)

    async def _read(self, call: RawAsyncStream, within: Within) -> R | None:
        if self._is_over:
            return None
        if self._is_left:
            raise self._prepared.cancelled(_LEFT)
        waiting = self._waiting
        if waiting is None:
            waiting = self._waiting = _start(_receive(self._prepared, call, self._lines))
        try:
            message = await self._finish(waiting, within)
        finally:
            if waiting.done():
                self._waiting = None
            del waiting  # which may refer to this frame
        self._is_over = message is None
        return message

    async def _finish(self, work: asyncio.Task[T], within: Within) -> T:
        """Waits for work, which goes on if it is not done in time, and ends with who waits."""
        try:
            await asyncio.wait((work,), timeout=within.left)
        except asyncio.CancelledError:
            self._is_left = True
            self._prepared.end("CANCELLED")
            await _give_up(work)
            raise
        if not work.done():
            raise TimeoutError(LATE)
        if work.cancelled():
            raise self._prepared.cancelled(_LEFT)
        try:
            return work.result()
        finally:
            del work  # which may refer to this frame


# What follows knows nothing of the session, so that it is let go while this goes on.


async def _begin(
    caller: AsyncCaller, prepared: Prepared[Any, R], *, sends: bool, waits: bool
) -> _Begun[R]:
    """Begins a call.

    Args:
        caller: Makes it.
        prepared: What is known of it.
        sends: Whether there is a first message.
        waits: Whether the server says first that the session is set up.
    """
    lines, line = await caller.reach(prepared)
    call = caller.begin(lines, line, prepared)
    try:
        if sends:
            # One that cannot even be sent is told of by reading.
            with contextlib.suppress(grpc.RpcError, asyncio.InvalidStateError):
                await call.write(prepared.send(prepared.data))
        return lines, call, await _receive(prepared, call, lines) if waits else None
    except BaseException:
        call.cancel()
        raise


async def _receive(
    prepared: Prepared[Any, R], call: RawAsyncStream, lines: LoopLines | None
) -> R | None:
    """Returns the next message of a call; None after the last one."""
    try:
        data = await read(call)
    except asyncio.CancelledError:
        if lines is None or not lines.is_closed:
            raise
        raise prepared.cancelled(UNDER_WAY) from None
    if data is grpc.aio.EOF:
        prepared.end()
        return None
    if isinstance(data, grpc.RpcError):
        failure = prepared.ended(explain(prepared, data))
    else:
        try:
            return prepared.decode(data)
        except CallError:  # what comes after what cannot be read is not to be trusted
            call.cancel()
            raise
    try:
        raise failure
    finally:
        del failure  # which refers to this frame


def _start(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    task = asyncio.get_running_loop().create_task(work)
    task.add_done_callback(_heed)
    return task


async def _give_up(work: asyncio.Task[Any]) -> None:
    work.cancel()
    await asyncio.wait((work,))


def _heed(task: asyncio.Task[Any]) -> None:
    """Looks at what a task ended with: asyncio would complain of what nobody receives any more."""
    if not task.cancelled():
        task.exception()
