"""Threads and signals."""

from __future__ import annotations

import asyncio
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest.mock import patch

import grpc

from support.situations._acts import (
    asynchronous,
    blocking,
    call,
    call_async,
    interrupt,
    once_held,
    tell,
    until_held_async,
)
from support.situations._situation import WAIT, situation


@situation("first use by 32 threads at once", "Client", "threads: works")
def _(target: str) -> None:
    with blocking(target) as client, ThreadPoolExecutor(32) as pool:
        barrier = threading.Barrier(32)

        def run(_number: int) -> None:
            barrier.wait()
            call(client)

        tell("threads", lambda: list(pool.map(run, range(32))))


@situation(
    "closed by another thread during a call", "Client", "call: Cancelled", "next: UsageError"
)
def _(target: str) -> None:
    client = blocking(target)
    once_held(target, client.close)
    tell("call", lambda: call(client, WAIT))
    tell("next", lambda: call(client))


@situation(
    "closed by a signal handler while its connection opens",
    "Client",
    "call: UsageError",
    "next: UsageError",
)
def _(target: str) -> None:
    def close(*_: object) -> None:
        client.close()

    def open_interrupted(*given: Any) -> grpc.Channel:
        signal.raise_signal(signal.SIGINT)
        return insecure_channel(*given)

    signal.signal(signal.SIGINT, close)
    insecure_channel = grpc.insecure_channel
    client = blocking(target)
    with patch.object(grpc, "insecure_channel", open_interrupted):
        tell("call", lambda: call(client))
    tell("next", lambda: call(client))


@situation(
    "closed by another task during a call", "AsyncClient", "call: Cancelled", "next: UsageError"
)
def _(target: str) -> None:
    async def main() -> None:
        async def close() -> None:
            await until_held_async(client)
            await client.close()

        closing = asyncio.ensure_future(close())
        try:
            await call_async(client, WAIT)
        finally:
            await closing

    client = asynchronous(target)
    tell("call", lambda: asyncio.run(main()))
    tell("next", lambda: asyncio.run(call_async(client)))


@situation("Ctrl-C during a call", "Client", "call: KeyboardInterrupt", "next: works", needs="fork")
def _(target: str) -> None:
    with blocking(target) as client:
        once_held(target, interrupt)
        tell("call", lambda: call(client, WAIT))
        tell("next", lambda: call(client))


@situation(
    "Ctrl-C during a call", "AsyncClient", "call: KeyboardInterrupt", "next: works", needs="fork"
)
def _(target: str) -> None:
    client = asynchronous(target)
    once_held(target, interrupt)
    tell("call", lambda: asyncio.run(call_async(client, WAIT)))
    tell("next", lambda: asyncio.run(call_async(client)))
    asyncio.run(client.close())


@situation(
    "Ctrl-C during a stream", "Client", "stream: KeyboardInterrupt", "next: works", needs="fork"
)
def _(target: str) -> None:
    with blocking(target) as client:
        once_held(target, interrupt)
        tell("stream", lambda: list(client.stream_generate_content("m", WAIT)))
        tell("next", lambda: call(client))
