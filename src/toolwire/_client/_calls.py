"""Calls over gRPC: they begin, end or fail here, and none of gRPC's own errors gets out."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar, cast

import grpc
from google.protobuf.message import Message

from toolwire._client._headers import check_metadata
from toolwire._client._inputs import draft
from toolwire._client._secrets import secrets_in
from toolwire._client._settings import check_timeout
from toolwire._client._stream import Stream
from toolwire._errors import DecodeError, UsageError
from toolwire._messages import parse_binary

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolwire._call_errors import CallError
    from toolwire._client._core import Core
    from toolwire._client._failures import Site
    from toolwire._client._headers import Header, Headers
    from toolwire._client._lines import Line, Lines
    from toolwire._client._methods import Method
    from toolwire._client._types import Metadata
    from toolwire._errors import Error

Q = TypeVar("Q", bound=Message)
R = TypeVar("R", bound=Message)

_STATUS = "grpc-status-details-bin"
_CLOSED = "this client, or the channel that it was given, is closed"


@dataclass(frozen=True, slots=True, eq=False)
class _Prepared(Generic[Q, R]):
    """A call that is ready to be made."""

    core: Core
    method: Method[Q, R]
    line: Line
    data: bytes
    headers: Headers
    seconds: float
    end: float

    def left(self) -> float:
        """Returns the seconds that are left."""
        return self.end - time.monotonic()

    def site(self) -> Site:
        return self.core.site(self.method, self.line.route, self.seconds)

    def decode(self, data: bytes | None) -> R:
        """Returns the response, or raises the error for bytes that are none, or missing.

        gRPC gives None for a call that the server ended well without any response.
        """
        self.core.has_worked = True
        if data is None:
            raise self.site().fail("INTERNAL", "the server ended the call without a response")
        try:
            return parse_binary(self.method.response, data)
        except DecodeError as error:
            raise self.site().fail("INTERNAL", f"the response is {error}") from error

    def fail(self, error: grpc.RpcError) -> CallError:
        """Returns our error for one of gRPC's, which becomes its cause unless it shows a secret."""
        code, message, status, shown = _read_error(error)
        secrets = secrets_in(self.headers, self._request())
        failure = self.site().fail(code, message, status=status, secrets=secrets)
        if not any(secret.encode() in shown for secret in secrets):
            failure.__cause__ = error
        return failure

    def _request(self) -> Q | None:
        try:
            return parse_binary(self.method.request, self.data)
        except DecodeError:  # nested too deeply to be read
            return None


class Caller:
    """Makes the calls of one client."""

    def __init__(self, core: Core, lines: Lines) -> None:
        """Binds what decides about calls to what carries them.

        Args:
            core: Decides where they go and what they carry.
            lines: Has the channels.
        """
        self._core = core
        self._lines = lines

    def call(
        self,
        method: Method[Q, R],
        first: object,
        fields: Mapping[str, object],
        timeout: float | None,
        metadata: Metadata,
    ) -> R:
        """Makes a call with one response and waits for it.

        Args:
            method: The method.
            first: The model, or a ready request.
            fields: The other fields.
            timeout: Seconds that the call may last; None leaves it to the client.
            metadata: The user's headers.

        Raises:
            UsageError: If the call cannot be made.
            JsonError: If a value does not fit its field.
            CallError: If the call fails.
        """
        prepared = self._prepare(method, first, fields, timeout, metadata)
        failure: Error
        try:
            data = prepared.line.unary(
                prepared.data, timeout=prepared.left(), metadata=prepared.headers
            )
        except grpc.RpcError as error:
            failure = prepared.fail(error)
        except ValueError:  # all that gRPC raises once its headers are good
            failure = UsageError(_CLOSED)
        else:
            return prepared.decode(data)
        try:
            raise failure
        finally:
            del failure  # which refers to this frame

    def start(
        self,
        method: Method[Q, R],
        first: object,
        fields: Mapping[str, object],
        timeout: float | None,
        metadata: Metadata,
    ) -> Stream[R]:
        """Begins a call with a stream of responses.

        Args:
            method: The method.
            first: The model, or a ready request.
            fields: The other fields.
            timeout: Seconds that the whole call may last; None leaves it to the client.
            metadata: The user's headers.

        Raises:
            UsageError: If the call cannot be made.
            JsonError: If a value does not fit its field.
            CallError: If the credential cannot be had.
        """
        prepared = self._prepare(method, first, fields, timeout, metadata)
        try:
            call = prepared.line.stream(
                prepared.data, timeout=prepared.left(), metadata=prepared.headers
            )
        except ValueError:
            raise UsageError(_CLOSED) from None
        return Stream(call, prepared.decode, prepared.fail)

    def _prepare(
        self,
        method: Method[Q, R],
        first: object,
        fields: Mapping[str, object],
        timeout: float | None,
        metadata: Metadata,
    ) -> _Prepared[Q, R]:
        seconds = self._core.settings.timeout if timeout is None else check_timeout(timeout)
        end = time.monotonic() + seconds
        own = check_metadata(metadata)
        drafted = draft(method, first, fields)
        line = self._lines.find(method, drafted.name)
        if line is None:
            route = self._core.route(method, drafted.name, seconds)
            line = self._lines.connect(method, drafted.name, method.path, route)
        request = self._core.prepare(method, line.route, drafted)
        headers = self._core.sign(method, line.route, own, end - time.monotonic())
        return _Prepared(
            self._core, method, line, request.SerializeToString(), headers, seconds, end
        )


def _read_error(error: grpc.RpcError) -> tuple[str, str, bytes | None, bytes]:
    """Returns the code, the text and the encoded status of an error, and all that it shows."""
    if not isinstance(error, grpc.Call):
        return "UNKNOWN", str(error), None, f"{error!r}{error}".encode()
    trailers = _headers(error.trailing_metadata())
    status = dict(trailers).get(_STATUS)
    message = error.details() or ""
    shown: list[str | bytes] = [f"{error!r}{message}"]
    shown += (value for _, value in (*trailers, *_headers(error.initial_metadata())))
    return (
        error.code().name,
        message,
        status if isinstance(status, bytes) else None,
        b"\n".join(text if isinstance(text, bytes) else text.encode() for text in shown),
    )


def _headers(metadata: object) -> Headers:
    return tuple(cast("Iterable[Header]", metadata or ()))
