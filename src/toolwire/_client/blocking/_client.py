"""The client that blocks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Literal, overload

import grpc

from toolwire._client.blocking._calls import Caller
from toolwire._client.blocking._pager import Pager
from toolwire._client.blocking._session import Session
from toolwire._client.blocking._stream import Stream
from toolwire._client.calls._settings import Arguments
from toolwire._client.channels._base import A, BaseClient, check_ready
from toolwire._client.channels._dial import dial, intercept
from toolwire._client.channels._interceptors import KINDS, check_interceptors
from toolwire._client.channels._lines import Lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from google.auth.credentials import Credentials
    from typing_extensions import Self, Unpack

    from toolwire._client.calls import _types as t
    from toolwire._client.credentials._mtls import Source
    from toolwire._client.errors._retry import Retry
    from toolwire._client.requests._methods import Method
    from toolwire_pb.methods import Methods  # pyright: ignore[reportMissingModuleSource] - a stub alone
else:
    Methods = Generic


class Client(BaseClient, Methods[A]):
    """Calls an API over gRPC: Vertex AI's v1, v1beta1, or the Gemini API.

    It has a method for each method of the API's services: ``generate_content`` for GenerateContent.
    Each takes a ready request or its fields. Some take more: text for a conversation, say.

    A client may be shared by any number of threads. It opens no connection before its first
    call, and then one for each host. Use it as a context manager, or close it yourself.

    Every method takes ``timeout``, the seconds that the whole call may last, ``retries``, how
    often it may be made again, and ``metadata``, headers to be sent along. Every method raises
    ``UsageError``, ``JsonError`` or ``DecodeError`` before anything is sent, and otherwise
    nothing but ``CallError``.
    """

    @overload
    def __init__(
        self: Client[Literal["v1"]],
        *,
        api: Literal["v1"] = "v1",
        **options: Unpack[t.Options],
    ) -> None: ...

    @overload
    def __init__(
        self: Client[Literal["v1beta1"]],
        *,
        api: Literal["v1beta1"],
        **options: Unpack[t.Options],
    ) -> None: ...

    @overload
    def __init__(
        self: Client[Literal["gemini"]],
        *,
        api: Literal["gemini"],
        **options: Unpack[t.Options],
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
        channel: grpc.Channel | None = None,
        channel_options: Sequence[tuple[str, object]] = (),
        interceptors: Sequence[t.Interceptor] = (),
        log_contents: bool = False,
        timeout: float = 600.0,
        retries: int = 4,
        on_retry: Callable[[Retry], object] | None = None,
    ) -> None:
        """Checks the arguments; nothing is looked up or opened yet.

        Args:
            api: Name of the API: ``v1``, ``v1beta1`` or ``gemini``, which has neither projects
                nor locations.
            project: Project for models that are called by a short name. Else the one in
                GOOGLE_CLOUD_PROJECT, else that of the credential.
            location: Location for such models, and of the host that is called. Else the one in
                GOOGLE_CLOUD_LOCATION; a model's full name brings its own.
            api_endpoint: ``host``, ``host:port`` or a target of gRPC's, whatever the location.
            credentials: A credential of google.auth. Without one, and without a key, the
                application default credentials are looked up at the first call.
            api_key: An API key.
            quota_project: The project to charge, if not the credential's.
            root_certificates: Certificates of the authorities to trust, as PEM.
            client_certificate: A certificate of the client's own and its private key, as PEM, or
                a function that returns them, which is asked for each new connection, in a thread.
                Else the machine's, if GOOGLE_API_USE_CLIENT_CERTIFICATE says so; whether it has
                one is looked for now.
            universe_domain: Domain of the cloud. Else the one in GOOGLE_CLOUD_UNIVERSE_DOMAIN,
                else the credential's, which is mostly ``googleapis.com``.
            insecure: Calls without TLS, and without looking for a credential.
            channel: A ready channel to call through. It is not closed with the client, and
                carries its own credentials.
            channel_options: Options for gRPC, which go over the defaults.
            interceptors: Interceptors of gRPC; the first is the outermost. Requests and
                responses are bytes to them.
            log_contents: Whether the logger ``toolwire`` shows, at DEBUG, what is said, too.
            timeout: Seconds that a call may last if it does not say otherwise itself.
            retries: How often a call that failed may be made again, if it does not say otherwise
                itself; 0 for never.
            on_retry: Is told of each retry before the wait for it.

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
        self._interceptors = check_interceptors(interceptors, KINDS)
        super().__init__(api, given, options=channel_options, retries=retries, on_retry=on_retry)
        if channel is not None:
            check_ready(
                channel,
                grpc.Channel,
                api_endpoint=api_endpoint,
                channel_options=channel_options,
            )
            channel = intercept(channel, self._interceptors)
        settings, options = self._core.settings, self._options
        self._lines = Lines(partial(dial, settings, options, self._interceptors), channel)
        self._caller = Caller(self._core, self._lines, self._retrying)

    def close(self) -> None:
        """Closes the connections, which cancels their calls; not so a ready channel."""
        for channel in self._lines.close():
            channel.close()

    if not TYPE_CHECKING:  # which has it, typed for each API, from the generated stub

        def run_tools(self, *given: object, tools: object, **options: Any) -> Any:
            """Calls a model, runs the functions that it calls, and goes on until it is done.

            What a function does wrong, and what the model does wrong with it, goes back as the
            reply to that call. Mode ANY holds for the first turn with calls, AUTO from then on.

            Args:
                *given: The model, and what is said first: text, parts, turns, or a list of them.
                    Or a ready request, as a message or a dict, which is not changed.
                tools: Python functions, each by itself or paired with what declares it,
                    toolboxes, and tools as messages or dicts, beside those of a ready request.
                    Only the functions run; a call of what only a message declares ends the loop,
                    and stays ``pending`` in the transcript.
                **options: Other fields of the request, such as ``system_instruction``, and:
                    ``max_turns``, how often the model may be called (10).
                    ``tool_timeout``, seconds that each call of a Python function may take.
                    ``threads``, how many blocking functions may run side by side (8). Where a
                    toolbox has its own ``timeout`` or ``threads``, that counts.
                    ``before`` and ``after``, hooks as a toolbox has them, for all functions.
                    ``on_chunk``, which gets each chunk of each response as it comes.
                    ``timeout``, seconds for everything; without it, the client's for each call
                    of the model. ``retries`` and ``metadata``, as for every method.

            Returns:
                The transcript.

            Raises:
                CallError: If a call of the model fails. It has the transcript.
                ToolLoopError: If a limit, of turns or of time, is reached. It has the transcript.
                UsageError: If an argument is wrong, or a hook returns what it must not.
                JsonError: If a value does not fit its field.
                DeclarationError: If a function cannot be declared.
                ConversionError: If chunks of a stream contradict each other, or put arguments
                    together that nest too deeply. It has the transcript.
            """
            from toolwire._client.blocking._tool_loop import run  # noqa: PLC0415
            from toolwire._client.tool_loop._loop import Loop  # noqa: PLC0415 - most clients need none

            return run(self._caller, Loop(self._api, given, tools, options))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _maker(self, method: Method[Any, Any]) -> Callable[..., Any]:
        if method.sends_many:
            return partial(Session[Any, Any], self._caller)
        if method.gets_many:
            return partial(Stream[Any], self._caller)
        if method.paging is not None:
            return partial(Pager[Any, Any], self._caller)
        return self._caller.call
