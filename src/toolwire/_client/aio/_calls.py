"""Calls over gRPC in an event loop."""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING, Any, TypeVar

import grpc
from google.protobuf.message import Message

from toolwire._client._in_time import LateError, in_time
from toolwire._client.aio._exchange import Exchange
from toolwire._client.aio._lines import check_thread, is_own_cancel
from toolwire._client.calls._prepared import Prepared
from toolwire._client.channels._interceptors import LEFT
from toolwire._client.channels._rpc_errors import (
    CLOSED,
    FAULTS,
    UNDER_WAY,
    explain,
    read_fault,
)
from toolwire._client.credentials._identity import About, IdentityError
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from toolwire._call_errors import CallError
    from toolwire._client.aio._lines import AsyncLines, LoopLines
    from toolwire._client.aio._raw import RawAsyncStream
    from toolwire._client.calls._core import Core
    from toolwire._client.calls._prepared import Options
    from toolwire._client.channels._lines import Line
    from toolwire._client.errors._retry import Retrying
    from toolwire._client.requests._methods import Method

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
        """Does as ``Caller.call`` does, without blocking the event loop.

        Raises:
            CancelledError: If the task is cancelled, which cancels the call.
        """
        prepared = self.prepare(method, given, fields, options)
        return prepared.finish((await self._answer(prepared))[0])

    async def call_with(
        self, method: Method[Q, R], request: object, options: Options
    ) -> tuple[R, Any]:
        """Returns the response and the call of gRPC's that gave it; all else is as for ``call``."""
        prepared = self.prepare(method, (request,), {}, options)
        data, call = await self._answer(prepared)
        return prepared.finish(data), call

    async def _answer(self, prepared: Prepared[Any, Any]) -> tuple[Any, Any]:
        """Makes a call until there is an answer, and returns that and the call."""
        lines, line = await self.reach(prepared)
        send = line.call
        try:
            while True:
                try:
                    call = send(prepared.data, timeout=prepared.left(), metadata=prepared.headers)
                    return await call, call
                except grpc.RpcError as error:
                    failure = explain(prepared, error)
                except FAULTS as error:
                    failure = explain(prepared, read_fault(error))
                except asyncio.CancelledError:
                    if not is_own_cancel(lines.is_closed):
                        raise
                    raise prepared.cancelled(UNDER_WAY) from None
                try:
                    await self.go_on(prepared, failure, lines)
                finally:
                    del failure  # which refers to this frame
        except BaseException:  # a cancelled task, or an interceptor's own: it is given up here
            prepared.end("CANCELLED")
            raise

    def prepare(
        self,
        method: Method[Q, R],
        given: Sequence[object],
        fields: Mapping[str, object],
        options: Options,
    ) -> Prepared[Q, R]:
        """Reads the arguments of a call, which are those of ``call``.

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
            line = await self._connect(prepared, lines)
        prepared.aim(line.route)
        await self._sign(prepared, lines)
        return lines, line

    def begin(
        self, lines: LoopLines, line: Line, prepared: Prepared[Any, Any], *sent: Any
    ) -> RawAsyncStream:
        """Begins a call whose messages are read one by one.

        Args:
            lines: The channels of the loop.
            line: What to make it with.
            prepared: The call.
            *sent: The request, or what gives them; nothing if they are written.

        Raises:
            UsageError: If the client is closed.
        """
        try:
            call: RawAsyncStream = line.call(
                *sent, timeout=prepared.left(), metadata=prepared.headers
            )
        except (ValueError, grpc.aio.UsageError):
            raise UsageError(CLOSED) from None
        if prepared.method.sends_many:
            call = Exchange(call, lines, *(sent or (None,)))
        lines.add(call)
        return call

    async def go_on(
        self,
        prepared: Prepared[Any, Any],
        failure: CallError,
        lines: LoopLines,
        left: asyncio.Event | None = None,
    ) -> None:
        """Does as ``Caller.go_on`` does, without blocking the event loop.

        Args:
            prepared: See there, as for what follows.
            failure: See there.
            lines: The channels of the loop.
            left: See there.
        """
        try:
            if prepared.wants_new_token(failure):
                identity, route = self._core.settings.identity, prepared.route
                if not await identity.renew_async(prepared.headers, route.url, prepared.left()):
                    raise prepared.ended(failure)
            else:
                retry = prepared.again(failure)
                if retry is None:
                    raise prepared.ended(failure)
                try:
                    told = self.retrying.tell(retry)
                    if inspect.isawaitable(told):
                        await in_time(told, prepared.left())
                except LateError:
                    late = prepared.site().fail("DEADLINE_EXCEEDED", "on_retry took too long")
                    raise prepared.ended(late) from failure
                except BaseException:
                    prepared.end(failure.code)
                    raise
                delay = min(retry.delay, prepared.left())  # of which on_retry may have left little
                if await self._wait(delay, lines, left):
                    raise prepared.cancelled(UNDER_WAY if lines.is_closed else LEFT)
        finally:
            del failure  # which refers to this frame
        await self._sign(prepared, lines)

    async def _wait(self, seconds: float, lines: LoopLines, left: asyncio.Event | None) -> bool:
        """Waits, and tells whether the call was given up meanwhile, or the client closed."""
        if self.sleep is not None:
            await self.sleep(seconds)
            return False
        return await lines.sleep(seconds, left)

    async def _connect(self, prepared: Prepared[Q, R], lines: LoopLines) -> Line:
        core, method, name = self._core, prepared.method, prepared.name
        about = About()
        try:
            if core.wants_about(method, name):
                about = await core.settings.identity.about_async(prepared.left())
            route = core.route(method, name, about)
            if not lines.has_channel(route):
                check_thread()
                await core.settings.mtls.load_async(prepared.left())
        except IdentityError as error:
            failure = prepared.refuse(error)
        else:
            self._check_meanwhile(prepared, lines)
            return lines.connect(method, name, route)
        raise failure

    async def _sign(self, prepared: Prepared[Q, R], lines: LoopLines) -> None:
        route = prepared.route
        identity = self._core.settings.identity
        try:
            prepared.sign(await identity.sign_async(route.headers, route.url, prepared.left()))
        except IdentityError as error:
            failure = prepared.refuse(error)
        else:
            self._check_meanwhile(prepared, lines)
            return
        raise failure

    @staticmethod
    def _check_meanwhile(prepared: Prepared[Any, Any], lines: LoopLines) -> None:
        """Sees to it that the client was not closed while a credential was waited for."""
        if lines.is_closed:
            raise prepared.cancelled(UNDER_WAY)
