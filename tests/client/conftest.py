from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.grpc_servers import Pair, Server, make_certificate, serve
from support.twins import Twin, twin_of
from toolwire.client import Client

VARIABLES = (
    "GOOGLE_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_CERTIFICATE_CONFIG",
    "GOOGLE_API_USE_CLIENT_CERTIFICATE",
    "GOOGLE_API_USE_MTLS_ENDPOINT",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_CLOUD_LOCATION",
    "GOOGLE_CLOUD_PROJECT",
    "GOOGLE_CLOUD_QUOTA_PROJECT",
    "GOOGLE_CLOUD_UNIVERSE_DOMAIN",
)


@pytest.fixture(autouse=True)
def _no_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """No test sees credentials, or a place, that this machine happens to have."""
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("CLOUDSDK_CONFIG", str(tmp_path_factory.getbasetemp() / "no-gcloud"))
    monkeypatch.setenv("NO_GCE_CHECK", "true")


@pytest.fixture
def server() -> Iterator[Server]:
    with serve() as running:
        yield running


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with local_client(server) as made:
        yield made


@pytest.fixture
def twin(server: Server, request: pytest.FixtureRequest) -> Iterator[Twin]:
    """A client of either kind: see ``of_both``."""
    with twin_of(server.target, request.param) as made:
        yield made


@pytest.fixture(scope="session")
def pair() -> Pair:
    return make_certificate()


@pytest.fixture
def secure_server(pair: Pair) -> Iterator[Server]:
    with serve(pair) as running:
        yield running


def local_client(server: Server) -> Client:
    return Client(
        api_endpoint=server.target,
        insecure=True,
        project="p",
        location="l",
        timeout=20.0,
        retries=0,
    )
