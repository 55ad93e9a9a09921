"""Calls that are made again: which, how often, after how long, and never after data arrived."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import threading
from collections.abc import Iterator
from typing import Any

import grpc
import pytest

from support.faults import plain, right
from support.grpc_servers import Context, Server, chunk, serve, text_of
from support.hangs import HANG
from support.http2 import goaway, http2_server
from support.tcp_proxy import proxy
from support.twins import Twin, of_both, twin_of
from toolwire import details, v1
from toolwire._apis import APIS
from toolwire._client.requests._methods import find_method, method_names
from toolwire.client import (
    AsyncClient,
    CallError,
    Cancelled,
    Client,
    DeadlineExceeded,
    ResourceExhausted,
    Retry,
    Unavailable,
    UsageError,
    async_stub,
    stub,
)
from toolwire_pb.google.rpc.status_pb2 import Status


class Failing:
    """A server that fails so many times before it answers."""

    def __init__(self, server: Server, times: int, code: str = "UNAVAILABLE") -> None:
        self.left = times
        self.calls = 0
        self.code = code
        self.retry_after: float | None = None
        self.after_chunks = 0
        server.generate = self.unary
        server.stream = self.stream

    def fail(self, context: Context) -> None:
        self.calls += 1
        self.left -= 1
        if self.left < 0:
            return
        if self.retry_after is not None:
            status = Status(code=grpc.StatusCode[self.code].value[0], message="wait")
            seconds = int(self.retry_after)
            status.details.add().Pack(details.RetryInfo(retry_delay={"seconds": seconds}))
            context.set_trailing_metadata(
                (("grpc-status-details-bin", status.SerializeToString()),)
            )
        context.abort(grpc.StatusCode[self.code], "not now")

    def unary(self, _request: Any, context: Context) -> bytes:
        self.fail(context)
        return chunk()

    def stream(self, _request: Any, context: Context) -> Iterator[bytes]:
        for _ in range(self.after_chunks):
            yield chunk("early")
        self.fail(context)
        yield chunk("late")


class Clock:
    """Time that goes on only when somebody waits."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)


def with_clock(twin: Twin, chance: float = 1.0, **options: Any) -> Clock:
    """Gives a client a clock and a chance of the test's own."""
    clock = Clock()
    caller = twin.client._caller
    caller.sleep = clock.sleep_async if twin.is_async else clock.sleep
    caller.retrying.clock = lambda: clock.now
    caller.retrying.chance = lambda: chance
    for name, value in options.items():
        setattr(caller.retrying, name, value)
    return clock


@of_both
@pytest.mark.parametrize("stream", [False, True])
def test_it_is_tried_again_with_growing_pauses(server: Server, twin: Twin, stream: bool) -> None:
    failing = Failing(server, 4)
    clock = with_clock(twin)
    texts = [text_of(each) for each in twin.generate(stream=stream)]
    assert texts == (["late"] if stream else ["ok"])
    assert failing.calls == 5
    assert clock.waits == [1.0, 2.0, 4.0, 8.0]


@of_both
@pytest.mark.parametrize("code", ["UNAVAILABLE", "RESOURCE_EXHAUSTED"])
def test_four_times_is_what_a_client_does_by_itself(server: Server, twin: Twin, code: str) -> None:
    twin.close()
    twin.client = type(twin.client)(**plain(server.target))
    with_clock(twin)
    failing = Failing(server, 4, code)
    assert text_of(twin.generate()[0]) == "ok"
    failing.left, failing.calls = 100, 0
    with pytest.raises(CallError):
        twin.generate()
    assert failing.calls == 5


@of_both
def test_a_server_that_goes_away_before_it_ever_answered_is_tried_again(
    server: Server, twin: Twin
) -> None:
    with proxy(server.target) as between:

        def hang_up(_data: bytes) -> bytes:
            between.change = lambda data: data
            between.cut(reset=False)
            return b""

        between.change = hang_up  # before the server's first word
        twin.close()
        twin.client = type(twin.client)(**plain(between.target))
        assert text_of(twin.generate()[0]) == "ok"
        assert between.accepted > 1


@of_both
@pytest.mark.parametrize("stream", [False, True])
def test_it_is_given_up_in_the_end(server: Server, twin: Twin, stream: bool) -> None:
    failing = Failing(server, 100, "RESOURCE_EXHAUSTED")
    clock = with_clock(twin, chance=0.5)
    with pytest.raises(ResourceExhausted, match="not now"):
        twin.generate(stream=stream)
    assert failing.calls == 5
    assert clock.waits == [0.5, 1.0, 2.0, 4.0]


@of_both
@pytest.mark.parametrize("retries", [0, 1, 7])
def test_a_call_may_say_how_often(server: Server, twin: Twin, retries: int) -> None:
    failing = Failing(server, 100)
    with_clock(twin, chance=0.0)
    for stream in (False, True):
        failing.calls = 0
        with pytest.raises(Unavailable) as caught:
            twin.generate(stream=stream, retries=retries)
        assert failing.calls == caught.value.attempts == retries + 1
        after = f" after {retries + 1} attempts" if retries else ""
        assert f" failed with UNAVAILABLE{after}: not now" in str(caught.value)


@of_both
@pytest.mark.parametrize(
    "code", ["INTERNAL", "DEADLINE_EXCEEDED", "CANCELLED", "UNKNOWN", "ABORTED", "DATA_LOSS"]
)
def test_what_may_have_been_done_is_not_done_again(server: Server, twin: Twin, code: str) -> None:
    failing = Failing(server, 100, code)
    with_clock(twin)
    for stream in (False, True):
        failing.calls = 0
        with pytest.raises(CallError) as caught:
            twin.generate(stream=stream)
        assert caught.value.code == code
        assert failing.calls == 1


@of_both
def test_never_after_data_was_delivered(server: Server, twin: Twin) -> None:
    failing = Failing(server, 100)
    failing.after_chunks = 1
    with_clock(twin)
    seen: list[Any] = []
    with pytest.raises(Unavailable):
        twin.generate(stream=True, into=seen)
    assert [text_of(each) for each in seen] == ["early"]
    assert failing.calls == 1


@of_both
def test_the_server_says_how_long_to_wait(server: Server, twin: Twin) -> None:
    failing = Failing(server, 1, "RESOURCE_EXHAUSTED")
    failing.retry_after = 7
    clock = with_clock(twin, chance=0.0)
    twin.generate()
    assert clock.waits == [7.0]


@of_both
def test_no_wait_goes_beyond_the_deadline(server: Server, twin: Twin) -> None:
    failing = Failing(server, 100, "RESOURCE_EXHAUSTED")
    failing.retry_after = 60
    clock = with_clock(twin)
    with pytest.raises(ResourceExhausted) as caught:
        twin.generate(timeout=59)
    assert caught.value.retry_after == 60
    assert clock.waits == []


@of_both
def test_the_timeout_bounds_all_tries_together(server: Server, twin: Twin) -> None:
    left: list[float] = []
    failing = Failing(server, 3)

    def unary(request: Any, context: Context) -> bytes:
        left.append(context.time_remaining() or 0.0)
        return failing.unary(request, context)

    server.generate = unary
    with_clock(twin)
    twin.generate(timeout=100)
    assert left == pytest.approx([100, 99, 97, 93], abs=3)  # gRPC rounds what it sends
    assert left[3] < left[0]


@of_both
def test_a_hook_is_told(server: Server, twin: Twin) -> None:
    told: list[Retry] = []
    Failing(server, 2)
    with_clock(twin, on_retry=told.append)
    twin.generate()
    assert [(each.number, each.delay, each.error.code) for each in told] == [
        (1, 1.0, "UNAVAILABLE"),
        (2, 2.0, "UNAVAILABLE"),
    ]
    assert told[0].method == "google.cloud.aiplatform.v1.PredictionService.GenerateContent"


@of_both
@pytest.mark.parametrize("stream", [False, True])
def test_what_a_hook_takes_leaves_less_to_wait(server: Server, twin: Twin, stream: bool) -> None:
    def take_long(_retry: Retry) -> None:
        clock.now += 9.75

    Failing(server, 1)
    clock = with_clock(twin, on_retry=take_long)
    with contextlib.suppress(DeadlineExceeded):  # a server may be as quick as that
        twin.generate(stream=stream, timeout=10.0)
    assert clock.waits == [0.25]


@of_both
def test_what_a_hook_raises_passes(
    server: Server, twin: Twin, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="toolwire")
    failing = Failing(server, 2)

    def stop(_retry: Retry) -> None:
        raise ZeroDivisionError

    with_clock(twin, on_retry=stop)
    with pytest.raises(ZeroDivisionError):
        twin.generate()
    assert failing.calls == 1
    assert "UNAVAILABLE after" in caplog.text  # the call ended with that


def test_a_message_that_is_too_large_stays_so(server: Server) -> None:
    server.generate = lambda _request, _context: chunk("x" * 2000)
    options = [("grpc.max_receive_message_length", 1000)]
    with Client(
        api_endpoint=server.target,
        insecure=True,
        project="p",
        location="l",
        channel_options=options,
    ) as client:
        client._caller.sleep = lambda _: pytest.fail("it waits")
        with pytest.raises(ResourceExhausted, match="larger than max"):
            client.generate_content("m", "x")
    assert len(server.seen) == 1


def test_every_method_has_its_codes() -> None:
    default = {"UNAVAILABLE", "RESOURCE_EXHAUSTED"}
    others = {"create_cached_content": {"RESOURCE_EXHAUSTED"}, "bidi_generate_content": set[str]()}
    for api in APIS.values():
        for name in method_names(api):
            assert find_method(api, name).retryable == others.get(name, default)


@pytest.mark.parametrize("retries", [-1, 101, 1.0, True, "4", None])
def test_a_number_of_retries_is_one(client: Client, retries: Any) -> None:
    with pytest.raises(UsageError, match="retries takes a whole number"):
        Client(project="p", location="l", retries=retries)
    if retries is not None:
        with pytest.raises(UsageError, match="retries takes a whole number"):
            client.generate_content("m", "x", retries=retries)


def test_a_hook_is_a_function() -> None:
    hook: Any = 5
    with pytest.raises(UsageError, match="on_retry takes a function"):
        Client(project="p", location="l", on_retry=hook)


@of_both
def test_closing_ends_a_wait(server: Server, twin: Twin) -> None:
    failing = Failing(server, 100, "RESOURCE_EXHAUSTED")
    failing.retry_after = 300
    for stream in (False, True):
        with pytest.raises(Cancelled):
            twin.generate(stream=stream, close_on_retry=True)


def test_leaving_a_stream_ends_its_wait(server: Server, client: Client) -> None:
    failing = Failing(server, 100, "RESOURCE_EXHAUSTED")
    failing.retry_after = 300
    waiting = threading.Event()
    client._caller.retrying.on_retry = lambda _retry: waiting.set()
    stream = client.stream_generate_content("m", "x", timeout=600, retries=1)

    def leave() -> None:
        waiting.wait(HANG)
        stream.close()

    leaver = threading.Thread(target=leave)
    leaver.start()
    with pytest.raises(Cancelled):
        next(stream)
    leaver.join()


def test_so_it_does_in_a_loop(server: Server) -> None:
    failing = Failing(server, 100, "RESOURCE_EXHAUSTED")
    failing.retry_after = 300

    async def main() -> None:
        waits = asyncio.Event()
        client = AsyncClient(
            api_endpoint=server.target,
            insecure=True,
            project="p",
            location="l",
            on_retry=lambda _retry: waits.set(),
        )
        async with client:
            stream = client.stream_generate_content("m", "x", timeout=600, retries=1)
            reading = asyncio.ensure_future(anext(stream))
            await waits.wait()
            await stream.aclose()
            with pytest.raises(Cancelled, match="the stream was left"):
                await asyncio.wait_for(reading, HANG)

    asyncio.run(main())


def test_a_cancelled_task_does_not_wait(server: Server) -> None:
    failing = Failing(server, 100, "RESOURCE_EXHAUSTED")
    failing.retry_after = 300

    async def main() -> None:
        waiting = asyncio.Event()
        client = AsyncClient(
            api_endpoint=server.target,
            insecure=True,
            project="p",
            location="l",
            on_retry=lambda _retry: waiting.set(),
        )
        async with client:
            task = asyncio.create_task(client.generate_content("m", "x"))
            await waiting.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(main())


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_a_server_that_restarts_is_found_again(kind: str) -> None:
    with contextlib.ExitStack() as running:
        first = running.enter_context(serve())
        port = int(first.target.rpartition(":")[2])
        with twin_of(first.target, kind) as twin:
            assert text_of(twin.generate()[0]) == "ok"
            running.close()
            with pytest.raises(Unavailable):
                twin.generate(retries=0)
            with serve(port=port):
                assert text_of(twin.generate(timeout=HANG)[0]) == "ok"
                assert text_of(twin.generate(timeout=HANG)[0]) == "ok"


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_what_no_server_has_taken_is_sent_again_by_grpc(kind: str) -> None:
    """It leaves without having seen the request: no try of ours is needed."""
    with http2_server() as running:
        running.answer = lambda stream: goaway(0) if running.calls == 1 else right(stream)
        with twin_of(running.target, kind) as twin:
            assert text_of(twin.generate(retries=0, timeout=HANG)[0]) == "ok"
        assert running.calls == 2


def test_a_timeout_during_a_try(server: Server, client: Client) -> None:
    leave = threading.Event()

    def hang(_request: Any, _context: Context) -> bytes:
        leave.wait(HANG)
        return chunk()

    server.generate = hang
    with pytest.raises(DeadlineExceeded):
        client.generate_content("m", "x", timeout=0.2, retries=4)
    leave.set()
    assert len(server.seen) <= 1  # on a busy machine it does not even get there


def async_hooks(told: list[Retry]) -> list[Any]:
    async def hook(retry: Retry) -> None:
        await asyncio.sleep(0)
        told.append(retry)

    class Hook:
        async def __call__(self, retry: Retry) -> None:
            await hook(retry)

    def answers(retry: Retry) -> object:
        return hook(retry)

    return [hook, Hook(), functools.partial(hook), answers]


@pytest.mark.parametrize("twin", ["async"], indirect=True)
def test_an_async_hook_is_awaited(server: Server, twin: Twin) -> None:
    told: list[Retry] = []
    for hook in async_hooks(told):
        Failing(server, 1)
        with_clock(twin, on_retry=hook)
        twin.generate()
    assert [each.number for each in told] == [1] * 4


def test_an_async_hook_of_a_client_that_blocks_is_refused(server: Server) -> None:
    told: list[Retry] = []
    *plainly_async, answers = async_hooks(told)
    for hook in plainly_async:
        with pytest.raises(UsageError, match=r"on_retry: .* async ones are for AsyncClient"):
            Client(project="p", location="l", on_retry=hook)
        with pytest.raises(UsageError, match=r"on_retry: .* async ones are for AsyncClient"):
            stub(v1.grpc.PredictionServiceStub, server.target, insecure=True, on_retry=hook)
        made = async_stub(v1.grpc.PredictionServiceStub, server.target, on_retry=hook)
        assert asyncio.run(made.close()) is None
    failing = Failing(server, 2)
    with (
        Client(
            api_endpoint=server.target, insecure=True, project="p", location="l", on_retry=answers
        ) as client,
        pytest.raises(UsageError, match=r"on_retry: .* an awaitable"),
    ):
        client.generate_content("m", "x")
    assert (failing.calls, told) == (1, [])
