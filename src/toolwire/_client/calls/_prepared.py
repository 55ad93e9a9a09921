"""One call from its arguments to its end, as every transport makes it: no waiting, no sending."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from google.protobuf.message import DecodeError as ProtobufDecodeError
from google.protobuf.message import Message

from toolwire._client._headers import check_metadata
from toolwire._client._secrets import hide_in_bytes, may_hold_secrets, secrets_in
from toolwire._client.calls._log import CallLog, is_on
from toolwire._client.calls._settings import check_timeout
from toolwire._client.errors._retry import Retry, check_retries
from toolwire._client.requests._inputs import draft
from toolwire._errors import DecodeError, UsageError
from toolwire._messages import parse_binary
from toolwire._words import kind_spoken

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolwire._call_errors import CallError
    from toolwire._client._headers import Headers
    from toolwire._client.calls._core import Core, Route
    from toolwire._client.calls._types import Metadata
    from toolwire._client.credentials._identity import IdentityError
    from toolwire._client.errors._failures import Site
    from toolwire._client.errors._retry import Retrying
    from toolwire._client.requests._methods import Method

Q = TypeVar("Q", bound=Message)
R = TypeVar("R", bound=Message)

_MOST_SECRETS = 1000  # of a stream of requests, the newest


class Options:
    """How a call is to be made, apart from what it says."""

    __slots__ = ("metadata", "retries", "timeout")

    def __init__(
        self, timeout: float | None = None, retries: int | None = None, metadata: Metadata = ()
    ) -> None:
        """Takes the arguments that every method has; nothing is checked yet."""
        self.timeout = timeout
        self.retries = retries
        self.metadata = metadata


class Prepared(Generic[Q, R]):
    """A call: what it carries, how long it may take, and how often it has been tried.

    Attributes:
        core: The client's decisions.
        method: The method.
        name: Who answers, as the caller spelled it.
        route: Where it goes, once that is known.
        data: The encoded request; of several, the first.
        headers: What goes along, once it is signed.
        seconds: How long the whole call may take.
        log: What will be said of it; None if nobody listens.
    """

    __slots__ = (
        "_draft",
        "_end",
        "_own",
        "_parse",
        "_retries",
        "_retrying",
        "_sent_secrets",
        "_tries",
        "_was_renewed",
        "core",
        "data",
        "headers",
        "log",
        "method",
        "name",
        "route",
        "seconds",
    )

    route: Route
    data: bytes
    headers: Headers

    def __init__(
        self,
        core: Core,
        retrying: Retrying,
        method: Method[Q, R],
        given: Sequence[object],
        fields: Mapping[str, object],
        *,
        options: Options,
    ) -> None:
        """Reads the arguments of a call.

        Args:
            core: The client's decisions.
            retrying: How it tries again.
            method: The method.
            given: The arguments without a name.
            fields: Those with one.
            options: How the call is to be made.

        Raises:
            UsageError: If an argument is wrong.
            JsonError: If a value does not fit its field.
        """
        self.core = core
        self.method = method
        timeout, retries, metadata = options.timeout, options.retries, options.metadata
        self.seconds = core.settings.timeout if timeout is None else check_timeout(timeout)
        self._end = retrying.clock() + self.seconds
        self._retrying = retrying
        self._retries = retrying.count if retries is None else check_retries(retries)
        if retries and not method.retryable:
            raise UsageError(f"{method.name} is never made again by itself: leave retries out")
        self._tries = 0
        self._was_renewed = False
        self.log = CallLog(self.left()) if is_on() else None
        self._sent_secrets: dict[str, None] = {}  # in the order in which they were sent
        self._own: Headers = ()
        if metadata != ():
            self._own = check_metadata(metadata)
            core.check_headers(self._own)
        self._draft = draft(method, given, fields)
        self.name = self._draft.name
        self._parse = method.response.FromString

    def aim(self, route: Route) -> None:
        """Makes out the request for where it goes.

        Raises:
            UsageError: If a resource's name is none, or lies in another location.
        """
        self.route = route
        self.data = self.core.encode(self.method, route, self._draft)

    def sign(self, signed: Headers) -> None:
        """Takes the headers with the credential."""
        self.headers = signed + self._own
        if self.log is not None and not self.method.sends_many and self.attempts == 1:
            self.log.send(self, self.data)

    def send(self, data: bytes) -> bytes:
        """Notes one of several requests, as it goes out, and returns it."""
        self.data = self.data or data
        if may_hold_secrets(self.method.request):
            self._note_secrets(data)
        if self.log is not None:
            self.log.send(self, data)
        return data

    def _note_secrets(self, data: bytes) -> None:
        """Notes what a request says that must not be shown: the request itself is not kept."""
        noted = self._sent_secrets
        for secret in secrets_in((), self._parse_request(data)):
            noted.pop(secret, None)
            noted[secret] = None
            if len(noted) > _MOST_SECRETS:
                del noted[next(iter(noted))]

    def left(self) -> float:
        """Returns the seconds that are left."""
        return self._end - self._retrying.clock()

    def site(self) -> Site:
        """Returns the circumstances, for an error."""
        route = getattr(self, "route", None)
        return self.core.site(self.method, route, self.seconds, self.attempts)

    def decode(self, data: bytes | None) -> R:
        """Returns the response, or raises the error for bytes that are none, or missing."""
        self.core.has_worked = True
        if self.log is not None:
            self.log.receive(self, data)
        try:
            return self._parse(data)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        except (ProtobufDecodeError, UnicodeDecodeError, TypeError):
            return self._decode_again(data)

    def finish(self, data: bytes | None) -> R:
        """Returns the only response, and notes that the call has ended well."""
        response = self.decode(data)
        self.end()
        return response

    def _decode_again(self, data: object) -> R:
        if data is None:  # which gRPC gives for a call that ended well without a response
            reason = "the server ended the call without a response"
            raise self.ended(self.site().fail("INTERNAL", reason))
        if not isinstance(data, bytes):
            found = kind_spoken(data)
            raise UsageError(f"an interceptor must return responses as bytes, found {found}")
        try:
            return parse_binary(self.method.response, data)
        except DecodeError as error:
            failure = self.site().fail("INTERNAL", f"the response is {error}")
            raise self.ended(failure) from error

    def fail(
        self, code: str, message: str, headers: Headers, shown: bytes
    ) -> tuple[CallError, bool]:
        """Returns the error for what a transport reports, and whether that shows a secret.

        Args:
            code: Name of the status code.
            message: What the server or the transport said.
            headers: What came along.
            shown: All that the transport's own error shows.
        """
        secrets = self.secrets()
        failure = self.site().fail(code, message, headers=headers, secrets=secrets)
        return failure, hide_in_bytes(shown, secrets) != shown

    def refuse(self, error: IdentityError) -> CallError:
        """Returns the error for a credential that cannot be had."""
        return self.ended(self.site().fail(error.code, error.message))

    def cancelled(self, message: str) -> CallError:
        """Returns the error for a call that was given up on this side."""
        return self.ended(self.site().fail("CANCELLED", message))

    def ended(self, failure: CallError) -> CallError:
        """Returns the error that the call ends with, and notes that it does."""
        self.end(failure.code)
        return failure

    def end(self, code: str = "OK") -> None:
        """Notes, once, what the call ends with."""
        if self.log is not None:
            self.log.end(self, code)

    @property
    def attempts(self) -> int:
        """How often the call has been made."""
        return 1 + self._tries + self._was_renewed

    def wants_new_token(self, failure: CallError) -> bool:
        """Tells, once, whether a new token may help."""
        if failure.code != "UNAUTHENTICATED" or self._was_renewed:
            return False
        self._was_renewed = True
        return True

    def again(self, failure: CallError) -> Retry | None:
        """Returns the next try, which is to be told of and waited for; None if there is none.

        Args:
            failure: What the last one ended with.
        """
        if self._tries >= self._retries:
            return None
        codes = self.method.retryable
        delay = self._retrying.delay(failure, codes, self._tries, self.left())
        if delay < 0.0:
            return None
        self._tries += 1
        return Retry(self.method.full_name, self._tries, delay, failure)

    def secrets(self) -> tuple[str, ...]:
        """Returns what must not be shown of the call even if the server says it, longest first."""
        request = self._parse_request(self.data)
        return secrets_in(self.headers, request, tuple(self._sent_secrets))

    def _parse_request(self, data: bytes) -> Q | None:
        try:
            return parse_binary(self.method.request, data)
        except DecodeError:  # nested too deeply to be read
            return None
