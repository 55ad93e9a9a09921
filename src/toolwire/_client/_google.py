"""The few calls of google.auth that are made here, typed. Importing this imports google.auth."""

# google.auth has annotations for some of what it does and says that it has them for all.
# mypy: disable-error-code="no-untyped-call"
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportAssignmentType=false

from __future__ import annotations

from typing import TYPE_CHECKING

import google.auth
from google.auth import credentials as google_credentials
from google.auth import exceptions

from toolwire._client._http import HttpRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from google.auth.credentials import Credentials

GoogleAuthError = exceptions.GoogleAuthError
"""What google.auth raises."""


def default_credentials(scopes: Sequence[str]) -> tuple[Credentials, str | None]:
    """Looks for application default credentials, and the project that goes with them.

    Args:
        scopes: What a token must be good for.
    """
    look: Callable[..., tuple[Credentials, str | None]] = google.auth.default
    return look(scopes, request=HttpRequest())


def scoped(credentials: Credentials, scopes: Sequence[str]) -> Credentials:
    """Returns a credential for the scopes, if it is one that has to be made out for some."""
    narrow: Callable[..., Credentials] = google_credentials.with_scopes_if_required
    return narrow(credentials, scopes)


def sign(
    credentials: Credentials, headers: dict[str, str | bytes], url: str, seconds: float
) -> None:
    """Puts a token among the headers, and fetches it first if there is no valid one.

    Args:
        credentials: The credential.
        headers: The headers, which are changed.
        url: The service that is called.
        seconds: How long each request to a token server may take.
    """
    credentials.before_request(HttpRequest(seconds), "POST", url, headers)


def is_passing(error: GoogleAuthError) -> bool:
    """Tells whether the same may work a moment later."""
    return isinstance(error, exceptions.TransportError) or error.retryable is True
