"""The client for event loops: the twin of ``_sync``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Literal, overload

import grpc

from toolwire._client._async_calls import AsyncCaller
from toolwire._client._async_lines import AsyncLines
from toolwire._client._async_pager import AsyncPager
from toolwire._client._async_session import AsyncSession
from toolwire._client._base import A, BaseClient, check_ready
from toolwire._client._dial import dial_async
from toolwire._client._interceptors import check_interceptors
from toolwire._client._prepared import Options
from toolwire._client._settings import Arguments
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

    from google.auth.credentials import Credentials
    from typing_extensions import Self, Unpack

    from toolwire._client import _types as t
    from toolwire._client._methods import Method
    from toolwire._client._mtls import Source
    from toolwire._client._retry import Retry
    from toolwire._client._types import Metadata
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
        on_retry: Callable[[Retry], object] | None = None,
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
            on_retry: See there.

        Raises:
            UsageError: If an argument is wrong, or does not go with another.
            DescriptorError: If there is no such API, or it has no services.
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
        if channel is not None and self._interceptors:
            raise UsageError("interceptors were given, and a ready async channel has its own")
        super().__init__(api, given, options=channel_options, retries=retries, on_retry=on_retry)
        if channel is not None:
            check_ready(channel, grpc.aio.Channel, api_endpoint, channel_options)
        self._lines = AsyncLines(self._dial, channel)
        self._caller = AsyncCaller(self._core, self._lines, self._retrying)

    async def close(self) -> None:
        """Closes the connections, but for a ready channel. Calls under way are cancelled."""
        await self._lines.close()

    if not TYPE_CHECKING:  # which has it, typed for each API, from the generated stub

        async def run_tools(
            self, model: str, contents: object, *, tools: object, **options: Any
        ) -> Any:
            """Does what ``Client.run_tools`` does; hooks may be async here.

            Args:
                model: As there, as are all that follow.
                contents: See there.
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
            """
            from toolwire._client._async_run import run  # noqa: PLC0415 - most clients need none
            from toolwire._client._loop import Loop  # noqa: PLC0415

            return await run(self._caller, Loop(self._api, (model, contents), tools, options))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    def _bind(self, method: Method[Any, Any]) -> Callable[..., Any]:
        make: Callable[..., Any] = self._caller.call
        if method.sends_many:
            make = partial(AsyncSession[Any, Any], self._caller)
        elif method.gets_many:
            make = self._caller.start
        elif method.paging is not None:
            make = partial(AsyncPager[Any, Any], self._caller)

        def call(
            *given: object,
            timeout: float | None = None,
            retries: int | None = None,
            metadata: Metadata = (),
            **fields: object,
        ) -> Any:
            return make(method, given, fields, Options(timeout, retries, metadata))

        return call

    def _dial(self, target: str) -> grpc.aio.Channel:
        return dial_async(self._core.settings, self._options, self._interceptors, target)
