"""What a server may say of an error beside its code and its message (``google.rpc``).

    from toolwire import details

    try:
        client.generate_content("gemini-2.5-flash", "Hello")
    except toolwire.CallError as error:
        bad = error.detail(details.BadRequest)
        for violation in bad.field_violations if bad else ():
            print(violation.field, violation.description)

They are messages of our own pool, typed like all others.
"""

from __future__ import annotations

from typing import TypeAlias, Union

from toolwire_pb.google.protobuf.any_pb2 import Any
from toolwire_pb.google.rpc.error_details_pb2 import (
    BadRequest,
    DebugInfo,
    ErrorInfo,
    Help,
    LocalizedMessage,
    PreconditionFailure,
    QuotaFailure,
    RequestInfo,
    ResourceInfo,
    RetryInfo,
)

__all__ = [
    "Any",
    "BadRequest",
    "DebugInfo",
    "Detail",
    "ErrorInfo",
    "Help",
    "LocalizedMessage",
    "PreconditionFailure",
    "QuotaFailure",
    "RequestInfo",
    "ResourceInfo",
    "RetryInfo",
]

Detail: TypeAlias = Union[  # noqa: UP007 - evaluated at run time, where message classes have no |
    BadRequest,
    DebugInfo,
    ErrorInfo,
    Help,
    LocalizedMessage,
    PreconditionFailure,
    QuotaFailure,
    RequestInfo,
    ResourceInfo,
    RetryInfo,
    Any,
]
"""One detail of an error; an ``Any`` where its type is unknown or its bytes are not of it."""
