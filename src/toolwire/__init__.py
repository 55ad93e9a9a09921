"""Typed Python bindings for the Tool part of Google's generative APIs.

``from toolwire import v1`` gives the messages of Vertex AI, as ``v1beta1``, ``gemini`` and
``firebase`` give those of the other APIs; the functions here turn them into JSON and back;
``oneof`` and ``retrieval`` help with oneofs; ``functions`` declares Python functions and other
schemas; ``Client`` and ``AsyncClient`` call the services. What needs grpc or pydantic, and what few
programs need, is loaded on first use.
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
    AnswerError,
    ConversionError,
    DeclarationError,
    DecodeError,
    DescriptorError,
    Error,
    JsonError,
    MissingExtraError,
    UsageError,
    ValidationError,
    own_errors,
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
    from toolwire import (
        client,
        details,
        firebase,
        functions,
        gemini,
        oneof,
        retrieval,
        streams,
        testing,
        v1,
        v1beta1,
    )
    from toolwire._answers import join_chunks, text
    from toolwire._convert import Converted, convert, split_tool
    from toolwire._findings import Loss, Violation
    from toolwire._rules import validate, violations
    from toolwire.client import AsyncClient, Client

__all__ = [
    "JSON_CODEC",
    "AnswerError",
    "AsyncClient",
    "CallError",
    "Cancelled",
    "Client",
    "ConversionError",
    "Converted",
    "DeadlineExceeded",
    "DeclarationError",
    "DecodeError",
    "DescriptorError",
    "Error",
    "InvalidArgument",
    "JsonError",
    "Loss",
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
    "convert",
    "details",
    "firebase",
    "from_binary",
    "from_dict",
    "from_json",
    "functions",
    "gemini",
    "join_chunks",
    "oneof",
    "retrieval",
    "split_tool",
    "streams",
    "testing",
    "text",
    "to_dict",
    "to_json",
    "to_json_bytes",
    "v1",
    "v1beta1",
    "validate",
    "violations",
]

if not TYPE_CHECKING:
    own_errors(__name__)
    __getattr__, __dir__ = lazy_attributes(
        __name__,
        {
            "AsyncClient": "toolwire.client",
            "Client": "toolwire.client",
            "Converted": "toolwire._convert",
            "Loss": "toolwire._findings",
            "Violation": "toolwire._findings",
            "client": "toolwire.client",
            "convert": "toolwire._convert",
            "details": "toolwire.details",
            "firebase": "toolwire.firebase",
            "functions": "toolwire.functions",
            "gemini": "toolwire.gemini",
            "join_chunks": "toolwire._answers",
            "oneof": "toolwire.oneof",
            "retrieval": "toolwire.retrieval",
            "split_tool": "toolwire._convert",
            "streams": "toolwire.streams",
            "testing": "toolwire.testing",
            "text": "toolwire._answers",
            "v1": "toolwire.v1",
            "v1beta1": "toolwire.v1beta1",
            "validate": "toolwire._rules",
            "violations": "toolwire._rules",
        },
    )
