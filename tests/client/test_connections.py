"""Servers that are not there, are something else, or have another certificate."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import contextlib
import http.server
import socket
import threading
import time
from collections.abc import Callable, Generator, Iterator
from typing import Any

import grpc
import pytest

from support.grpc_servers import Context, Pair, Server, chunk, make_certificate, serve, text_of
from support.hangs import HANG, Hang
from support.programs import run_code
from toolwire._apis import APIS
from toolwire._client.channels._options import DEFAULT_OPTIONS, merge_options
from toolwire._client.endpoints._proxy import describe_proxy
from toolwire._client.errors._failures import Site
from toolwire._client.requests._methods import find_method
from toolwire.client import (
    AsyncClient,
    CallError,
    Cancelled,
    Client,
    DeadlineExceeded,
    Unavailable,
    UsageError,
)


def fail(target: str, timeout: float = 5.0, **options: Any) -> CallError:
    """Calls every method, which must fail alike, and returns the error."""
    defaults: dict[str, Any] = {"project": "p", "location": "l", "timeout": timeout, "retries": 0}
    errors: list[CallError] = []
    with Client(api_endpoint=target, **{**defaults, **options}) as client:
        calls: list[Callable[[], object]] = [
            lambda: client.generate_content("m", "x"),
            lambda: client.count_tokens("m", "x"),
            lambda: list(client.stream_generate_content("m", "x")),
        ]
        for call in calls:
            with pytest.raises(CallError) as caught:
                call()
            errors.append(caught.value)
    assert len({type(error) for error in errors}) == 1
    for error in errors:
        assert error.endpoint == target
        assert target in str(error)
    return errors[0]


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def http_server() -> Generator[str]:
    with http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), http.server.BaseHTTPRequestHandler
    ) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"127.0.0.1:{running.server_port}"
        finally:
            running.shutdown()
            thread.join()


def trusting(pair: Pair) -> dict[str, Any]:
    return {"root_certificates": pair.certificate, "api_key": "some-key"}


def test_nobody_listens(free_port: int, pair: Pair) -> None:
    target = f"127.0.0.1:{free_port}"
    assert isinstance(fail(target, timeout=60, insecure=True), Unavailable)
    assert isinstance(fail(target, timeout=60, **trusting(pair)), Unavailable)


def test_a_name_that_does_not_resolve(pair: Pair) -> None:
    error = fail("no-such-host.invalid:443", timeout=2, **trusting(pair))
    assert isinstance(error, (Unavailable, DeadlineExceeded))


def test_a_web_server(pair: Pair) -> None:
    with http_server() as target:
        error = fail(target, timeout=60, insecure=True)
        assert isinstance(error, Unavailable)
        assert "no gRPC server" in error.hint
        error = fail(target, timeout=60, **trusting(pair))
        assert isinstance(error, Unavailable)
        assert "does not speak TLS" in error.hint


def test_a_server_that_says_nothing(pair: Pair) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        target = f"127.0.0.1:{silent.getsockname()[1]}"
        for options in ({"insecure": True}, trusting(pair)):
            error = fail(target, timeout=0.3, **options)
            assert isinstance(error, DeadlineExceeded)
            assert "0.3 seconds" in str(error)


def test_tls_and_plaintext_mixed_up(server: Server, secure_server: Server, pair: Pair) -> None:
    error = fail(server.target, timeout=60, **trusting(pair))
    assert isinstance(error, Unavailable)
    assert "does not speak TLS; is insecure=True missing?" in str(error)
    error = fail(secure_server.target, timeout=60, insecure=True)
    assert isinstance(error, Unavailable)
    assert "the server may want TLS" in str(error)


def test_certificates(secure_server: Server, pair: Pair) -> None:
    with Client(
        api="v1", api_endpoint=secure_server.target, project="p", location="l", **trusting(pair)
    ) as client:
        assert text_of(client.generate_content("m", "x")) == "ok"
    for options in ({"api_key": "some-key"}, trusting(make_certificate())):
        error = fail(secure_server.target, timeout=60, **options)
        assert isinstance(error, Unavailable)
        assert "root_certificates=" in error.hint
    elsewhere = make_certificate("elsewhere.test")
    with serve(elsewhere) as running:
        error = fail(running.target, timeout=60, **trusting(elsewhere))
        assert isinstance(error, Unavailable)
        assert "for another host" in error.hint


@pytest.mark.parametrize("method", ["generate_content", "count_tokens", "stream_generate_content"])
def test_a_slow_server_is_left_at_the_deadline(
    server: Server, client: Client, method: str, hang: Hang
) -> None:
    def wait(_request: Any, _context: Context) -> bytes:
        hang()
        return chunk()

    server.generate = server.count = wait
    server.stream = lambda request, context: [wait(request, context)]
    call: Callable[..., Any] = getattr(client, method)
    with pytest.raises(DeadlineExceeded, match=r"0\.3 seconds"):
        list(call("m", "x", timeout=0.3))
    hang.let_go()


def test_a_stream_has_one_deadline_for_all_of_it(server: Server, client: Client) -> None:
    def endless(_request: Any, context: Context) -> Iterator[bytes]:
        while context.is_active():
            yield chunk()
            time.sleep(0.01)

    server.stream = endless
    for seconds in (0.5, 5.0, 50.0):  # on a busy machine nothing may come in half a second
        received: list[object] = []
        with pytest.raises(DeadlineExceeded):
            received.extend(client.stream_generate_content("m", "x", timeout=seconds))
        if len(received) > 1:
            return
    pytest.fail("no stream had chunks before its deadline")


def test_the_next_call_after_a_restart_works(free_port: int) -> None:
    with Client(
        api_endpoint=f"127.0.0.1:{free_port}", insecure=True, project="p", location="l", timeout=20
    ) as client:
        for _ in range(3):
            with serve(port=free_port):
                assert text_of(client.generate_content("m", "x")) == "ok"


def test_the_next_call_after_an_idle_time_works(server: Server) -> None:
    with Client(
        api_endpoint=server.target,
        insecure=True,
        project="p",
        location="l",
        timeout=20,
        channel_options=[("grpc.client_idle_timeout_ms", 1000)],
    ) as client:
        client.generate_content("m", "x")
        for seconds in (1.5, 5.0, 50.0):  # on a busy machine it may take longer to be noticed
            time.sleep(seconds)
            client.generate_content("m", "x")
            if len(server.peers) == 2:  # the idle connection was closed, and opened again
                return
    pytest.fail("the idle connection stayed open")


def test_closing(server: Server) -> None:
    client = Client(api_endpoint=server.target, insecure=True, project="p", location="l")
    client.generate_content("m", "x")
    stream = client.stream_generate_content("m", "x")
    started, leave = threading.Event(), threading.Event()

    def wait(_request: Any, _context: Context) -> bytes:
        started.set()
        leave.wait(HANG)
        return chunk()

    server.generate = wait
    failures: list[BaseException] = []

    def call() -> None:
        try:
            client.generate_content("m", "x")
        except CallError as error:
            failures.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    assert started.wait(HANG)
    client.close()
    client.close()
    thread.join(HANG)
    leave.set()
    assert [type(failure) for failure in failures] == [Cancelled]
    stream.close()
    for model in ("m", "another"):
        with pytest.raises(UsageError, match="closed"):
            client.generate_content(model, "x")
        with pytest.raises(UsageError, match="closed"):
            client.stream_generate_content(model, "x")


def test_closing_an_unused_client_opens_nothing(free_port: int) -> None:
    with Client(api_endpoint=f"127.0.0.1:{free_port}", insecure=True) as client:
        assert client._lines._channels == {}
    with pytest.raises(UsageError, match="closed"):
        client.generate_content("projects/p/locations/l/endpoints/1", "x")


def test_a_ready_channel_is_used_and_left_open(server: Server) -> None:
    with grpc.insecure_channel(server.target) as channel:
        with Client(channel=channel, project="p", location="l") as client:
            client.generate_content("m", "x")
            with pytest.raises(UsageError, match="'elsewhere', and location= says 'l'"):
                client.generate_content("projects/p/locations/elsewhere/endpoints/1", "x")
            assert "a ready channel" in repr(client)
        with Client(channel=channel) as client:
            client.generate_content("projects/p/locations/elsewhere/endpoints/1", "x")
        assert [seen.request.model for seen in server.seen][1].split("/")[3] == "elsewhere"
        again = Client(channel=channel, project="p", location="l")
        again.generate_content("m", "x")
    for seen in server.seen:
        assert seen.header("authorization") is None
        assert seen.header("x-goog-request-params") is not None
    for call in (again.generate_content, again.stream_generate_content):
        with pytest.raises(UsageError, match="channel that it was given, is closed"):
            call("m", "x")


def test_each_host_has_its_own_channel() -> None:
    with Client(project="p", api_key="some-key", timeout=0.001) as client:
        for location in ("l1", "l2", "l1"):
            with pytest.raises(CallError):
                client.generate_content(f"projects/p/locations/{location}/endpoints/1", "x")
        assert set(client._lines._channels) == {
            "l1-aiplatform.googleapis.com:443",
            "l2-aiplatform.googleapis.com:443",
        }


def test_options_go_over_the_defaults() -> None:
    assert dict(merge_options(())) == dict(DEFAULT_OPTIONS)
    merged = dict(merge_options([("grpc.keepalive_time_ms", 1), ("mine", "x")]))
    assert merged == {**DEFAULT_OPTIONS, "grpc.keepalive_time_ms": 1, "mine": "x"}


def test_default_options_keep_the_peace_with_servers() -> None:
    # gRPC servers answer pings that come more often than this with too_many_pings.
    assert DEFAULT_OPTIONS["grpc.keepalive_time_ms"] > 300_000  # type: ignore[operator]
    assert DEFAULT_OPTIONS["grpc.keepalive_permit_without_calls"] == 0
    # Retry policies are off, and the transparent retries that come with them are not.
    assert DEFAULT_OPTIONS["grpc.service_config_disable_resolution"] == 1
    assert "grpc.enable_retries" not in DEFAULT_OPTIONS


def test_a_users_option_takes_effect(server: Server) -> None:
    with (
        Client(
            api_endpoint=server.target,
            insecure=True,
            project="p",
            location="l",
            channel_options=[("grpc.max_send_message_length", 10)],
        ) as client,
        pytest.raises(CallError, match=r"(?i)larger than max"),
    ):
        client.generate_content("m", "x" * 100)


PROXIED = """
    import os, sys
    import grpc
    from toolwire.client import CallError
    from toolwire.testing import LocalServer

    proxy = sys.argv[1]
    for name in ("grpc_proxy", "https_proxy", "http_proxy"):
        os.environ[name] = "http://" + proxy
    with LocalServer() as server, LocalServer(tls=True) as secure:
        with server.client(api_key="some-key") as client:
            client.generate_content("m", "x", timeout=20)
        with secure.client() as client:
            client.generate_content("m", "x", timeout=20)
        with server.channel() as channel:
            grpc.channel_ready_future(channel).result(20)
        print("direct", flush=True)
        options = [("grpc.enable_http_proxy", 1)]
        with server.client(channel_options=options) as client:
            try:
                client.generate_content("m", "x", timeout=20, retries=0)
            except CallError as error:
                print(error.code)
"""


def test_no_proxy_reads_along_on_loopback(free_port: int) -> None:
    output = run_code(PROXIED, f"127.0.0.1:{free_port}")
    assert output.splitlines() == ["direct", "UNAVAILABLE"]  # and a user who wants one has it


def site(client: Client) -> Site:
    return client._core.site(find_method(APIS["v1"], "generate_content"), None, 1.0)


def test_a_server_that_worked_wants_no_tls(client: Client) -> None:
    def hint(message: str) -> str:
        return site(client).fail("UNAVAILABLE", message).hint

    hung_up = "failed to connect to all addresses; last error: UNAVAILABLE: Socket closed"
    assert "may want TLS" in hint(hung_up)
    assert hint("Stream removed (Socket closed)") == ""
    client.generate_content("m", "x")
    assert hint(hung_up) == ""


def test_a_certificate_that_only_the_call_finds_wrong(client: Client) -> None:
    found = site(client)
    error = found.fail("UNAUTHENTICATED", "call host does not match SSL server name")
    assert error.hint == "the server's certificate is for another host"
    assert found.fail("UNAUTHENTICATED", "who?").hint == "the credential: no credential"


def test_comments_among_certificates(secure_server: Server, pair: Pair) -> None:
    roots = "# Größe\n".encode() + pair.certificate
    with Client(
        api_endpoint=secure_server.target,
        project="p",
        location="l",
        api_key="some-key",
        root_certificates=roots,
    ) as client:
        assert text_of(client.generate_content("m", "x", timeout=20)) == "ok"


@pytest.fixture
def proxied(monkeypatch: pytest.MonkeyPatch, free_port: int) -> str:
    """A proxy in the environment that is not there."""
    for name in ("grpc_proxy", "http_proxy", "no_grpc_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("https_proxy", f"http://someone:hush-hush@127.0.0.1:{free_port}")
    return f"https_proxy, 127.0.0.1:{free_port}"


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_a_dead_proxy_is_named(proxied: str, kind: str) -> None:
    options: dict[str, Any] = {"api": "gemini", "api_key": "some-key", "retries": 0, "timeout": 20}

    async def call() -> None:
        async with AsyncClient(**options) as client:
            await client.generate_content("m", "x")

    with Client(**options) as client, pytest.raises(Unavailable) as caught:
        _ = asyncio.run(call()) if kind == "async" else client.generate_content("m", "x")
    assert caught.value.hint == f"calls there go through the proxy of {proxied}"
    assert "hush-hush" not in str(caught.value)


@pytest.mark.parametrize(
    ("variables", "host", "expected"),
    [
        ({}, "a.example", "https_proxy, 127.0.0.1:"),
        ({"no_proxy": "x, .example"}, "a.example", ""),
        ({"no_grpc_proxy": "x", "no_proxy": ".example"}, "a.example", "https_proxy"),
        ({"no_proxy": "10.0.0.0/8"}, "10.1.2.3", ""),
        ({"no_proxy": "*"}, "a.example", "https_proxy"),
        ({"grpc_proxy": "http://[::1]:3128"}, "a.example", "grpc_proxy, [::1]:3128"),
        ({"grpc_proxy": "http://proxy.test"}, "a.example", "grpc_proxy, proxy.test"),
        ({"https_proxy": "https://proxy.test:1"}, "a.example", ""),
        ({"https_proxy": "proxy.test:1"}, "a.example", ""),
        ({"https_proxy": "http://proxy.test:x"}, "a.example", ""),
    ],
)
@pytest.mark.usefixtures("proxied")
def test_which_proxy_has_a_say(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], host: str, expected: str
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert describe_proxy(host).startswith(expected)
    assert bool(describe_proxy(host)) == bool(expected)
