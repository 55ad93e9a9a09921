"""Where an API is served: hosts by location, and endpoints that a user wrote."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

_HTTPS_PORT = 443
_LAST_PORT = 65535
_LOCATION = re.compile(r"[a-z](?:[a-z0-9-]{0,48}[a-z0-9])?")  # with "-aiplatform" a label, of 63
_SCHEME = re.compile(r"\Ahttps://", re.IGNORECASE)
_PART = r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?"
_HOST = re.compile(rf"(?=.{{1,254}}\Z){_PART}(?:\.{_PART})*\.?")
_ZONE = re.compile(r"[A-Za-z0-9._-]+")
_ENDPOINT = re.compile(r"(?P<host>\[[^\]]*\]|[^\[\]:]+)(?::(?P<port>[0-9]{1,5}))?")

# Targets of gRPC's own, by their schemes: what each takes. Whatever else it refuses, or reads as
# something else than it says, once it is called.
_TARGETS: Mapping[str, str] = MappingProxyType(
    {
        "dns": "a host: dns:///host:port, or dns://8.8.8.8:53/host:port to ask that server for it",
        "ipv4": "addresses with a port each: ipv4:10.0.0.1:443,10.0.0.2:443",
        "ipv6": "addresses with a port each: ipv6:[2001:db8::1]:443,[2001:db8::2]:443",
        "unix": "a socket: unix:/path or unix:///path, 107 bytes at most, %23 for # and so on",
        "unix-abstract": "a socket: unix-abstract:name, 107 bytes at most, %23 for # and so on",
        "xds": "a name: xds:///name",
    }
)
_SOCKET = re.compile(r"(?://(?=/)|(?!//))(?P<paths>[!\"$->@-~]+)")
_LONGEST_SOCKET = 107  # bytes
_PLACES = re.compile(r"(?://(?P<authority>[!-.0-~]*)/|/)?(?P<places>[^/]+)")
_RESOLVED_ELSEWHERE = re.compile(r"xds:|dns://[^/]", re.IGNORECASE)

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
        target: What gRPC is told in their place, such as ``unix:/path``; mostly empty.
    """

    host: str
    port: int = _HTTPS_PORT
    target: str = ""

    def __str__(self) -> str:
        return self.target or self.address

    @property
    def address(self) -> str:
        """Host and port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Whether what is sent there stays on this machine."""
        if _RESOLVED_ELSEWHERE.match(self.target):
            return False  # whatever the name
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host.lower() == "localhost"


def check_location(name: str, location: str) -> str:
    """Returns the location if it can be one.

    The location becomes part of a host name that is sent a credential, so nothing but letters,
    digits and dashes passes, wherever it comes from.

    Args:
        name: Where it comes from, for the error.
        location: Any location: there is no list of known ones.

    Raises:
        UsageError: If it cannot.
    """
    if _LOCATION.fullmatch(location) is None:
        raise UsageError(f"{name} takes a location such as 'us-central1', found {location!r}")
    return location


def regional_host(default_host: str, location: str) -> str:
    """Returns the host of a location.

    Args:
        default_host: The host of the location ``global``, which is the service's own.
        location: One that was checked.
    """
    if location == "global":
        return default_host
    if location in _MULTI_REGIONS:
        service, _, domain = default_host.partition(".")
        return f"{service}.{location}.rep.{domain}"
    return f"{location}-{default_host}"


def check_universe(name: str, domain: str) -> str:
    """Returns the domain of a cloud if it can be one: it becomes part of host names.

    Args:
        name: Where it comes from, for the error.
        domain: The domain.

    Raises:
        UsageError: If it cannot.
    """
    if _UNIVERSE.fullmatch(domain) is None:
        raise UsageError(f"{name} takes a domain such as 'googleapis.com', found {domain!r}")
    return domain


def universal_host(host: str, universe: str) -> str:
    """Returns the host of a service in another cloud than googleapis.com."""
    service = host.removesuffix(f".{DEFAULT_UNIVERSE}")
    return host if service == host else f"{service}.{universe}"


def mtls_host(host: str) -> str | None:
    """Returns the counterpart of a host that asks for a certificate; multi-regions have none."""
    service, _, domain = host.partition(".")
    return f"{service}.mtls.{domain}" if domain == DEFAULT_UNIVERSE else None


def parse_endpoint(name: str, text: str) -> Endpoint:
    """Reads ``host``, ``host:port``, either of them behind ``https://``, or a target of gRPC's.

    Args:
        name: Where the text comes from, for the error.
        text: The text.

    Raises:
        UsageError: If it is no endpoint.
    """
    scheme, colon, rest = text.partition(":")
    if colon and scheme.lower() in _TARGETS:
        return _read_target(name, text, scheme, rest)
    bare = _SCHEME.sub("", text).removesuffix("/")
    found = _read_address(bare)
    if found is not None:
        is_scheme = found.host.lower() in _TARGETS  # to gRPC, with a port behind it
        return replace(found, target=f"dns:///{found.address}") if is_scheme else found
    hint = ""
    if text.startswith("http://"):
        hint = "; for a plaintext server give host:port and insecure=True"
    elif not text.isascii():
        hint = "; a name in other letters goes in its ASCII form, xn--..."
    elif "://" in bare:
        *most, last = _TARGETS
        hint = f"; of gRPC's targets it takes {', '.join(most)} and {last}, and "
        hint += "channel= a channel to any other"
    raise UsageError(f"{name} takes host or host:port, found {text!r}{hint}")


def _read_address(text: str) -> Endpoint | None:
    """Reads ``host`` or ``host:port``."""
    if _is_version_6(text):
        return Endpoint(text)
    match = _ENDPOINT.fullmatch(text)
    if match is None:
        return None
    port = int(match["port"] or _HTTPS_PORT)
    host = match["host"]
    is_host = _HOST.fullmatch(host) is not None
    if host.startswith("["):
        host = host[1:-1]
        is_host = _is_version_6(host)
    return Endpoint(host, port) if is_host and 1 <= port <= _LAST_PORT else None


def _read_target(name: str, text: str, scheme: str, rest: str) -> Endpoint:
    """Reads a target of gRPC's own; of several addresses, one on another machine counts."""
    kind = scheme.lower()
    if kind.startswith("unix"):
        found = [Endpoint("localhost")] if _is_socket(kind, rest) else []
    else:
        found = _read_places(kind, rest)
    if found:
        first = next((place for place in found if not place.is_loopback), found[0])
        return replace(first, target=text)
    hint = f"; behind {scheme}: gRPC takes {_TARGETS[kind]}"
    if rest.isdecimal():
        hint += f"; a host of that name is dns:///{text}"
    raise UsageError(f"{name} takes host or host:port, or a target of gRPC's, found {text!r}{hint}")


def _is_socket(scheme: str, rest: str) -> bool:
    match = _SOCKET.fullmatch(rest)
    paths = unquote_to_bytes(match["paths"]).split(b",") if match is not None else [b""]
    is_path = scheme == "unix"
    return all(0 < len(p) <= _LONGEST_SOCKET and not (is_path and b"\0" in p) for p in paths)


def _read_places(scheme: str, rest: str) -> list[Endpoint]:
    """Returns where a target leads; nothing if it is none."""
    match = _PLACES.fullmatch(rest)
    if match is None or rest.isdecimal():  # a port without a host
        return []
    authority, places = match["authority"], [match["places"]]
    if scheme.startswith("ip"):
        places = match["places"].split(",")
        is_right = not authority and all(_is_exact(place, int(scheme[-1])) for place in places)
    else:
        is_right = not authority or scheme == "xds" or _is_exact(authority)
    found = [place for place in map(_read_address, places) if place is not None]
    return found if is_right else []


def _is_exact(place: str, *versions: int) -> bool:
    """Tells whether this is an IP address, of a version if one is given, and a port."""
    found = _read_address(place)
    if found is None or found.address != place:
        return False
    try:
        version = ipaddress.ip_address(found.host).version
    except ValueError:
        return False
    return not versions or version in versions


def _is_version_6(text: str) -> bool:
    address, percent, zone = text.partition("%")
    try:
        ipaddress.IPv6Address(address)
    except ValueError:
        return False
    return not percent or _ZONE.fullmatch(zone) is not None
