"""What the programs do: calls and forks, and telling what came of them."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from typing import TYPE_CHECKING

from toolwire import CallError, UsageError
from toolwire.client import AsyncClient, Client

if TYPE_CHECKING:
    from collections.abc import Callable

HANG = 30.0  # seconds


def blocking(target: str) -> Client:
    return Client(api_endpoint=target, insecure=True, project="p", location="l", timeout=20)


def asynchronous(target: str) -> AsyncClient:
    return AsyncClient(api_endpoint=target, insecure=True, project="p", location="l", timeout=20)


def tell(who: str, call: Callable[[], object]) -> None:
    """Calls, and prints what came of it."""
    try:
        call()
        outcome = "works"
    except (CallError, UsageError, TimeoutError, asyncio.TimeoutError) as error:
        outcome = type(error).__name__
    except (KeyboardInterrupt, asyncio.CancelledError) as error:
        outcome = type(error).__name__
    print(f"{who}: {outcome}", flush=True)


def call(client: Client, prompt: str = "x") -> None:
    client.generate_content("m", prompt)
    assert len(list(client.stream_generate_content("m", "x"))) == 3


async def call_async(client: AsyncClient, prompt: str = "x") -> None:
    await client.generate_content("m", prompt)
    assert len([each async for each in client.stream_generate_content("m", "x")]) == 3


def in_child(work: Callable[[], None]) -> None:
    """Forks, has the child do something, and waits for it."""
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    end = time.monotonic() + HANG
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            print("child: hangs", flush=True)
            return
        time.sleep(0.01)


def until_held(client: Client, calls: int = 1) -> None:
    """Waits until the server has calls that it does not answer: it counts no tokens before."""
    for _ in range(calls):
        client.count_tokens("m", "x")


async def until_held_async(client: AsyncClient, calls: int = 1) -> None:
    for _ in range(calls):
        await client.count_tokens("m", "x")


def once_held(target: str, do: Callable[[], object]) -> None:
    """Does something, in another thread, as soon as the server has a call that it holds."""

    def run() -> None:
        with blocking(target) as client:
            until_held(client)
        do()

    threading.Thread(target=run).start()


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)
