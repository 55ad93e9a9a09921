"""A call in which both sides send, in an event loop, as gRPC has it but for two flaws.

Once something cannot be sent, as after the server's end, gRPC's ``read`` gives nothing more of what
has come, and what the call ended with is overwritten by an error of gRPC's own. Iteration goes on
giving what has come, and what the call ended with is noted here.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING, Any, TypeAlias

import grpc

from toolwire._client.aio._lines import cancel_soon
from toolwire._client.aio._raw import cancel

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from toolwire._client.aio._lines import LoopLines
    from toolwire._client.aio._raw import RawAsyncStream
    from toolwire._client.channels._user_requests import AsyncRequests

_Status: TypeAlias = tuple[Any, ...]  # the arguments of gRPC's error

_OWN_ERROR = "Internal error from Core"  # what gRPC says where something could not be sent
_MOST_SECONDS = 5.0  # from there to what the server says, which is on its way by then
_PAUSE = 0.005


class Exchange:
    """Such a call."""

    def __init__(self, call: Any, lines: LoopLines, requests: AsyncRequests | None) -> None:
        """Wraps a call.

        Args:
            call: The call.
            lines: The channels of its loop.
            requests: What is sent; None if it is written.
        """
        self._call = call
        self._each = call.__aiter__()
        self._is_reading = False
        self._has_failed = False
        self._end = _End()
        self._lines = lines
        self._requests = requests
        self._closing: asyncio.Task[None] | None = None
        call.add_done_callback(self._end.note)

    async def read(self) -> Any:
        """Waits for the next response; ``grpc.aio.EOF`` after the last one."""
        self._is_reading = True
        try:
            return await self._each.__anext__()
        except StopAsyncIteration:
            if not self._has_failed:
                await self._close()
                return grpc.aio.EOF
        except grpc.aio.AioRpcError as error:
            self._has_failed = True
            await self._close()
            if error.details() != _OWN_ERROR:
                raise
        except BaseException as error:
            self._has_failed = True
            is_cancelled = isinstance(error, asyncio.CancelledError)
            if is_cancelled:
                self._call.cancel()  # if gRPC has not done so
            await self._close(is_cancelled=is_cancelled)
            raise
        finally:
            self._is_reading = False
        status = await self._end.find(self._call)
        if status is None or status[0] is grpc.StatusCode.OK:
            return grpc.aio.EOF
        raise grpc.aio.AioRpcError(*status)

    async def write(self, request: bytes) -> None:
        """Sends a message."""
        await self._call.write(request)

    async def done_writing(self) -> None:
        """Says that no more will be sent."""
        await self._call.done_writing()

    async def initial_metadata(self) -> Any:
        """Waits for what comes before the responses."""
        return await self._call.initial_metadata()

    async def trailing_metadata(self) -> Any:
        """Returns what came after them, once the call has ended."""
        status = await self._end.find(self._call)
        return status[2] if status else None

    def cancel(self) -> bool:
        """Gives the call up if it has not ended."""
        is_cancelled = cancel(self._call)
        self._close_soon(is_cancelled=is_cancelled)
        return is_cancelled

    async def aclose(self) -> None:
        """Gives the call up, and waits until the user's requests have come to their end."""
        await self._close(is_cancelled=self.cancel())
        if not self._is_reading:
            await self._each.aclose()

    async def _close(self, *, is_cancelled: bool = False) -> None:
        closing = self._close_soon(is_cancelled=is_cancelled)
        if closing is not None:
            await asyncio.wait((closing,))

    def _close_soon(self, *, is_cancelled: bool) -> asyncio.Task[None] | None:
        """Ends the user's requests, in a task that closing the client waits for."""
        if self._requests is None or self._requests.is_here:
            return None
        if self._closing is None:
            self._closing = self._lines.start(self._requests.close(is_cancelled=is_cancelled))
        return self._closing


async def leave(call: RawAsyncStream, lines: LoopLines | None) -> None:
    """Cancels a call that has not ended; from any loop.

    Args:
        call: The call.
        lines: The channels of its loop.
    """
    if lines is None or lines.loop is not asyncio.get_running_loop():
        cancel_soon(call, lines)
    elif isinstance(call, Exchange):
        await call.aclose()
    else:
        cancel(call)


class _End:
    """What a call ends with. It is told apart from the call, which refers to it."""

    def __init__(self) -> None:
        self._status: _Status | None = None

    def note(self, call: Any) -> _Status | None:
        """Notes what a call ends with, unless it is overwritten already; returns what it says."""
        status = _now(_read_status(call))
        if self._status is None and status is not None and status[3] != _OWN_ERROR:
            self._status = status
        return status

    async def find(self, call: Any) -> _Status | None:
        """Returns what a call has ended with, for which gRPC's own error may have to make way."""
        until = time.monotonic() + _MOST_SECONDS
        while self._status is None:
            status = self.note(call)
            if self._status is None:
                if status is None or time.monotonic() > until:
                    return status
                await asyncio.sleep(_PAUSE)
        return self._status


async def _read_status(call: Any) -> _Status:
    return (
        await call.code(),
        await call.initial_metadata(),
        await call.trailing_metadata(),
        await call.details(),
        await call.debug_error_string(),
    )


def _now(reading: Coroutine[Any, Any, _Status]) -> _Status | None:
    """Runs what has nothing to wait for, since the call has a status."""
    with contextlib.closing(reading):
        try:
            reading.send(None)
        except StopIteration as stop:
            status: _Status = stop.value
            return status
        except (grpc.RpcError, KeyError, asyncio.CancelledError):  # an interceptor's, or an odd one
            pass
    return None
