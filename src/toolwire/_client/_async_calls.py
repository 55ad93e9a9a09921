"""Calls over gRPC in an event loop: the twin of ``_calls``."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

import grpc
from google.protobuf.message import Message

from toolwire._client._async_lines import is_own_cancel
from toolwire._client._async_stream import AsyncStream
from toolwire._client._identity import About, IdentityError
from toolwire._client._prepared import Prepared
from toolwire._client._rpc_errors import CLOSED, UNDER_WAY, OddStatus, explain
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from toolwire._call_errors import CallError
    from toolwire._client._async_lines import AsyncLines, LoopLines
    from toolwire._client._async_stream import RawAsyncStream
    from toolwire._client._core import Core
    from toolwire._client._lines import Line
    from toolwire._client._methods import Method
    from toolwire._client._prepared import Options
    from toolwire._client._retry import Retrying

Q = TypeVar("Q", bound=Message)
R = TypeVar("R", bound=Message)


class AsyncCaller:
    """Makes the calls of one client."""

    def __init__(self, core: Core, lines: AsyncLines, retrying: Retrying) -> None:
        """Binds what decides about calls to what carries them.

        Args:
            core: Decides where they go and what they carry.
            lines: Has the channels.
            retrying: Decides whether they are made again.
        """
        self._core = core
        self._lines = lines
        self.retrying = retrying
        self.sleep: Callable[[float], Awaitable[object]] | None = None  # in place of a real wait

    async def call(
        self,
        method: Method[Q, R],
        given: Sequence[object],
        fields: Mapping[str, object],
        options: Options,
    ) -> R:
        """Makes a call with one response and waits for it.

        Args:
            method: The method.
            given: The arguments without a name.
            fields: Those with one.
            options: How the call is to be made.

        Raises:
            UsageError: If the call cannot be made.
            JsonError: If a value does not fit its field.
            CallError: If the call fails.
            CancelledError: If the task is cancelled, which cancels the call.
        """
        prepared = self.prepare(method, given, fields, options)
        lines, line = await self.reach(prepared)
        while True:
            try:
                data = await line.call(
                    prepared.data, timeout=prepared.left(), metadata=prepared.headers
                )
            except grpc.RpcError as error:
                failure = explain(prepared, error)
            except KeyError as error:
                failure = explain(prepared, OddStatus(error))
            except asyncio.CancelledError:
                if not is_own_cancel(lines.is_closed):
                    prepared.end("CANCELLED")
                    raise
                raise prepared.cancelled(UNDER_WAY) from None
            except (ValueError, grpc.aio.UsageError):
                raise UsageError(CLOSED) from None
            else:
                response = prepared.decode(data)
                prepared.end()
                return response
            try:
                await self.go_on(prepared, failure, lines)
            finally:
                del failure  # which refers to this frame

    def start(
        self,
        method: Method[Q, R],
        given: Sequence[object],
        fields: Mapping[str, object],
        options: Options,
    ) -> AsyncStream[R]:
        """Prepares a call with a stream of responses, which begins when it is first read.

        Args:
            method: The method.
            given: The arguments without a name.
            fields: Those with one.
            options: How the call is to be made.

        Raises:
            UsageError: If the call cannot be made.
            JsonError: If a value does not fit its field.
        """
        return AsyncStream(self, self.prepare(method, given, fields, options))

    def prepare(
        self,
        method: Method[Q, R],
        given: Sequence[object],
        fields: Mapping[str, object],
        options: Options,
    ) -> Prepared[Q, R]:
        """Reads the arguments of a call.

        Args:
            method: The method.
            given: The arguments without a name.
            fields: Those with one.
            options: How the call is to be made.

        Raises:
            UsageError: If the call cannot be made.
            JsonError: If a value does not fit its field.
        """
        return Prepared(self._core, self.retrying, method, given, fields, options=options)

    async def reach(self, prepared: Prepared[Q, R]) -> tuple[LoopLines, Line]:
        """Makes a call ready, and returns what to make it with.

        Raises:
            UsageError: If the call cannot be made.
            CallError: If the credential cannot be had.
        """
        lines = self._lines.here()
        line = lines.find(prepared.method, prepared.name)
        if line is None:
            about = await self._about(prepared)
            route = self._core.route(prepared.method, prepared.name, about)
            line = lines.connect(prepared.method, prepared.name, route)
        prepared.aim(line.route)
        await self._sign(prepared)
        return lines, line

    def begin(self, line: Line, prepared: Prepared[Any, Any], *data: bytes) -> RawAsyncStream:
        """Begins a call whose messages are read one by one.

        Args:
            line: What to make it with.
            prepared: The call.
            *data: The request, if it takes one.

        Raises:
            UsageError: If the client is closed.
        """
        try:
            call: RawAsyncStream = line.call(
                *data, timeout=prepared.left(), metadata=prepared.headers
            )
        except (ValueError, grpc.aio.UsageError):
            raise UsageError(CLOSED) from None
        return call

    async def go_on(
        self, prepared: Prepared[Any, Any], failure: CallError, lines: LoopLines
    ) -> None:
        """Returns when it is time to try again; where there is no use, raises the failure.

        Args:
            prepared: The call.
            failure: What became of it.
            lines: The channels of the loop.

        Raises:
            CallError: The failure, or another one from preparing the next try.
        """
        try:
            if prepared.wants_new_token(failure):
                identity, route = self._core.settings.identity, prepared.route
                if not await identity.renew_async(prepared.headers, route.url, prepared.left()):
                    raise prepared.ended(failure)
            else:
                delay = prepared.again(failure)
                if delay < 0.0:
                    raise prepared.ended(failure)
                if await self._wait(delay, lines):
                    raise prepared.cancelled(UNDER_WAY)
        finally:
            del failure  # which refers to this frame
        await self._sign(prepared)

    async def _wait(self, seconds: float, lines: LoopLines) -> bool:
        """Waits, and tells whether the client was closed meanwhile."""
        if self.sleep is not None:
            await self.sleep(seconds)
            return False
        return await lines.sleep(seconds)

    async def _about(self, prepared: Prepared[Q, R]) -> About:
        if not self._core.wants_about(prepared.method, prepared.name):
            return About()
        try:
            return await self._core.settings.identity.about_async(prepared.left())
        except IdentityError as error:
            failure = prepared.refuse(error)
        raise failure

    async def _sign(self, prepared: Prepared[Q, R]) -> None:
        route = prepared.route
        identity = self._core.settings.identity
        try:
            prepared.sign(await identity.sign_async(route.headers, route.url, prepared.left()))
        except IdentityError as error:
            failure = prepared.refuse(error)
        else:
            return
        raise failure
