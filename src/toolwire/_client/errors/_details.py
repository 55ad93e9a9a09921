"""The details of an error: what is packed into the ``google.rpc.Status`` that came with it.

They become messages of our own pool, which type checkers know. Nothing here fails for the sake
of a detail: one of an unknown type, or with bytes that are not of its type, stays as it came.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, cast, get_args

from google.protobuf.message import DecodeError

from toolwire.details import Any, Detail, RequestInfo
from toolwire_pb.google.rpc.status_pb2 import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolwire._client._headers import Header

_KINDS: Mapping[str, type[Detail]] = MappingProxyType(
    {kind.DESCRIPTOR.full_name: kind for kind in get_args(Detail) if kind is not Any}
)

_REQUEST_ID_HEADERS = ("x-request-id", "request-id", "x-goog-request-id")


def read_details(status: bytes) -> tuple[Detail, ...]:
    """Returns the details in an encoded ``google.rpc.Status``.

    Raises:
        DecodeError: protobuf's own, if the bytes are no Status.
    """
    return tuple(map(_read, Status.FromString(status).details))


def _read(packed: Any) -> Detail:
    kind = _KINDS.get(packed.type_url.rpartition("/")[2])
    if kind is None:
        return _copy(packed)
    try:
        return kind.FromString(packed.value)
    except DecodeError:
        return _copy(packed)


def _copy(packed: Any) -> Any:
    """Takes an Any out of its Status, which would live on with it."""
    return Any(type_url=packed.type_url, value=packed.value)


def find_request_id(details: Iterable[Detail], headers: Iterable[Header]) -> str:
    """Returns what the server calls the request, for its operators; empty if it does not say.

    Args:
        details: The details of the error.
        headers: The headers and trailers of the answer.
    """
    for detail in details:
        if isinstance(detail, RequestInfo) and detail.request_id:
            return detail.request_id
    values = dict(headers)
    found = next(filter(None, map(values.get, _REQUEST_ID_HEADERS)), "")
    return cast("str", found)  # bytes only where a name ends in -bin
