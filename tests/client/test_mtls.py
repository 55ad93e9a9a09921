"""The client's own certificate, the hosts for it, and clouds other than googleapis.com."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.auth import __version__ as auth_version
from google.auth import credentials as google_credentials

from support.grpc_servers import Pair, make_certificate, serve, text_of
from support.tokens import service_account_file, token_server
from support.versions import IS_OLDER_GRPC
from toolwire import v1
from toolwire._client.credentials._mtls import read_mtls
from toolwire.client import (
    AsyncClient,
    CallError,
    Client,
    DeadlineExceeded,
    Unavailable,
    UsageError,
    stub,
)

CERTIFICATE = "GOOGLE_API_USE_CLIENT_CERTIFICATE"
ENDPOINT = "GOOGLE_API_USE_MTLS_ENDPOINT"
UNIVERSE = "GOOGLE_CLOUD_UNIVERSE_DOMAIN"
AUTH = tuple(map(int, auth_version.split(".")[:2]))
CONFIG = "GOOGLE_API_CERTIFICATE_CONFIG"
REGIONAL = "projects/p/locations/us-central1/endpoints/1"


@pytest.fixture(scope="module")
def own() -> Pair:
    return make_certificate("client.test")


def host(location: str = "us-central1", **options: Any) -> str:
    """Where a client would call."""
    defaults: dict[str, Any] = {"api_key": "some-key", "timeout": 0.05, "retries": 0}
    with Client(**{**defaults, **options}) as client:
        with pytest.raises(CallError):
            client.generate_content(f"projects/p/locations/{location}/endpoints/1", "x")
        (target,) = client._lines._channels
    return target.removesuffix(":443")


@pytest.mark.parametrize("how", ["pair", "function"])
def test_a_server_that_asks_for_a_certificate(pair: Pair, own: Pair, how: str) -> None:
    given: Any = (own.certificate, own.key)
    options: dict[str, Any] = {"root_certificates": pair.certificate, "api_key": "some-key"}
    with serve(pair, clients=own.certificate) as server:
        place: dict[str, Any] = {"api_endpoint": server.target, "project": "p", "location": "l"}
        with Client(
            api="v1",
            **place,
            **options,
            client_certificate=given if how == "pair" else lambda: given,
        ) as client:
            assert text_of(client.generate_content("m", "x", timeout=20)) == "ok"
            assert "client_certificate=True" in repr(client)
            assert "PRIVATE" not in repr(client) + repr(vars(client))
        with Client(**place, **options) as client, pytest.raises(Unavailable):
            client.generate_content("m", "x", timeout=20, retries=0)


@pytest.mark.parametrize("shown", ["none", "another"])
def test_a_server_that_does_not_get_the_certificate_it_wants(
    pair: Pair, own: Pair, shown: str
) -> None:
    given = tuple(make_certificate()) if shown == "another" else None
    options: dict[str, Any] = {"root_certificates": pair.certificate, "api_key": "some-key"}
    options |= {"project": "p", "location": "l", "client_certificate": given, "retries": 0}

    async def call(target: str) -> None:
        async with AsyncClient(api_endpoint=target, **options) as client:
            await client.generate_content("m", "x", timeout=20)

    with serve(pair, clients=own.certificate) as server:
        client = Client(api_endpoint=server.target, **options)
        with client, pytest.raises(Unavailable) as caught:
            client.generate_content("m", "x", timeout=20)
        assert "may want a client_certificate=" in caught.value.hint
        with pytest.raises(Unavailable) as caught:
            asyncio.run(call(server.target))
        assert "may want a client_certificate=" in caught.value.hint


def test_a_certificate_and_a_key_that_are_no_pair(pair: Pair, own: Pair) -> None:
    # Older versions of gRPC do not say what they miss.
    says = "empty address list" if IS_OLDER_GRPC else "client_certificate and its key are no pair"
    for given in ((own.certificate, pair.key), (b"CERTIFICATE", b"PRIVATE KEY")):
        with (
            serve(pair, clients=own.certificate) as server,
            Client(
                api_endpoint=server.target,
                root_certificates=pair.certificate,
                client_certificate=given,
                api_key="some-key",
                project="p",
                location="l",
            ) as client,
            pytest.raises(Unavailable, match=says),
        ):
            client.generate_content("m", "x", timeout=20)


class Provider:
    """Makes a certificate as slowly as a test likes."""

    def __init__(self, own: Pair) -> None:
        self.own = own
        self.asked = 0
        self.go_on = threading.Event()

    def __call__(self) -> tuple[bytes, bytes]:
        self.asked += 1
        self.go_on.wait(20)
        return self.own.certificate, self.own.key


def test_a_slow_provider_blocks_no_event_loop(pair: Pair, own: Pair) -> None:
    provider = Provider(own)

    async def calls(client: AsyncClient) -> None:
        # Were the loop blocked, nothing would let the provider go on before the calls time out.
        asyncio.get_running_loop().call_later(0.05, provider.go_on.set)
        models = ("m", "n", "m", "o")
        replies = await asyncio.gather(*(client.generate_content(m, "x") for m in models))
        assert [text_of(reply) for reply in replies] == ["ok"] * 4
        async with client.stream_generate_content("p", "x") as stream:
            assert len([each async for each in stream]) == 3
        await client.close()

    with serve(pair, clients=own.certificate) as server:
        client = AsyncClient(
            api_endpoint=server.target,
            root_certificates=pair.certificate,
            client_certificate=provider,
            api_key="some-key",
            project="p",
            location="l",
            timeout=10,
        )
        asyncio.run(calls(client))
    assert provider.asked == 1  # for one connection, whoever waits


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_a_provider_that_hangs_is_waited_for_no_longer_than_the_call(own: Pair, kind: Any) -> None:
    provider = Provider(own)
    client = kind(
        api_endpoint="localhost:1",
        client_certificate=provider,
        api_key="some-key",
        project="p",
        location="l",
    )

    async def call() -> None:
        await client.generate_content("m", "x", timeout=0.05)

    with pytest.raises(DeadlineExceeded, match="the client certificate cannot be had: not in time"):
        asyncio.run(call()) if kind is AsyncClient else client.generate_content(
            "m", "x", timeout=0.05
        )
    provider.go_on.set()


@pytest.mark.skipif(AUTH < (2, 48), reason="older ones do not read that configuration")
def test_the_certificate_of_the_machine(
    pair: Pair, own: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = {"cert_path": tmp_path / "cert.pem", "key_path": tmp_path / "key.pem"}
    paths["cert_path"].write_bytes(own.certificate)
    paths["key_path"].write_bytes(own.key)
    config = tmp_path / "certificate_config.json"
    workload = {name: str(path) for name, path in paths.items()}
    config.write_text(json.dumps({"cert_configs": {"workload": workload}}))
    monkeypatch.setenv(CONFIG, str(config))
    monkeypatch.setenv(CERTIFICATE, "true")
    assert host() == "us-central1-aiplatform.mtls.googleapis.com"
    with serve(pair, clients=own.certificate) as server:
        with Client(
            api_endpoint=server.target,
            root_certificates=pair.certificate,
            api_key="some-key",
            project="p",
            location="l",
        ) as client:
            assert text_of(client.generate_content("m", "x", timeout=20)) == "ok"
        paths["key_path"].unlink()
        with (
            Client(api_endpoint=server.target, api_key="some-key", project="p", location="l") as c,
            pytest.raises(UsageError, match="the client certificate cannot be had"),
        ):
            c.generate_content("m", "x", timeout=20)


def test_a_machine_without_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(CERTIFICATE, "true")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv(CONFIG, str(tmp_path / "none.json"))
    assert host() == "us-central1-aiplatform.googleapis.com"


@pytest.mark.parametrize(
    ("mode", "has_one", "location", "expected"),
    [
        ("", True, "us-central1", "us-central1-aiplatform.mtls.googleapis.com"),
        ("auto", True, "global", "aiplatform.mtls.googleapis.com"),
        ("auto", True, "eu", "aiplatform.eu.rep.googleapis.com"),
        ("auto", False, "us-central1", "us-central1-aiplatform.googleapis.com"),
        ("never", True, "us-central1", "us-central1-aiplatform.googleapis.com"),
        ("always", False, "us-central1", "us-central1-aiplatform.mtls.googleapis.com"),
        ("ALWAYS", True, "global", "aiplatform.mtls.googleapis.com"),
    ],
)
def test_hosts_for_certificates(  # noqa: PLR0917
    own: Pair,
    monkeypatch: pytest.MonkeyPatch,
    mode: str,
    has_one: bool,
    location: str,
    expected: str,
) -> None:
    monkeypatch.setenv(ENDPOINT, mode)
    given = (own.certificate, own.key) if has_one else None
    assert host(location, client_certificate=given) == expected


def test_multi_regions_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENDPOINT, "always")
    with (
        Client(api_key="some-key") as client,
        pytest.raises(UsageError, match="has no counterpart for client certificates"),
    ):
        client.generate_content("projects/p/locations/eu/endpoints/1", "x")
    assert host(api_endpoint="psc.example.com:444") == "psc.example.com:444"  # it always wins


def fail(error: BaseException | None = None) -> Any:
    raise error or ValueError("HIDDEN")


@pytest.mark.parametrize(
    "given",
    [
        "text",
        (b"CERTIFICATE", "text"),
        (b"CERTIFICATE",),
        (b"no", b"PRIVATE KEY"),
        (b"CERTIFICATE", b"HIDDEN"),
        [b"CERTIFICATE", b"PRIVATE KEY"],
    ],
)
def test_what_is_no_certificate(given: Any) -> None:
    with pytest.raises(UsageError, match="client_certificate takes a certificate and its") as info:
        Client(client_certificate=given)
    assert "HIDDEN" not in str(info.value)
    with pytest.raises(UsageError, match="client_certificate takes a certificate and its"):
        read_mtls(lambda: given).load(20.0)


def test_a_function_that_fails(own: Pair) -> None:
    failing: Callable[[], Any] = fail
    with pytest.raises(UsageError, match="cannot be had: ValueError") as info:
        read_mtls(failing).load(20.0)
    assert info.value.__context__ is None
    pair: Any = (own.certificate, own.key)
    for ending in (SystemExit("HIDDEN"), KeyboardInterrupt("HIDDEN"), GeneratorExit("HIDDEN")):
        with pytest.raises(UsageError, match=f"cannot be had: {type(ending).__name__}$") as info:
            read_mtls(partial(fail, ending)).load(20.0)
        assert info.value.__context__ is None
    for options in (
        {"insecure": True, "api_endpoint": "localhost:1"},
        {"channel": grpc.insecure_channel("localhost:1")},
    ):
        given: dict[str, Any] = options
        with pytest.raises(UsageError, match="client_certificate"):
            Client(client_certificate=pair, **given)


@pytest.mark.parametrize("variable", [CERTIFICATE, ENDPOINT])
def test_variables_that_say_something_else(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    monkeypatch.setenv(variable, "maybe")
    with pytest.raises(UsageError, match=f"{variable} is 'maybe'"):
        Client(api_key="some-key")
    Client(api_endpoint="localhost:1", insecure=True).close()  # which has no certificate anyway


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("us-central1", "us-central1-aiplatform.example-cloud.test"),
        ("global", "aiplatform.example-cloud.test"),
        ("us", "aiplatform.us.rep.example-cloud.test"),
    ],
)
def test_another_universe(monkeypatch: pytest.MonkeyPatch, location: str, expected: str) -> None:
    assert host(location, universe_domain="example-cloud.test") == expected
    monkeypatch.setenv(UNIVERSE, "other.test")
    assert host(location, universe_domain="example-cloud.test") == expected
    assert host("global") == "aiplatform.other.test"
    assert host(api_endpoint="h.test") == "h.test"


@pytest.mark.parametrize(
    "domain", ["localhost", "a..b", "-a.b", "a.b/", "a.b:1", "A.B", "a.b\n", ""]
)
def test_what_is_no_universe(monkeypatch: pytest.MonkeyPatch, domain: str) -> None:
    with pytest.raises(UsageError, match="universe"):
        Client(universe_domain=domain)
    if domain.strip():
        monkeypatch.setenv(UNIVERSE, f"{domain}x/")
        with pytest.raises(UsageError, match=f"{UNIVERSE} takes a domain"):
            Client()


def test_a_stub_has_no_other_universe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(UNIVERSE, "not one")
    with stub(v1.grpc.PredictionServiceStub, "localhost:1", insecure=True):
        pass


class Elsewhere(google_credentials.Credentials):
    @property
    def universe_domain(self) -> str:
        return "example-cloud.test"

    def refresh(self, request: object) -> None:  # noqa: ARG002
        self.token = "some-token"  # noqa: S105


def test_the_universe_of_a_credential() -> None:
    def elsewhere(**options: Any) -> str:
        return host(api_key=None, credentials=Elsewhere(), timeout=20.0, **options)  # type: ignore[no-untyped-call]

    assert elsewhere() == "us-central1-aiplatform.example-cloud.test"
    assert elsewhere(universe_domain="example-cloud.test").endswith(".example-cloud.test")
    with pytest.raises(UsageError, match=r"the credential is for .* and the client calls"):
        elsewhere(universe_domain="googleapis.com")


def test_the_universe_of_default_credentials(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with token_server() as tokens:
        path = service_account_file(tmp_path, tokens)
        content = {**json.loads(path.read_text()), "universe_domain": "example-cloud.test"}
        path.write_text(json.dumps(content))
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(path))
        expected = "us-central1-aiplatform.example-cloud.test"
        assert host(api_key=None, timeout=20.0) == expected
        monkeypatch.setenv(UNIVERSE, "other.test")
        with Client() as client, pytest.raises(UsageError, match=f"set {UNIVERSE}"):
            client.generate_content(REGIONAL, "x", timeout=20.0)
