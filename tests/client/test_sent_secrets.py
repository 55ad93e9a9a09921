"""Secrets in any of many requests, which the server says again: in an error, or in an answer."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import json
import logging
from base64 import b64encode
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from toolwire import details, gemini, v1
from toolwire._client._secrets import may_hold_secrets, secrets_in
from toolwire._client.aio._session import AsyncSession
from toolwire._client.blocking._session import Session
from toolwire._client.calls._prepared import _MOST_SECRETS, Options
from toolwire._client.channels._stubs import own_method
from toolwire.client import AsyncClient, CallError, Client, async_stub, stub
from toolwire_pb.google.rpc.status_pb2 import Status


def load() -> dict[str, Any]:
    """The classes of a pool of its own: users with keys, in a message that contains itself."""
    file = descriptor_pb2.FileDescriptorProto(name="users.proto", package="users", syntax="proto3")
    user = file.message_type.add(name="User")
    user.field.add(name="name", number=1, type=9, label=1)
    user.field.add(name="api_key", number=2, type=9, label=1)
    team = file.message_type.add(name="Team")
    team.field.add(name="users", number=1, type=11, label=3, type_name=".users.User")
    team.field.add(name="teams", number=2, type=11, label=3, type_name=".users.Team")
    server = file.message_type.add(name="Server")
    entry = server.nested_type.add(name="HeadersEntry")
    entry.options.map_entry = True
    for number, name in enumerate(("key", "value"), 1):
        entry.field.add(name=name, number=number, type=9, label=1)
    name = ".users.Server.HeadersEntry"
    for number, each in enumerate(("headers", "labels"), 1):
        server.field.add(name=each, number=number, type=11, label=3, type_name=name)
    plain = file.message_type.add(name="Plain")
    plain.field.add(name="inner", number=1, type=11, label=1, type_name=".users.Plain")
    plain.field.add(name="secret", number=2, type=12, label=1)  # bytes, which no text shows
    service = file.service.add(name="Users")
    for name, gets_many in (("Import", False), ("Exchange", True)):
        service.method.add(
            name=name,
            input_type=".users.Team",
            output_type=".users.Team",
            client_streaming=True,
            server_streaming=gets_many,
        )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    found = {
        name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"users.{name}"))
        for name in ("User", "Team", "Server", "Plain")
    }
    pool.FindServiceByName("users.Users")
    return found


MESSAGES = load()
Team = MESSAGES["Team"]
SERIALIZERS = (Team.SerializeToString, Team.FromString)


class UsersStub:
    """As the compiler writes them."""

    def __init__(self, channel: Any) -> None:
        self.Import = channel.stream_unary("/users.Users/Import", *SERIALIZERS)
        self.Exchange = channel.stream_stream("/users.Users/Exchange", *SERIALIZERS)


def team(key: str) -> Any:
    return Team(teams=[{"users": [{"name": "any", "api_key": key}]}])


def teams(*keys: str) -> list[Any]:
    return [team(key) for key in keys]


def refuse(requests: Iterator[Any], context: grpc.ServicerContext) -> Any:
    """Says every key again: in its text, in base64 in a header, and in the details."""
    keys = [inner.users[0].api_key for each in requests for inner in each.teams]
    said = json.dumps(keys)
    info = details.ErrorInfo(reason=said).SerializeToString()
    status = Status(code=3, message=said)
    status.details.add(type_url="type.googleapis.com/google.rpc.ErrorInfo", value=info)
    context.set_trailing_metadata(
        (
            ("x-said", b64encode(said.encode()).decode()),
            ("grpc-status-details-bin", status.SerializeToString()),
        )
    )
    context.abort(grpc.StatusCode.INVALID_ARGUMENT, said)


def exchange(requests: Iterator[Any], context: grpc.ServicerContext) -> Iterator[Any]:
    kept: list[Any] = []
    for each in requests:
        yield Team(users=[{"name": inner.users[0].api_key} for inner in each.teams])
        kept.append(each)
    refuse(iter(kept), context)


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    codec = (Team.FromString, Team.SerializeToString)
    handlers: dict[str, Any] = {
        "Import": grpc.stream_unary_rpc_method_handler(refuse, *codec),
        "Exchange": grpc.stream_stream_rpc_method_handler(exchange, *codec),
    }
    with ThreadPoolExecutor(4) as executor:
        server = grpc.server(executor)
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler("users.Users", handlers),)
        )
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        yield f"127.0.0.1:{port}"
        server.stop(None).wait()


PLACE: dict[str, Any] = {"project": "p", "location": "l", "log_contents": True}
KEYS = ("first-key-1", "second-key-2", 'third/"key"/3')


def blocking(target: str, requests: list[Any], *, gets_many: bool) -> None:
    with stub(UsersStub, target, insecure=True, log_contents=True) as users:
        if gets_many:
            list(users.Exchange(requests))
        else:
            users.Import(requests)


def awaited(target: str, requests: list[Any], *, gets_many: bool) -> None:
    async def main() -> None:
        async with async_stub(UsersStub, target, insecure=True, log_contents=True) as users:
            if gets_many:
                _ = [each async for each in users.Exchange(requests)]
            else:
                await users.Import(requests)

    asyncio.run(main())


def in_a_session(target: str, requests: list[Any], *, gets_many: bool) -> None:
    method = own_method("/users.Users/Exchange", SERIALIZERS, {}, sends_many=True, gets_many=True)
    options = Options()
    assert gets_many
    with Client(api_endpoint=target, insecure=True, **PLACE) as client:
        session: Any = Session(client._caller, method, (), {}, options)
        with session:
            for request in requests:
                session.send(request)
            session.done_sending()
            list(session)


def in_an_async_session(target: str, requests: list[Any], *, gets_many: bool) -> None:
    method = own_method("/users.Users/Exchange", SERIALIZERS, {}, sends_many=True, gets_many=True)
    options = Options()
    assert gets_many

    async def main() -> None:
        client = AsyncClient(api_endpoint=target, insecure=True, **PLACE)
        session: Any = AsyncSession(client._caller, method, (), {}, options)
        async with client, session:
            for request in requests:
                await session.send(request)
            await session.done_sending()
            _ = [each async for each in session]

    asyncio.run(main())


RUNS = pytest.mark.parametrize(
    ("run", "gets_many"),
    [
        (blocking, False),
        (blocking, True),
        (awaited, False),
        (awaited, True),
        (in_a_session, True),
        (in_an_async_session, True),
    ],
)


@RUNS
def test_a_key_in_any_request_is_hidden_where_the_server_says_it(
    target: str, run: Callable[..., None], *, gets_many: bool
) -> None:
    with pytest.raises(CallError) as caught:
        run(target, teams(*KEYS), gets_many=gets_many)
    error = caught.value
    assert error.code == "INVALID_ARGUMENT"
    assert len(error.details) == 1
    assert (error.__cause__, error.__context__) == (None, None)  # which would show it
    shown = f"{error} {error!r} {vars(error)}"
    assert "***" in error.message
    assert "***" in str(error.details[0])
    for key in ("first-key", "second-key", "third/"):
        assert key not in shown


@RUNS
def test_nor_does_the_log_show_one_that_comes_back(
    target: str, run: Callable[..., None], caplog: pytest.LogCaptureFixture, *, gets_many: bool
) -> None:
    caplog.set_level(logging.DEBUG, logger="toolwire")
    with pytest.raises(CallError):
        run(target, teams(*KEYS), gets_many=gets_many)
    assert "***" in caplog.text or not gets_many
    for key in ("first-key", "second-key", "third/"):
        assert key not in caplog.text


@pytest.mark.parametrize("run", [blocking, awaited])
def test_of_a_long_stream_the_newest_are_known(target: str, run: Callable[..., None]) -> None:
    keys = [f"key-of-{number:05}" for number in range(_MOST_SECRETS + 50)]
    with pytest.raises(CallError) as caught:
        run(target, teams(*keys), gets_many=False)
    said = json.loads(caught.value.message)
    assert len(said) == len(keys)
    newest = said[-_MOST_SECRETS:]
    assert set(newest) == {"*" * len(keys[0])}
    assert said[0] == newest[0]  # the first, whose message is known anyway
    assert said[1:50] == keys[1:50]


def test_headers_for_somebody_else_are_as_secret_as_those_of_a_call() -> None:
    server: Any = MESSAGES["Server"](
        headers={"Authorization": "Bearer hush-hush", "X-Region": "europe"},
        labels={"Authorization": "by-nobody"},
    )
    assert secrets_in((), server) == ("Bearer hush-hush", "hush-hush")
    assert may_hold_secrets(MESSAGES["Server"])


def test_what_may_hold_a_secret_is_told_by_its_schema() -> None:
    assert may_hold_secrets(Team)
    assert may_hold_secrets(v1.GenerateContentRequest)
    assert not may_hold_secrets(MESSAGES["Plain"])
    assert not may_hold_secrets(gemini.BidiGenerateContentClientMessage)
