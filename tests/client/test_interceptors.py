"""The user's own interceptors, of both kinds of clients."""

# pyright: reportPrivateUsage=false, reportIncompatibleMethodOverride=false

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest

from support.faults import plain
from support.grpc_servers import Context, Server, chunk, text_of
from toolwire.client import AsyncClient, Cancelled, Client, NotFound, UsageError

HANG = 15.0


class Noting(grpc.UnaryUnaryClientInterceptor, grpc.UnaryStreamClientInterceptor):
    """Notes what passes, and may do something about it."""

    def __init__(self, name: str = "", wrap: Callable[[Any], Any] = lambda call: call) -> None:
        self.name = name
        self.wrap = wrap
        self.seen: list[tuple[str, str, bytes]] = []

    def intercept_unary_unary(self, continuation: Any, details: Any, request: Any) -> Any:
        self.seen.append((self.name, details.method.rpartition("/")[2], request))
        return self.wrap(continuation(details, request))

    def intercept_unary_stream(self, continuation: Any, details: Any, request: Any) -> Any:
        return self.intercept_unary_unary(continuation, details, request)


def test_they_stand_around_every_call(server: Server) -> None:
    outer, inner = Noting("outer"), Noting("inner")
    inner.seen = outer.seen
    with Client(api="v1", **plain(server.target), interceptors=[outer, inner]) as client:
        assert text_of(client.generate_content("m", "x")) == "ok"
        assert [text_of(each) for each in client.stream_generate_content("m", "x")] == [*"abc"]
    assert [(name, method) for name, method, _ in outer.seen] == [
        ("outer", "GenerateContent"),
        ("inner", "GenerateContent"),
        ("outer", "StreamGenerateContent"),
        ("inner", "StreamGenerateContent"),
    ]
    assert all(isinstance(request, bytes) for _, _, request in outer.seen)


def test_errors_and_retries_are_as_without(server: Server) -> None:
    def generate(request: Any, context: Context) -> bytes:
        if len(server.seen) < 3:
            context.abort(grpc.StatusCode.UNAVAILABLE, "later")
        if request.model.endswith("missing"):
            context.abort(grpc.StatusCode.NOT_FOUND, "no")
        return chunk()

    server.generate = generate
    noting = Noting()
    with Client(api="v1", **plain(server.target), interceptors=(noting,)) as client:
        client._caller.sleep = lambda _seconds: None
        assert text_of(client.generate_content("m", "x")) == "ok"
        assert len(noting.seen) == 3
        with pytest.raises(NotFound, match="NOT_FOUND: no"):
            client.generate_content("missing", "x")


def generated(call: Any) -> Iterator[bytes]:
    yield from call


def test_a_stream_may_become_a_generator(server: Server) -> None:
    cancelled = threading.Event()

    def stream(_request: Any, context: Context) -> Iterator[bytes]:
        context.add_callback(cancelled.set)
        for number in range(1000):
            if not context.is_active():
                return
            yield chunk(str(number))
            cancelled.wait(0.01)

    server.stream = stream
    with Client(api="v1", **plain(server.target), interceptors=[Noting(wrap=generated)]) as client:
        with client.stream_generate_content("m", "x") as left:
            assert text_of(next(left)) == "0"
        with pytest.raises(Cancelled, match="the stream was left"):
            next(left)
        gc.collect()
        assert cancelled.wait(HANG)
        cancelled.clear()
        read = client.stream_generate_content("m", "x")
        threading.Timer(0.05, read.close).start()
        with pytest.raises(Cancelled):  # at the next chunk, since another thread closed it
            list(read)
        del read
        gc.collect()
        assert cancelled.wait(HANG)
        server.stream = lambda _request, _context: [chunk("a")]
        whole = client.stream_generate_content("m", "x")
        assert len(list(whole)) == 1
        whole.close()
        assert list(whole) == []


def test_what_an_interceptor_raises_passes(server: Server) -> None:
    def trouble(_call: Any) -> Any:
        raise ValueError("mine")

    with Client(api="v1", **plain(server.target), interceptors=[Noting(wrap=trouble)]) as client:
        with pytest.raises(ValueError, match="mine") as caught:
            client.generate_content("m", "x")
        assert not isinstance(caught.value, UsageError)
        with pytest.raises(ValueError, match="mine"):
            list(client.stream_generate_content("m", "x"))
    with pytest.raises(UsageError, match="closed"):
        client.generate_content("m", "x")


def test_a_ready_channel_is_intercepted_too(server: Server) -> None:
    noting = Noting()
    with grpc.insecure_channel(server.target) as channel:
        options: dict[str, Any] = {"project": "p", "location": "l", "channel": channel}
        with Client(api="v1", **options, interceptors=[noting]) as client:
            client.generate_content("m", "x")
        grpc.channel_ready_future(channel).result(HANG)
    assert len(noting.seen) == 1


def test_those_of_event_loops(server: Server) -> None:
    class Unary(grpc.aio.UnaryUnaryClientInterceptor):
        async def intercept_unary_unary(self, continuation: Any, details: Any, request: Any) -> Any:
            seen.append(request)
            return await continuation(details, request)

    class Stream(grpc.aio.UnaryStreamClientInterceptor):
        async def intercept_unary_stream(
            self, continuation: Any, details: Any, request: Any
        ) -> Any:
            seen.append(request)
            return await continuation(details, request)

    seen: list[bytes] = []

    async def calls() -> list[str]:
        interceptors = [Unary(), Stream()]
        async with AsyncClient(
            api="v1", **plain(server.target), interceptors=interceptors
        ) as client:
            texts = [text_of(await client.generate_content("m", "x"))]
            texts += [text_of(each) async for each in client.stream_generate_content("m", "x")]
            return texts

    assert asyncio.run(calls()) == ["ok", "a", "b", "c"]
    assert [type(each) for each in seen] == [bytes, bytes]


def test_what_is_none(server: Server) -> None:
    place = plain(server.target)
    wrong: Any = [Noting(), "text"]
    with pytest.raises(
        UsageError, match=r"interceptors\[1\]: expected a client interceptor of grpc"
    ):
        Client(**place, interceptors=wrong)
    with pytest.raises(UsageError, match=r"interceptors\[0\]: .* of grpc.aio, found a Noting"):
        AsyncClient(**place, interceptors=wrong)
    none: Any = 5
    with pytest.raises(UsageError, match="interceptors takes a list"):
        Client(**place, interceptors=none)
