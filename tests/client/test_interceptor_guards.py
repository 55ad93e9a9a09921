"""What interceptors of event loops return and wait for: nothing breaks, or goes on for ever."""

# pyright: reportPrivateUsage=false, reportIncompatibleMethodOverride=false

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from types import SimpleNamespace
from typing import Any, TypeAlias

import grpc
import pytest

from support.faults import plain
from support.grpc_servers import Context, Server, chunk, text_of
from support.hangs import HANG, Hang
from toolwire import gemini
from toolwire._client._in_time import LateError, in_time
from toolwire.client import AsyncClient, Cancelled, DeadlineExceeded, Retry, Unavailable, UsageError
from toolwire.testing import LocalServer

NOWHERE: dict[str, Any] = {"api_endpoint": "localhost:1", "insecure": True}
SOON = 0.2  # seconds, after which a call is over

Act: TypeAlias = Callable[[Any, Any, Any], Awaitable[Any]]


class One(grpc.aio.UnaryUnaryClientInterceptor):
    """Does what a test wants with a call."""

    def __init__(self, act: Act) -> None:
        self.act = act

    async def intercept_unary_unary(self, *given: Any) -> Any:
        return await self.act(*given)


class Many(grpc.aio.UnaryStreamClientInterceptor):
    """Does so with a stream."""

    def __init__(self, act: Act) -> None:
        self.act = act

    async def intercept_unary_stream(self, *given: Any) -> Any:
        return await self.act(*given)


class Exchange(grpc.aio.StreamStreamClientInterceptor):
    """Does so with a session."""

    def __init__(self, act: Act) -> None:
        self.act = act

    async def intercept_stream_stream(self, *given: Any) -> Any:
        return await self.act(*given)


async def go_on(continuation: Any, details: Any, request: Any) -> Any:
    return await continuation(details, request)


async def wait_first(continuation: Any, details: Any, request: Any) -> Any:
    await asyncio.sleep(HANG)
    return await continuation(details, request)


async def wait_behind(continuation: Any, details: Any, request: Any) -> Any:
    async def each() -> AsyncIterator[bytes]:
        async for data in made:
            yield data
        await asyncio.sleep(HANG)

    made = await continuation(details, request)
    return each()


async def wait_for_nothing(*_given: Any) -> Any:
    async def each() -> AsyncIterator[bytes]:
        await asyncio.sleep(HANG)
        yield b""

    return each()


def intercepted(server: Server, *acts: Act, **options: Any) -> AsyncClient:
    interceptors = [kind(act) for act in acts for kind in (One, Many, Exchange)]
    return AsyncClient(**plain(server.target), interceptors=interceptors, **options)


async def call(client: AsyncClient, stream: bool, **options: Any) -> list[str]:
    if not stream:
        return [text_of(await client.generate_content("m", "x", **options))]
    return [text_of(each) async for each in client.stream_generate_content("m", "x", **options)]


def run(main: Callable[[], Awaitable[object]]) -> None:
    """Runs a test, and sees to it that nothing is logged behind its back."""

    async def watched() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, said: heard.append(said))
        await main()
        gc.collect()
        await asyncio.sleep(0)

    def hear(said: sys.UnraisableHookArgs) -> None:
        # Of an error of the interceptor's own, gRPC before 1.80 complains here once more.
        if said.exc_type is AttributeError:
            heard.append(said)

    heard: list[object] = []
    hook, sys.unraisablehook = sys.unraisablehook, hear
    try:
        asyncio.run(watched())
        gc.collect()
    finally:
        sys.unraisablehook = hook
    assert heard == []


either = pytest.mark.parametrize("stream", [False, True], ids=["unary", "stream"])


@pytest.mark.parametrize("made", [None, b"x", [b"x"]], ids=lambda made: type(made).__name__)
@pytest.mark.parametrize("others", [(), (go_on,)], ids=["alone", "behind another"])
def test_a_client_closes_though_an_interceptor_made_no_call(
    server: Server, others: tuple[Act, ...], made: Any
) -> None:
    async def odd(*_given: Any) -> Any:
        return made

    async def main() -> None:
        client = intercepted(server, *others, odd)
        for _ in range(2):
            with pytest.raises(UsageError, match="an interceptor must return"):
                await call(client, stream=True)
        await client.close()
        with pytest.raises(UsageError, match="an interceptor must return"):
            async with intercepted(server, *others, odd) as another:
                await call(another, stream=True)

    run(main)


async def kept(*_given: Any) -> Any:
    async def each() -> AsyncIterator[bytes]:
        for text in "xyz":
            yield chunk(text)

    return each()


@pytest.mark.parametrize("others", [(), (go_on,)], ids=["alone", "behind another"])
def test_a_stream_may_be_made_without_a_call(server: Server, others: tuple[Act, ...]) -> None:
    async def main() -> None:
        client = intercepted(server, *others, kept)
        stream = client.stream_generate_content("m", "x")
        assert [text_of(each) async for each in stream] == [*"xyz"]
        assert await stream.initial_metadata() == await stream.trailing_metadata() == ()
        async with client.stream_generate_content("m", "x") as left:
            assert text_of(await anext(left)) == "x"
        with pytest.raises(Cancelled, match="was left"):
            await anext(left)
        await client.close()
        assert not server.seen

    run(main)


def test_a_session_may_be_made_without_a_call() -> None:
    async def main() -> None:
        client = AsyncClient(api="gemini", **NOWHERE, interceptors=[Exchange(act)])
        async with client, client.bidi_generate_content("gemini-live") as session:
            assert session.ready is not None
            assert await session.receive() is None

    async def act(*_given: Any) -> Any:
        async def each() -> AsyncIterator[bytes]:
            yield gemini.BidiGenerateContentServerMessage(setup_complete={}).SerializeToString()

        return each()

    run(main)


def test_a_session_goes_through_what_an_interceptor_makes_of_it() -> None:
    async def main() -> None:
        with LocalServer() as local:
            client = local.async_client(api="gemini", interceptors=[Exchange(go_on), Exchange(act)])
            async with client, client.bidi_generate_content("gemini-live") as session:
                await session.send("Hello")
                await session.done_sending()
                received = [each async for each in session]
        assert len(passed) == len(received) + 1 > 1

    async def act(continuation: Any, details: Any, requests: Any) -> Any:
        async def each() -> AsyncIterator[bytes]:
            async for data in made:
                passed.append(data)
                yield data

        made = await continuation(details, requests)
        return each()

    passed: list[bytes] = []
    run(main)


@pytest.mark.parametrize(
    ("act", "stream"),
    [(wait_first, False), (wait_first, True), (wait_behind, True), (wait_for_nothing, True)],
)
@pytest.mark.parametrize("others", [(), (go_on,)], ids=["alone", "behind another"])
def test_what_an_interceptor_waits_for_takes_no_longer_than_the_call_may(
    server: Server, others: tuple[Act, ...], act: Act, stream: bool
) -> None:
    async def main() -> None:
        async with intercepted(server, *others, act) as client:
            with pytest.raises(DeadlineExceeded) as caught:
                await call(client, stream, timeout=SOON)
            if act is not wait_behind:  # whose call may itself be late on a busy machine
                assert caught.value.message == "an interceptor took too long"
            assert f"the call had {SOON} seconds" in str(caught.value)
            assert not any(task is not asyncio.current_task() for task in asyncio.all_tasks())

    run(main)


def test_nor_does_one_of_a_session() -> None:
    async def main() -> None:
        with LocalServer() as local:
            client = local.async_client(api="gemini", interceptors=[Exchange(wait_first)])
            async with client:
                with pytest.raises(DeadlineExceeded, match="an interceptor took too long"):
                    async with client.bidi_generate_content("gemini-live", timeout=SOON):
                        pass

    run(main)


@pytest.mark.parametrize("changes", [{}, {"timeout": None}])
@either
def test_what_has_been_waited_for_is_taken_off_the_time_of_the_call(
    server: Server, stream: bool, changes: dict[str, None]
) -> None:
    async def wait(continuation: Any, details: Any, request: Any) -> Any:
        await asyncio.sleep(0.5)
        return await continuation(details._replace(**changes), request)

    async def main() -> None:
        async with intercepted(server, wait, go_on) as client:
            await call(client, stream, timeout=HANG)
        assert 0 < server.last().seconds < HANG - 0.4

    run(main)


@either
def test_an_interceptor_may_shorten_it_and_change_one_thing_alone(
    server: Server, stream: bool
) -> None:
    async def shorten(continuation: Any, _details: Any, request: Any) -> Any:
        metadata = grpc.aio.Metadata(("x-own", "1"))
        return await continuation(SimpleNamespace(timeout=HANG / 2, metadata=metadata), request)

    async def main() -> None:
        async with intercepted(server, shorten) as client:
            await call(client, stream, timeout=HANG)
        assert 0 < server.last().seconds < HANG - 20  # gRPC rounds what it sends
        assert server.last().header("x-own") == "1"

    run(main)


@either
def test_an_interceptor_sees_that_its_call_was_not_answered_in_time(
    server: Server, hang: Hang, monkeypatch: pytest.MonkeyPatch, stream: bool
) -> None:
    # On a busy machine what comes a little later might come first.
    monkeypatch.setattr("toolwire._client.channels._guards._GRACE", HANG)

    async def see(continuation: Any, details: Any, request: Any) -> Any:
        made = await continuation(details, request)
        codes.append(await made.code())
        return made

    async def main() -> None:
        async with intercepted(server, see) as client:
            with pytest.raises(DeadlineExceeded):
                await call(client, stream, timeout=SOON)
        assert codes == [grpc.StatusCode.DEADLINE_EXCEEDED]

    def hanging(*_given: object) -> Any:
        hang()
        return []

    codes: list[Any] = []
    server.generate = server.stream = hanging
    run(main)
    hang.let_go()


@either
def test_a_task_that_is_cancelled_meanwhile_is_told_from_that(server: Server, stream: bool) -> None:
    async def wait(*_given: Any) -> Any:
        entered.set()
        try:
            await asyncio.sleep(HANG)
        finally:
            ended.set()

    async def main() -> None:
        async with intercepted(server, wait) as client:
            task = asyncio.create_task(call(client, stream))
            await entered.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await ended.wait()

    entered, ended = asyncio.Event(), asyncio.Event()
    run(main)


@either
def test_so_is_a_time_limit_of_the_interceptors_own(server: Server, stream: bool) -> None:
    async def limit(*_given: Any) -> Any:
        await asyncio.wait_for(asyncio.sleep(HANG), 0.01)

    async def main() -> None:
        async with intercepted(server, limit) as client:
            with pytest.raises(asyncio.TimeoutError):
                await call(client, stream)

    run(main)


@either
def test_a_hook_that_is_awaited_takes_no_longer_than_the_call_may(
    server: Server, stream: bool
) -> None:
    async def told(retry: Retry) -> None:
        entered.set()
        try:
            await asyncio.sleep(HANG)
        finally:
            ended.append(retry.number)

    async def main() -> None:
        async with intercepted(server, on_retry=told) as client:
            client._retrying.chance = lambda: 0.0
            with pytest.raises(DeadlineExceeded, match="on_retry took too long") as caught:
                await call(client, stream, timeout=2)  # for the hook to be told on a busy machine
            assert isinstance(caught.value.__cause__, Unavailable)
            entered.clear()
            task = asyncio.create_task(call(client, stream))
            await entered.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        assert ended == [1, 1]

    def fail(_request: Any, context: Context) -> Any:
        context.abort(grpc.StatusCode.UNAVAILABLE, "later")

    ended: list[int] = []
    entered = asyncio.Event()
    server.generate = server.stream = fail
    run(main)


def test_a_limit_ends_what_it_is_about_and_nothing_else() -> None:
    async def work(*, raises: bool = False) -> str:
        try:
            await asyncio.sleep(HANG)
        except asyncio.CancelledError:
            if raises:
                raise ZeroDivisionError from None
        return "done all the same"

    async def main() -> None:
        assert await in_time(asyncio.sleep(0, "in time"), HANG) == "in time"
        with pytest.raises(LateError):
            await in_time(asyncio.sleep(HANG), 0)
        with pytest.raises(LateError):
            await in_time(in_time(asyncio.sleep(HANG), HANG), 0)
        assert await in_time(work(), 0) == "done all the same"
        with pytest.raises(ZeroDivisionError):
            await in_time(work(raises=True), 0)
        task: Any = asyncio.current_task()
        assert getattr(task, "cancelling", int)() == 0
        await asyncio.sleep(0)  # where it would end if it were still cancelled

    asyncio.run(main())


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python does not count there")
def test_who_is_cancelled_at_the_very_moment_of_the_limit_is_cancelled() -> None:
    async def main() -> None:
        async def limited() -> None:
            asyncio.get_running_loop().call_soon(task.cancel)
            await in_time(asyncio.sleep(HANG), 0)

        task = asyncio.create_task(limited())
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
