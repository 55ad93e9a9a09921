"""The async client: loops, cancellation, streams that are left, closing, the end of a program."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import grpc
import pytest

from support.grpc_servers import Context, Server, chunk, text_of
from support.hangs import HANG
from toolwire.client import (
    AsyncClient,
    AsyncStream,
    CallError,
    Cancelled,
    Client,
    Unavailable,
    UsageError,
)


def make(server: Server, **options: Any) -> AsyncClient:
    defaults: dict[str, Any] = {"project": "p", "location": "l", "retries": 0, "timeout": 20.0}
    return AsyncClient(api_endpoint=server.target, insecure=True, **{**defaults, **options})


class Endless:
    """Sends one chunk, then nothing until the call is given up, and notes that it was."""

    def __init__(self, server: Server) -> None:
        self.cancelled = threading.Event()
        self.started = threading.Event()
        self.leave = threading.Event()
        server.stream = self.stream
        server.generate = self.unary

    def stream(self, _request: Any, context: Context) -> Iterator[bytes]:
        context.add_callback(self.cancelled.set)
        yield chunk("first")
        self.unary(_request, context)

    def unary(self, _request: Any, context: Context) -> bytes:
        context.add_callback(self.cancelled.set)
        self.started.set()
        while context.is_active() and not self.leave.wait(0.01):
            pass
        return chunk()

    async def was_cancelled(self) -> bool:
        return await asyncio.to_thread(self.cancelled.wait, HANG)


@pytest.fixture
def endless(server: Server) -> Iterator[Endless]:
    made = Endless(server)
    yield made
    made.leave.set()


def test_unary_and_stream(server: Server) -> None:
    async def main() -> None:
        async with make(server) as client:
            assert text_of(await client.generate_content("m", "x")) == "ok"
            stream = client.stream_generate_content("m", "x")
            assert isinstance(stream, AsyncStream)
            assert [text_of(each) async for each in stream] == ["a", "b", "c"]
            assert [text_of(each) async for each in stream] == []
            async with client.stream_generate_content("m", "x") as again:
                assert text_of(await anext(again)) == "a"
            assert (await client.count_tokens("m", "x")).total_tokens == 7

    asyncio.run(main())
    assert len(server.peers) == 1


def test_one_client_in_one_loop_after_the_other(server: Server) -> None:
    client = make(server)  # outside of any loop

    async def main() -> str:
        return text_of(await client.generate_content("m", "x"))

    assert [asyncio.run(main()) for _ in range(3)] == ["ok"] * 3
    asyncio.run(client.close())
    with pytest.raises(UsageError, match="closed"):
        asyncio.run(main())


def test_one_client_in_several_loops_at_once(server: Server) -> None:
    client = make(server)
    barrier = threading.Barrier(4)
    texts: list[str] = []

    async def main() -> None:
        barrier.wait(HANG)
        for _ in range(5):
            texts.append(text_of(await client.generate_content("m", "x")))
            async for each in client.stream_generate_content("m", "x"):
                texts.append(text_of(each))  # noqa: PERF401 - plainer so

    threads = [threading.Thread(target=asyncio.run, args=(main(),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(texts) == sorted(["ok", "a", "b", "c"] * 20)
    asyncio.run(client.close())


def test_closing_reaches_calls_of_another_loop(server: Server, endless: Endless) -> None:
    client = make(server)
    errors: list[BaseException] = []

    async def call() -> None:
        with pytest.raises(Cancelled) as caught:
            await client.generate_content("m", "x")
        errors.append(caught.value)

    thread = threading.Thread(target=asyncio.run, args=(call(),))
    thread.start()
    assert endless.started.wait(HANG)
    asyncio.run(client.close())
    thread.join(HANG)
    assert [type(error) for error in errors] == [Cancelled]


def test_a_ready_channel_belongs_to_its_loop(server: Server) -> None:
    async def main() -> AsyncClient:
        channel = grpc.aio.insecure_channel(server.target)
        client = AsyncClient(channel=channel, project="p", location="l")
        assert text_of(await client.generate_content("m", "x")) == "ok"
        async with client:
            pass
        assert channel.get_state() is not grpc.ChannelConnectivity.SHUTDOWN
        await channel.close()
        return AsyncClient(channel=channel, project="p", location="l")

    async def other(client: AsyncClient) -> None:
        await client.generate_content("m", "x")

    async def twice(client: AsyncClient) -> None:
        with pytest.raises(UsageError, match="closed"):
            await client.generate_content("m", "x")

    client = asyncio.run(main())
    asyncio.run(twice(client))
    with pytest.raises(UsageError, match="another event loop"):
        asyncio.run(other(client))


async def by_break(stream: AsyncStream[Any]) -> None:
    async for _ in stream:
        break


async def by_exception(stream: AsyncStream[Any]) -> None:
    async def leave() -> None:
        async with stream:
            await anext(stream)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await leave()


async def by_aclose(stream: AsyncStream[Any]) -> None:
    await anext(stream)
    await stream.aclose()
    await stream.aclose()
    with pytest.raises(Cancelled):
        await anext(stream)


async def by_cancelling(stream: AsyncStream[Any]) -> None:
    await anext(stream)
    task = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with pytest.raises(Cancelled):
        await anext(stream)


@pytest.mark.parametrize("leave", [by_break, by_exception, by_aclose, by_cancelling])
def test_leaving_a_stream_cancels_it(
    server: Server, endless: Endless, leave: Callable[[AsyncStream[Any]], Awaitable[None]]
) -> None:
    async def main() -> None:
        async with make(server) as client:
            await leave(client.stream_generate_content("m", "x"))
            gc.collect()
            assert await endless.was_cancelled()

    asyncio.run(main())


def test_cancelling_a_task_cancels_its_call(server: Server, endless: Endless) -> None:
    async def main() -> None:
        async with make(server) as client:
            task = asyncio.ensure_future(client.generate_content("m", "x"))
            assert await asyncio.to_thread(endless.started.wait, HANG)
            task.cancel("why")
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await endless.was_cancelled()

    asyncio.run(main())


def test_closing_cancels_what_is_under_way(server: Server, endless: Endless) -> None:
    async def read(stream: AsyncIterator[Any]) -> None:
        async for _ in stream:
            pass

    async def main() -> None:
        client = make(server)
        calls: list[asyncio.Future[Any]] = [
            asyncio.ensure_future(client.generate_content("m", "x")),
            asyncio.ensure_future(read(client.stream_generate_content("m", "x"))),
        ]
        assert await asyncio.to_thread(endless.started.wait, HANG)
        await asyncio.sleep(0.05)
        await asyncio.wait_for(client.close(), HANG)
        await client.close()
        found = await asyncio.gather(*calls, return_exceptions=True)
        assert [type(each) for each in found] == [Cancelled, Cancelled]
        assert "the client was closed" in str(found[1])
        assert await endless.was_cancelled()

    asyncio.run(main())


def test_aclosing(server: Server) -> None:
    async def main() -> None:
        async with contextlib.aclosing(make(server)) as client:
            await client.generate_content("m", "x")
        with pytest.raises(UsageError, match="closed"):
            await client.generate_content("m", "x")

    asyncio.run(main())


@pytest.mark.usefixtures("endless")
def test_one_task_at_a_time_reads(server: Server) -> None:
    async def main() -> None:
        async with make(server) as client, client.stream_generate_content("m", "x") as stream:
            await anext(stream)
            task = asyncio.ensure_future(anext(stream))
            await asyncio.sleep(0.05)
            with pytest.raises(UsageError, match="another task is reading"):
                await anext(stream)
            await stream.aclose()
            with pytest.raises(Cancelled):
                await task

    asyncio.run(main())


def test_a_thousand_calls_in_flight(server: Server) -> None:
    async def main() -> list[str]:
        async with make(server, timeout=60.0) as client:
            calls = [client.generate_content("m", "x") for _ in range(1000)]
            return [text_of(each) for each in await asyncio.gather(*calls)]

    assert asyncio.run(main()) == ["ok"] * 1000
    assert len(server.peers) == 1


def test_errors_are_ours() -> None:
    async def main() -> None:
        client = AsyncClient(
            api_endpoint="127.0.0.1:1", insecure=True, project="p", location="l", retries=0
        )
        async with client:
            with pytest.raises(Unavailable) as caught:
                await client.generate_content("m", "x")
            assert isinstance(caught.value.__cause__, grpc.aio.AioRpcError)
            with pytest.raises(Unavailable):
                await anext(client.stream_generate_content("m", "x"))
            with pytest.raises(UsageError):
                client.stream_generate_content("m", None)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]

    asyncio.run(main())


def test_there_must_be_a_loop(server: Server) -> None:
    call = make(server).generate_content("m", "x")
    with pytest.raises(RuntimeError, match="no running event loop"):
        call.send(None)


def test_a_stream_belongs_to_its_loop(server: Server, endless: Endless) -> None:
    client = make(server)
    stream = client.stream_generate_content("m", "x")

    async def other() -> None:
        for use in (stream.__anext__, stream.__aenter__):
            with pytest.raises(UsageError, match="this stream was begun in another event loop"):
                await use()
        await stream.aclose()

    async def again() -> None:
        with pytest.raises(Cancelled):
            await anext(stream)
        assert await endless.was_cancelled()
        await client.close()

    async def begin() -> None:
        await anext(stream)

    loop = asyncio.new_event_loop()
    loop.run_until_complete(begin())
    asyncio.run(other())
    loop.run_until_complete(again())
    loop.close()


def test_nothing_is_read_after_what_cannot_be_read(server: Server) -> None:
    def stream(_request: Any, context: Context) -> Iterator[bytes]:
        yield b"\xff\xff"
        yield chunk("more")
        while context.is_active():
            time.sleep(0.01)

    async def main() -> None:
        async with make(server) as client:
            chunks = client.stream_generate_content("m", "x")
            with pytest.raises(CallError, match="the response is not a valid"):
                await anext(chunks)
            with pytest.raises(Cancelled):
                await anext(chunks)

    server.stream = stream
    asyncio.run(main())
    with Client(api_endpoint=server.target, insecure=True, project="p", location="l") as client:
        chunks = client.stream_generate_content("m", "x")
        with pytest.raises(CallError, match="the response is not a valid"):
            next(chunks)
        with pytest.raises(Cancelled):
            next(chunks)
