"""Errors of calls. They know nothing of the transport, and none of them holds a credential."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from toolwire._errors import Error
from toolwire._words import counted, in_a_row, method_spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolwire._client.tool_loop._transcript import Transcript
    from toolwire.details import Detail

    D = TypeVar("D", bound=Detail)

_NANOS = 1_000_000_000
_MOST_SHOWN = 8  # violations in the text of an error; all of them are among its details

# The details that list what is wrong: their field, and what names the culprit in each entry.
_LISTS = {
    "google.rpc.BadRequest": ("field_violations", "field"),
    "google.rpc.QuotaFailure": ("violations", "subject"),
    "google.rpc.PreconditionFailure": ("violations", "subject"),
}


class CallError(Error):
    """A call that failed, on the way or at the server.

    The details are messages of ``toolwire.details``. What is of another type, or does not parse
    as the type that it names, stays a raw ``Any``: looking at an error never raises another one.

    Attributes:
        code: Canonical name of the status code, such as ``"INVALID_ARGUMENT"``.
        message: What the server, or gRPC, said.
        details: What else the server sent: ``BadRequest``, ``RetryInfo``, ``ErrorInfo`` ...
        method: Full name of the method.
        endpoint: Where the call went, as ``host:port``.
        credential: Which kind of credential it carried; never the credential itself.
        attempts: How often the call had been made by then.
        request_id: What the server calls the request; empty if it does not say.
        hint: What may help, in our own words; often empty.
        transcript: Out of ``run_tools``, what had been said until then; None anywhere else.
    """

    transcript: Transcript[Any, Any] | None = None

    def __init__(
        self,
        message: str,
        *,
        code: str,
        details: Sequence[Detail] = (),
        method: str = "",
        endpoint: str = "",
        credential: str = "",
        attempts: int = 1,
        request_id: str = "",
        hint: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.details = tuple(details)
        self.method = method
        self.endpoint = endpoint
        self.credential = credential
        self.attempts = attempts
        self.request_id = request_id
        self.hint = hint

    @property
    def retry_after(self) -> float | None:
        """Seconds to wait before another try, where the server says so."""
        for detail in self.details:
            if detail.DESCRIPTOR.full_name == "google.rpc.RetryInfo":
                delay: Any = getattr(detail, "retry_delay")  # noqa: B009 - narrowed by its name
                return max(0.0, float(delay.seconds + delay.nanos / _NANOS))
        return None

    def detail(self, kind: type[D]) -> D | None:
        """Returns the first detail of a kind, if there is one.

        Args:
            kind: Its class, one of ``toolwire.details``.
        """
        return next((detail for detail in self.details if isinstance(detail, kind)), None)

    def __str__(self) -> str:
        called = f"call of {method_spoken(self.method)}" if self.method else "call"
        where = f" at {self.endpoint}" if self.endpoint else ""
        after = f" after {counted(self.attempts, 'attempt')}" if self.attempts > 1 else ""
        parts = [f"{called}{where} failed with {self.code}{after}: {self.message or 'no message'}"]
        violations = self._violations()
        parts += filter(None, map(self._tell, violations[:_MOST_SHOWN]))
        if len(violations) > _MOST_SHOWN:
            parts.append(f"and {len(violations) - _MOST_SHOWN} more violations")
        parts += filter(None, (self.hint, self.request_id and f"request id {self.request_id}"))
        return in_a_row(parts)

    def _violations(self) -> list[tuple[Any, str]]:
        """Returns what is wrong, and what names the culprit in it."""
        found: list[tuple[Any, str]] = []
        for detail in self.details:
            entries, culprit = _LISTS.get(detail.DESCRIPTOR.full_name, ("", ""))
            found += [(each, culprit) for each in getattr(detail, entries)] if entries else []
        return found

    def _tell(self, violation: tuple[Any, str]) -> str:
        entry, culprit = violation
        text = ": ".join(filter(None, (getattr(entry, culprit), entry.description)))
        return "" if text in self.message else text  # a server may say the first one there too


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
