"""Errors out of what a transport reports: a code, a text, an encoded ``google.rpc.Status``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from google.protobuf.message import DecodeError

from toolwire._call_errors import CallError, error_class
from toolwire._client._secrets import hide, hide_in_bytes
from toolwire._client.errors._details import find_request_id, read_details
from toolwire._words import in_seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolwire._client._headers import Headers
    from toolwire.details import Detail

_STATUS = "grpc-status-details-bin"
_OTHER_HOST = "the server's certificate is for another host"
_OTHER_NAME = "does not match SSL server name"

# What gRPC and its TLS library say, and what a user can do about it.
_HINTS: tuple[tuple[str, str], ...] = (
    (
        "CERTIFICATE_VERIFY_FAILED",
        "the server's certificate is not trusted; pass its issuer's as root_certificates=",
    ),
    ("Hostname Verification Check failed", _OTHER_HOST),
    ("is not in peer certificate", _OTHER_HOST),
    ("Failed to create security handshaker", "the client_certificate and its key are no pair"),
    ("WRONG_VERSION_NUMBER", "the server does not speak TLS; is insecure=True missing?"),
    ("Failed parsing HTTP/2", "what listens there is no gRPC server"),
)
MAY_WANT_TLS = "the server may want TLS, and insecure=True was given"
"""A guess: a server that is just going away closes connections so, too."""

MAY_WANT_CERTIFICATE = "the server may want a client_certificate=, or another one"
"""A guess likewise."""


@dataclass(frozen=True, slots=True)
class Site:
    """The circumstances of a call, as an error tells them.

    Attributes:
        method: Full name of the method.
        endpoint: Where it went.
        credential: The kind of credential.
        may_want: What a server that has never answered may want that it does not get.
        proxy: The proxy on the way to it, if there is one.
        seconds: How long it was allowed to take.
        attempts: How often it has been made.
    """

    method: str
    endpoint: str
    credential: str
    may_want: str
    proxy: str
    seconds: float
    attempts: int

    def fail(
        self,
        code: str,
        message: str,
        *,
        headers: Headers = (),
        secrets: Sequence[str] = (),
    ) -> CallError:
        """Returns the error for a call.

        Args:
            code: Canonical name of the status code.
            message: What the server or the transport said.
            headers: The trailers and headers that came along; one of them may hold details.
            secrets: What must not be shown even if the server said it.
        """
        details: tuple[Detail, ...] = ()
        hint = self._hint(code, message)
        status = dict(headers).get(_STATUS)
        if isinstance(status, bytes):
            try:
                details = read_details(hide_in_bytes(status, secrets))
            except DecodeError:
                hint = _join(hint, "its error details cannot be read")
        return error_class(code)(
            hide(message, secrets),
            code=code,
            details=details,
            method=self.method,
            endpoint=self.endpoint,
            credential=self.credential,
            attempts=self.attempts,
            request_id=hide(find_request_id(details, headers), secrets),
            hint=hint,
        )

    def _hint(self, code: str, message: str) -> str:
        if _OTHER_NAME in message:  # which gRPC finds only after connecting
            return _OTHER_HOST
        if code in {"UNAUTHENTICATED", "PERMISSION_DENIED"}:
            return f"the credential: {self.credential}"
        way = f"calls there go through the proxy of {self.proxy}" if self.proxy else ""
        if code == "DEADLINE_EXCEEDED":
            return _join(f"the call had {in_seconds(self.seconds)}", way)
        if code != "UNAVAILABLE":
            return ""
        if "failed to connect" not in message:
            return way  # what breaks later says nothing of what listens there
        hint = next((hint for sign, hint in _HINTS if sign in message), "")
        is_open = not hint and not way and "Socket closed" in message
        return self.may_want if is_open else _join(hint, way)


def _join(*hints: str) -> str:
    return "; ".join(filter(None, hints))


def is_final(hint: str) -> bool:
    """Tells whether a hint says that the same call will not fare better."""
    return any(final in hint for _, final in _HINTS)
