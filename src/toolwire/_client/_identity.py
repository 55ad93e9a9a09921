"""Who calls: an API key, a credential of google.auth, the environment's own, or nobody.

google.auth is imported only where it is needed, and nothing here shows a credential.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from toolwire._client import _fork
from toolwire._client._bounded import run_bounded
from toolwire._client._headers import check_metadata, is_header_text
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from google.auth.credentials import Credentials

    from toolwire._client._headers import Header, Headers

T = TypeVar("T")

_QUOTA = "x-goog-user-project"


class IdentityError(Exception):
    """A credential that could not be had.

    Attributes:
        code: The status code that says so best.
        message: What went wrong, without the credential.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Identity(Protocol):
    """Who calls."""

    def describe(self) -> str:
        """Returns the kind of credential, for errors and repr."""
        ...

    def sign(self, headers: Headers, url: str, seconds: float) -> Headers:
        """Returns the headers of a call with the credential among them.

        Args:
            headers: The headers so far.
            url: The service that is called, which some tokens are made out to.
            seconds: How long this may take.

        Raises:
            IdentityError: If the credential cannot be had.
        """
        ...

    def project(self, seconds: float) -> str | None:
        """Returns the project that the credential belongs to, where it says so.

        Args:
            seconds: How long this may take.

        Raises:
            IdentityError: If the credential cannot be had.
        """
        ...


@dataclass(frozen=True, slots=True)
class Fixed:
    """The same headers for every call, or none.

    Attributes:
        kind: What ``describe`` says.
        headers: The headers. They are no part of the repr.
    """

    kind: str
    headers: tuple[Header, ...]

    def describe(self) -> str:
        """Returns the kind of credential."""
        return self.kind

    def sign(self, headers: Headers, url: str, seconds: float) -> Headers:  # noqa: ARG002
        """Returns the headers with the fixed ones behind them."""
        return headers + self.headers

    def project(self, seconds: float) -> str | None:  # noqa: ARG002
        """Returns None: neither a key nor nobody has a project."""
        return None

    def __repr__(self) -> str:
        return f"Fixed({self.kind!r})"


NOBODY = Fixed("no credential", ())


def api_key_identity(key: str, kind: str = "api key") -> Fixed:
    """Returns the identity of an API key.

    Args:
        key: The key.
        kind: How to speak of it.

    Raises:
        ValueError: If the key is empty or cannot stand in a header.
    """
    if not key or not is_header_text(key):
        raise ValueError("expected printable ASCII characters")
    return Fixed(kind, (("x-goog-api-key", key),))


class GoogleIdentity:
    """A credential of google.auth: one that was given, or the environment's default."""

    def __init__(
        self, scopes: Sequence[str], credentials: Credentials | None = None, *, note: str = ""
    ) -> None:
        """Remembers the credential, without using it yet.

        Args:
            scopes: What a token must be good for.
            credentials: The credential; None looks for application default credentials when
                they are first needed.
            note: What to say if they cannot be had.
        """
        self._note = note
        self._scopes = tuple(scopes)
        self._is_default = credentials is None
        self._credentials = credentials
        self._is_scoped = False
        project = attribute(credentials, "project_id")
        self._project = project if isinstance(project, str) else None
        self._lock = threading.Lock()
        _fork.watch(self)

    def after_fork(self) -> None:
        """Frees the lock, which another thread of the parent may have held."""
        self._lock = threading.Lock()

    def describe(self) -> str:
        """Returns the kind of credential, and whose it is where it says so."""
        kind = "application default credentials" if self._is_default else "credentials"
        return kind if self._credentials is None else f"{kind} of {_owner(self._credentials)}"

    def project(self, seconds: float) -> str | None:
        """Returns the credential's project, where it says so."""
        if self._credentials is None:
            self._slowly(self._load, seconds)
        return self._project

    def sign(self, headers: Headers, url: str, seconds: float) -> Headers:
        """Returns the headers with a token, which is fetched if there is no valid one."""

        def apply() -> Headers:
            return self._apply(headers, url, seconds)

        from toolwire._client import _google  # noqa: PLC0415 - loads google.auth

        credentials = self._credentials
        is_valid = credentials is not None and _google.is_valid(credentials)
        return apply() if is_valid else self._slowly(apply, seconds)

    def _slowly(self, work: Callable[[], T], seconds: float) -> T:
        """Does what may take long: one thread at a time, and no longer than the call may."""
        seconds = min(max(0.0, seconds), threading.TIMEOUT_MAX)
        end = time.monotonic() + seconds
        if not self._lock.acquire(timeout=seconds):
            raise IdentityError("DEADLINE_EXCEEDED", "waited too long for another call's token")
        try:
            return run_bounded(work, end - time.monotonic())
        except (TimeoutError, IdentityError) as error:
            code, message = "DEADLINE_EXCEEDED", "no token could be had: no token in time"
            if isinstance(error, IdentityError) and time.monotonic() < end:
                code, message = error.code, "; ".join(filter(None, (error.message, self._note)))
        finally:
            self._lock.release()
        raise IdentityError(code, message)

    def _apply(self, headers: Headers, url: str, seconds: float) -> Headers:
        from toolwire._client import _google  # noqa: PLC0415 - loads google.auth

        signed = dict(headers)
        _google.sign(self._load(), signed, url, seconds)
        signed.update(pair for pair in headers if pair[0] == _QUOTA)  # an explicit one wins
        try:
            return check_metadata(signed.items())
        except UsageError:
            raise IdentityError(
                "UNAUTHENTICATED", "the credential is no text for a header"
            ) from None

    def _load(self) -> Credentials:
        from toolwire._client import _google  # noqa: PLC0415 - loads google.auth

        if self._credentials is None:
            self._credentials, self._project = _google.default_credentials(self._scopes)
        elif not self._is_scoped:
            self._credentials = _google.scoped(self._credentials, self._scopes)
        self._is_scoped = True
        return self._credentials


def attribute(credentials: object, name: str) -> object:
    """Returns an attribute of what may be anyone's class; None if it has none, or it fails."""
    try:
        found: object = getattr(credentials, name, None)
    except Exception:  # noqa: BLE001 - what it shows may be a secret
        return None
    return found


def _owner(credentials: Credentials) -> str:
    for name in ("service_account_email", "signer_email", "account"):
        owner = attribute(credentials, name)
        if isinstance(owner, str) and owner:
            return owner
    kind = type(credentials)
    return f"an unnamed owner ({kind.__module__}.{kind.__qualname__})"
