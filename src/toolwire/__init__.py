"""Typed Python bindings for the Tool part of Google's generative APIs.

``from toolwire import v1`` gives the messages; the functions here turn them into JSON and back;
``oneof`` and ``retrieval`` help with oneofs; ``Client`` calls the services. What needs grpc is
loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from toolwire._errors import (
    ConversionError,
    DecodeError,
    DescriptorError,
    Error,
    JsonError,
    MissingExtraError,
    UsageError,
    ValidationError,
    Violation,
)
from toolwire._json import (
    JSON_CODEC,
    UnknownFields,
    from_binary,
    from_dict,
    from_json,
    to_dict,
    to_json,
    to_json_bytes,
)
from toolwire._lazy import lazy_attributes
from toolwire._version import __version__

if TYPE_CHECKING:
    from toolwire import client, oneof, retrieval, streams, testing, v1
    from toolwire.client import Client

__all__ = [
    "JSON_CODEC",
    "CallError",
    "Cancelled",
    "Client",
    "ConversionError",
    "DeadlineExceeded",
    "DecodeError",
    "DescriptorError",
    "Error",
    "InvalidArgument",
    "JsonError",
    "MissingExtraError",
    "NotFound",
    "PermissionDenied",
    "ResourceExhausted",
    "Unauthenticated",
    "Unavailable",
    "UnknownFields",
    "UsageError",
    "ValidationError",
    "Violation",
    "__version__",
    "client",
    "from_binary",
    "from_dict",
    "from_json",
    "oneof",
    "retrieval",
    "streams",
    "testing",
    "to_dict",
    "to_json",
    "to_json_bytes",
    "v1",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_attributes(
        __name__,
        {
            "Client": "toolwire.client",
            "client": "toolwire.client",
            "oneof": "toolwire.oneof",
            "retrieval": "toolwire.retrieval",
            "streams": "toolwire.streams",
            "testing": "toolwire.testing",
            "v1": "toolwire.v1",
        },
    )
