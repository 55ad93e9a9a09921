"""Errors of calls. They know nothing of the transport, and none of them holds a credential."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolwire._errors import Error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from google.protobuf.message import Message

_NANOS = 1_000_000_000


class CallError(Error):
    """A call that failed, on the way or at the server.

    The details are messages of protobuf's default pool (``google.rpc.error_details_pb2``). What
    is of another type, or does not parse as the type that it names, stays a raw
    ``google.protobuf.Any``: looking at an error never raises another one.

    Attributes:
        code: Canonical name of the status code, such as ``"INVALID_ARGUMENT"``.
        message: What the server, or gRPC, said.
        details: What else the server sent: ``BadRequest``, ``RetryInfo``, ``ErrorInfo`` ...
        method: Full name of the method.
        endpoint: Where the call went, as ``host:port``.
        credential: Which kind of credential it carried; never the credential itself.
        hint: What may help, in our own words; often empty.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        details: Sequence[Message] = (),
        method: str = "",
        endpoint: str = "",
        credential: str = "",
        hint: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.details = tuple(details)
        self.method = method
        self.endpoint = endpoint
        self.credential = credential
        self.hint = hint

    @property
    def retry_after(self) -> float | None:
        """Seconds to wait before another try, where the server says so."""
        for detail in self.details:
            if detail.DESCRIPTOR.full_name == "google.rpc.RetryInfo":
                delay: Any = getattr(detail, "retry_delay")  # noqa: B009 - the package has no types
                return max(0.0, float(delay.seconds + delay.nanos / _NANOS))
        return None

    def __str__(self) -> str:
        called = f"call of {self.method.rpartition('.')[2]}" if self.method else "call"
        where = f" at {self.endpoint}" if self.endpoint else ""
        parts = [f"{called}{where} failed with {self.code}: {self.message or 'no message'}"]
        parts += self._violations()
        if self.hint:
            parts.append(self.hint)
        return "; ".join(parts)

    def _violations(self) -> Iterator[str]:
        for detail in self.details:
            if detail.DESCRIPTOR.full_name == "google.rpc.BadRequest":
                violations: Any = getattr(detail, "field_violations")  # noqa: B009
                for violation in violations:
                    text = f"{violation.field}: {violation.description}"
                    if text not in self.message:  # a server may say the first one there too
                        yield text


class InvalidArgument(CallError):
    """The request is wrong, whatever the state of the server."""


class NotFound(CallError):
    """The model, or something else that the request names, does not exist."""


class PermissionDenied(CallError):
    """The caller is known and may not do this."""


class Unauthenticated(CallError):
    """The call carries no valid credential."""


class ResourceExhausted(CallError):
    """A quota is used up, or a message is too large."""


class Unavailable(CallError):
    """The server cannot be reached, or is not serving right now."""


class DeadlineExceeded(CallError):
    """The call's timeout ran out."""


class Cancelled(CallError):
    """The call was given up, mostly by the caller."""


_BY_CODE: dict[str, type[CallError]] = {
    "INVALID_ARGUMENT": InvalidArgument,
    "NOT_FOUND": NotFound,
    "PERMISSION_DENIED": PermissionDenied,
    "UNAUTHENTICATED": Unauthenticated,
    "RESOURCE_EXHAUSTED": ResourceExhausted,
    "UNAVAILABLE": Unavailable,
    "DEADLINE_EXCEEDED": DeadlineExceeded,
    "CANCELLED": Cancelled,
}


def error_class(code: str) -> type[CallError]:
    """Returns the class for a status code; ``CallError`` itself where it has none of its own."""
    return _BY_CODE.get(code, CallError)
