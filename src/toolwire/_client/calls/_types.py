"""What the constructors of clients and all methods take, as types."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypedDict, Union

if TYPE_CHECKING:
    import grpc
    from google.auth.credentials import Credentials

    from toolwire._client.credentials._mtls import Source
    from toolwire._client.errors._retry import Retry

Interceptor: TypeAlias = Union[
    "grpc.UnaryUnaryClientInterceptor",
    "grpc.UnaryStreamClientInterceptor",
    "grpc.StreamUnaryClientInterceptor",
    "grpc.StreamStreamClientInterceptor",
]
"""An interceptor of gRPC, of whichever kinds of calls."""

Metadata: TypeAlias = Mapping[str, str | bytes] | Iterable[tuple[str, str | bytes]]
"""Headers, as a mapping, or as pairs, of which several may have one name.

The value of one whose name ends in ``-bin`` is bytes.
"""


class CommonOptions(TypedDict, total=False):
    """The arguments that clients and stubs of both kinds take."""

    credentials: Credentials | None
    api_key: str | None
    quota_project: str | None
    root_certificates: bytes | None
    client_certificate: Source | None
    insecure: bool
    channel_options: Sequence[tuple[str, object]]
    timeout: float
    retries: int
    log_contents: bool


class StubOptions(CommonOptions, total=False):
    """What ``stub`` takes beside the target; it means what it means for a ``Client``."""

    channel: grpc.Channel | None
    on_retry: Callable[[Retry], object] | None
    interceptors: Sequence[Interceptor]


class AsyncStubOptions(CommonOptions, total=False):
    """What ``async_stub`` takes beside the target."""

    channel: grpc.aio.Channel | None
    on_retry: Callable[[Retry], Awaitable[object] | object] | None
    interceptors: Sequence[grpc.aio.ClientInterceptor]


class _ClientOptions(TypedDict, total=False):
    """The arguments that the constructors of clients alone take, beside the API."""

    project: str | None
    location: str | None
    api_endpoint: str | None
    universe_domain: str | None


class Options(_ClientOptions, StubOptions, total=False):
    """The arguments of a client's constructor beside the API."""


class AsyncOptions(_ClientOptions, AsyncStubOptions, total=False):
    """The arguments of an async client's constructor beside the API."""
