"""A stream of responses that is being received in an event loop: the twin of ``_stream``."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import grpc
from google.protobuf.message import Message

from toolwire._client import _fork
from toolwire._client._async_lines import cancel_soon, is_own_cancel
from toolwire._client._rpc_errors import UNDER_WAY, OddStatus, explain
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

    from toolwire._call_errors import CallError
    from toolwire._client._async_calls import AsyncCaller
    from toolwire._client._async_lines import LoopLines
    from toolwire._client._prepared import Prepared

R = TypeVar("R", bound=Message)

_LEFT = "the stream was left"


class RawAsyncStream(Protocol):
    """What gRPC gives for a stream of responses."""

    async def read(self) -> Any:
        """Waits for the next response; ``grpc.aio.EOF`` after the last one."""
        ...

    async def write(self, request: bytes) -> None:
        """Sends a message, in a session."""
        ...

    async def done_writing(self) -> None:
        """Says that no more will be sent, in a session."""
        ...

    def cancel(self) -> bool:
        """Gives the call up if it has not ended."""
        ...


class AsyncStream(AsyncIterator[R]):
    """The chunks of a response, as they arrive.

    Iterate over it; the call begins then, or at an ``async with``. A stream that is left before
    its end cancels the call: by ``break`` once nothing refers to the stream any more, at once at
    the end of an ``async with`` block, by ``aclose``, and when the task is cancelled. Reading on
    after that raises ``Cancelled``.
    """

    def __init__(self, caller: AsyncCaller, prepared: Prepared[Any, R]) -> None:
        """Remembers the call.

        Args:
            caller: Makes it.
            prepared: What is known of it.
        """
        self._caller = caller
        self._prepared = prepared
        self._decode = prepared.decode
        self._lines: LoopLines | None = None
        self._call: RawAsyncStream | None = None
        self._has_chunk = False
        self._is_left = False
        _fork.watch(self)
        self._is_over = False
        self._is_reading = False

    def after_fork(self) -> None:
        """Leaves the call to the parent, whose loop is not here."""
        _fork.keep(self._call, self._lines)
        self._call, self._is_left = None, True

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> R:
        if self._is_over:
            raise StopAsyncIteration
        if self._is_reading:
            raise UsageError("another task is reading this stream: only one at a time can")
        self._is_reading = True
        data: Any = None
        fault: grpc.RpcError | None = None
        try:
            try:
                data = await (self._call or await self._begin()).read()
            except grpc.RpcError as error:
                fault = error  # and not the context of ours, since it may show a secret
            except KeyError as error:
                fault = OddStatus(error)
            if fault is not None:
                data = await self._recover(fault)
        except asyncio.CancelledError:
            self._explain_cancel()
            self._prepared.end("CANCELLED")
            raise
        finally:
            del fault  # which refers to this frame
            self._is_reading = False
        if data is grpc.aio.EOF:
            self._is_over = True
            self._prepared.end()
            raise StopAsyncIteration
        self._has_chunk = True
        return self._decode(data)

    async def _begin(self) -> RawAsyncStream:
        """Begins the call, or begins it again."""
        if self._is_left:
            raise self._prepared.cancelled(_LEFT)
        self._lines, line = await self._caller.reach(self._prepared)
        self._call = self._caller.begin(line, self._prepared, self._prepared.data)
        return self._call

    async def _recover(self, error: grpc.RpcError) -> Any:
        """Begins the call again if nothing has come of it yet, else raises what it failed with."""
        while True:
            failure: CallError = explain(self._prepared, error)
            try:
                if self._has_chunk or self._is_left or self._lines is None:
                    raise self._prepared.ended(failure)
                await self._caller.go_on(self._prepared, failure, self._lines)
                return await (await self._begin()).read()
            except grpc.RpcError as another:
                error = another
            finally:
                del failure  # which refers to this frame

    def _explain_cancel(self) -> None:
        """Raises our own error where the call was cancelled, and not the task that reads."""
        if is_own_cancel(self._is_left):
            raise self._prepared.cancelled(_LEFT) from None
        if self._lines is not None and is_own_cancel(self._lines.is_closed):
            raise self._prepared.cancelled(UNDER_WAY) from None

    async def aclose(self) -> None:
        """Cancels the call if it has not ended, as often as you like."""
        self._is_left = True
        if self._call is not None:
            self._call.cancel()
            self._prepared.end("CANCELLED")

    def __del__(self) -> None:
        if self._call is not None:
            self._prepared.end("CANCELLED")
            if not self._is_over:
                cancel_soon(self._call, self._lines)

    async def __aenter__(self) -> Self:
        if self._call is None:
            await self._begin()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()
