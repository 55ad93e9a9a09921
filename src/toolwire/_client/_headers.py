"""What a call carries beside its request."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias, TypeGuard, cast
from urllib.parse import quote

from toolwire._client._secrets import is_secret
from toolwire._errors import UsageError
from toolwire._version import __version__
from toolwire._words import kind_spoken

Header: TypeAlias = "tuple[str, str | bytes]"
"""Name and value; the value is bytes where the name ends in ``-bin``."""

Headers: TypeAlias = "tuple[Header, ...]"

_KEY = re.compile(r"[0-9a-z_.-]+")
_GOOD = re.compile(r"[0-9A-Za-z_.-]{0,40}")
_VALUE = re.compile(r"[\x20-\x7e]*")
_PAIR = 2


def request_params(fields: Iterable[tuple[str, str]]) -> str:
    """Returns the value of ``x-goog-request-params``: where the call is to be routed."""
    return "&".join(f"{name}={quote(value, safe='/')}" for name, value in fields)


def api_client(transport: str) -> str:
    """Returns the value of ``x-goog-api-client``: who calls.

    Args:
        transport: Name and version of what carries the call, such as ``grpc/1.76.0``.
    """
    return f"gl-python/{platform.python_version()} toolwire/{__version__} {transport}"


def is_header_text(value: str) -> bool:
    """Tells whether a header can carry a text: printable ASCII only."""
    return _VALUE.fullmatch(value) is not None


def check_metadata(metadata: object) -> Headers:
    """Returns the user's own headers, with their names in lower case.

    gRPC itself refuses a bad header by printing all of them, credentials included; so this
    looks first, and shows no value.

    Raises:
        UsageError: If they are no pairs of a name and a value that can be sent.
    """
    if isinstance(metadata, Mapping):
        metadata = cast("Mapping[object, object]", metadata).items()
    if isinstance(metadata, (str, bytes)) or not isinstance(metadata, Iterable):
        found = kind_spoken(metadata)  # and is not shown
        raise UsageError(f"metadata takes a dict, or pairs of a name and a value, found {found}")
    pairs = cast("Iterable[object]", metadata)
    return tuple(_check_pair(index, pair) for index, pair in enumerate(pairs))


def _check_pair(index: int, pair: object) -> Header:
    if not _is_pair(pair):
        raise UsageError(f"metadata[{index}]: expected a pair of a name and a value")
    name, value = pair
    key = name.lower() if isinstance(name, str) else ""
    if _KEY.fullmatch(key) is None or key.startswith("grpc-"):
        raise UsageError(
            f"metadata[{index}]: expected the name of a header, and none of gRPC's"
            f"{_found(name, value)}"
        )
    if key.endswith("-bin"):
        if isinstance(value, bytes):
            return key, value
        raise UsageError(f"metadata[{index}]: {key!r} takes bytes, as every name with -bin does")
    if isinstance(value, str) and is_header_text(value):
        return key, value
    raise UsageError(f"metadata[{index}]: {key!r} takes a text of printable ASCII characters")


def _found(name: object, value: object) -> str:
    """Shows how a bad name begins, but not where a value may stand in its place."""
    if not isinstance(name, str):
        return f", found {kind_spoken(name)}"
    if isinstance(value, str) and is_secret(value.lower()):
        return "; are name and value the wrong way round?"
    good = _GOOD.match(name)
    shown = good[0] if good else ""
    return f", found {name!r}" if shown == name else f", found one that begins with {shown!r}"


def _is_pair(value: object) -> TypeGuard[tuple[object, object]]:
    return isinstance(value, tuple) and len(cast("tuple[object, ...]", value)) == _PAIR
