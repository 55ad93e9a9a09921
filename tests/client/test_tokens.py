"""Tokens over time: refreshed once for all, before they expire, and once more if refused."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import datetime as dt
import gc
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from google.auth import _helpers as google_helpers
from google.auth import credentials as google_credentials
from google.auth import exceptions
from google.oauth2 import credentials as oauth

from support.faults import plain
from support.grpc_servers import Pair, Server, chunk, text_of
from support.hangs import HANG, Hang
from toolwire._client.credentials._identity import IdentityError
from toolwire._client.credentials._tokens import GoogleIdentity
from toolwire.client import AsyncClient, Cancelled, Client, DeadlineExceeded, Unauthenticated

URL = "https://example.com/a.Service"
EARLY = dt.timedelta(minutes=2)  # within the time in which google.auth wants a new token
make_refresh_error: Any = exceptions.RefreshError
REFUSED: Exception = make_refresh_error("HIDDEN")


class Clock:
    """The wall clock, as google.auth sees it."""

    def __init__(self) -> None:
        self.now = dt.datetime(2030, 1, 1)  # noqa: DTZ001 - google.auth's are naive

    def jump(self, **by: float) -> None:
        self.now += dt.timedelta(**by)


class Credential(google_credentials.Credentials):
    """Gives out numbered tokens that hold an hour, or does what a test wants."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.clock = clock
        self.lifetime: dt.timedelta | None = dt.timedelta(hours=1)
        self.refreshed = 0
        self.before: Callable[[], object] = lambda: None

    def refresh(self, request: object) -> None:  # noqa: ARG002
        self.before()
        self.refreshed += 1
        self.token = f"token-{self.refreshed}"
        self.expiry = None if self.lifetime is None else self.clock.now + self.lifetime


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(google_helpers, "utcnow", lambda: made.now)
    return made


@pytest.fixture
def credential(clock: Clock) -> Credential:
    return Credential(clock)


@pytest.fixture
def identity(credential: Credential) -> GoogleIdentity:
    return GoogleIdentity(("scope",), credential)


@pytest.fixture
def client(secure_server: Server, pair: Pair, credential: Credential) -> Iterator[Client]:
    with Client(
        api_endpoint=secure_server.target,
        root_certificates=pair.certificate,
        credentials=credential,
        project="p",
        location="l",
        timeout=20,
    ) as made:
        yield made


def token(identity: GoogleIdentity, seconds: float = HANG) -> str:
    headers = dict(identity.sign((("x", "y"),), URL, seconds))
    assert headers["x"] == "y"
    return str(headers["authorization"]).removeprefix("Bearer ")


async def token_async(identity: GoogleIdentity, seconds: float = HANG) -> str:
    headers = dict(await identity.sign_async((("x", "y"),), URL, seconds))
    return str(headers["authorization"]).removeprefix("Bearer ")


def either(identity: GoogleIdentity, how: str, seconds: float = HANG) -> str:
    if how == "sync":
        return token(identity, seconds)
    return asyncio.run(token_async(identity, seconds))


both = pytest.mark.parametrize("how", ["sync", "async"])


@both
def test_a_token_is_refreshed_before_it_expires(
    identity: GoogleIdentity, clock: Clock, how: str
) -> None:
    assert either(identity, how) == either(identity, how) == "token-1"
    clock.jump(minutes=55)
    assert either(identity, how) == "token-1"
    clock.jump(minutes=2)
    assert either(identity, how) == "token-2"


@both
def test_a_clock_that_jumps(identity: GoogleIdentity, clock: Clock, how: str) -> None:
    assert either(identity, how) == "token-1"
    clock.jump(days=400)
    assert either(identity, how) == "token-2"
    clock.jump(days=-800)  # it looks valid for years
    assert either(identity, how) == "token-2"
    refused = (("authorization", "Bearer token-2"),)
    assert identity.renew(refused, URL, HANG)
    assert either(identity, how) == "token-3"


@both
@pytest.mark.parametrize("fault", ["fails", "hangs"])
def test_a_token_that_still_holds_is_used_if_the_next_one_does_not_come(  # noqa: PLR0917
    identity: GoogleIdentity,
    credential: Credential,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    how: str,
    fault: str,
) -> None:
    monkeypatch.setattr("toolwire._client.credentials._tokens._PATIENCE", 0.1)
    go_on = threading.Event()

    def trouble() -> None:
        if fault == "hangs":
            go_on.wait(HANG)
        raise REFUSED

    assert either(identity, how) == "token-1"
    credential.before = trouble
    clock.jump(minutes=58)
    for _ in range(2):
        assert either(identity, how) == "token-1"
    clock.jump(minutes=3)  # now it is gone
    go_on.set()
    with pytest.raises(IdentityError, match="no token could be had: RefreshError"):
        either(identity, how)


class Slow(oauth.Credentials):
    """Is asked in a thread, as whatever is not google.auth's own."""

    def apply(self, headers: Any, token: Any = None) -> None:
        super().apply(headers, token)  # type: ignore[no-untyped-call]


@both
@pytest.mark.parametrize("kind", [oauth.Credentials, Slow])
@pytest.mark.parametrize("empty", ["", " "])
def test_a_token_that_is_empty_is_not_sent(
    server: Server, how: str, kind: Callable[[str], Any], empty: str
) -> None:
    options: dict[str, Any] = {**plain(server.target), "credentials": kind(empty)}

    async def main() -> None:
        async with AsyncClient(**options) as client:
            await client.generate_content("m", "x")

    def at_once() -> None:
        with Client(**options) as client:
            client.generate_content("m", "x")

    with pytest.raises(Unauthenticated, match="the credential gave an empty token"):
        at_once() if how == "sync" else asyncio.run(main())
    assert not server.seen


@both
def test_a_token_that_comes_expired(
    identity: GoogleIdentity, credential: Credential, how: str
) -> None:
    credential.lifetime = dt.timedelta(seconds=-1)
    with pytest.raises(IdentityError, match="had expired already; is this machine's clock right"):
        either(identity, how)
    credential.lifetime = EARLY  # which google.auth takes for expired, and is not
    assert either(identity, how) == "token-2"


@both
def test_a_refresh_that_hangs_is_waited_for_until_the_deadline(
    identity: GoogleIdentity, credential: Credential, how: str, hang: Hang
) -> None:
    credential.before = hang
    with pytest.raises(IdentityError, match="no token in time") as caught:
        either(identity, how, 0.1)
    assert caught.value.code == "DEADLINE_EXCEEDED"
    hang.let_go()
    assert either(identity, how) == "token-1"  # of the same refresh
    assert credential.refreshed == 1


def test_one_refresh_for_all_that_wait(identity: GoogleIdentity, credential: Credential) -> None:
    everybody = threading.Barrier(9)
    go_on = threading.Event()
    credential.before = lambda: go_on.wait(HANG)
    found: list[str] = []

    def one() -> None:
        everybody.wait(HANG)
        found.append(token(identity))

    threads = [threading.Thread(target=one) for _ in range(8)]
    for thread in threads:
        thread.start()

    async def many() -> list[str]:
        tasks = [asyncio.ensure_future(token_async(identity)) for _ in range(100)]
        await asyncio.sleep(0)
        everybody.wait(HANG)
        asyncio.get_running_loop().call_later(0.05, go_on.set)  # the loop is not blocked
        return await asyncio.gather(*tasks)

    assert asyncio.run(many()) == ["token-1"] * 100
    for thread in threads:
        thread.join(HANG)
    assert found == ["token-1"] * 8
    assert credential.refreshed == 1


def test_a_waiting_task_that_is_cancelled_takes_nobody_with_it(
    identity: GoogleIdentity, credential: Credential
) -> None:
    go_on = threading.Event()
    credential.before = lambda: go_on.wait(HANG)

    async def three() -> str:
        left, given_up, stays = (
            asyncio.ensure_future(token_async(identity, seconds)) for seconds in (HANG, 0.05, HANG)
        )
        await asyncio.sleep(0.01)
        left.cancel()
        with pytest.raises(asyncio.CancelledError):
            await left
        with pytest.raises(IdentityError):
            await given_up
        go_on.set()
        return await stays

    assert asyncio.run(three()) == "token-1"


def test_an_error_that_nobody_waits_for_is_not_logged(
    identity: GoogleIdentity, credential: Credential, caplog: pytest.LogCaptureFixture
) -> None:
    go_on = threading.Event()

    def trouble() -> None:
        go_on.wait(HANG)
        raise REFUSED

    credential.before = trouble

    async def leave() -> None:
        with pytest.raises(IdentityError):
            await token_async(identity, 0.05)
        go_on.set()
        await asyncio.sleep(0.05)

    asyncio.run(leave())
    with pytest.raises(IdentityError):
        asyncio.run(token_async(identity))
    gc.collect()
    assert caplog.text == ""


def answer_to(accepted: set[str]) -> Callable[[Any, Any], bytes]:
    def respond(_request: Any, context: Any) -> bytes:
        import grpc  # noqa: PLC0415

        sent = str(dict(context.invocation_metadata())["authorization"])
        if sent.removeprefix("Bearer ") not in accepted:
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "expired")
        return chunk()

    return respond


def test_a_token_that_a_server_refuses_is_replaced_once(
    secure_server: Server, client: Client, credential: Credential
) -> None:
    accepted = {"token-1"}
    secure_server.generate = answer_to(accepted)
    client.generate_content("m", "x")
    accepted.clear()
    accepted.add("token-2")  # the server forgot the first, whatever its expiry says
    assert text_of(client.generate_content("m", "x")) == "ok"
    accepted.clear()
    with pytest.raises(Unauthenticated, match="expired; the credential: credentials"):
        client.generate_content("m", "x")
    assert credential.refreshed == 3
    assert len(secure_server.seen) == 5


def test_many_calls_with_a_refused_token_replace_it_once(
    secure_server: Server, client: Client, credential: Credential
) -> None:
    client.generate_content("m", "x")
    secure_server.generate = answer_to({"token-2"})
    texts: list[str] = []
    threads = [
        threading.Thread(target=lambda: texts.append(text_of(client.generate_content("m", "x"))))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(HANG)
    assert texts == ["ok"] * 8
    assert credential.refreshed == 2


def test_a_stream_with_a_refused_token_begins_again(
    secure_server: Server, client: Client, credential: Credential
) -> None:
    respond = answer_to({"token-2"})
    secure_server.stream = lambda request, context: [respond(request, context)]
    assert [text_of(each) for each in client.stream_generate_content("m", "x")] == ["ok"]
    assert credential.refreshed == 2


def test_a_token_that_cannot_be_replaced(
    secure_server: Server, client: Client, credential: Credential
) -> None:
    client.generate_content("m", "x")

    def trouble() -> None:
        raise REFUSED

    credential.before = trouble
    secure_server.generate = answer_to(set())
    for _ in range(2):
        with pytest.raises(Unauthenticated, match="UNAUTHENTICATED: expired") as caught:
            client.generate_content("m", "x")
        assert "HIDDEN" not in repr(caught.value)
    assert secure_server.last().header("authorization") == "Bearer token-1"


def test_a_hanging_refresh_does_not_outlive_the_call(
    client: Client, credential: Credential, hang: Hang
) -> None:
    credential.before = hang
    with pytest.raises(DeadlineExceeded, match="no token in time"):
        client.generate_content("m", "x", timeout=0.2)


@both
def test_a_client_that_is_closed_while_its_token_is_fetched(
    secure_server: Server, pair: Pair, credential: Credential, how: str
) -> None:
    asked, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        asked.set()
        assert go_on.wait(HANG)

    credential.before = wait
    place: dict[str, Any] = {
        "api_endpoint": secure_server.target,
        "root_certificates": pair.certificate,
        "credentials": credential,
        "location": "l",
    }

    def at_once() -> None:
        client = Client(**place, project="p")
        with ThreadPoolExecutor(1) as pool:
            call = pool.submit(client.generate_content, "m", "x")
            assert asked.wait(HANG)
            client.close()
            go_on.set()
            call.result(HANG)

    async def later() -> None:
        client = AsyncClient(**place, project="p")
        call = asyncio.ensure_future(client.generate_content("m", "x"))
        assert await asyncio.to_thread(asked.wait, HANG)
        await client.close()
        go_on.set()
        await call

    with pytest.raises(Cancelled, match="the client was closed while the call was under way"):
        at_once() if how == "sync" else asyncio.run(later())
    assert not secure_server.seen


def test_a_credential_without_tokens_of_its_own(clock: Clock) -> None:
    class Other(google_credentials.Credentials):
        @property
        def valid(self) -> bool:
            return False

        def refresh(self, request: object) -> None:
            raise AssertionError(request)

        def before_request(self, request: Any, method: str, url: str, headers: Any) -> None:
            del request, method
            headers["authorization"] = f"Bearer for {url}"

    del clock
    other: Any = Other
    identity = GoogleIdentity((), other())
    for url in (URL, "https://example.com/another"):
        assert dict(identity.sign((), url, HANG))["authorization"] == f"Bearer for {url}"


class Asking(Credential):
    """One that asks somebody for each call, valid as it is."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.ask: Callable[[], object] = lambda: None

    def before_request(self, request: Any, method: str, url: str, headers: Any) -> None:
        self.ask()
        super().before_request(request, method, url, headers)  # type: ignore[no-untyped-call]


@both
def test_a_valid_credential_that_hangs(clock: Clock, how: str, hang: Hang) -> None:
    credential = Asking(clock)
    identity = GoogleIdentity((), credential)
    assert either(identity, how) == "token-1"
    credential.ask = hang
    with pytest.raises(IdentityError, match="no token in time"):
        either(identity, how, 0.1)
    hang.let_go()
    assert either(identity, how) == "token-1"


def test_a_valid_credential_that_is_slow_blocks_no_event_loop(clock: Clock) -> None:
    credential = Asking(clock)
    identity = GoogleIdentity((), credential)
    assert token(identity) == "token-1"
    go_on = threading.Event()
    credential.ask = lambda: go_on.wait(HANG)

    async def ask() -> str:
        asyncio.get_running_loop().call_later(0.05, go_on.set)
        return await token_async(identity, HANG / 3)

    assert asyncio.run(ask()) == "token-1"


@both
def test_one_that_asks_somebody_is_replaced_where_it_is_refused(clock: Clock, how: str) -> None:
    credential = Asking(clock)
    identity = GoogleIdentity((), credential)
    for number in (1, 2):
        refused = identity.sign((), URL, HANG)
        assert dict(refused)["authorization"] == f"Bearer token-{number}"
        for _ in range(2):  # another one has been fetched already, the second time
            if how == "sync":
                assert identity.renew(refused, URL, HANG)
            else:
                assert asyncio.run(identity.renew_async(refused, URL, HANG))
    assert credential.refreshed == 3


@both
def test_no_thread_to_be_had(
    identity: GoogleIdentity, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(_self: object) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", start)
        with pytest.raises(IdentityError, match="no token could be had: no thread") as caught:
            either(identity, how)
    assert caught.value.code == "UNAVAILABLE"
    assert either(identity, how) == "token-1"


def test_what_is_added_to_headers_that_are_there(identity: GoogleIdentity, clock: Clock) -> None:
    del clock
    token(identity)
    credential = identity._credentials
    assert credential is not None
    vars(credential)["_quota_project_id"] = "of-the-credential"
    vars(credential)["_metric_header_for_usage"] = lambda: "cred-type/x"
    headers = (("x-goog-api-client", "toolwire/1"), ("x-goog-user-project", "explicit"))
    signed = identity.sign(headers, URL, HANG)
    assert dict(signed) == {
        "x-goog-api-client": "toolwire/1 cred-type/x",
        "x-goog-user-project": "explicit",
        "authorization": "Bearer token-1",
    }
