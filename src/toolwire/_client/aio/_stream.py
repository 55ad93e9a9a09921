"""A stream of responses that is being received in an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, TypeVar

import grpc
from google.protobuf.message import Message

from toolwire._call_errors import CallError
from toolwire._client import _fork
from toolwire._client._unique import Unique
from toolwire._client.aio._exchange import leave
from toolwire._client.aio._lines import cancel_soon, why_cancelled
from toolwire._client.aio._raw import cancel, read
from toolwire._client.channels._interceptors import LEFT
from toolwire._client.channels._rpc_errors import NOT_OVER, explain, headers_of
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from typing_extensions import Self

    from toolwire._client._headers import Headers
    from toolwire._client.aio._calls import AsyncCaller
    from toolwire._client.aio._lines import LoopLines
    from toolwire._client.aio._raw import RawAsyncStream
    from toolwire._client.calls._prepared import Options
    from toolwire._client.requests._methods import Method

R = TypeVar("R", bound=Message)


class AsyncStream(Unique, AsyncIterator[R]):
    """The chunks of a response, as they arrive.

    Iterate over it; the call begins then, or at an ``async with``. A stream that is left before
    its end cancels the call: by ``break`` once nothing refers to the stream any more, at once at
    the end of an ``async with`` block, by ``aclose``, and when the task is cancelled. Reading on
    after that raises ``Cancelled``.
    """

    _call: RawAsyncStream | None = None  # of one that could not begin

    def __init__(
        self,
        caller: AsyncCaller,
        method: Method[Any, R],
        given: Sequence[object],
        fields: Mapping[str, object],
        options: Options,
    ) -> None:
        """Remembers the call; the arguments are those of ``AsyncCaller.call``."""
        self._caller = caller
        self._prepared = caller.prepare(method, given, fields, options)
        self._decode = self._prepared.decode
        self._lines: LoopLines | None = None
        self._has_chunk = False
        self._has_failed = False
        self._left = asyncio.Event()
        self._is_over = False
        self._is_reading = False
        _fork.watch(self._after_fork)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._prepared.method.name}>"

    def _after_fork(self) -> None:
        """Leaves the call to the parent, whose loop is not here."""
        _fork.keep(self._call, self._lines)
        self._call, self._left = None, asyncio.Event()
        self._left.set()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> R:
        if self._is_over:
            raise StopAsyncIteration
        self._check_reader()
        self._check_left()
        self._is_reading = True
        had_failed, self._has_failed = self._has_failed, True  # unless something comes
        data: Any = None
        ending: BaseException | None = None
        try:
            found = await read(self._call or await self._begin())
            data = await self._recover(found) if isinstance(found, grpc.RpcError) else found
        except asyncio.CancelledError:
            ending = self._why_cancelled()
            if ending is None:
                self._left.set()
                self._prepared.end("CANCELLED")
                raise
        finally:
            self._is_reading = False
        try:
            if ending is not None:
                raise ending
        finally:
            del ending  # which refers to this frame
        if data is grpc.aio.EOF:
            if had_failed:  # which gRPC forgets where there are interceptors
                raise self._prepared.cancelled(LEFT)
            self._is_over = True
            self._prepared.end()
            raise StopAsyncIteration
        self._has_chunk, self._has_failed = True, False
        return await self._take(data)

    async def initial_metadata(self) -> Headers:
        """Waits for what the server sends before the first chunk; as for ``Stream``.

        Raises:
            UsageError: If another task is reading.
            CallError: If the call cannot begin.
        """
        self._check_reader()
        call = self._call or await self._begin()
        try:  # where there are interceptors, gRPC keeps to itself that a task was cancelled
            return headers_of(await asyncio.shield(call.initial_metadata()))
        except asyncio.CancelledError:
            self._left.set()
            cancel(call)
            self._prepared.end("CANCELLED")
            raise

    async def trailing_metadata(self) -> Headers:
        """Returns what the server sent after the last chunk; as for ``Stream``.

        Raises:
            UsageError: As there.
        """
        if not self._is_over or self._call is None:
            raise UsageError(NOT_OVER)
        return headers_of(await self._call.trailing_metadata())

    def _check_reader(self) -> None:
        if self._is_reading:
            raise UsageError("another task is reading this stream: only one at a time can")
        if self._lines is not None:
            self._lines.check_here("stream")

    async def _take(self, data: bytes) -> R:
        try:
            return self._decode(data)
        except CallError:  # what comes after what cannot be read is not to be trusted
            await self.aclose()
            raise

    async def _begin(self) -> RawAsyncStream:
        """Begins the call, or begins it again."""
        self._check_left()
        self._lines, line = await self._caller.reach(self._prepared)
        self._check_left()  # another task may have left it meanwhile
        self._call = self._caller.begin(self._lines, line, self._prepared, self._sent())
        return self._call

    def _check_left(self) -> None:
        if self._left.is_set():
            raise self._prepared.cancelled(LEFT)

    def _sent(self) -> object:
        """Returns what the call sends."""
        return self._prepared.data

    async def _recover(self, error: grpc.RpcError) -> Any:
        """Begins the call again if nothing has come of it yet, else raises what it failed with."""
        while True:
            failure: CallError = explain(self._prepared, error)
            try:
                if self._has_chunk or self._left.is_set() or self._lines is None:
                    raise self._prepared.ended(failure)
                await self._caller.go_on(self._prepared, failure, self._lines, self._left)
            finally:
                del failure  # which refers to this frame
            data = await read(await self._begin())
            if not isinstance(data, grpc.RpcError):
                return data
            error = data

    def _why_cancelled(self) -> BaseException | None:
        """Returns what to raise where the call was cancelled, and not the task that reads."""
        reason = why_cancelled(self._lines, LEFT if self._left.is_set() else "")
        return self._prepared.cancelled(reason) if reason else None

    async def aclose(self) -> None:
        """Cancels the call if it has not ended, as often as you like."""
        self._left.set()
        if self._call is not None:
            await leave(self._call, self._lines)
            self._prepared.end("CANCELLED")

    def __del__(self) -> None:
        if self._call is not None:
            self._prepared.end("CANCELLED")
            if not self._is_over:
                cancel_soon(self._call, self._lines)

    async def __aenter__(self) -> Self:
        self._check_reader()
        if self._call is None:
            await self._begin()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
