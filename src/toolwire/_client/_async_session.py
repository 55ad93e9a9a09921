"""A session in which both sides send, in an event loop: the twin of ``_session``."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import grpc
from google.protobuf.message import Message

from toolwire._client import _fork
from toolwire._client._async_lines import cancel_soon, is_own_cancel
from toolwire._client._rpc_errors import UNDER_WAY, explain
from toolwire._client._talk import is_opened, to_reply, to_sent, waits_for_opening
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

    from typing_extensions import Self

    from toolwire._client._async_calls import AsyncCaller
    from toolwire._client._async_lines import LoopLines
    from toolwire._client._async_stream import RawAsyncStream
    from toolwire._client._methods import Method
    from toolwire._client._prepared import Options

Q = TypeVar("Q", bound=Message)
R = TypeVar("R", bound=Message)

_ENDED = "this session has ended: receive tells why"


class AsyncSession(AsyncIterator[R], Generic[Q, R]):
    """A session: messages go out by ``send`` and ``reply``, and come in by iteration.

    It begins with ``async with``, or with the first message either way. Then the message that
    sets it up is sent, and the server's word that it is ready is waited for.
    """

    def __init__(
        self,
        caller: AsyncCaller,
        method: Method[Q, R],
        given: Sequence[object],
        fields: Mapping[str, object],
        options: Options,
    ) -> None:
        """Remembers the call.

        Args:
            caller: Makes it.
            method: The method.
            given: The arguments without a name.
            fields: Those with one.
            options: How the call is to be made.

        Raises:
            UsageError: If the call cannot be made.
            JsonError: If a value does not fit its field.
        """
        self._caller = caller
        self._method = method
        self._prepared = caller.prepare(method, given, fields, options)
        self._has_first = bool(given or fields)
        self._lines: LoopLines | None = None
        self._call: RawAsyncStream | None = None
        self._opening = asyncio.Lock()
        self._writing = asyncio.Lock()
        self._is_open = False
        self._kept: list[R] = []
        self._is_done = False
        self._is_left = False
        _fork.watch(self)
        self._is_over = False
        self._is_reading = False

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

    async def receive(self) -> R | None:
        """Waits for the next message, and returns None after the last one.

        Raises:
            UsageError: If another task is receiving.
            CallError: If the session fails.
        """
        call = await self._open()
        if self._kept:
            return self._kept.pop()
        return await self._read(call)

    def after_fork(self) -> None:
        """Leaves the call to the parent, whose loop is not here."""
        _fork.keep(self._call, self._lines)
        self._call, self._is_left = None, True

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
        if not self._is_done:
            self._is_done = True
            async with self._writing:
                await call.done_writing()

    async def aclose(self) -> None:
        """Ends the session at once, as often as you like."""
        self._is_done = self._is_left = True
        if self._call is not None:
            self._call.cancel()
            self._prepared.end("CANCELLED")

    def __del__(self) -> None:
        if self._call is not None and not self._is_over:
            self._prepared.end("CANCELLED")
            cancel_soon(self._call, self._lines)

    async def __aenter__(self) -> Self:
        try:
            await self._open()
        except BaseException:
            await self.aclose()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def _open(self) -> RawAsyncStream:
        """Begins the session, for whoever comes first; the others wait until it has begun."""
        if self._call is not None and self._is_open:
            return self._call
        async with self._opening:
            call = self._call or await self._begin()
            if not self._is_open and waits_for_opening(self._method):
                first = await self._read(call)
                if first is not None and not is_opened(self._method, first):
                    self._kept.append(first)
            self._is_open = True
        return call

    async def _begin(self) -> RawAsyncStream:
        if self._is_left:
            raise self._prepared.cancelled(_ENDED)
        self._lines, line = await self._caller.reach(self._prepared)
        self._call = call = self._caller.begin(line, self._prepared)
        if self._has_first:
            # One that cannot even be sent is told of by reading.
            with contextlib.suppress(grpc.RpcError, asyncio.InvalidStateError):
                await call.write(self._prepared.data)
        return call

    async def _put(self, message: Q) -> None:
        call = await self._open()
        if self._is_done or self._is_over:
            raise UsageError(_ENDED)
        await self._write(call, message.SerializeToString())

    async def _write(self, call: RawAsyncStream, data: bytes) -> None:
        try:
            async with self._writing:  # gRPC takes one message at a time
                await call.write(data)
        except (grpc.RpcError, asyncio.InvalidStateError):
            raise UsageError(_ENDED) from None
        except asyncio.CancelledError:
            self._explain_cancel()
            raise

    async def _read(self, call: RawAsyncStream) -> R | None:
        if self._is_over:
            return None
        if self._is_reading:
            raise UsageError("another task is receiving: only one at a time can")
        self._is_reading = True
        try:
            data: Any = await call.read()
        except grpc.RpcError as error:
            failure = explain(self._prepared, error)
        except asyncio.CancelledError:
            self._explain_cancel()
            raise
        else:
            if data is grpc.aio.EOF:
                self._is_over = True
                self._prepared.end()
                return None
            return self._prepared.decode(data)
        finally:
            self._is_reading = False
        try:
            raise self._prepared.ended(failure)
        finally:
            del failure  # which refers to this frame

    def _explain_cancel(self) -> None:
        """Raises our own error where the session was closed, and the task not cancelled."""
        if is_own_cancel(self._is_left):
            raise self._prepared.cancelled("the session was closed") from None
        if self._lines is not None and is_own_cancel(self._lines.is_closed):
            raise self._prepared.cancelled(UNDER_WAY) from None
