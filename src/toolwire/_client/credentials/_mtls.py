"""The client's own certificate for TLS in both directions, and whether its hosts are used.

Explicit ones come first. Else the environment decides as it does for Google's own libraries:
GOOGLE_API_USE_CLIENT_CERTIFICATE says whether the machine's certificate is used, and
GOOGLE_API_USE_MTLS_ENDPOINT whether the hosts for it are: always, never, or with a certificate.

A certificate may be read from files or made by a program, so that one waits for it as for a
token: no longer than a call may last, once for all calls, and without blocking an event loop.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, Union, cast

from toolwire._client.credentials._identity import IdentityError
from toolwire._client.credentials._shared import Shared, Wait, wait, wait_async
from toolwire._client.endpoints._hosts import mtls_host
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Generator

CERTIFICATE_VARIABLE = "GOOGLE_API_USE_CLIENT_CERTIFICATE"
ENDPOINT_VARIABLE = "GOOGLE_API_USE_MTLS_ENDPOINT"

_FAILED = "the client certificate cannot be had"

Pair: TypeAlias = "tuple[bytes, bytes]"
"""A certificate, with the chain above it if need be, and its private key, as PEM."""

Source: TypeAlias = Union[Pair, Callable[[], Pair]]  # noqa: UP007 - evaluated at run time
"""Such a pair, or what returns one each time that a connection is made anew."""


class Mtls:
    """What a client was told about its own certificate.

    Attributes:
        source: The certificate, or what returns it; None for none.
        pair: The certificate that was loaded last, for whoever opens a connection next.
    """

    def __init__(self, source: Source | None = None, mode: str = "never") -> None:
        """Remembers what to do.

        Args:
            source: The certificate, or what returns it.
            mode: When the hosts for it are used: ``always``, ``never`` or ``auto``.
        """
        self.source = source
        self.pair: Pair | None = None if callable(source) else source
        self._mode = mode
        self._shared: Shared[Pair] = Shared(_FAILED)

    def choose(self, host: str) -> str:
        """Returns the host to call: the given one, or its counterpart for certificates.

        Raises:
            UsageError: If it has to be the latter, and there is none.
        """
        if self._mode == "never" or (self._mode == "auto" and self.source is None):
            return host
        counterpart = mtls_host(host)
        if counterpart is None and self._mode == "always":
            raise UsageError(
                f"{host} has no counterpart for client certificates, and {ENDPOINT_VARIABLE} is "
                "'always'"
            )
        return counterpart or host

    def load(self, seconds: float) -> None:
        """Loads the certificate anew, if something has to be asked for it.

        Args:
            seconds: How long this may take.

        Raises:
            UsageError: If it cannot be had.
            IdentityError: If it does not come in time.
        """
        if callable(self.source):
            self.pair = wait(self._loading(self.source, seconds))

    async def load_async(self, seconds: float) -> None:
        """Does as ``load`` does, without blocking the event loop."""
        if callable(self.source):
            self.pair = await wait_async(self._loading(self.source, seconds))

    def _loading(
        self, source: Callable[[], Pair], seconds: float
    ) -> Generator[Wait[Pair], Pair | IdentityError, Pair]:
        running = self._shared.start(lambda: _load(source))
        found = yield Wait(running, time.monotonic() + seconds)
        if isinstance(found, IdentityError):
            raise IdentityError(found.code, found.message)
        return found

    def __repr__(self) -> str:
        return f"Mtls({self._mode!r})"


def _load(source: Callable[[], Pair]) -> Pair:
    try:
        pair = source()
    except BaseException as error:  # noqa: BLE001 - what it shows may be a secret
        kind = type(error).__name__
    else:
        return check_pair(pair)
    raise UsageError(f"{_FAILED}: {kind}")


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
    if _choice(CERTIFICATE_VARIABLE, "false", ("true", "false")) == "false":
        return Mtls(mode=mode)
    from toolwire._client.credentials import _google  # noqa: PLC0415 - loads google.auth

    return Mtls(_google.default_certificate(), mode=mode)


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
