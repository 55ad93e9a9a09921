"""What the constructors of clients and all methods take, as types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypedDict, Union

if TYPE_CHECKING:
    import grpc
    from google.auth.credentials import Credentials

    from toolwire._client._mtls import Source
    from toolwire._client._retry import Retry

Interceptor: TypeAlias = Union[
    "grpc.UnaryUnaryClientInterceptor",
    "grpc.UnaryStreamClientInterceptor",
    "grpc.StreamUnaryClientInterceptor",
    "grpc.StreamStreamClientInterceptor",
]
"""An interceptor of gRPC, of whichever kinds of calls."""

Metadata: TypeAlias = Iterable[tuple[str, str | bytes]]
"""Headers; the value of one whose name ends in ``-bin`` is bytes."""


class _Common(TypedDict, total=False):
    """The arguments that the constructors of both clients take beside the API."""

    project: str | None
    location: str | None
    api_endpoint: str | None
    credentials: Credentials | None
    api_key: str | None
    quota_project: str | None
    root_certificates: bytes | None
    client_certificate: Source | None
    universe_domain: str | None
    insecure: bool
    channel_options: Sequence[tuple[str, object]]
    timeout: float
    retries: int
    on_retry: Callable[[Retry], object] | None
    log_contents: bool


class Options(_Common, total=False):
    """The arguments of a client's constructor beside the API."""

    channel: grpc.Channel | None
    interceptors: Sequence[Interceptor]


class AsyncOptions(_Common, total=False):
    """The arguments of an async client's constructor beside the API."""

    channel: grpc.aio.Channel | None
    interceptors: Sequence[grpc.aio.ClientInterceptor]
