"""The gRPC clients, stubs of other services, and the errors of their calls."""

from toolwire._call_errors import (
    CallError,
    Cancelled,
    DeadlineExceeded,
    InvalidArgument,
    NotFound,
    PermissionDenied,
    ResourceExhausted,
    Unauthenticated,
    Unavailable,
)
from toolwire._client.aio._client import AsyncClient
from toolwire._client.aio._pager import AsyncPager
from toolwire._client.aio._session import AsyncSession
from toolwire._client.aio._stream import AsyncStream
from toolwire._client.aio._stubs import AsyncConnected, async_stub
from toolwire._client.blocking._client import Client
from toolwire._client.blocking._pager import Pager
from toolwire._client.blocking._session import Session
from toolwire._client.blocking._stream import Stream
from toolwire._client.blocking._stubs import Connected, stub
from toolwire._client.errors._retry import Retry
from toolwire._client.tool_loop._transcript import ToolLoopError, Transcript, Turn
from toolwire._errors import UsageError, own_errors

__all__ = [
    "AsyncClient",
    "AsyncConnected",
    "AsyncPager",
    "AsyncSession",
    "AsyncStream",
    "CallError",
    "Cancelled",
    "Client",
    "Connected",
    "DeadlineExceeded",
    "InvalidArgument",
    "NotFound",
    "Pager",
    "PermissionDenied",
    "ResourceExhausted",
    "Retry",
    "Session",
    "Stream",
    "ToolLoopError",
    "Transcript",
    "Turn",
    "Unauthenticated",
    "Unavailable",
    "UsageError",
    "async_stub",
    "stub",
]

own_errors(__name__)
