"""Errors out of what a transport reports: a code, a text, an encoded ``google.rpc.Status``."""

# googleapis-common-protos has no types.
# mypy: disable-error-code="import-untyped"
# pyright: reportMissingTypeStubs=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2, status_pb2

from toolwire._call_errors import CallError, error_class
from toolwire._client._secrets import hide, hide_in_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from google.protobuf import any_pb2

_DETAILS: Mapping[str, type[Message]] = MappingProxyType(
    {
        kind.full_name: GetMessageClass(kind)
        for kind in error_details_pb2.DESCRIPTOR.message_types_by_name.values()
    }
)

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
    ("WRONG_VERSION_NUMBER", "the server does not speak TLS; is insecure=True missing?"),
    ("Failed parsing HTTP/2", "what listens there is no gRPC server"),
)
_PLAINTEXT_HINT = "the server may want TLS, and insecure=True was given"


@dataclass(frozen=True, slots=True)
class Site:
    """The circumstances of a call, as an error tells them.

    Attributes:
        method: Full name of the method.
        endpoint: Where it went.
        credential: The kind of credential.
        may_want_tls: Whether it went without TLS to a server that has never answered.
        seconds: How long it was allowed to take.
    """

    method: str
    endpoint: str
    credential: str
    may_want_tls: bool
    seconds: float

    def fail(
        self,
        code: str,
        message: str,
        *,
        status: bytes | None = None,
        secrets: Sequence[str] = (),
    ) -> CallError:
        """Returns the error for a call.

        Args:
            code: Canonical name of the status code.
            message: What the server or the transport said.
            status: The encoded ``google.rpc.Status`` that came along.
            secrets: What must not be shown even if the server said it.
        """
        details: tuple[Message, ...] = ()
        hint = self._hint(code, message)
        if status is not None:
            try:
                details = _read_details(hide_in_bytes(status, secrets))
            except DecodeError:
                hint = "; ".join(filter(None, (hint, "its error details cannot be read")))
        return error_class(code)(
            hide(message, secrets),
            code=code,
            details=details,
            method=self.method,
            endpoint=self.endpoint,
            credential=self.credential,
            hint=hint,
        )

    def _hint(self, code: str, message: str) -> str:
        if _OTHER_NAME in message:  # which gRPC finds only after connecting
            return _OTHER_HOST
        if code in {"UNAUTHENTICATED", "PERMISSION_DENIED"}:
            return f"the call was made with {self.credential}"
        if code == "DEADLINE_EXCEEDED":
            return f"the call had {self.seconds:g} seconds"
        if code != "UNAVAILABLE":
            return ""
        if self.may_want_tls and _is_hung_up(message):
            return _PLAINTEXT_HINT
        return next((hint for sign, hint in _HINTS if sign in message), "")


def _is_hung_up(message: str) -> bool:
    """Tells whether the server closed the connection before it said anything."""
    return "failed to connect" in message and "Socket closed" in message


def _read_details(status: bytes) -> tuple[Message, ...]:
    return tuple(_read_detail(detail) for detail in status_pb2.Status.FromString(status).details)


def _read_detail(detail: any_pb2.Any) -> Message:
    """Returns the message inside, or the Any itself if its type is unknown or its bytes are bad."""
    cls = _DETAILS.get(detail.type_url.rpartition("/")[2])
    if cls is None:
        return detail
    try:
        return cls.FromString(detail.value)
    except DecodeError:
        return detail
