"""The client for event loops."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Literal, overload

import grpc

from toolwire._client.aio._calls import AsyncCaller
from toolwire._client.aio._lines import AsyncLines
from toolwire._client.aio._pager import AsyncPager
from toolwire._client.aio._session import AsyncSession
from toolwire._client.aio._stream import AsyncStream
from toolwire._client.calls._settings import Arguments
from toolwire._client.channels._base import A, BaseClient, check_ready
from toolwire._client.channels._dial import dial_async
from toolwire._client.channels._interceptors import check_interceptors

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from google.auth.credentials import Credentials
    from typing_extensions import Self, Unpack

    from toolwire._client.calls import _types as t
    from toolwire._client.credentials._mtls import Source
    from toolwire._client.errors._retry import Retry
    from toolwire._client.requests._methods import Method
    from toolwire_pb.methods import AsyncMethods  # pyright: ignore[reportMissingModuleSource] - a stub alone
else:
    AsyncMethods = Generic


class AsyncClient(BaseClient, AsyncMethods[A]):
    """Calls an API over gRPC from event loops; what ``Client`` has, this has, to be awaited.

    It may be made outside of a loop, and used in one after the other, or in several at once:
    each has a connection of its own. It opens none before its first call. Use it as a context
    manager, or close it yourself.

    A method with one response is awaited. Streams and pagers are iterated over by ``async for``.
    Cancelling the task cancels the call, and ``CancelledError`` passes as it is.
    """

    _is_async = True

    @overload
    def __init__(
        self: AsyncClient[Literal["v1"]],
        *,
        api: Literal["v1"] = "v1",
        **options: Unpack[t.AsyncOptions],
    ) -> None: ...

    @overload
    def __init__(
        self: AsyncClient[Literal["v1beta1"]],
        *,
        api: Literal["v1beta1"],
        **options: Unpack[t.AsyncOptions],
    ) -> None: ...

    @overload
    def __init__(
        self: AsyncClient[Literal["gemini"]],
        *,
        api: Literal["gemini"],
        **options: Unpack[t.AsyncOptions],
    ) -> None: ...

    def __init__(
        self,
        *,
        api: str = "v1",
        project: str | None = None,
        location: str | None = None,
        api_endpoint: str | None = None,
        credentials: Credentials | None = None,
        api_key: str | None = None,
        quota_project: str | None = None,
        root_certificates: bytes | None = None,
        client_certificate: Source | None = None,
        universe_domain: str | None = None,
        insecure: bool = False,
        channel: grpc.aio.Channel | None = None,
        channel_options: Sequence[tuple[str, object]] = (),
        interceptors: Sequence[grpc.aio.ClientInterceptor] = (),
        log_contents: bool = False,
        timeout: float = 600.0,
        retries: int = 4,
        on_retry: Callable[[Retry], Awaitable[object] | object] | None = None,
    ) -> None:
        """Checks the arguments, which are those of ``Client``; nothing is opened yet.

        Args:
            api: As for ``Client``, as are all that follow but for the channel.
            project: See there.
            location: See there.
            api_endpoint: See there.
            credentials: See there.
            api_key: See there.
            quota_project: See there.
            root_certificates: See there.
            client_certificate: See there.
            universe_domain: See there.
            insecure: See there.
            channel: A ready channel of the one loop that the client is used in.
            channel_options: See there.
            interceptors: Interceptors of ``grpc.aio``; a ready channel has its own.
            log_contents: See there.
            timeout: Seconds that a call may last if it does not say otherwise itself.
            retries: See there.
            on_retry: See there; it may be async here.

        Raises:
            UsageError: If an argument is wrong, or does not go with another.
        """
        given = Arguments(
            project=project,
            location=location,
            api_endpoint=api_endpoint,
            credentials=credentials,
            api_key=api_key,
            quota_project=quota_project,
            root_certificates=root_certificates,
            client_certificate=client_certificate,
            universe_domain=universe_domain,
            insecure=insecure,
            timeout=timeout,
            log_contents=log_contents,
            has_channel=channel is not None,
        )
        self._interceptors = check_interceptors(interceptors, (grpc.aio.ClientInterceptor,))
        super().__init__(api, given, options=channel_options, retries=retries, on_retry=on_retry)
        if channel is not None:
            check_ready(
                channel,
                grpc.aio.Channel,
                api_endpoint=api_endpoint,
                channel_options=channel_options,
                interceptors=self._interceptors,
            )
        settings, options = self._core.settings, self._options
        self._lines = AsyncLines(
            partial(dial_async, settings, options, self._interceptors), channel
        )
        self._caller = AsyncCaller(self._core, self._lines, self._retrying)

    async def close(self) -> None:
        """Closes the connections, which cancels their calls; not so a ready channel."""
        await self._lines.close()

    async def aclose(self) -> None:
        """Does what ``close`` does, under the name that ``contextlib.aclosing`` calls."""
        await self.close()

    if not TYPE_CHECKING:  # which has it, typed for each API, from the generated stub

        async def run_tools(self, *given: object, tools: object, **options: Any) -> Any:
            """Does what ``Client.run_tools`` does; hooks may be async here.

            Args:
                *given: As there, as are all that follow.
                tools: See there.
                **options: See there.

            Returns:
                The transcript.

            Raises:
                CallError: As there, as are all that follow.
                ToolLoopError: See there.
                UsageError: See there.
                JsonError: See there.
                DeclarationError: See there.
                ConversionError: See there.
            """
            from toolwire._client.aio._tool_loop import run  # noqa: PLC0415 - most clients need none
            from toolwire._client.tool_loop._loop import Loop  # noqa: PLC0415

            return await run(self._caller, Loop(self._api, given, tools, options))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _maker(self, method: Method[Any, Any]) -> Callable[..., Any]:
        if method.sends_many:
            return partial(AsyncSession[Any, Any], self._caller)
        if method.gets_many:
            return partial(AsyncStream[Any], self._caller)
        if method.paging is not None:
            return partial(AsyncPager[Any, Any], self._caller)
        return self._caller.call
