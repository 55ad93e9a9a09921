"""The client's own certificate for TLS in both directions, and whether its hosts are used.

Explicit ones come first. Else the environment decides as it does for Google's own libraries:
GOOGLE_API_USE_CLIENT_CERTIFICATE says whether the machine's certificate is used, and
GOOGLE_API_USE_MTLS_ENDPOINT whether the hosts for it are: always, never, or with a certificate.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias, Union, cast

from toolwire._client._hosts import mtls_host
from toolwire._errors import UsageError

CERTIFICATE_VARIABLE = "GOOGLE_API_USE_CLIENT_CERTIFICATE"
ENDPOINT_VARIABLE = "GOOGLE_API_USE_MTLS_ENDPOINT"

Pair: TypeAlias = "tuple[bytes, bytes]"
"""A certificate, with the chain above it if need be, and its private key, as PEM."""

Source: TypeAlias = Union[Pair, Callable[[], Pair]]  # noqa: UP007 - evaluated at run time
"""Such a pair, or what returns one each time that a connection is made anew."""


@dataclass(frozen=True, slots=True)
class Mtls:
    """What a client was told about its own certificate.

    Attributes:
        source: The certificate; None for none.
        is_default: Whether the machine's is used, if it has one.
        mode: When the hosts for it are used: ``always``, ``never`` or ``auto``.
    """

    source: Source | None = field(default=None, repr=False)
    is_default: bool = False
    mode: str = "never"

    def choose(self, host: str) -> str:
        """Returns the host to call: the given one, or its counterpart for certificates.

        Raises:
            UsageError: If it has to be the latter, and there is none.
        """
        if self.mode == "never" or (self.mode == "auto" and self._find() is None):
            return host
        counterpart = mtls_host(host)
        if counterpart is None and self.mode == "always":
            raise UsageError(
                f"{host} has no counterpart for client certificates, and {ENDPOINT_VARIABLE} is "
                "'always'"
            )
        return counterpart or host

    def load(self) -> Pair | None:
        """Returns the certificate to show; it may be read from a file, or made by a program.

        Raises:
            UsageError: If it cannot be had.
        """
        source = self._find()
        if source is None:
            return None
        if callable(source):
            try:
                source = source()
            except Exception as error:  # noqa: BLE001 - what it shows may be a secret
                kind = type(error).__name__
            else:
                return check_pair(source)
            raise UsageError(f"the client certificate cannot be had: {kind}")
        return source

    def _find(self) -> Source | None:
        if self.source is not None or not self.is_default:
            return self.source
        from toolwire._client import _google  # noqa: PLC0415 - loads google.auth

        return _google.default_certificate()


def read_mtls(source: object, asks_environment: bool = True) -> Mtls:
    """Returns what is to be done, from the argument and the environment.

    Args:
        source: The argument; None leaves it to the environment.
        asks_environment: Whether that has a say.

    Raises:
        UsageError: If it is no certificate, or a variable says something else than it may.
    """
    mode = "never"
    if asks_environment:
        mode = _choice(ENDPOINT_VARIABLE, "auto", ("always", "never", "auto"))
    if callable(source):
        return Mtls(cast("Callable[[], Pair]", source), mode=mode)
    if source is not None:
        return Mtls(check_pair(source), mode=mode)
    if not asks_environment:
        return Mtls()
    use = _choice(CERTIFICATE_VARIABLE, "false", ("true", "false"))
    return Mtls(is_default=use == "true", mode=mode)


def check_pair(pair: object) -> Pair:
    """Returns a certificate and its key.

    Raises:
        UsageError: If they are none; what they are is not shown.
    """
    if isinstance(pair, tuple):
        match cast("tuple[object, ...]", pair):
            case (bytes() as certificate, bytes() as key) if b"CERTIFICATE" in certificate:
                if b"PRIVATE KEY" in key:
                    return certificate, key
            case _:
                pass
    raise UsageError(
        "client_certificate takes a certificate and its private key, as PEM in bytes, "
        "or a function that returns them"
    )


def _choice(variable: str, default: str, choices: tuple[str, ...]) -> str:
    value = os.environ.get(variable, "").strip().lower() or default
    if value not in choices:
        raise UsageError(f"{variable} is {value!r}; expected {', '.join(choices)}")
    return value
