"""Who calls with a credential of google.auth: one that was given, or the environment's own.

A token is fetched in line by the call that finds none, or one that is about to expire; every
other call that needs one waits for the same. A credential whose code is not google.auth's own is
asked so for each call, as it may take long at any time. google.auth is imported only then.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolwire._client._headers import check_metadata
from toolwire._client.credentials._identity import About, IdentityError, attribute
from toolwire._client.credentials._shared import Shared, Wait, wait, wait_async
from toolwire._errors import UsageError
from toolwire._words import in_a_row

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from google.auth.credentials import Credentials

    from toolwire._client._headers import Headers

_QUOTA = "x-goog-user-project"
_AGENT = "x-goog-api-client"
_PATIENCE = 5.0  # seconds to wait for the next token while the present one is still good


@dataclass(frozen=True, slots=True)
class _Fetched:
    """What came of asking a credential.

    Attributes:
        url: The service that it was asked for; empty for none.
        added: The headers that it wants there.
    """

    url: str = ""
    added: Mapping[str, str | bytes] | None = None


class GoogleIdentity:
    """A credential of google.auth: one that was given, or the environment's default."""

    def __init__(
        self,
        scopes: Sequence[str],
        credentials: Credentials | None = None,
        *,
        note: str = "",
        hint: str = "",
    ) -> None:
        """Remembers the credential, without using it yet.

        Args:
            scopes: What a token must be good for.
            credentials: The credential; None looks for application default credentials when
                they are first needed.
            note: What to say behind the reason if they cannot be had.
            hint: What to say before it, where something else is more likely to be meant.
        """
        self._hint = hint
        self._note = note
        self._scopes = tuple(scopes)
        self._is_default = credentials is None
        self._credentials = credentials
        self._is_quick = False  # whether a valid credential is asked in line
        self._handed: dict[str, Mapping[str, str | bytes]] = {}  # last, by another credential
        self._about: About | None = None  # None until the credential is ready for use
        self._shared: Shared[_Fetched] = Shared("no token could be had")

    def describe(self) -> str:
        """Returns the kind of credential, and whose it is where it says so."""
        kind = "application default credentials" if self._is_default else "credentials"
        return kind if self._credentials is None else f"{kind} of {_owner(self._credentials)}"

    def sign(self, headers: Headers, url: str, seconds: float) -> Headers:
        """Returns the headers with a token, which is fetched if there is no valid one."""
        added = self._at_hand(url)
        return _join(headers, wait(self._fetching(url, seconds)) if added is None else added)

    async def sign_async(self, headers: Headers, url: str, seconds: float) -> Headers:
        """Does as ``sign`` does, without blocking the event loop."""
        added = self._at_hand(url)
        if added is None:
            added = await wait_async(self._fetching(url, seconds))
        return _join(headers, added)

    def renew(self, refused: Headers, url: str, seconds: float) -> bool:
        """Refreshes the token if it is still the one that was refused."""
        return wait(self._renewing(refused, url, seconds))

    async def renew_async(self, refused: Headers, url: str, seconds: float) -> bool:
        """Does as ``renew`` does, without blocking the event loop."""
        return await wait_async(self._renewing(refused, url, seconds))

    def about(self, seconds: float) -> About:
        """Returns the credential's project and universe, where it says so."""
        return wait(self._looking(seconds)) if self._about is None else self._about

    async def about_async(self, seconds: float) -> About:
        """Does as ``about`` does, without blocking the event loop."""
        about = self._about
        return await wait_async(self._looking(seconds)) if about is None else about

    # What waits is written once, as generators: they say what to wait for and until when, and
    # are told the result, or the error instead of it.

    def _fetching(
        self, url: str, seconds: float
    ) -> Generator[Wait[_Fetched], _Fetched | IdentityError, Mapping[str, str | bytes]]:
        end = time.monotonic() + seconds
        while True:
            running = self._shared.start(lambda: self._fetch(url))
            is_urgent = self._still_good() is None
            until = end if is_urgent else min(end, running.began + _PATIENCE)
            found = yield Wait(running, until)
            if isinstance(found, IdentityError):
                added = self._still_good()
                if added is None:
                    raise self._explain(found, end)
            else:  # which another call may have begun, for another service
                added = found.added if found.url == url else self._at_hand(url)
            if added is not None:
                return added

    def _renewing(
        self, refused: Headers, url: str, seconds: float
    ) -> Generator[Wait[_Fetched], _Fetched | IdentityError, bool]:
        end = time.monotonic() + seconds
        if self._is_same(refused, url):
            yield Wait(self._shared.start(lambda: self._refresh(refused, url)), end)
        return not self._is_same(refused, url)

    def _looking(
        self, seconds: float
    ) -> Generator[Wait[_Fetched], _Fetched | IdentityError, About]:
        end = time.monotonic() + seconds
        found = yield Wait(self._shared.start(self._look), end)
        if self._about is None:
            failure = found if isinstance(found, IdentityError) else None
            raise self._explain(failure or IdentityError("UNAVAILABLE", "try again"), end)
        return self._about

    def _explain(self, error: IdentityError, end: float) -> IdentityError:
        """Returns the error of one call for that of work which it shared with others."""
        if time.monotonic() >= end:
            return IdentityError("DEADLINE_EXCEEDED", "no token could be had: no token in time")
        said = filter(None, (self._hint, error.message, self._note))
        return IdentityError(error.code, in_a_row(said))

    # What may take long, and runs in a thread of its own.

    def _look(self) -> _Fetched:
        self._load()
        return _Fetched()

    def _fetch(self, url: str) -> _Fetched:
        from toolwire._client.credentials import _google  # noqa: PLC0415 - loads google.auth

        added = _google.fetch(self._load(), url)
        if not self._is_quick:
            self._handed[url] = added
        return _Fetched(url, added)

    def _refresh(self, refused: Headers, url: str) -> _Fetched:
        from toolwire._client.credentials import _google  # noqa: PLC0415 - loads google.auth

        if self._is_same(refused, url):
            _google.refresh(self._load())
            if not self._is_quick:
                self._fetch(url)
        return _Fetched()

    def _load(self) -> Credentials:
        from toolwire._client.credentials import _google  # noqa: PLC0415 - loads google.auth

        credentials = self._credentials
        project: object
        if credentials is None:
            credentials, project = _google.default_credentials(self._scopes)
        elif self._about is None:
            credentials = _google.scoped(credentials, self._scopes)
            project = attribute(credentials, "project_id")
        else:
            return credentials
        self._credentials = credentials
        self._is_quick = _google.is_quick(credentials)
        universe = attribute(credentials, "universe_domain")
        self._about = About(
            project if isinstance(project, str) else None,
            universe if isinstance(universe, str) and universe else None,
        )
        return credentials

    # What never takes long.

    def _at_hand(self, url: str) -> Mapping[str, str | bytes] | None:
        """Returns the headers with a token that holds for a while; None if there is none."""
        if self._about is None or self._credentials is None or not self._is_quick:
            return None
        from toolwire._client.credentials import _google  # noqa: PLC0415 - loads google.auth

        credentials = self._credentials
        return _google.fetch(credentials, url) if _google.is_valid(credentials) else None

    def _still_good(self) -> Mapping[str, str | bytes] | None:
        """Returns the headers with a token that is about to expire, and has not yet."""
        if self._about is None or self._credentials is None or not self._is_quick:
            return None
        from toolwire._client.credentials import _google  # noqa: PLC0415 - loads google.auth

        return _google.apply_stale(self._credentials)

    def _is_same(self, sent: Headers, url: str) -> bool:
        """Tells whether a call would carry the token again that one carried before."""
        try:
            added = self._at_hand(url) or self._still_good() or self._handed.get(url, {})
        except IdentityError:
            return True
        own = [pair for pair in added.items() if pair[0] not in {_QUOTA, _AGENT}]
        return bool(own) and all(pair in sent for pair in own)


def _join(headers: Headers, added: Mapping[str, str | bytes]) -> Headers:
    """Returns the headers with those of a credential, which gives way to an explicit project."""
    token = added.get("authorization")
    if isinstance(token, str) and token.strip().lower() in {"", "bearer"}:
        raise IdentityError("UNAUTHENTICATED", "the credential gave an empty token")
    joined = dict(headers)
    for name, value in added.items():
        agent = joined.get(name)
        if name == _AGENT and isinstance(agent, str) and isinstance(value, str):
            joined[name] = f"{agent} {value}"
        elif name != _QUOTA or name not in joined:
            joined[name] = value
    try:
        return check_metadata(joined.items())
    except UsageError:
        raise IdentityError("UNAUTHENTICATED", "the credential is no text for a header") from None


def _owner(credentials: Credentials) -> str:
    for name in ("service_account_email", "signer_email", "account"):
        owner = attribute(credentials, name)
        if isinstance(owner, str) and owner:
            return owner
    kind = type(credentials)
    return f"class {kind.__module__}.{kind.__qualname__}, which name no owner"
