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
from support.hangs import HANG, Hang
from support.twins import Twin, of_both
from toolwire import v1
from toolwire.client import (
    AsyncClient,
    CallError,
    Cancelled,
    Client,
    NotFound,
    PermissionDenied,
    UsageError,
)


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


def test_a_stream_may_become_any_iterator(server: Server) -> None:
    def stream(_request: Any, context: Context) -> Iterator[bytes]:
        context.add_callback(cancelled.set)
        yield chunk("first")
        cancelled.wait(HANG)

    def mapped(call: Any) -> Any:
        return map(bytes, call)

    cancelled = threading.Event()
    server.stream = stream
    with Client(api="v1", **plain(server.target), interceptors=[Noting(wrap=mapped)]) as client:
        with client.stream_generate_content("m", "x") as left:
            assert text_of(next(left)) == "first"
        gc.collect()
        assert cancelled.wait(HANG)
        with pytest.raises(Cancelled, match="the stream was left"):
            next(left)


@pytest.mark.parametrize("refers", ["call", "interceptor"])
def test_a_stream_is_cancelled_by_a_break_whatever_else_refers_to_its_call(
    server: Server, refers: str
) -> None:
    def watched(call: Any) -> Any:
        if refers == "interceptor":
            kept.append(call)
        else:
            call.add_done_callback(kept.clear)  # for which gRPC has the call refer to itself
        return call

    def stream(_request: Any, context: Context) -> Iterator[bytes]:
        context.add_callback(cancelled.set)
        yield chunk("first")
        cancelled.wait(HANG)

    kept: list[Any] = []
    cancelled = threading.Event()
    server.stream = stream
    with Client(api="v1", **plain(server.target), interceptors=[Noting(wrap=watched)]) as client:
        for _ in client.stream_generate_content("m", "x"):
            break
        gc.collect()
        assert cancelled.wait(HANG)


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


def sends_headers(server: Server) -> None:
    def generate(_request: Any, context: Context) -> bytes:
        context.send_initial_metadata((("x-request-id", f"call {len(server.seen)}"),))
        context.set_trailing_metadata((("x-cost-bin", b"\0"),))
        return chunk()

    server.generate, server.stream = generate, lambda request, context: [generate(request, context)]


HEADERS = [[("x-request-id", f"call {number}"), ("x-cost-bin", b"\0")] for number in (1, 2)]


def test_an_interceptor_sees_what_comes_along_with_an_answer(server: Server) -> None:
    calls: list[Any] = []

    def keep(call: Any) -> Any:
        calls.append(call)
        return call

    sends_headers(server)
    with Client(**plain(server.target), interceptors=[Noting(wrap=keep)]) as client:
        client.generate_content("m", "x")
        list(client.stream_generate_content("m", "x"))
    found = [[*each.initial_metadata(), *each.trailing_metadata()] for each in calls]
    assert found == HEADERS


def test_so_does_one_of_event_loops(server: Server) -> None:
    class One(grpc.aio.UnaryUnaryClientInterceptor):
        async def intercept_unary_unary(self, continuation: Any, details: Any, request: Any) -> Any:
            calls.append(await continuation(details, request))
            return calls[-1]

    class Many(grpc.aio.UnaryStreamClientInterceptor):
        async def intercept_unary_stream(
            self, continuation: Any, details: Any, request: Any
        ) -> Any:
            calls.append(await continuation(details, request))
            return calls[-1]

    async def main() -> list[Any]:
        async with AsyncClient(**plain(server.target), interceptors=[One(), Many()]) as client:
            await client.generate_content("m", "x")
            assert len([each async for each in client.stream_generate_content("m", "x")]) == 1
            return [
                [*await each.initial_metadata(), *await each.trailing_metadata()] for each in calls
            ]

    calls: list[Any] = []
    sends_headers(server)
    assert asyncio.run(main()) == HEADERS


class Unary(grpc.aio.UnaryUnaryClientInterceptor):
    """Does what a test wants with a call in an event loop."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make

    async def intercept_unary_unary(self, continuation: Any, details: Any, request: Any) -> Any:
        await (await continuation(details, request))
        return self.make()


class Many(grpc.aio.UnaryStreamClientInterceptor):
    """Does so with a stream."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make

    async def intercept_unary_stream(self, continuation: Any, details: Any, request: Any) -> Any:
        await continuation(details, request)
        return self.make()


def outcome(server: Server, how: str, make: Callable[[], Any], *, stream: bool) -> BaseException:
    """Calls with an interceptor of either kind that ends so, and returns what is raised."""
    call = at_once if how == "sync" else later
    with pytest.raises(Exception) as caught:  # noqa: PT011 - see what it is compared with
        call(server, make, stream)
    return caught.value


def at_once(server: Server, make: Callable[[], Any], stream: bool) -> None:
    noting = Noting(wrap=lambda _call: make())
    with Client(api="v1", **plain(server.target), interceptors=[noting]) as client:
        texts(client, stream)


def texts(client: Client, stream: bool) -> list[str]:
    if stream:
        return [text_of(each) for each in client.stream_generate_content("m", "x")]
    return [text_of(client.generate_content("m", "x"))]


def later(server: Server, make: Callable[[], Any], stream: bool) -> None:
    async def call() -> None:
        async with client:
            if stream:
                async for _ in client.stream_generate_content("m", "x"):
                    pass
            else:
                await client.generate_content("m", "x")

    interceptors = [Unary(make), Many(make)]
    client = AsyncClient(api="v1", **plain(server.target), interceptors=interceptors)
    asyncio.run(call())


def failing(request: v1.GenerateContentRequest, context: Context) -> Iterator[bytes]:
    if "begun" in request.model:
        yield chunk()
    context.abort(grpc.StatusCode.INTERNAL, "cut off")


class Gate(grpc.aio.UnaryStreamClientInterceptor):
    """Lets a stream pass, once it may."""

    def __init__(self, *, is_open: bool) -> None:
        self.entered, self.opened = asyncio.Event(), asyncio.Event()
        if is_open:
            self.opened.set()

    async def intercept_unary_stream(self, continuation: Any, details: Any, request: Any) -> Any:
        self.entered.set()
        await self.opened.wait()
        return await continuation(details, request)


@pytest.mark.parametrize("is_generator", [False, True])
def test_what_has_failed_is_not_complete_when_read_on(server: Server, is_generator: bool) -> None:
    def generate(call: Any) -> Iterator[bytes]:
        yield from call

    server.stream = failing
    noting = Noting(wrap=generate) if is_generator else Noting()
    with Client(api="v1", **plain(server.target), interceptors=[noting]) as client:
        stream = client.stream_generate_content("begun", "x")
        assert text_of(next(stream)) == "ok"
        with pytest.raises(CallError, match="cut off"):
            next(stream)
        with pytest.raises(CallError):
            next(stream)


@pytest.mark.parametrize("model", ["m", "begun"])
def test_nor_is_it_in_a_loop(server: Server, model: str) -> None:
    async def main() -> None:
        gate = Gate(is_open=True)
        async with AsyncClient(api="v1", **plain(server.target), interceptors=[gate]) as client:
            stream = client.stream_generate_content(model, "x")
            if model == "begun":
                assert text_of(await anext(stream)) == "ok"
            with pytest.raises(CallError, match="cut off"):
                await anext(stream)
            with pytest.raises(CallError):
                await anext(stream)

    server.stream = failing
    asyncio.run(main())


def test_nor_is_what_a_closed_client_has_cut_off(server: Server, hang: Hang) -> None:
    async def main() -> None:
        gate = Gate(is_open=True)
        client = AsyncClient(api="v1", **plain(server.target), interceptors=[gate])
        stream = client.stream_generate_content("m", "x")
        reading = asyncio.create_task(anext(stream))
        await asyncio.to_thread(hang.entered.wait)
        await client.close()
        with pytest.raises(Cancelled, match="closed"):
            await reading
        with pytest.raises(Cancelled):
            await anext(stream)

    def hanging(*_given: object) -> Iterator[bytes]:
        hang()
        return iter(())

    server.stream = hanging
    asyncio.run(main())
    hang.let_go()


def test_who_no_longer_waits_for_what_comes_before_a_stream_has_left_it(server: Server) -> None:
    async def main() -> None:
        gate = Gate(is_open=False)
        async with AsyncClient(api="v1", **plain(server.target), interceptors=[gate]) as client:
            stream = client.stream_generate_content("m", "x")
            waiting = asyncio.create_task(stream.initial_metadata())
            await gate.entered.wait()
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            with pytest.raises(Cancelled, match="was left"):
                await anext(stream)

    asyncio.run(main())


both = pytest.mark.parametrize("how", ["sync", "async"])
either = pytest.mark.parametrize("stream", [False, True], ids=["unary", "stream"])


@pytest.mark.parametrize(
    "kind", [KeyError, ValueError, AttributeError, TypeError, OSError, RuntimeError]
)
@both
@either
def test_whatever_an_interceptor_raises_passes_as_it_is(
    server: Server, how: str, stream: bool, kind: type[Exception]
) -> None:
    fault, cause = kind("mine"), OSError("its cause")

    def fail() -> Any:
        raise fault from cause

    assert outcome(server, how, fail, stream=stream) is fault
    assert fault.__cause__ is cause


class Own(grpc.RpcError):
    """An interceptor's own error, whose methods do what a test wants."""

    def __init__(self, **methods: Callable[[], object]) -> None:
        super().__init__("its own text")
        vars(self).update(methods)


def broken() -> Any:
    raise ZeroDivisionError


DENIED = {"code": lambda: grpc.StatusCode.PERMISSION_DENIED, "details": lambda: "circuit open"}


def raiser(error: BaseException) -> Callable[[], Any]:
    def fail() -> Any:
        raise error

    return fail


@pytest.mark.parametrize(
    ("methods", "message", "request_id"),
    [
        (DENIED, "circuit open", ""),
        (DENIED | {"trailing_metadata": lambda: [("x-request-id", "7")]}, "circuit open", "7"),
        (DENIED | {"trailing_metadata": broken, "initial_metadata": lambda: 5}, "circuit open", ""),
        (DENIED | {"details": broken}, "", ""),
        (
            DENIED | {"details": lambda: "half: \ud800"},
            "half: \ufffd\ufffd\ufffd",
            "",
        ),
    ],
)
@both
@either
def test_an_error_with_a_status_is_ours_for_it(  # noqa: PLR0917
    server: Server, how: str, stream: bool, methods: Any, message: str, request_id: str
) -> None:
    own = Own(**methods)
    error = outcome(server, how, raiser(own), stream=stream)
    assert isinstance(error, PermissionDenied)
    assert (error.code, error.message) == ("PERMISSION_DENIED", message)
    assert error.request_id == request_id
    assert error.__cause__ is own


@pytest.mark.parametrize(
    "methods", [{}, {"code": lambda: None}, {"code": lambda: 7}, {"code": broken}]
)
@both
@either
def test_an_error_without_a_status_passes_as_it_is(
    server: Server, how: str, stream: bool, methods: Any
) -> None:
    own = Own(**methods)
    assert outcome(server, how, raiser(own), stream=stream) is own


@pytest.mark.parametrize("methods", [{}, DENIED])
@either
def test_so_it_is_behind_another_interceptor(server: Server, stream: bool, methods: Any) -> None:
    own = Own(**methods)
    interceptors = [Noting(), Noting(wrap=lambda _call: raiser(own)())]
    with (
        Client(**plain(server.target), interceptors=interceptors) as client,
        pytest.raises(PermissionDenied if methods else Own) as caught,
    ):
        texts(client, stream)
    assert own in {caught.value, caught.value.__cause__}


@either
def test_what_may_pass_is_tried_again(server: Server, stream: bool) -> None:
    def fail_once(call: Any) -> Any:
        if not failures:
            failures.append(Own(code=lambda: grpc.StatusCode.UNAVAILABLE))
            raise failures[0]
        return call

    failures: list[Own] = []
    noting = Noting(wrap=fail_once)
    with Client(**plain(server.target), interceptors=[noting]) as client:
        client._caller.sleep = lambda _seconds: None
        assert texts(client, stream) == ([*"abc"] if stream else ["ok"])
    assert len(noting.seen) == 2


@pytest.mark.parametrize("made", [5, None, "text", [b"x"]], ids=lambda made: type(made).__name__)
@both
@either
def test_what_an_interceptor_returns_is_no_call(
    server: Server, how: str, stream: bool, made: Any
) -> None:
    error = outcome(server, how, lambda: made, stream=stream)
    assert isinstance(error, UsageError)
    assert str(error).startswith("an interceptor must return")


class OneWith(grpc.aio.UnaryUnaryClientInterceptor):
    """Passes another request on."""

    async def intercept_unary_unary(self, continuation: Any, details: Any, request: Any) -> Any:
        return await continuation(details, request.decode(errors="replace"))


class ManyWith(grpc.aio.UnaryStreamClientInterceptor):
    """Does so of a stream."""

    async def intercept_unary_stream(self, continuation: Any, details: Any, request: Any) -> Any:
        return await continuation(details, request.decode(errors="replace"))


class With(grpc.UnaryUnaryClientInterceptor, grpc.UnaryStreamClientInterceptor):
    """Does so in threads."""

    def intercept_unary_unary(self, continuation: Any, details: Any, request: Any) -> Any:
        return continuation(details, request.decode(errors="replace"))

    def intercept_unary_stream(self, continuation: Any, details: Any, request: Any) -> Any:
        return self.intercept_unary_unary(continuation, details, request)


@of_both
@either
def test_what_an_interceptor_passes_on_is_no_request(
    server: Server, twin: Twin, stream: bool
) -> None:
    given: Any = [OneWith(), ManyWith()] if twin.is_async else [With()]
    kind: Any = AsyncClient if twin.is_async else Client
    twin.client = kind(**plain(server.target), interceptors=given)
    with pytest.raises(UsageError, match=r"must pass requests on as bytes, found a str$"):
        twin.generate(stream=stream)
    assert not server.seen


def test_a_stream_of_an_interceptor_that_is_not_of_bytes(server: Server) -> None:
    error = outcome(server, "sync", lambda: iter([5]), stream=True)
    assert str(error) == "an interceptor must return responses as bytes, found an int"


def test_what_is_none(server: Server) -> None:
    place = plain(server.target)
    wrong: Any = [Noting(), "text"]
    with pytest.raises(
        UsageError, match=r"interceptors\[1\]: expected a client interceptor of grpc"
    ):
        Client(**place, interceptors=wrong)
    with pytest.raises(UsageError, match=r"interceptors\[0\]: .* of grpc.aio, found a Noting"):
        AsyncClient(**place, interceptors=wrong)
    with pytest.raises(UsageError, match=r"interceptors\[0\]: .* found the class Noting$"):
        Client(**place, interceptors=[Noting])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    none: Any = 5
    with pytest.raises(UsageError, match="interceptors takes a list of interceptors, found 5"):
        Client(**place, interceptors=none)


def test_an_async_one_that_would_be_heeded_in_part_is_refused() -> None:
    class Both(grpc.aio.UnaryUnaryClientInterceptor, grpc.aio.UnaryStreamClientInterceptor):
        async def intercept_unary_unary(self, continuation: Any, details: Any, request: Any) -> Any:
            return await continuation(details, request)

        async def intercept_unary_stream(
            self, continuation: Any, details: Any, request: Any
        ) -> Any:
            return await continuation(details, request)

    with pytest.raises(UsageError, match=r"interceptors\[0\]: Both is of several kinds"):
        AsyncClient(project="p", location="l", interceptors=[Both()])
    with pytest.raises(UsageError, match=r"found an int$"):
        AsyncClient(project="p", location="l", interceptors=[5])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
