"""Event loops."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import TYPE_CHECKING, Any

from support.situations._acts import asynchronous, call_async, once_held, tell, until_held_async
from support.situations._situation import WAIT, situation

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from toolwire.client import AsyncClient


@situation(
    "made outside a loop, used in one after the other",
    "AsyncClient",
    "first: works",
    "second: works",
)
def _(target: str) -> None:
    client = asynchronous(target)
    tell("first", lambda: asyncio.run(call_async(client)))
    tell("second", lambda: asyncio.run(call_async(client)))
    asyncio.run(client.close())


@situation("used in four loops at once", "AsyncClient", "threads: works")
def _(target: str) -> None:
    client = asynchronous(target)
    barrier = threading.Barrier(4)

    async def main() -> None:
        for _ in range(5):
            await call_async(client)

    def run(_number: int) -> None:
        barrier.wait()
        asyncio.run(main())

    with ThreadPoolExecutor(4) as pool:
        tell("threads", lambda: list(pool.map(run, range(4))))
    asyncio.run(client.close())


@situation("closed in another loop during a call", "AsyncClient", "call: Cancelled")
def _(target: str) -> None:
    client = asynchronous(target)
    once_held(target, lambda: asyncio.run(client.close()))
    tell("call", lambda: asyncio.run(call_async(client, WAIT)))


async def _in_task(client: AsyncClient, leave: Callable[[Any], Coroutine[Any, Any, None]]) -> None:
    task = asyncio.ensure_future(call_async(client, WAIT))
    await until_held_async(client)
    try:
        await leave(task)
    finally:
        await call_async(client)


@situation("task cancelled during a call", "AsyncClient", "task: CancelledError", "next: works")
def _(target: str) -> None:
    async def cancel(task: Any) -> None:
        task.cancel()
        await task

    client = asynchronous(target)
    tell("task", lambda: asyncio.run(_in_task(client, cancel)))
    tell("next", lambda: asyncio.run(call_async(client)))
    asyncio.run(client.close())


@situation("asyncio.wait_for around a call", "AsyncClient", "call: TimeoutError", "next: works")
def _(target: str) -> None:
    async def wait(task: Any) -> None:
        await asyncio.wait_for(task, 0.01)

    client = asynchronous(target)
    tell("call", lambda: asyncio.run(_in_task(client, wait)))
    tell("next", lambda: asyncio.run(call_async(client)))
    asyncio.run(client.close())


@situation("loops of uvloop", "AsyncClient", "first: works", "second: works", needs="uvloop")
def _(target: str) -> None:
    uvloop: Any = import_module("uvloop")
    client = asynchronous(target)
    first, second = uvloop.new_event_loop(), uvloop.new_event_loop()
    tell("first", lambda: first.run_until_complete(call_async(client)))
    tell("second", lambda: second.run_until_complete(call_async(client)))
    second.run_until_complete(client.close())
    first.close()
    second.close()
