"""The logger ``toolwire``: one line for each call at DEBUG, and what was said only on request.

Secrets are masked in either case. Nothing is made up for a line that nobody wants.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from toolwire._client._secrets import hide_in_bytes, secrets_in
from toolwire._errors import Error
from toolwire._json import to_json
from toolwire._messages import parse_binary
from toolwire._words import counted, method_spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

    from google.protobuf.message import Message

    from toolwire._client.calls._core import Core
    from toolwire._client.errors._failures import Site
    from toolwire._client.requests._methods import Method

LOGGER = logging.getLogger("toolwire")

_LONGEST = 20_000  # characters of a message


@dataclass(frozen=True, slots=True)
class Report:
    """What is known of a call. Handlers find it as ``record.call`` of every record.

    Attributes:
        method: Full name of the method.
        endpoint: Where the call went.
        code: Name of the status code that it ended with; empty where it has not ended.
        seconds: How long it took, retries included; so far, where it has not ended.
        sent: Size of the request in bytes; of several, of those that have gone out.
        received: Size of what came back, in bytes.
        chunks: How many messages came back.
        attempts: How often the call was made.
    """

    method: str
    endpoint: str
    code: str
    seconds: float
    sent: int
    received: int
    chunks: int
    attempts: int

    def __str__(self) -> str:
        return (
            f"{method_spoken(self.method)} at {self.endpoint}: {self.code} after "
            f"{self.seconds:.3f} s, {counted(self.attempts, 'attempt')}, {self.sent} bytes out, "
            f"{self.received} bytes in ({counted(self.chunks, 'message')})"
        )


def is_on() -> bool:
    """Tells whether anybody wants to know of calls."""
    return LOGGER.isEnabledFor(logging.DEBUG)


class Logged(Protocol):
    """A call, as far as the log asks."""

    @property
    def core(self) -> Core:
        """The client's decisions."""
        ...

    @property
    def method(self) -> Method[Any, Any]:
        """The method."""
        ...

    @property
    def attempts(self) -> int:
        """How often it has been made."""
        ...

    def secrets(self) -> Sequence[str]:
        """Returns what must not be shown."""
        ...

    def site(self) -> Site:
        """Returns the circumstances."""
        ...

    def left(self) -> float:
        """Returns the seconds that are left."""
        ...


class CallLog:
    """What is noted of one call while it lasts."""

    __slots__ = ("_chunks", "_has_shown", "_is_ended", "_left", "_received", "_sent")

    def __init__(self, left: float) -> None:
        """Begins.

        Args:
            left: The seconds that the call has.
        """
        self._left = left
        self._sent = 0
        self._received = 0
        self._chunks = 0
        self._has_shown = False
        self._is_ended = False

    def send(self, call: Logged, data: bytes) -> None:
        """Notes a message that is about to be sent, and shows the first if that is wanted."""
        self._sent += len(data)
        if call.core.settings.log_contents and not self._has_shown:
            self._has_shown = True
            self._show(call, "sent", call.method.request, data)

    def receive(self, call: Logged, data: bytes | None) -> None:
        """Notes one message of the answer, and shows it if that is wanted."""
        if not isinstance(data, bytes):  # there is none, or an interceptor has put it there
            return
        self._received += len(data)
        self._chunks += 1
        if call.core.settings.log_contents:
            self._show(call, "received", call.method.response, data)

    def end(self, call: Logged, code: str) -> None:
        """Writes the line of a call that has ended, the first time that it does."""
        if self._is_ended:
            return
        self._is_ended = True
        report = self._report(call, code)
        LOGGER.debug("%s", report, extra={"call": report})

    def _report(self, call: Logged, code: str = "") -> Report:
        site = call.site()
        return Report(
            method=site.method,
            endpoint=site.endpoint,
            code=code,
            seconds=self._left - call.left(),
            sent=self._sent,
            received=self._received,
            chunks=self._chunks,
            attempts=call.attempts,
        )

    def _show(self, call: Logged, direction: str, kind: type[Message], data: bytes) -> None:
        text = _to_text(kind, data, call.secrets())
        report = self._report(call)
        extra = {"call": report}
        LOGGER.debug("%s %s %s", method_spoken(report.method), direction, text, extra=extra)


def _to_text(kind: type[Message], data: bytes, secrets: Sequence[str]) -> str:
    """Returns a message as JSON, with asterisks for secrets: those given, and its own."""
    try:
        own = secrets_in((), parse_binary(kind, data))
        text = to_json(parse_binary(kind, hide_in_bytes(data, (*own, *secrets))))
    except Error as error:  # what cannot be read, or has no JSON
        return f"{len(data)} bytes ({type(error).__name__})"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}... ({len(text)} characters)"
