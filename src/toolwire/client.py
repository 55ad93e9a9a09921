"""The gRPC client, and the errors of its calls."""

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
from toolwire._client._stream import Stream
from toolwire._client._sync import Client
from toolwire._errors import UsageError

__all__ = [
    "CallError",
    "Cancelled",
    "Client",
    "DeadlineExceeded",
    "InvalidArgument",
    "NotFound",
    "PermissionDenied",
    "ResourceExhausted",
    "Stream",
    "Unauthenticated",
    "Unavailable",
    "UsageError",
]
