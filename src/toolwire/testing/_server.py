"""The local server: real gRPC on loopback."""

from __future__ import annotations

import contextlib
import errno
import importlib
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Literal, overload

import grpc

from toolwire._apis import APIS
from toolwire._client._fork import use_grpc, watch
from toolwire._client.requests._methods import callable_api
from toolwire._errors import Error, UsageError
from toolwire._words import shown
from toolwire.testing import _extras
from toolwire.testing._handlers import add_services

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from typing_extensions import Self

    from toolwire.client import AsyncClient, Client
    from toolwire.testing._certificate import Certificate

_HOST = "127.0.0.1"
_MOST_PORT = 65535
_GRACE = 0.2
_OPTIONS = (
    ("grpc.so_reuseport", 0),  # a taken port is an error, and no second server on it
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
    # Beyond 1,000 calls that wait, gRPC's servers begin to cancel some of them.
    ("grpc.server.max_pending_requests", 1 << 20),
    ("grpc.server.max_pending_requests_hard_limit", 1 << 20),
)


def _check_number(name: str, value: object, least: int, most: int | None) -> None:
    number = value if isinstance(value, int) and not isinstance(value, bool) else least - 1
    if least <= number and (most is None or number <= most):
        return
    limit = f"at least {least}" if most is None else f"from {least} to {most}"
    raise UsageError(f"{name}: expected a whole number {limit}, found {shown(value)}")


class LocalServer:
    """A server that speaks every API over real gRPC, and answers from a deterministic model.

    It listens on loopback only and needs neither a network nor credentials. Use it as a context
    manager, or call ``start`` and ``stop``::

        with LocalServer() as server:
            print(server.client().generate_content("any-model", "Hello").candidates[0])

    Several servers live side by side. A server that was stopped can be started again.
    """

    def __init__(self, *, tls: bool = False, port: int = 0, workers: int = 8) -> None:
        """Prepares a server; ``start`` opens its port.

        Args:
            tls: Whether to speak TLS, with a certificate made for this server; its
                ``root_certificates`` are what a client has to trust.
            port: The port to listen on; 0 takes a free one.
            workers: How many calls are answered at the same time.

        Raises:
            UsageError: If the port or the number of workers is none.
            MissingExtraError: If the packages of the extra ``testing`` are not installed.
        """
        _extras.require()
        _check_number("port", port, 0, _MOST_PORT)
        _check_number("workers", workers, 1, None)
        self._tls = tls
        self._port = port
        self._workers = workers
        self._certificate: Certificate | None = None
        self._running: contextlib.ExitStack | None = None
        self._bound = 0
        self._grace = _GRACE
        self._inherited: contextlib.ExitStack | None = None
        watch(self._after_fork)

    def _after_fork(self) -> None:
        """Leaves the server to the parent: its threads are not here, and to stop it would hang."""
        if self._running is not None:
            self._inherited = self._running.pop_all()  # kept, since freeing it may hang as well

    def __repr__(self) -> str:
        state = f"on {_HOST}:{self._bound}" if self._running is not None else "stopped"
        return f"<LocalServer {state}>"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Opens the port and serves.

        Raises:
            Error: If the server runs already, or the port cannot be opened.
            UsageError: If the process was forked from one that had already used gRPC.
        """
        if self._running is not None:
            raise Error(f"the local server runs already, on {self.target}")
        from toolwire.testing._introspection import add_health, add_reflection  # noqa: PLC0415

        use_grpc()
        with contextlib.ExitStack() as stack:
            executor = ThreadPoolExecutor(self._workers, thread_name_prefix="toolwire-local-server")
            stack.callback(executor.shutdown)
            server = grpc.server(executor, options=_OPTIONS)
            services = [service for api in APIS.values() for service in api.services()]
            add_services(services, server)
            health = add_health(services, server)
            add_reflection(services, server)
            self._bound = self._open(server)
            server.start()
            stack.callback(lambda: server.stop(self._grace).wait())
            stack.callback(health.enter_graceful_shutdown)
            self._running = stack.pop_all()

    def stop(self, grace: float = _GRACE) -> None:
        """Closes the port, ends the calls under way and waits until all of it is gone.

        Args:
            grace: How many seconds to let calls under way finish before they are cut off.
        """
        running, self._running = self._running, None
        self._grace = grace
        if running is not None:
            running.close()

    @property
    def target(self) -> str:
        """Where the server listens, such as ``127.0.0.1:43210``.

        Raises:
            Error: If the server does not run.
        """
        if self._running is None:
            raise Error("the local server does not run: start it, or use it in a with statement")
        return f"{_HOST}:{self._bound}"

    @property
    def root_certificates(self) -> bytes | None:
        """The certificate to trust, as PEM; None without TLS."""
        return None if self._certificate is None else self._certificate.certificate

    def channel(self, options: Sequence[tuple[str, Any]] = ()) -> grpc.Channel:
        """Opens a channel to the server, for the generated stubs. Whoever opens it closes it.

        Raises:
            Error: If the server does not run.
        """
        options = (*options, ("grpc.enable_http_proxy", 0))  # the first of two wins
        if self._certificate is None:
            return grpc.insecure_channel(self.target, options)
        credentials = grpc.ssl_channel_credentials(self._certificate.certificate)
        return grpc.secure_channel(self.target, credentials, options)

    @overload
    def client(self, *, api: Literal["v1"] = "v1", **options: Any) -> Client: ...
    @overload
    def client(self, *, api: Literal["v1beta1"], **options: Any) -> Client[Literal["v1beta1"]]: ...
    @overload
    def client(self, *, api: Literal["gemini"], **options: Any) -> Client[Literal["gemini"]]: ...
    def client(self, *, api: Any = "v1", **options: Any) -> Any:
        """Makes a client of the server. Whoever makes it closes it.

        Args:
            api: The API that the client speaks.
            **options: Other arguments of ``toolwire.Client`` to add or to replace. By default the
                project is ``local-project`` and the location ``us-central1``, in an API that has
                these.

        Raises:
            Error: If the server does not run.
            UsageError: If there is no such API, or another argument is wrong.
        """
        from toolwire.client import Client  # noqa: PLC0415

        return self._placed(Client(api=api, **self._arguments(api, options)), options)

    @overload
    def async_client(self, *, api: Literal["v1"] = "v1", **options: Any) -> AsyncClient: ...
    @overload
    def async_client(
        self, *, api: Literal["v1beta1"], **options: Any
    ) -> AsyncClient[Literal["v1beta1"]]: ...
    @overload
    def async_client(
        self, *, api: Literal["gemini"], **options: Any
    ) -> AsyncClient[Literal["gemini"]]: ...
    def async_client(self, *, api: Any = "v1", **options: Any) -> Any:
        """Makes an async client of the server, with the arguments of ``client``.

        Args:
            api: The API that the client speaks.
            **options: Other arguments of ``toolwire.AsyncClient`` to add or to replace.

        Raises:
            Error: If the server does not run.
            UsageError: If there is no such API, or another argument is wrong.
        """
        from toolwire.client import AsyncClient  # noqa: PLC0415

        return self._placed(AsyncClient(api=api, **self._arguments(api, options)), options)

    def _arguments(self, api: str, options: dict[str, Any]) -> dict[str, Any]:
        """Returns the arguments of a client of this server."""
        defaults: dict[str, Any] = {}
        if callable_api(api).is_regional:
            defaults = {"project": "local-project"}
        access = self._access()
        if options.get("api_key") is not None:
            access.pop("credentials", None)
        if options.get("channel") is None:  # which has all of that
            defaults |= access
        return {**defaults, **options}

    @staticmethod
    def _placed(client: Any, options: dict[str, Any]) -> Any:
        """Returns a client with the default location, which a model's full name may overrule."""
        from toolwire._client.channels._base import assume_location  # noqa: PLC0415

        if "location" not in options:
            assume_location(client, "us-central1")
        return client

    def _access(self) -> dict[str, Any]:
        """Returns what a client needs to get here."""
        if self._certificate is None:
            return {"api_endpoint": self.target, "insecure": True}
        credentials = importlib.import_module("google.auth.credentials")
        return {
            "api_endpoint": self.target,
            "root_certificates": self._certificate.certificate,
            "credentials": credentials.AnonymousCredentials(),  # looks none up
        }

    def _open(self, server: grpc.Server) -> int:
        address = f"{_HOST}:{self._port}"
        try:
            if not self._tls:
                return server.add_insecure_port(address)
            if self._certificate is None:
                from toolwire.testing._certificate import make  # noqa: PLC0415

                self._certificate = make()
            pair = self._certificate.key, self._certificate.certificate
            return server.add_secure_port(address, grpc.ssl_server_credentials([pair]))
        except RuntimeError as error:
            raise Error(f"cannot listen on {address}: {self._reason() or error}") from error

    def _reason(self) -> str:
        """Says why the port cannot be opened, which gRPC does not; empty where it can be now."""
        try:
            socket.create_server((_HOST, self._port)).close()
        except OSError as error:
            in_use = error.errno == errno.EADDRINUSE
            return "the port is in use" if in_use else str(error.strerror)
        return ""
