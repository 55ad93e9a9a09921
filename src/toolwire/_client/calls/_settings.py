"""What a client was told, checked before anything is sent.

White space around what the environment says does not count, as a variable often has its value
from a file with a last line; arguments are taken at their word.
"""

from __future__ import annotations

import os
import re
import ssl
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolwire._client.credentials._identity import (
    NOBODY,
    Fixed,
    Identity,
    api_key_identity,
    attribute,
)
from toolwire._client.credentials._mtls import Mtls, Source, read_mtls
from toolwire._client.credentials._tokens import GoogleIdentity
from toolwire._client.endpoints._hosts import (
    Endpoint,
    check_location,
    check_universe,
    parse_endpoint,
)
from toolwire._errors import UsageError
from toolwire._words import kind_spoken, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from google.auth.credentials import Credentials

    from toolwire._apis import Api

PROJECT_VARIABLE = "GOOGLE_CLOUD_PROJECT"
LOCATION_VARIABLE = "GOOGLE_CLOUD_LOCATION"
KEY_VARIABLES = ("GOOGLE_API_KEY", "GEMINI_API_KEY")
CREDENTIALS_VARIABLE = "GOOGLE_APPLICATION_CREDENTIALS"
UNIVERSE_VARIABLE = "GOOGLE_CLOUD_UNIVERSE_DOMAIN"

_LONGEST_TIMEOUT = 1e9  # seconds; gRPC's clock overflows beyond
_HUGE = 1e300

# What is said where no credential can be had and another thing is likely to be meant.
_NO_KEY = f"no API key: pass api_key= or set {' or '.join(KEY_VARIABLES)}"
_LOCAL = "a server on this machine mostly wants no credential: pass insecure=True"
_PROJECT = re.compile(r"[A-Za-z0-9][A-Za-z0-9.:_-]*")


@dataclass(frozen=True, slots=True)
class Settings:
    """Where a client calls, as whom, and for how long.

    Attributes:
        api: The API.
        project: The project for short names: given, or from the environment.
        location: The location that was given.
        default_location: The one from the environment, for short names only.
        endpoint: The endpoint that was given: it wins over any location.
        universe: The domain of the cloud that is called: given, or from the environment.
        identity: Who calls.
        may_omit_project: Whether short names stand on their own: for a key without a project.
        quota_project: The project that pays, if another one.
        is_plaintext: Whether calls go without TLS.
        root_certificates: What to trust instead of the well-known authorities, as PEM.
        mtls: The client's own certificate, and which hosts are called with it.
        timeout: Seconds that a call may take.
        log_contents: Whether the log shows what was said.
    """

    api: Api
    project: str | None
    location: str | None
    default_location: str | None
    endpoint: Endpoint | None
    universe: str | None
    identity: Identity
    may_omit_project: bool
    quota_project: str | None
    is_plaintext: bool
    root_certificates: bytes | None = field(repr=False)
    mtls: Mtls
    timeout: float
    log_contents: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Arguments:
    """What the constructor of a client was given, under the same names.

    The last two are none of these: whether a channel was given, which itself is the transport's
    affair, and whether the environment has a say in who calls.
    """

    project: str | None
    location: str | None
    api_endpoint: str | None
    credentials: Credentials | None = field(repr=False)
    api_key: str | None = field(repr=False)
    quota_project: str | None
    root_certificates: bytes | None = field(repr=False)
    client_certificate: Source | None = field(repr=False)
    universe_domain: str | None
    insecure: bool
    timeout: float
    log_contents: bool
    has_channel: bool
    asks_environment: bool = True


def read_settings(api: Api, scopes: Sequence[str], given: Arguments) -> Settings:
    """Checks the arguments against one another and fills in what the environment says.

    Args:
        api: The API.
        scopes: What a token must be good for.
        given: The arguments.

    Raises:
        UsageError: If one of them is wrong, or does not go with another.
    """
    endpoint = None
    if given.api_endpoint is not None:
        name = "api_endpoint" if given.asks_environment else "target"  # as a stub has it
        endpoint = parse_endpoint(name, check_text(name, given.api_endpoint))
    _check_flag("log_contents", given.log_contents)
    _check_security(given, endpoint)
    _check_place(api, given)
    project = check_project("project", given.project)
    location = default_location = None
    if given.location is not None:
        location = check_location("location", check_text("location", given.location))
    # Neither another API nor a key without a project needs one: none is made up for them.
    if api.is_regional and (given.api_key is None or project is not None):
        if project is None and (variable := _variable(PROJECT_VARIABLE)):
            project = check_project(PROJECT_VARIABLE, variable)
        if location is None and (variable := _variable(LOCATION_VARIABLE)):
            default_location = check_location(LOCATION_VARIABLE, variable)
    other = _before_keys(api, has_project=project is not None)
    identity = _choose_identity(api, given, scopes, other, endpoint)
    is_bare = given.insecure or given.has_channel  # TLS is not ours
    is_key = isinstance(identity, Fixed) and identity is not NOBODY
    return Settings(
        api=api,
        project=project,
        location=location,
        default_location=default_location,
        endpoint=endpoint,
        universe=_universe(given),
        identity=identity,
        may_omit_project=is_key and given.project is None,
        quota_project=check_project("quota_project", given.quota_project),
        is_plaintext=given.insecure,
        root_certificates=given.root_certificates,
        mtls=Mtls() if is_bare else read_mtls(given.client_certificate, given.asks_environment),
        timeout=check_timeout(given.timeout),
        log_contents=given.log_contents,
    )


def check_timeout(timeout: object, *, may_be_zero: bool = False) -> float:
    """Returns a timeout in seconds.

    Args:
        timeout: The timeout.
        may_be_zero: Whether not to wait at all makes sense.

    Raises:
        UsageError: If it is no positive number, or one beyond the ends of clocks.
    """
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)):
        found = shown(timeout)
    elif 0 < timeout <= _LONGEST_TIMEOUT or (may_be_zero and timeout == 0):
        return float(timeout)
    else:  # Python does not write out a number of thousands of digits
        found = "a huge one" if isinstance(timeout, int) and abs(timeout) > _HUGE else repr(timeout)
    least = "0 or " if may_be_zero else ""
    wanted = f"{least}a positive number of seconds up to 1e9"
    raise UsageError(f"timeout takes {wanted}, found {found}")


def check_plaintext(endpoint: Endpoint | None) -> None:
    """Sees to it that no credential goes anywhere but to this machine without TLS.

    Raises:
        UsageError: If the endpoint is on another machine.
    """
    if endpoint is None or not endpoint.is_loopback:
        raise UsageError(
            f"insecure=True would show the credential to everyone on the way to {endpoint}: "
            "only a loopback address may get one without TLS"
        )


def _check_place(api: Api, given: Arguments) -> None:
    for name, value in (("project", given.project), ("location", given.location)):
        if value is not None and not api.is_regional:
            raise UsageError(f"{name} was given, and the API {api.name!r} has none: leave it out")


def _check_flag(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise UsageError(f"{name} takes True or False, found {shown(value)}")


def _check_security(given: Arguments, endpoint: Endpoint | None) -> None:
    _check_flag("insecure", given.insecure)
    has_credential = given.credentials is not None or given.api_key is not None
    if given.credentials is not None and given.api_key is not None:
        raise UsageError("credentials and api_key were both given: one call has one caller")
    if given.has_channel:
        if has_credential or given.insecure or _certificates(given):
            raise UsageError(
                "a ready channel brings its own security: leave out credentials, api_key, "
                "root_certificates, client_certificate and insecure, and attach credentials to "
                "the channel itself"
            )
    elif given.insecure:
        if _certificates(given):
            raise UsageError(f"{_certificates(given)[0]} was given, and insecure=True uses none")
        if endpoint is None:
            raise UsageError("insecure=True needs an api_endpoint: no public host takes plaintext")
        if has_credential:
            check_plaintext(endpoint)
    if given.root_certificates is not None:
        _check_certificates(given.root_certificates)


def _certificates(given: Arguments) -> list[str]:
    """Returns which certificates were given, by the names of the arguments."""
    both = {
        "root_certificates": given.root_certificates,
        "client_certificate": given.client_certificate,
    }
    return [name for name, value in both.items() if value is not None]


def _universe(given: Arguments) -> str | None:
    if given.universe_domain is not None:
        name = "universe_domain"
        return check_universe(name, check_text(name, given.universe_domain))
    domain = _variable(UNIVERSE_VARIABLE) if given.asks_environment else ""
    return check_universe(UNIVERSE_VARIABLE, domain) if domain else None


def _check_certificates(pem: object) -> None:
    if not isinstance(pem, bytes):
        raise UsageError(f"root_certificates takes PEM as bytes, found {kind_spoken(pem)}")
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=_ascii(pem))
    except (ValueError, ssl.SSLError):
        raise UsageError("root_certificates holds no certificate in PEM form") from None


def _ascii(pem: bytes) -> str:
    """Returns PEM with question marks for what is not ASCII, which comments may hold."""
    return pem.decode("ascii", "replace").replace("\ufffd", "?")


def _before_keys(api: Api, *, has_project: bool) -> str:
    """Returns what is set and speaks for a Google credential, before any key of the environment."""
    if not api.is_regional:
        return ""  # a key is how one calls it
    if has_project:
        return "a project"
    return CREDENTIALS_VARIABLE if _variable(CREDENTIALS_VARIABLE) else ""


def _choose_identity(
    api: Api, given: Arguments, scopes: Sequence[str], other: str, endpoint: Endpoint | None
) -> Identity:
    if given.credentials is not None:
        found = [attribute(given.credentials, name) for name in ("before_request", "valid")]
        if isinstance(given.credentials, type) or any(each is None for each in found):
            kind = kind_spoken(given.credentials)
            raise UsageError(f"credentials takes a credential of google.auth, found {kind}")
        return GoogleIdentity(scopes, given.credentials)
    if given.api_key is not None:
        return api_key_identity("api_key", given.api_key, "api key")
    if given.insecure or given.has_channel or not given.asks_environment:
        return NOBODY
    variable = next(filter(_variable, KEY_VARIABLES), None)
    path = os.environ.get(CREDENTIALS_VARIABLE, "")
    note = "" if path == path.strip() else f"{CREDENTIALS_VARIABLE} has white space at an end"
    if variable is None:
        hint = "" if api.is_regional else _NO_KEY
        if endpoint is not None and endpoint.is_loopback:
            hint = _LOCAL
        return GoogleIdentity(scopes, note=note, hint=hint)
    if other:
        note = note or f"{variable} is not used, since {other} is set"
        return GoogleIdentity(scopes, note=note)
    return api_key_identity(variable, _variable(variable), f"api key of {variable}")


def check_project(name: str, project: str | None) -> str | None:
    """Returns a project, if there is one.

    Args:
        name: Where it comes from, for the error.
        project: Its id or number.

    Raises:
        UsageError: If it can be neither.
    """
    if project is None:
        return None
    if _PROJECT.fullmatch(check_text(name, project)) is None:
        raise UsageError(f"{name} takes the id or number of a project, found {project!r}")
    return project


def _variable(name: str) -> str:
    """Returns what a variable of the environment says; nothing if it is not set."""
    return os.environ.get(name, "").strip()


def check_text(name: str, value: object) -> str:
    """Returns a text that was given.

    Raises:
        UsageError: If it is none, or empty.
    """
    if isinstance(value, str) and value:
        return value
    raise UsageError(f"{name} takes a text, found {shown(value)}")
