"""Who calls: which credential is chosen, what it sends, and where it never goes."""

from __future__ import annotations

import asyncio
import threading
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.auth import credentials as google_credentials
from google.auth import exceptions

from support.grpc_servers import Pair, Server
from support.programs import run_code
from support.tokens import EMAIL, TokenServer, service_account_file, token_server
from toolwire._client.credentials._http import HttpRequest
from toolwire.client import (
    AsyncClient,
    CallError,
    Client,
    DeadlineExceeded,
    Unauthenticated,
    Unavailable,
    UsageError,
)

KEY = "AIza-an-api-key"


class Credential(google_credentials.Credentials):
    """A credential that needs no server, and counts how often it is asked for a token."""

    def __init__(self, token: str = "token-of-mine", project: str | None = None) -> None:  # noqa: S107
        super().__init__()  # type: ignore[no-untyped-call]
        self.next_token = token
        self.project_id = project
        self.refreshed = 0
        self.urls: list[str] = []

    def refresh(self, request: object) -> None:  # noqa: ARG002
        self.refreshed += 1
        self.token = self.next_token

    def before_request(self, request: Any, method: str, url: str, headers: Any) -> None:
        self.urls.append(url)
        super().before_request(request, method, url, headers)  # type: ignore[no-untyped-call]


@pytest.fixture
def tokens() -> Iterator[TokenServer]:
    with token_server() as running:
        yield running


@pytest.fixture
def adc(tokens: TokenServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TokenServer:
    """Application default credentials: a service account's file in the environment."""
    path = service_account_file(tmp_path, tokens)
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(path))
    return tokens


def make(server: Server, pair: Pair | None, **options: Any) -> Client:
    defaults: dict[str, Any] = {"project": "p", "location": "l", "timeout": 20.0}
    security: dict[str, Any] = (
        {"insecure": True} if pair is None else {"root_certificates": pair.certificate}
    )
    return Client(api_endpoint=server.target, **{**defaults, **security, **options})


def test_an_api_key_goes_into_its_header(secure_server: Server, pair: Pair) -> None:
    with make(secure_server, pair, api_key=KEY) as client:
        client.generate_content("m", "x")
        list(client.stream_generate_content("m", "x"))
        client.count_tokens("m", "x")
        assert "credential='api key'" in repr(client)
    for seen in secure_server.seen:
        assert seen.header("x-goog-api-key") == KEY
        assert seen.header("authorization") is None


def test_a_credential_signs_every_call_and_is_refreshed_once(
    secure_server: Server, pair: Pair
) -> None:
    credential = Credential()
    with make(secure_server, pair, credentials=credential, quota_project="pays") as client:
        for _ in range(3):
            client.generate_content("m", "x")
        list(client.stream_generate_content("m", "x"))
    assert credential.refreshed == 1
    service = "google.cloud.aiplatform.v1.PredictionService"
    assert set(credential.urls) == {f"https://{secure_server.target}/{service}"}
    for seen in secure_server.seen:
        assert seen.header("authorization") == "Bearer token-of-mine"
        assert seen.header("x-goog-user-project") == "pays"
        client_header = seen.header("x-goog-api-client")
        assert isinstance(client_header, str)
        assert "toolwire/" in client_header


def test_a_credentials_own_quota_project_gives_way(secure_server: Server, pair: Pair) -> None:
    from google.oauth2 import credentials as oauth  # noqa: PLC0415

    make_credential: Any = oauth.Credentials
    credential = make_credential("user-token", quota_project_id="of-the-credential")
    with make(secure_server, pair, credentials=credential) as client:
        client.generate_content("m", "x")
        assert secure_server.last().header("x-goog-user-project") == "of-the-credential"
    with make(secure_server, pair, credentials=credential, quota_project="pays") as client:
        client.generate_content("m", "x")
        assert secure_server.last().header("x-goog-user-project") == "pays"
        assert secure_server.last().header("authorization") == "Bearer user-token"


def test_a_credential_may_bring_the_project(secure_server: Server, pair: Pair) -> None:
    with make(
        secure_server, pair, credentials=Credential(project="its-own"), project=None
    ) as client:
        client.generate_content("m", "x")
    assert secure_server.last().request.model.startswith("projects/its-own/locations/l/")


def test_default_credentials(secure_server: Server, pair: Pair, adc: TokenServer) -> None:
    with make(secure_server, pair, project=None) as client:
        assert "application default credentials" in repr(client)
        assert adc.asked == []
        client.generate_content("m", "x")
        client.count_tokens("m", "x")
        assert f"application default credentials of {EMAIL}" in repr(client)
    assert len(adc.asked) == 1
    for seen in secure_server.seen:
        assert seen.header("authorization") == "Bearer token-of-the-server"
    assert secure_server.seen[0].request.model.startswith("projects/some-project/locations/l/")


def test_many_threads_fetch_one_token(secure_server: Server, pair: Pair, adc: TokenServer) -> None:
    with make(secure_server, pair) as client:
        threads = [
            threading.Thread(target=client.generate_content, args=("m", "x")) for _ in range(16)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(secure_server.seen) == 16
    assert len(adc.asked) == 1
    assert len(secure_server.peers) == 1


@pytest.mark.parametrize("kind", [Client, AsyncClient])
@pytest.mark.parametrize(
    ("options", "model", "message"),
    [
        ({"project": "p"}, "m", "no location: pass location="),
        ({}, "m", "no location: pass location="),
        ({"location": "l"}, "projects/p/locations/k/endpoints/1", "model is in 'k'"),
        ({}, "projects/p/locations/Us/endpoints/1", "the name in model takes a location"),
        ({"location": "eu"}, "m", "has no counterpart for client certificates"),
        ({"project": "p", "location": "l"}, "a b", "no model"),
    ],
)
def test_nothing_is_looked_up_for_a_call_that_cannot_be_made(
    monkeypatch: pytest.MonkeyPatch, kind: Any, options: dict[str, Any], model: str, message: str
) -> None:
    # To look there would be another error.
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "/no/such/file")
    monkeypatch.setenv("GOOGLE_API_USE_MTLS_ENDPOINT", "always")
    client = kind(**options)

    async def call() -> None:
        await client.generate_content(model, "x")

    with pytest.raises(UsageError, match=message):
        asyncio.run(call()) if kind is AsyncClient else client.generate_content(model, "x")


def test_a_project_of_a_credential_that_is_none(secure_server: Server, pair: Pair) -> None:
    with (
        make(secure_server, pair, credentials=Credential(project="a b"), project=None) as client,
        pytest.raises(UsageError, match="the credential's project takes the id or number"),
    ):
        client.generate_content("m", "x")


def test_a_slow_look_up_blocks_no_event_loop(
    secure_server: Server, pair: Pair, adc: TokenServer
) -> None:
    adc.may_answer.clear()

    async def call(client: AsyncClient) -> None:
        # Were the loop blocked, nothing would let the server answer before the call times out.
        asyncio.get_running_loop().call_later(0.05, adc.may_answer.set)
        async with client:
            await client.generate_content("m", "x")

    options: dict[str, Any] = {"root_certificates": pair.certificate, "timeout": 10}
    asyncio.run(call(AsyncClient(api_endpoint=secure_server.target, location="l", **options)))
    assert secure_server.last().header("authorization") == "Bearer token-of-the-server"


def test_no_default_credentials(secure_server: Server, pair: Pair, tmp_path: Path) -> None:
    with make(secure_server, pair) as client, pytest.raises(Unauthenticated) as caught:
        client.generate_content("m", "x")
    assert "no token could be had: " in str(caught.value)
    assert caught.value.credential == "application default credentials"
    assert caught.value.method.endswith(".GenerateContent")
    with make(secure_server, pair, project=None) as client, pytest.raises(Unauthenticated):
        client.stream_generate_content("m", "x")
    del tmp_path
    assert secure_server.seen == []


def test_a_refused_token_is_an_error_without_the_answer(
    secure_server: Server, pair: Pair, adc: TokenServer
) -> None:
    adc.status = 400
    adc.answer = {"error": "invalid_grant", "refresh_token": "secret-in-the-answer"}
    with make(secure_server, pair) as client, pytest.raises(Unauthenticated) as caught:
        client.generate_content("m", "x")
    error: BaseException | None = caught.value
    assert "invalid_grant" in str(error)
    assert f"application default credentials of {EMAIL}" in str(error)
    while error is not None:
        assert "secret-in-the-answer" not in repr(error) + str(error)
        error = error.__cause__ or error.__context__


def test_a_token_server_that_is_away_is_unavailable(
    secure_server: Server, pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = service_account_file(tmp_path, TokenServer(url="http://127.0.0.1:1/token"))
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(path))
    with make(secure_server, pair) as client, pytest.raises(Unavailable, match="refused"):
        client.generate_content("m", "x")


@pytest.mark.parametrize("url", ["file:///etc/hostname", "ftp://127.0.0.1/", "/token", ""])
def test_tokens_come_over_http_only(
    secure_server: Server, pair: Pair, tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = service_account_file(tmp_path, TokenServer(url=url))
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(path))
    with make(secure_server, pair) as client, pytest.raises(CallError, match="no token could be"):
        client.generate_content("m", "x")


def test_a_redirect_is_not_followed(secure_server: Server, pair: Pair, adc: TokenServer) -> None:
    adc.status = 307
    with token_server() as elsewhere:
        adc.headers["Location"] = elsewhere.url
        with make(secure_server, pair) as client, pytest.raises(Unauthenticated):
            client.generate_content("m", "x")
        assert elsewhere.asked == []


def test_a_token_that_does_not_come_is_waited_for_no_longer_than_the_call(
    secure_server: Server, pair: Pair, adc: TokenServer
) -> None:
    adc.may_answer.clear()
    with make(secure_server, pair) as client:
        for _ in range(2):
            with pytest.raises(DeadlineExceeded, match="no token in time"):
                client.generate_content("m", "x", timeout=0.2)
        adc.may_answer.set()
        client.generate_content("m", "x")
    assert secure_server.last().header("authorization") == "Bearer token-of-the-server"


def test_a_token_that_cannot_be_a_header_is_not_shown(secure_server: Server, pair: Pair) -> None:
    credential = Credential(token="hidden\nvalue")  # noqa: S106
    with (
        make(secure_server, pair, credentials=credential) as client,
        pytest.raises(Unauthenticated, match="no text for a header") as caught,
    ):
        client.generate_content("m", "x")
    error: BaseException | None = caught.value
    while error is not None:
        assert "hidden" not in repr(error) + str(error)
        error = error.__cause__


@pytest.mark.parametrize("variable", ["GOOGLE_API_KEY", "GEMINI_API_KEY"])
def test_a_key_of_the_environment_is_used_where_there_is_nothing_else(
    secure_server: Server, pair: Pair, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, KEY)
    with make(secure_server, pair, project=None, location=None) as client:
        client.generate_content("m", "x")
        assert f"api key of {variable}" in repr(client)
    assert secure_server.last().header("x-goog-api-key") == KEY
    assert secure_server.last().request.model == "publishers/google/models/m"


def test_which_credential_wins(
    secure_server: Server,
    pair: Pair,
    tokens: TokenServer,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    def sent(**options: Any) -> tuple[object, object]:
        with make(secure_server, pair, **options) as client:
            client.generate_content("m", "x")
        seen = secure_server.last()
        return seen.header("authorization"), seen.header("x-goog-api-key")

    monkeypatch.setenv("GEMINI_API_KEY", "second-key")
    monkeypatch.setenv("GOOGLE_API_KEY", "first-key")
    assert sent(project=None) == (None, "first-key")
    assert sent(project=None, api_key=KEY) == (None, KEY)
    assert sent(credentials=Credential(project="p"), project=None) == ("Bearer token-of-mine", None)
    path = service_account_file(tmp_path, tokens)
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(path))
    token = ("Bearer token-of-the-server", None)
    assert sent(project=None) == token
    assert sent() == token
    assert sent(api_key=KEY) == (None, KEY)
    assert sent(credentials=Credential()) == ("Bearer token-of-mine", None)


def test_nothing_is_looked_up_for_plaintext(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", KEY)
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "/no/such/file")
    with make(server, None) as client:
        client.generate_content("m", "x")
        assert "credential='no credential'" in repr(client)
    for secret in ("authorization", "x-goog-api-key"):
        assert server.last().header(secret) is None


def test_an_explicit_credential_goes_to_loopback_in_plaintext(server: Server) -> None:
    with make(server, None, api_key=KEY) as client:
        client.generate_content("m", "x")
    assert server.last().header("x-goog-api-key") == KEY
    with make(server, None, credentials=Credential()) as client:
        client.generate_content("m", "x")
    assert server.last().header("authorization") == "Bearer token-of-mine"


@pytest.mark.parametrize("credential", [{"api_key": KEY}, {"credentials": Credential()}])
@pytest.mark.parametrize(
    "endpoint", ["example.com", "10.0.0.1:80", "0.0.0.0:1", "localhost.x.test"]
)
def test_and_nowhere_else(endpoint: str, credential: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="only a loopback address") as caught:
        Client(api_endpoint=endpoint, insecure=True, **credential)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["Authorization", "x-goog-api-key", "cookie", "x-serverless-authorization"]
)
def test_nor_does_one_among_the_users_headers(name: str) -> None:
    with (
        Client(api_endpoint="example.com", insecure=True, project="p", location="l") as client,
        pytest.raises(UsageError, match="only a loopback address") as caught,
    ):
        client.generate_content("m", "x", metadata=[(name, "hidden")])
    assert "hidden" not in str(caught.value)


def channel() -> grpc.Channel:
    return grpc.insecure_channel("127.0.0.1:1")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"credentials": Credential(), "api_key": KEY}, "credentials and api_key were both given"),
        ({"credentials": KEY}, "credentials takes a credential of google.auth, found a str"),
        ({"credentials": Credential}, "of google.auth, found the class Credential"),
        ({"api_key": ""}, "api_key takes a text of printable ASCII"),
        ({"api_key": KEY + "\n"}, "api_key takes a text of printable ASCII"),
        ({"api_key": KEY.encode()}, "api_key takes a text of printable ASCII"),
        ({"insecure": True}, "insecure=True needs an api_endpoint"),
        (
            {"insecure": True, "api_endpoint": "localhost", "root_certificates": b"x"},
            "root_certificates was given, and insecure",
        ),
        ({"root_certificates": b"rubbish"}, "no certificate in PEM form"),
        ({"root_certificates": b""}, "no certificate in PEM form"),
        ({"root_certificates": b"\xff"}, "no certificate in PEM form"),
        ({"root_certificates": "text"}, "takes PEM as bytes"),
        ({"channel": channel(), "api_key": KEY}, "a ready channel brings its own security"),
        ({"channel": channel(), "credentials": Credential()}, "brings its own security"),
        ({"channel": channel(), "insecure": True}, "brings its own security"),
        (
            {"channel": channel(), "channel_options": [("a", 1)]},
            "a ready channel leaves nothing for",
        ),
        ({"channel": channel(), "api_endpoint": "h:1"}, "a ready channel leaves nothing for"),
        ({"channel": "h:1"}, "expected a grpc.Channel, found a builtins.str"),
        ({"channel_options": 5}, "channel_options takes pairs of a name and a value, found 5"),
        ({"channel_options": [(5, 1)]}, "channel_options takes pairs"),
        ({"channel_options": [("a", None)]}, "channel_options takes pairs"),
        ({"channel_options": [("a", 1.5)]}, "channel_options takes pairs"),
        ({"channel_options": [("a", 1 << 31)]}, "channel_options takes pairs"),
        ({"channel_options": [("a", "\ud800")]}, "channel_options takes pairs"),
        ({"channel_options": [("\ud800", 1)]}, "channel_options takes pairs"),
        ({"api": ["v1"]}, "api: a list is no API that can be called; choose one of v1, v1beta1"),
        ({"timeout": None}, "timeout takes a positive number of seconds up to 1e9, found None"),
        ({"timeout": "5"}, "found '5'"),
        ({"retries": None}, "retries takes a whole number from 0 to 100, found None"),
        ({"interceptors": 5}, "interceptors takes a list of interceptors, found 5"),
        ({"insecure": "no"}, "insecure takes True or False"),
        ({"channel_options": ["ab", "cde"]}, "channel_options takes pairs"),
        ({"project": "a/b"}, "project takes the id or number of a project"),
        ({"project": ""}, "project takes a text"),
        ({"project": 5}, "project takes a text"),
        ({"project": " "}, "project takes the id or number of a project"),
        ({"project": "p\n"}, "project takes the id or number of a project"),
        ({"project": "*"}, "project takes the id or number of a project"),
        ({"project": "pröject"}, "project takes the id or number of a project"),
        ({"location": "a b"}, "location takes a location such as 'us-central1', found 'a b'"),
        ({"location": "us-central1\n"}, "location takes a location"),
        ({"location": "US"}, "location takes a location"),
        ({"api_endpoint": "a b"}, "api_endpoint takes host or host:port, found 'a b'"),
        ({"api_endpoint": "host/path"}, "api_endpoint takes host or host:port"),
        ({"api_endpoint": "host\n"}, "api_endpoint takes host or host:port"),
        ({"api_endpoint": "host:"}, "api_endpoint takes host or host:port"),
        ({"universe_domain": "https://a.b"}, "universe_domain takes a domain"),
        ({"universe_domain": "bücher.example"}, "universe_domain takes a domain"),
        ({"api_key": "two words"}, "none of them white space"),
        ({"api_key": " "}, "none of them white space"),
        ({"quota_project": "a b"}, "quota_project takes the id"),
        ({"location": ""}, "location takes a text"),
        ({"location": 5}, "location takes a text"),
        ({"api_endpoint": ""}, "api_endpoint takes a text"),
        ({"api_endpoint": b"x"}, "api_endpoint takes a text"),
    ],
)
def test_arguments_that_are_wrong_or_do_not_go_together(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message.replace("(", r"\(")) as caught:
        Client(**options)
    assert KEY not in str(caught.value) + repr(caught.value)


ENVIRONMENT: list[tuple[str, str]] = [
    ("GOOGLE_CLOUD_PROJECT", "a/b"),
    ("GOOGLE_CLOUD_PROJECT", "a b"),
    ("GOOGLE_CLOUD_LOCATION", "a b"),
    ("GOOGLE_CLOUD_LOCATION", "us-central1/"),
    ("GOOGLE_CLOUD_LOCATION", "us-central1\nx"),
    ("GOOGLE_CLOUD_UNIVERSE_DOMAIN", "https://googleapis.com"),
    ("GOOGLE_API_KEY", "two words"),
    ("GEMINI_API_KEY", "two\nlines"),
]


@pytest.mark.parametrize(("variable", "value"), ENVIRONMENT)
def test_what_is_wrong_in_the_environment_is_named(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(UsageError, match=f"^{variable} takes "):
        Client()
    with Client(project="p", location="l", api_key=KEY, universe_domain="googleapis.com"):
        pass  # which leaves no say to the environment


@pytest.mark.parametrize("space", ["{}\n", " {}", "{}\r\n", "\t{} "])
def test_white_space_around_what_the_environment_says(
    secure_server: Server, pair: Pair, monkeypatch: pytest.MonkeyPatch, space: str
) -> None:
    for variable, value in (
        ("GOOGLE_CLOUD_PROJECT", "env-p"),
        ("GOOGLE_CLOUD_LOCATION", "env-l"),
        ("GOOGLE_CLOUD_UNIVERSE_DOMAIN", "googleapis.com"),
    ):
        monkeypatch.setenv(variable, space.format(value))
    place: dict[str, Any] = {"project": None, "location": None}
    with make(secure_server, pair, credentials=Credential(), **place) as client:
        client.generate_content("m", "x")
    assert secure_server.last().request.model.startswith("projects/env-p/locations/env-l/")
    for variable in ("GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"):
        monkeypatch.setenv(variable, space.format(""))
    monkeypatch.setenv("GOOGLE_API_KEY", space.format(KEY))
    with make(secure_server, pair, **place) as client:
        client.generate_content("m", "x")
    assert secure_server.last().header("x-goog-api-key") == KEY
    assert secure_server.last().request.model == "publishers/google/models/m"


def test_a_key_of_the_environment_that_is_none_is_not_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "kéy-kéy")
    with pytest.raises(UsageError, match="GOOGLE_API_KEY takes a text") as caught:
        Client()
    assert "kéy" not in str(caught.value)


def test_making_a_client_imports_no_google_auth() -> None:
    code = """
        import sys
        import toolwire.client

        def loaded():
            return [name for name in sys.modules if name.startswith("google.auth")]

        assert not loaded()
        toolwire.client.Client(project="p", location="l")
        toolwire.client.Client(api_key="some-key")
        assert not loaded()
    """
    run_code(code)


make_error: Any = exceptions.RefreshError
REFUSED: Exception = make_error("HIDDEN", {"error": "HIDDEN"})
make_other_error: Any = exceptions.DefaultCredentialsError
MISSING: Exception = make_other_error("HIDDEN")


def shown(error: BaseException) -> str:
    return "".join(traceback.format_exception(error)) + repr(vars(error))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"error": "invalid_grant", "error_description": "REFRESH"}, "invalid_grant (the token"),
        ({"error": "REFRESH"}, "RefreshError (the token server answered with status 400)"),
        ({"echo": "client_secret=SECRET&refresh_token=REFRESH"}, "RefreshError (the token"),
    ],
)
def test_what_a_token_server_echoes_is_not_shown(
    secure_server: Server, pair: Pair, tokens: TokenServer, answer: dict[str, Any], said: str
) -> None:
    from google.oauth2 import credentials as oauth  # noqa: PLC0415

    tokens.status, tokens.answer = 400, answer
    make_credential: Any = oauth.Credentials
    credential = make_credential(
        None,
        refresh_token="REFRESH",  # noqa: S106
        client_secret="SECRET",  # noqa: S106
        client_id="id",
        token_uri=tokens.url,
    )
    with (
        make(secure_server, pair, credentials=credential) as client,
        pytest.raises(Unauthenticated) as caught,
    ):
        client.generate_content("m", "x")
    assert said in str(caught.value)
    assert "status 400" in str(caught.value)
    for secret in ("REFRESH", "SECRET"):
        assert secret not in shown(caught.value)


@pytest.mark.parametrize("expiry", ["abc", 1e300, [], {}])
def test_a_token_server_that_answers_rubbish(
    secure_server: Server, pair: Pair, adc: TokenServer, expiry: object
) -> None:
    adc.answer["expires_in"] = expiry
    with (
        make(secure_server, pair) as client,
        pytest.raises(Unauthenticated, match=r"Error \(the token server answered with status 200"),
    ):
        client.generate_content("m", "x")


@pytest.mark.parametrize(
    "content",
    [
        b"[]",
        b"null",
        b'"HIDDEN"',
        b"[" * 100_000,
        b"\xff\xfe",
        b'{"type": "HIDDEN"}',
        b'{"type": ["HIDDEN"]}',
        b'{"type": "service_account", "private_key": 5, "client_email": "HIDDEN"}',
        b'{"type": "authorized_user", "client_secret": "HIDDEN"}',
        b'{"type": "impersonated_service_account"}',
        None,
    ],
)
def test_a_file_that_holds_no_credential(
    secure_server: Server,
    pair: Pair,
    tmp_path: Path,
    content: bytes | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "file"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(path))
    with make(secure_server, pair) as client, pytest.raises(Unauthenticated) as caught:
        client.generate_content("m", "x")
    assert "application default credentials" in str(caught.value)
    assert "HIDDEN" not in shown(caught.value)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("{}", "what GOOGLE_APPLICATION_CREDENTIALS names cannot be read (IsADirectoryError)"),
        ("{}/none\n", "GOOGLE_APPLICATION_CREDENTIALS has white space at an end"),
        (" ", "GOOGLE_APPLICATION_CREDENTIALS has white space at an end"),
    ],
)
def test_a_path_that_names_no_file(  # noqa: PLR0917
    secure_server: Server,
    pair: Pair,
    tmp_path: Path,
    path: str,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", path.format(tmp_path))
    with make(secure_server, pair) as client, pytest.raises(Unauthenticated) as caught:
        client.generate_content("m", "x")
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "raised",
    [
        ValueError("HIDDEN"),
        TypeError("HIDDEN"),
        OSError("HIDDEN"),
        RecursionError("HIDDEN"),
        REFUSED,
        MISSING,
        SystemExit("HIDDEN"),
        KeyboardInterrupt("HIDDEN"),  # no Ctrl-C: that interrupts the main thread
        GeneratorExit("HIDDEN"),
        asyncio.CancelledError("HIDDEN"),
    ],
)
@pytest.mark.parametrize("where", ["refresh", "before_request"])
def test_whatever_a_credential_raises(
    secure_server: Server,
    pair: Pair,
    raised: BaseException,
    where: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object) -> None:
        raise raised

    monkeypatch.setattr(Credential, where, fail)
    with (
        make(secure_server, pair, credentials=Credential()) as client,
        pytest.raises(Unauthenticated, match=type(raised).__name__) as caught,
    ):
        client.generate_content("m", "x")
    assert "HIDDEN" not in shown(caught.value)


def test_a_credential_that_cannot_even_be_asked_whose_it_is(
    secure_server: Server, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise SystemExit("HIDDEN")

    for name in ("account", "universe_domain"):
        monkeypatch.setattr(Credential, name, property(fail), raising=False)
    with make(secure_server, pair, credentials=Credential()) as client:
        assert "Credential, which name no owner" in repr(client)
        client.generate_content("m", "x")


def test_a_missing_package_is_named(
    secure_server: Server, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refresh(_self: object, _request: object) -> None:
        raise ImportError("no text of ours") from ModuleNotFoundError(name="requests")

    monkeypatch.setattr(Credential, "refresh", refresh)
    with (
        make(secure_server, pair, credentials=Credential()) as client,
        pytest.raises(Unauthenticated, match="the package requests must be installed"),
    ):
        client.generate_content("m", "x")


def test_default_credentials_of_machines_need_requests(
    secure_server: Server, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_nothing(_name: str) -> None:
        return None

    monkeypatch.setattr("importlib.util.find_spec", find_nothing)
    with (
        make(secure_server, pair) as client,
        pytest.raises(Unauthenticated, match="needs the package requests, which is not installed"),
    ):
        client.generate_content("m", "x")


def test_a_key_that_is_not_used_is_mentioned(
    secure_server: Server, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", KEY)
    with (
        make(secure_server, pair) as client,
        pytest.raises(Unauthenticated, match="GOOGLE_API_KEY is not used, since a project is set"),
    ):
        client.generate_content("m", "x")


@pytest.mark.parametrize("status", [200, 400])
def test_an_answer_without_an_end(
    secure_server: Server, pair: Pair, adc: TokenServer, status: int
) -> None:
    adc.status, adc.answer = status, {"access_token": "x" * (1 << 20)}
    with (
        make(secure_server, pair, retries=0) as client,
        pytest.raises(Unavailable, match="the token server is larger than a mebibyte"),
    ):
        client.generate_content("m", "x")


def test_http_headers_have_no_case(tokens: TokenServer) -> None:
    tokens.headers["metadata-flavor"] = "Google"
    answer = HttpRequest()(tokens.url, method="POST", body="x")
    assert answer.headers["Metadata-Flavor"] == answer.headers["metadata-flavor"] == "Google"
