"""The client that blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Literal, NoReturn, overload

import grpc

from toolwire._apis import find_api
from toolwire._client._calls import Caller
from toolwire._client._core import Core
from toolwire._client._hosts import parse_endpoint
from toolwire._client._lines import NO_PROXY, Lines, merge_options
from toolwire._client._methods import find_method
from toolwire._client._settings import Arguments, check_text, read_settings
from toolwire._client._types import Count, Reply
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from types import TracebackType

    from google.auth.credentials import Credentials
    from typing_extensions import Self, Unpack

    from toolwire import gemini, v1, v1beta1
    from toolwire._client import _types as t
    from toolwire._client._methods import Method
    from toolwire._client._stream import Stream
    from toolwire._client._types import Contents, Dict, Instruction, Metadata


def _check_ready(
    channel: object, api_endpoint: str | None, options: Sequence[tuple[str, object]]
) -> None:
    """Refuses what cannot be a ready channel, and what it would make meaningless."""
    if not isinstance(channel, grpc.Channel):
        kind = type(channel)
        raise UsageError(
            f"channel: expected a grpc.Channel, found a {kind.__module__}.{kind.__name__}"
        )
    if api_endpoint is not None or tuple(options):
        raise UsageError("a ready channel leaves nothing for api_endpoint and channel_options")


class Client(Generic[Reply, Count]):
    """Calls an API over gRPC: Vertex AI's v1, v1beta1, or the Gemini API.

    A client may be shared by any number of threads. It opens no connection before its first
    call, and then one for each host. Use it as a context manager, or close it yourself.

    Every method takes ``timeout``, the seconds that the whole call may last, and ``metadata``,
    headers to be sent along. Every method raises ``UsageError``, ``JsonError`` or
    ``DecodeError`` before anything is sent, and otherwise nothing but ``CallError``.
    """

    @overload
    def __init__(
        self: Client[v1.GenerateContentResponse, v1.CountTokensResponse],
        *,
        api: Literal["v1"] = "v1",
        **options: Unpack[t.Options],
    ) -> None: ...

    @overload
    def __init__(
        self: Client[v1beta1.GenerateContentResponse, v1beta1.CountTokensResponse],
        *,
        api: Literal["v1beta1"],
        **options: Unpack[t.Options],
    ) -> None: ...

    @overload
    def __init__(
        self: Client[gemini.GenerateContentResponse, gemini.CountTokensResponse],
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
        insecure: bool = False,
        channel: grpc.Channel | None = None,
        channel_options: Sequence[tuple[str, object]] = (),
        timeout: float = 600.0,
    ) -> None:
        """Checks the arguments; nothing is looked up or opened yet.

        Args:
            api: Name of the API: ``v1``, ``v1beta1`` or ``gemini``, which has neither projects
                nor locations.
            project: Project for models that are called by a short name. Else the one in
                GOOGLE_CLOUD_PROJECT, else that of the credential.
            location: Location for such models, and of the host that is called. Else the one in
                GOOGLE_CLOUD_LOCATION; a model's full name brings its own.
            api_endpoint: ``host`` or ``host:port`` to call, whatever the location.
            credentials: A credential of google.auth. Without one, and without a key, the
                application default credentials are looked up at the first call.
            api_key: An API key.
            quota_project: The project to charge, if not the credential's.
            root_certificates: Certificates of the authorities to trust, as PEM.
            insecure: Calls without TLS, and without looking for a credential.
            channel: A ready channel to call through. It is not closed with the client, and
                carries its own credentials.
            channel_options: Options for gRPC, which go over the defaults.
            timeout: Seconds that a call may last if it does not say otherwise itself.

        Raises:
            UsageError: If an argument is wrong, or does not go with another.
            DescriptorError: If there is no such API, or it has no services.
        """
        found = find_api(check_text("api", api))
        self._generate: Method[Any, Reply] = find_method(found, "GenerateContent")
        self._stream_generate: Method[Any, Reply] = find_method(found, "StreamGenerateContent")
        self._count: Method[Any, Count] = find_method(found, "CountTokens")
        given = Arguments(
            project=project,
            location=location,
            api_endpoint=api_endpoint,
            credentials=credentials,
            api_key=api_key,
            quota_project=quota_project,
            root_certificates=root_certificates,
            insecure=insecure,
            timeout=timeout,
            has_channel=channel is not None,
        )
        self._options = merge_options(channel_options)
        if channel is not None:
            _check_ready(channel, api_endpoint, channel_options)
        settings = read_settings(found, self._generate.scopes, given)
        self._core = Core(settings, f"grpc/{grpc.__version__}", has_channel=channel is not None)
        self._lines = Lines(self._dial, channel)
        self._caller = Caller(self._core, self._lines)

    @overload
    def generate_content(
        self,
        request: t.GenerateContentRequest | Dict,
        /,
        *,
        timeout: float | None = None,
        metadata: Metadata = (),
    ) -> Reply: ...

    @overload
    def generate_content(
        self,
        model: str,
        contents: Contents,
        *,
        tools: Iterable[t.Tool | Dict] | None = None,
        tool_config: t.ToolConfig | Dict | None = None,
        system_instruction: Instruction | None = None,
        generation_config: t.GenerationConfig | Dict | None = None,
        safety_settings: Iterable[t.SafetySetting | Dict] | None = None,
        cached_content: str | None = None,
        labels: Mapping[str, str] | None = None,
        timeout: float | None = None,
        metadata: Metadata = (),
    ) -> Reply: ...

    def generate_content(
        self,
        model: str | t.GenerateContentRequest | Dict,
        contents: Contents | None = None,
        *,
        timeout: float | None = None,
        metadata: Metadata = (),
        **fields: object,
    ) -> Reply:
        """Returns the model's whole reply at once.

        Args:
            model: The model: its short name, its resource name, or the number of an endpoint.
                Or a ready request (or a dict of one), which takes no other fields.
            contents: The conversation: text, parts, turns, dicts of these, or a list of them.
            timeout: Seconds that the call may last.
            metadata: Headers to send along.
            **fields: The other fields of the request by their proto names: ``tools``,
                ``tool_config``, ``system_instruction``, ``generation_config``,
                ``safety_settings``, ``cached_content``, ``labels``, or any that it has.

        Raises:
            UsageError: If the call cannot be made.
            JsonError: If a value does not fit its field.
            CallError: If the call fails.
        """
        return self._caller.call(
            self._generate, model, {"contents": contents, **fields}, timeout, metadata
        )

    @overload
    def stream_generate_content(
        self,
        request: t.GenerateContentRequest | Dict,
        /,
        *,
        timeout: float | None = None,
        metadata: Metadata = (),
    ) -> Stream[Reply]: ...

    @overload
    def stream_generate_content(
        self,
        model: str,
        contents: Contents,
        *,
        tools: Iterable[t.Tool | Dict] | None = None,
        tool_config: t.ToolConfig | Dict | None = None,
        system_instruction: Instruction | None = None,
        generation_config: t.GenerationConfig | Dict | None = None,
        safety_settings: Iterable[t.SafetySetting | Dict] | None = None,
        cached_content: str | None = None,
        labels: Mapping[str, str] | None = None,
        timeout: float | None = None,
        metadata: Metadata = (),
    ) -> Stream[Reply]: ...

    def stream_generate_content(
        self,
        model: str | t.GenerateContentRequest | Dict,
        contents: Contents | None = None,
        *,
        timeout: float | None = None,
        metadata: Metadata = (),
        **fields: object,
    ) -> Stream[Reply]:
        """Returns the model's reply in chunks, as it is written.

        The call begins at once. Its timeout counts from then to the last chunk.

        Args:
            model: As for ``generate_content``.
            contents: As for ``generate_content``.
            timeout: Seconds that the call may last.
            metadata: Headers to send along.
            **fields: As for ``generate_content``.

        Raises:
            UsageError: If the call cannot be made.
            JsonError: If a value does not fit its field.
            CallError: If the credential cannot be had; what else fails, reading tells.
        """
        return self._caller.start(
            self._stream_generate, model, {"contents": contents, **fields}, timeout, metadata
        )

    @overload
    def count_tokens(
        self,
        request: t.CountTokensRequest | Dict,
        /,
        *,
        timeout: float | None = None,
        metadata: Metadata = (),
    ) -> Count: ...

    @overload
    def count_tokens(
        self,
        model: str,
        contents: Contents | None = None,
        *,
        tools: Iterable[t.Tool | Dict] | None = None,
        system_instruction: Instruction | None = None,
        generation_config: t.GenerationConfig | Dict | None = None,
        generate_content_request: t.GenerateContentRequest | Dict | None = None,
        instances: Iterable[object] | None = None,
        timeout: float | None = None,
        metadata: Metadata = (),
    ) -> Count: ...

    def count_tokens(
        self,
        model: str | t.CountTokensRequest | Dict,
        contents: Contents | None = None,
        *,
        timeout: float | None = None,
        metadata: Metadata = (),
        **fields: object,
    ) -> Count:
        """Returns how many tokens an input has.

        Args:
            model: As for ``generate_content``.
            contents: The conversation, as for ``generate_content``.
            timeout: Seconds that the call may last.
            metadata: Headers to send along.
            **fields: The other fields of the request: ``tools``, ``system_instruction``,
                ``generation_config``; in Vertex AI ``instances``, for a model that is called by
                Predict. The Gemini API counts whole requests: what goes with the contents is put
                into a ``generate_content_request``, which may be given itself, too.

        Raises:
            UsageError: If the call cannot be made.
            JsonError: If a value does not fit its field.
            CallError: If the call fails.
        """
        return self._caller.call(
            self._count, model, {"contents": contents, **fields}, timeout, metadata
        )

    def close(self) -> None:
        """Closes the connections, but for a ready channel. Calls under way are cancelled."""
        self._lines.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self._core.describe()})"

    def __reduce__(self) -> NoReturn:
        raise UsageError("a client cannot be pickled or copied: make one in each process")

    def _dial(self, target: str) -> grpc.Channel:
        settings = self._core.settings
        options = self._options
        if settings.is_plaintext or parse_endpoint(target).is_loopback:
            options = (*options, NO_PROXY)  # the first of two wins, so the user's does
        if settings.is_plaintext:
            return grpc.insecure_channel(target, options)
        credentials = grpc.ssl_channel_credentials(settings.root_certificates)
        return grpc.secure_channel(target, credentials, options)
