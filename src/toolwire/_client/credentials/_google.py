"""The few calls of google.auth that are made here, typed. Importing this imports google.auth."""

# google.auth has annotations for some of what it does and says that it has them for all.
# mypy: disable-error-code="no-untyped-call"
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportAssignmentType=false

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import os
import re
from typing import TYPE_CHECKING

import google.auth
from google.auth import credentials as google_credentials
from google.auth import environment_vars, exceptions
from google.auth.credentials import TokenState

from toolwire._client.credentials._http import HttpRequest, NoAnswerError
from toolwire._client.credentials._identity import IdentityError, attribute
from toolwire._words import in_a_row

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from google.auth.credentials import Credentials

_OAUTH_CODES = re.compile(
    "access_denied|admin_policy_enforced|deleted_client|disabled_client|internal_failure"
    "|invalid_client|invalid_grant|invalid_rapt|invalid_request|invalid_scope|invalid_target"
    "|org_internal|rapt_required|server_error|temporarily_unavailable|unauthorized_client"
    "|unsupported_grant_type|unsupported_token_type"
)
_ASKED = ("before_request", "apply", "valid", "expired", "token_state")
_NEEDS_REQUESTS = (
    "to find that of Compute Engine, Cloud Run and the like, google.auth needs the package "
    "requests, which is not installed"
)


def default_credentials(scopes: Sequence[str]) -> tuple[Credentials, str | None]:
    """Looks for application default credentials, and the project that goes with them.

    Args:
        scopes: What a token must be good for.

    Raises:
        IdentityError: If there are none, or they cannot be read.
    """
    look: Callable[..., tuple[Credentials, str | None]] = google.auth.default
    request = HttpRequest()
    with _explained(request, is_lookup=True):
        return look(scopes, request=request)


def scoped(credentials: Credentials, scopes: Sequence[str]) -> Credentials:
    """Returns a credential for the scopes, if it is one that has to be made out for some.

    Raises:
        IdentityError: If the credential fails.
    """
    narrow: Callable[..., Credentials] = google_credentials.with_scopes_if_required
    with _explained(HttpRequest()):
        return narrow(credentials, scopes)


def default_certificate() -> Callable[[], tuple[bytes, bytes]] | None:
    """Returns what reads the certificate that this machine has for its own use, if it has one."""
    from google.auth.transport import mtls  # noqa: PLC0415 - only few clients need it

    has_one: Callable[[], bool] = mtls.has_default_client_cert_source
    source: Callable[[], Callable[[], tuple[bytes, bytes]]] = mtls.default_client_cert_source
    return source() if has_one() else None


def is_quick(credentials: Credentials) -> bool:
    """Tells whether google.auth's own code alone is asked as long as the credential is valid.

    It adds the token that it has. What others have written may do anything, and take long.
    """
    return all(_is_own(inspect.getattr_static(credentials, name, None)) for name in _ASKED)


def _is_own(member: object) -> bool:
    code = member.fget if isinstance(member, property) else member
    return str(getattr(code, "__module__", "")).startswith(("google.auth.", "google.oauth2."))


def is_valid(credentials: Credentials) -> bool:
    """Tells whether a credential has a token that still holds.

    Raises:
        IdentityError: If the credential fails.
    """
    with _explained(HttpRequest()):
        return bool(credentials.valid)


def fetch(credentials: Credentials, url: str) -> dict[str, str | bytes]:
    """Returns the headers that a credential wants, and fetches a token if there is no valid one.

    Args:
        credentials: The credential.
        url: The service that is called.

    Raises:
        IdentityError: If there is no token, or the one that came is of no use.
    """
    request = HttpRequest()
    headers: dict[str, str | bytes] = {}
    with _explained(request):
        credentials.before_request(request, "POST", url, headers)
        is_expired = not credentials.valid and _state(credentials) is TokenState.INVALID
    if is_expired and attribute(credentials, "token") is not None:
        raise IdentityError(
            "UNAUTHENTICATED",
            "no token could be had: the one that came had expired already; is this machine's "
            "clock right?",
        )
    return headers


def apply_stale(credentials: Credentials) -> dict[str, str | bytes] | None:
    """Returns the headers with a token that is due for a refresh and has not expired yet."""
    headers: dict[str, str | bytes] = {}
    with _explained(HttpRequest()):
        if _state(credentials) is not TokenState.STALE:
            return None
        credentials.apply(headers)
    return headers


def refresh(credentials: Credentials) -> None:
    """Fetches another token, however good the present one looks.

    Raises:
        IdentityError: If there is none to be had.
    """
    request = HttpRequest()
    with _explained(request):
        credentials.refresh(request)


def _state(credentials: Credentials) -> object:
    return attribute(credentials, "token_state")


@contextlib.contextmanager
def _explained(request: HttpRequest, *, is_lookup: bool = False) -> Generator[None]:
    """Turns whatever is raised into an error that shows no secret.

    A credential may be anyone's code, read any file and ask any server, and what it raises may
    hold all that it sent and received. So the original is dropped.
    """
    try:
        yield
    except Exception as error:  # noqa: BLE001 - see above
        code = "UNAVAILABLE" if _is_passing(error) else "UNAUTHENTICATED"
        message = (_why_not_found(error) if is_lookup else "") or _explain(error, request.status)
    else:
        return
    raise IdentityError(code, f"no token could be had: {message}")


def _is_passing(error: Exception) -> bool:
    """Tells whether the same may work a moment later."""
    is_retryable = isinstance(error, exceptions.GoogleAuthError) and error.retryable is True
    return is_retryable or isinstance(error, exceptions.TransportError)


def _explain(error: Exception, status: int | None) -> str:
    """Says what went wrong, in words that hold nothing of a file, a request or an answer."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, NoAnswerError):
            return str(cause)
        cause = cause.__cause__
    if isinstance(error, ImportError):
        name = error.name or getattr(error.__cause__, "name", None) or "requests"
        return f"the package {name} must be installed for this kind of credential"
    said = type(error).__name__
    if isinstance(error, exceptions.GoogleAuthError):
        code = _OAUTH_CODES.search(str(error.args))
        said += f": {code[0]}" if code else ""
    return said if status is None else f"{said} (the token server answered with status {status})"


def _why_not_found(error: Exception) -> str:
    """Returns what google.auth says of the place where it looked, without what it found there."""
    variable = environment_vars.CREDENTIALS
    if isinstance(error, OSError) and os.environ.get(variable):
        return f"what {variable} names cannot be read ({type(error).__name__})"
    if type(error) not in {exceptions.DefaultCredentialsError, exceptions.MalformedError}:
        return ""
    said = "".join(map(str, error.args[:1])).partition(" Type is ")[0]
    is_nowhere = "not found. To set up" in said
    if is_nowhere and importlib.util.find_spec("requests") is None:
        said = in_a_row([said, _NEEDS_REQUESTS])
    return said
