"""What can go wrong on the way to a server, as one table: for the tests, and for the docs.

Each row breaks something real on loopback, and says what the caller of a client has to see.
"""

from __future__ import annotations

import base64
import datetime as dt
import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from google.auth import credentials as google_credentials
from google.auth import exceptions

from support import http2
from support.grpc_servers import Context, Pair, Server, chunk, make_certificate, serve
from support.tcp_proxy import Proxy, proxy

DEADLINE = 0.4  # seconds, for faults that only a deadline ends
AMPLE = 20.0
MEGABYTE = 1_000_000


@dataclass
class Scene:
    """What was set up for one row.

    Attributes:
        options: Where the client calls.
        heal: Puts things right before the next call; None where that can never work.
        timeout: Seconds that the failing call may take.
        prompt: What the failing call says.
        arrived: Is told of each chunk that the caller has.
    """

    options: dict[str, Any]
    heal: Callable[[], object] | None = None
    timeout: float = AMPLE
    prompt: str = "x"
    arrived: Callable[[], object] = lambda: None


@dataclass
class Fault:
    """One row.

    Attributes:
        name: What happens.
        code: The status code that the caller sees; OK for none.
        older: What versions of gRPC before 1.80 make of it, where that is something else.
        says: What the error says among other things.
        arrange: Sets it up.
        is_stream: Whether the call is one with a stream.
        chunks: How many chunks come before it.
    """

    name: str
    code: str
    says: str
    arrange: Callable[[ExitStack], Scene]
    is_stream: bool = False
    chunks: int = 0
    older: str = ""


def plain(target: str) -> dict[str, Any]:
    """Options of a client of a server without TLS."""
    return {"api_endpoint": target, "insecure": True, "project": "p", "location": "l"}


def secure(target: str, pair: Pair | None) -> dict[str, Any]:
    """Options of a client of a server with TLS."""
    roots = None if pair is None else pair.certificate
    place = {"api_endpoint": target, "project": "p", "location": "l"}
    return {**place, "root_certificates": roots, "api_key": "some-key"}


def behind(stack: ExitStack) -> tuple[Server, Proxy, Callable[[], None]]:
    """A server, a proxy before it, and what makes both well again."""
    server = stack.enter_context(serve())
    between = stack.enter_context(proxy(server.target))
    well = Server()

    def heal() -> None:
        server.generate, server.stream = well.generate, well.stream
        between.is_swallowing, between.delay, between.quota = False, 0.0, None
        between.change = lambda data: data

    return server, between, heal


def _killed_before(stack: ExitStack) -> Scene:
    server, between, heal = behind(stack)

    def generate(_request: Any, _context: Context) -> bytes:
        between.cut()
        return chunk()

    server.generate = generate
    return Scene(plain(between.target), heal)


def _killed_during(stack: ExitStack) -> Scene:
    server, between, heal = behind(stack)

    def generate(_request: Any, _context: Context) -> bytes:
        between.quota = 50_000
        return chunk("x" * 500_000)

    def stream(request: Any, context: Context) -> Any:
        yield chunk("first")
        has_arrived.wait(AMPLE)
        yield generate(request, context)

    has_arrived = threading.Event()
    server.generate, server.stream = generate, stream
    return Scene(plain(between.target), heal, arrived=has_arrived.set)


def _killed_after(stack: ExitStack) -> Scene:
    _, between, _ = behind(stack)
    return Scene(plain(between.target), between.cut)


def _killed_between_chunks(stack: ExitStack) -> Scene:
    server, between, heal = behind(stack)

    def stream(_request: Any, _context: Context) -> Any:
        yield chunk("first")
        has_arrived.wait(AMPLE)
        between.cut()
        yield chunk("second")

    has_arrived = threading.Event()
    server.stream = stream
    return Scene(plain(between.target), heal, arrived=has_arrived.set)


def _corrupted(stack: ExitStack) -> Scene:
    server, between, heal = behind(stack)

    def generate(_request: Any, _context: Context) -> bytes:
        between.change = lambda data: b"\xff" * len(data)
        return chunk()

    server.generate = generate
    return Scene(plain(between.target), heal)


def _half_open(stack: ExitStack) -> Scene:
    server, between, heal = behind(stack)

    def generate(_request: Any, _context: Context) -> bytes:
        between.stop_answering()
        threading.Event().wait(0.2)
        return chunk()

    server.generate = generate
    return Scene(plain(between.target), heal)


def _black_hole(stack: ExitStack) -> Scene:
    _, between, heal = behind(stack)
    between.is_swallowing = True

    def again() -> None:
        heal()
        between.cut()  # what was swallowed does not come back on the same connection
        time.sleep(0.5)  # gRPC waits as long before it connects again

    return Scene(plain(between.target), again, timeout=DEADLINE)


def _black_hole_later(stack: ExitStack) -> Scene:
    server, between, heal = behind(stack)

    def generate(_request: Any, _context: Context) -> bytes:
        between.is_swallowing = True
        return chunk()

    def again() -> None:
        heal()
        between.cut()

    server.generate = generate
    return Scene(plain(between.target), again, timeout=DEADLINE)


def _slow(stack: ExitStack) -> Scene:
    _, between, _ = behind(stack)
    between.delay = 0.15
    return Scene(plain(between.target), lambda: None)


def _too_slow(stack: ExitStack) -> Scene:
    server, between, heal = behind(stack)
    leave = threading.Event()
    stack.callback(leave.set)

    def generate(_request: Any, _context: Context) -> bytes:
        leave.wait(AMPLE)
        return chunk()

    server.generate = generate
    return Scene(plain(between.target), heal, timeout=DEADLINE)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _refused(stack: ExitStack) -> Scene:
    port = free_port()
    return Scene(plain(f"127.0.0.1:{port}"), lambda: stack.enter_context(serve(port=port)))


def _restarted(stack: ExitStack) -> Scene:
    first = ExitStack()
    server = first.enter_context(serve())
    port = int(server.target.rpartition(":")[2])

    def restart() -> None:
        first.close()
        stack.enter_context(serve(port=port))

    return Scene(plain(server.target), restart)


def _silent(stack: ExitStack) -> Scene:
    listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    return Scene(plain(f"127.0.0.1:{listener.getsockname()[1]}"), timeout=DEADLINE)


class _Quiet(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


def _web_server(stack: ExitStack, *, tls: bool = False) -> Scene:
    server = stack.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), _Quiet))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    stack.callback(thread.join)
    stack.callback(server.shutdown)
    target = f"127.0.0.1:{server.server_port}"
    return Scene(secure(target, None) if tls else plain(target))


def _tls(server_pair: Callable[[], Pair], trusts: bool = True) -> Callable[[ExitStack], Scene]:
    def arrange(stack: ExitStack) -> Scene:
        pair = server_pair()
        server = stack.enter_context(serve(pair))
        return Scene(secure(server.target, pair if trusts else make_certificate()))

    return arrange


def _plain_for_tls(stack: ExitStack) -> Scene:
    server = stack.enter_context(serve())
    return Scene(secure(server.target, make_certificate()))


def _tls_for_plain(stack: ExitStack) -> Scene:
    return Scene(plain(stack.enter_context(serve(make_certificate())).target))


def _raw(answer: Callable[[int], bytes | None]) -> Callable[[ExitStack], Scene]:
    """A server whose first answer is odd; the others are right."""

    def arrange(stack: ExitStack) -> Scene:
        server = stack.enter_context(http2.http2_server())
        server.answer = answer

        def heal() -> None:
            server.answer = right

        return Scene(plain(server.target), heal)

    return arrange


def right(stream: int, data: bytes | None = None) -> bytes:
    """A good answer."""
    return (
        http2.headers(stream, http2.OK)
        + http2.message(stream, chunk() if data is None else data)
        + http2.headers(stream, [("grpc-status", "0")], is_last=True)
    )


def ending(*trailers: tuple[str, str | bytes]) -> Callable[[int], bytes]:
    """An answer with a message, and odd trailers."""

    def answer(stream: int) -> bytes:
        return (
            http2.headers(stream, http2.OK)
            + http2.message(stream, chunk())
            + http2.headers(stream, trailers, is_last=True)
        )

    return answer


_NO_STATUS = base64.b64encode(b"\xff\xff").rstrip(b"=")


def _large(megabytes: int) -> Callable[[ExitStack], Scene]:
    def arrange(stack: ExitStack) -> Scene:
        server = stack.enter_context(serve())
        server.generate = lambda request, _context: chunk(request.contents[0].parts[0].text)
        text = "x" * (megabytes * MEGABYTE)
        return Scene(plain(server.target), lambda: None, prompt=text, timeout=120.0)

    return arrange


def _token(trouble: str) -> Callable[[ExitStack], Scene]:
    def arrange(stack: ExitStack) -> Scene:
        pair = make_certificate()
        server = stack.enter_context(serve(pair))
        is_well = threading.Event()
        stack.callback(is_well.set)
        make_error: Any = exceptions.RefreshError

        class Credential(google_credentials.Credentials):
            def refresh(self, request: object) -> None:
                del request
                if trouble == "fails" and not is_well.is_set():
                    raise make_error("no")
                if trouble == "hangs":
                    is_well.wait(AMPLE)
                self.token = "some-token"  # noqa: S105
                is_old = trouble == "expired" and not is_well.is_set()
                self.expiry = dt.datetime(2001, 1, 1) if is_old else None  # noqa: DTZ001

        make: Any = Credential
        options = {**secure(server.target, pair), "credentials": make()}
        del options["api_key"]
        return Scene(options, is_well.set, timeout=DEADLINE if trouble == "hangs" else AMPLE)

    return arrange


FAULTS = [
    Fault("server killed before it answers", "UNAVAILABLE", "", _killed_before),
    Fault("server killed in the middle of an answer", "UNAVAILABLE", "", _killed_during),
    Fault("server killed after its answer", "OK", "", _killed_after),
    Fault(
        "server killed between two chunks",
        "UNAVAILABLE",
        "",
        _killed_between_chunks,
        is_stream=True,
        chunks=1,
    ),
    Fault(
        "server killed in the middle of a chunk",
        "UNAVAILABLE",
        "",
        _killed_during,
        is_stream=True,
        chunks=1,
    ),
    Fault("server restarted on the same port", "OK", "", _restarted),
    Fault("answer corrupted on the way", "UNKNOWN", "", _corrupted),
    Fault("GOAWAY, answer follows", "OK", "", _raw(lambda n: http2.goaway(n) + right(n))),
    Fault("GOAWAY, request not taken", "UNAVAILABLE", "GOAWAY", _raw(lambda _: http2.goaway(0))),
    Fault("connection refused", "UNAVAILABLE", "refused", _refused),
    Fault("connection black-holed from the start", "DEADLINE_EXCEEDED", "0.4 s", _black_hole),
    Fault("connection black-holed later", "DEADLINE_EXCEEDED", "0.4 s", _black_hole_later),
    Fault("connection half-open", "UNAVAILABLE", "", _half_open),
    Fault("listener that says nothing", "DEADLINE_EXCEEDED", "0.4 s", _silent),
    Fault("slow first byte, within the timeout", "OK", "", _slow),
    Fault("slow first byte, beyond it", "DEADLINE_EXCEEDED", "the call had 0.4 s", _too_slow),
    Fault(
        "TLS: certificate expired",
        "UNAVAILABLE",
        "has expired",
        _tls(lambda: make_certificate(is_expired=True)),
    ),
    Fault(
        "TLS: certificate for another name",
        "UNAVAILABLE",
        "for another host",
        _tls(lambda: make_certificate("elsewhere.test")),
    ),
    Fault(
        "TLS: unknown authority",
        "UNAVAILABLE",
        "root_certificates=",
        _tls(make_certificate, trusts=False),
    ),
    Fault("TLS client, plain server", "UNAVAILABLE", "does not speak TLS", _plain_for_tls),
    Fault("plain client, TLS server", "UNAVAILABLE", "may want TLS", _tls_for_plain),
    Fault("web server, plain", "UNAVAILABLE", "no gRPC server", _web_server),
    Fault(
        "web server, TLS client",
        "UNAVAILABLE",
        "does not speak TLS",
        lambda stack: _web_server(stack, tls=True),
    ),
    Fault("trailers without a status", "UNKNOWN", "No status", _raw(ending(("x", "y")))),
    Fault(
        "status code 99",
        "UNKNOWN",
        "odd",
        _raw(ending(("grpc-status", "99"), ("grpc-message", "odd"))),
    ),
    Fault(
        "status code that is no number",
        "INTERNAL",
        "grpc-status",
        _raw(ending(("grpc-status", "?"))),
        older="UNKNOWN",
    ),
    Fault(
        "details that are no protobuf",
        "INVALID_ARGUMENT",
        "details cannot be read",
        _raw(ending(("grpc-status", "3"), ("grpc-status-details-bin", _NO_STATUS))),
    ),
    Fault(
        "details that are no base64",
        "INTERNAL",
        "base64",
        _raw(ending(("grpc-status", "3"), ("grpc-status-details-bin", "!"))),
        older="UNKNOWN",
    ),
    Fault(
        "good end without a message",
        "INTERNAL",
        "without a response",
        _raw(
            lambda n: (
                http2.headers(n, http2.OK) + http2.headers(n, [("grpc-status", "0")], is_last=True)
            )
        ),
    ),
    Fault(
        "message that is no protobuf",
        "INTERNAL",
        "the response is not",
        _raw(lambda n: right(n, b"\xff")),
    ),
    Fault(
        "HTTP 502 with a page",
        "UNAVAILABLE",
        "502",
        _raw(
            lambda n: (
                http2.headers(n, [(":status", "502"), ("content-type", "text/html")])
                + http2.frame(http2.DATA, http2.END_STREAM, n, b"<html>")
            )
        ),
    ),
    Fault(
        "RST_STREAM",
        "INTERNAL",
        "RST_STREAM",
        _raw(lambda n: http2.frame(http2.RST_STREAM, 0, n, b"\0\0\0\2")),
    ),
    Fault("5 MB both ways", "OK", "", _large(5)),
    Fault("token: refresh fails", "UNAUTHENTICATED", "no token could be had", _token("fails")),
    Fault("token: refresh hangs", "DEADLINE_EXCEEDED", "no token in time", _token("hangs")),
    Fault("token: comes expired", "UNAUTHENTICATED", "clock right", _token("expired")),
]
HUGE = Fault("300 MB both ways", "OK", "", _large(300))
