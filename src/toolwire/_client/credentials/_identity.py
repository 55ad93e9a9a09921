"""Who calls: what all of them have in common, an API key, and nobody.

What may have to wait for a token server comes twice, for threads and for event loops. Nothing
here shows a credential.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from toolwire._client._headers import is_header_text
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from toolwire._client._headers import Headers


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


@dataclass(frozen=True, slots=True)
class About:
    """What a credential says of itself.

    Attributes:
        project: The project that it belongs to, where it says so.
        universe: The domain of the cloud that it is for, where it says so.
    """

    project: str | None = None
    universe: str | None = None


class Identity(Protocol):
    """Who calls. Whatever waits raises IdentityError if the credential cannot be had in time."""

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

    async def sign_async(self, headers: Headers, url: str, seconds: float) -> Headers:
        """Does as ``sign`` does, without blocking the event loop."""
        ...

    def renew(self, refused: Headers, url: str, seconds: float) -> bool:
        """Replaces a token that a server did not accept, and tells whether there is another one.

        Args:
            refused: The headers of the call.
            url: The service that was called.
            seconds: How long this may take.
        """
        ...

    async def renew_async(self, refused: Headers, url: str, seconds: float) -> bool:
        """Does as ``renew`` does, without blocking the event loop."""
        ...

    def about(self, seconds: float) -> About:
        """Returns what the credential says of itself.

        Args:
            seconds: How long this may take.

        Raises:
            IdentityError: If the credential cannot be had.
        """
        ...

    async def about_async(self, seconds: float) -> About:
        """Does as ``about`` does, without blocking the event loop."""
        ...


@dataclass(frozen=True, slots=True)
class Fixed:
    """The same headers for every call, or none.

    Attributes:
        kind: What ``describe`` says.
        headers: The headers. They are no part of the repr.
    """

    kind: str
    headers: Headers

    def describe(self) -> str:
        """Returns the kind of credential."""
        return self.kind

    def sign(self, headers: Headers, url: str, seconds: float) -> Headers:  # noqa: ARG002
        """Returns the headers with the fixed ones behind them."""
        return headers + self.headers

    async def sign_async(self, headers: Headers, url: str, seconds: float) -> Headers:
        """Does as ``sign`` does."""
        return self.sign(headers, url, seconds)

    def renew(self, refused: Headers, url: str, seconds: float) -> bool:  # noqa: ARG002
        """Returns False: a key does not change."""
        return False

    async def renew_async(self, refused: Headers, url: str, seconds: float) -> bool:
        """Does as ``renew`` does."""
        return self.renew(refused, url, seconds)

    def about(self, seconds: float) -> About:  # noqa: ARG002
        """Returns nothing: neither a key nor nobody says where it belongs."""
        return About()

    async def about_async(self, seconds: float) -> About:
        """Does as ``about`` does."""
        return self.about(seconds)

    def __repr__(self) -> str:
        return f"Fixed({self.kind!r})"


NOBODY = Fixed("no credential", ())


def api_key_identity(name: str, key: object, kind: str) -> Fixed:
    """Returns the identity of an API key.

    Args:
        name: Where the key comes from, for the error.
        key: The key.
        kind: How to speak of it.

    Raises:
        UsageError: If it is no text, is empty, has a space, or cannot stand in a header.
    """
    if isinstance(key, str) and key and " " not in key and is_header_text(key):
        return Fixed(kind, (("x-goog-api-key", key),))
    what = "a text of printable ASCII characters, none of them white space"
    raise UsageError(f"{name} takes {what}")  # and is not shown


def attribute(credentials: object, name: str) -> object:
    """Returns an attribute of what may be anyone's class; None if it has none, or it fails."""
    try:
        found: object = getattr(credentials, name, None)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - what it shows may be a secret
        return None
    return found
