"""Where an API is served: hosts by location, and endpoints that a user wrote."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass

from toolwire._errors import UsageError

_HTTPS_PORT = 443
_LAST_PORT = 65535
_LOCATION = re.compile(r"[a-z][a-z0-9-]{0,62}")
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9.])?")
_ENDPOINT = re.compile(r"(?P<host>\[[^\]]*\]|[^\[\]:]+)(?::(?P<port>[0-9]{1,5}))?")

_MULTI_REGIONS = frozenset({"us", "eu"})

DEFAULT_UNIVERSE = "googleapis.com"
_LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_UNIVERSE = re.compile(rf"{_LABEL}(?:\.{_LABEL}){{1,4}}")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A host and a port.

    Attributes:
        host: A name or an IP address; a version 6 one without brackets.
        port: From 1 to 65535.
    """

    host: str
    port: int = _HTTPS_PORT

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Whether what is sent there stays on this machine."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host.lower() == "localhost"


def check_location(location: str) -> str:
    """Returns the location if it can be one.

    The location becomes part of a host name that is sent a credential, so nothing but letters,
    digits and dashes passes, wherever it comes from.

    Raises:
        UsageError: If it cannot.
    """
    if _LOCATION.fullmatch(location) is None:
        raise UsageError(f"no location: {location!r}; expected one such as 'us-central1'")
    return location


def regional_host(default_host: str, location: str) -> str:
    """Returns the host of a location.

    Args:
        default_host: The host of the location ``global``, which is the service's own.
        location: Any location: there is no list of known ones.

    Raises:
        UsageError: If the location cannot be one.
    """
    check_location(location)
    if location == "global":
        return default_host
    if location in _MULTI_REGIONS:
        service, _, domain = default_host.partition(".")
        return f"{service}.{location}.rep.{domain}"
    return f"{location}-{default_host}"


def check_universe(domain: str) -> str:
    """Returns the domain of a cloud if it can be one: it becomes part of host names.

    Raises:
        UsageError: If it cannot.
    """
    if _UNIVERSE.fullmatch(domain) is None:
        raise UsageError(f"no universe domain: {domain!r}; expected one such as 'googleapis.com'")
    return domain


def universal_host(host: str, universe: str) -> str:
    """Returns the host of a service in another cloud than googleapis.com."""
    service = host.removesuffix(f".{DEFAULT_UNIVERSE}")
    return host if service == host else f"{service}.{universe}"


def mtls_host(host: str) -> str | None:
    """Returns the counterpart of a host that asks for a certificate; multi-regions have none."""
    service, _, domain = host.partition(".")
    return f"{service}.mtls.{domain}" if domain == DEFAULT_UNIVERSE else None


def parse_endpoint(text: str) -> Endpoint:
    """Reads ``host``, ``host:port`` or either of them behind ``https://``.

    Raises:
        UsageError: If the text is no endpoint.
    """
    bare = text.removeprefix("https://").removesuffix("/")
    if text.startswith("http://"):
        raise UsageError(
            f"no endpoint: {text!r}; for a plaintext server give host:port and insecure=True"
        )
    if _is_ip(bare, version=6):
        return Endpoint(bare)
    match = _ENDPOINT.fullmatch(bare)
    if match is not None:
        port = int(match["port"] or _HTTPS_PORT)
        host = match["host"]
        is_host = _HOST.fullmatch(host) is not None
        if host.startswith("["):
            host = host[1:-1]
            is_host = _is_ip(host, version=6)
        if is_host and 1 <= port <= _LAST_PORT:
            return Endpoint(host, port)
    raise UsageError(f"no endpoint: {text!r}; expected host or host:port")


def _is_ip(text: str, version: int) -> bool:
    try:
        return ipaddress.ip_address(text).version == version
    except ValueError:
        return False
