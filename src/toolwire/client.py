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
from toolwire._client._async import AsyncClient
from toolwire._client._async_own import AsyncConnected, async_stub
from toolwire._client._async_pager import AsyncPager
from toolwire._client._async_session import AsyncSession
from toolwire._client._async_stream import AsyncStream
from toolwire._client._own import Connected, stub
from toolwire._client._pager import Pager
from toolwire._client._retry import Retry
from toolwire._client._session import Session
from toolwire._client._stream import Stream
from toolwire._client._sync import Client
from toolwire._client._transcript import ToolLoopError, Transcript, Turn
from toolwire._errors import UsageError

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
