"""Breaks everything on the way of a call, and prints what its caller sees: docs/client-faults.md.

Then runs programs that fork, use threads and event loops, or just end, and prints what comes of it.

Usage: python scripts/client_faults.py [--write]

It takes a minute, and 2 GB of memory for the row with 300 MB.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from environments import ROOT

os.environ["GRPC_VERBOSITY"] = "NONE"  # it would tell of each handshake that fails
sys.path.insert(0, str(ROOT / "tests"))

from support.fault_runs import Seen, held, is_released, run_async, run_sync
from support.faults import FAULTS, HUGE, plain
from support.grpc_servers import Context, Server, chunk, serve
from support.situations import SITUATIONS, see
from toolwire.client import AsyncClient, Client

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = ROOT / "docs" / "client-faults.md"
CALLS = 2000
HEAD = """# What the client makes of faults

Each row breaks something real on loopback, for `Client` and for `AsyncClient`, with `retries=0`
so that the fault itself is seen; the next call is made as usual. `make client-faults` writes this
page, and the tests run the same rows. Seconds are those of one machine: where a deadline ends the
call, it is 0.4 s here. "Left" is what is still held when the client is closed: threads, file
descriptors, tasks.

| fault | the caller sees | seconds: blocking, async | next call | left |
|---|---|---|---|---|"""
PROGRAMS = """
## In a program

Each of these runs in a process of its own, with warnings on, and ends without a word beside what
the caller sees. Calls without an answer have 20 seconds; none of them waits for that.

| what happens | client | what comes of it |
|---|---|---|"""
LEAVING = ("break", "an exception", "close", "garbage collection")


def main() -> Iterator[str]:
    """Yields the lines of the page."""
    yield HEAD
    run_sync(FAULTS[0])  # what gRPC keeps for the process is there before anything is counted
    run_async(FAULTS[0])
    for fault in (*FAULTS, HUGE):
        before = held()
        both = run_sync(fault), run_async(fault)
        seconds = ", ".join(f"{seen.seconds:.2f}" for seen in both)
        codes = " / ".join(dict.fromkeys(_code(seen) for seen in both))
        following = " / ".join(dict.fromkeys(seen.following or "-" for seen in both))
        yield f"| {fault.name} | {codes} | {seconds} | {following} | {_left(before)} |"
    for how in (*LEAVING, "a task that is cancelled"):
        before = held()
        blocking = "-" if how not in LEAVING else f"{_leave(how):.2f}"
        seconds = f"{blocking}, {asyncio.run(_leave_async(how)):.2f}"
        what = f"stream left by {how} | the server sees it cancelled"
        yield f"| {what} | {seconds} | ok | {_left(before)} |"
    before = held()
    seconds = f"{_threads():.2f}, {asyncio.run(_tasks()):.2f}"
    what = f"{CALLS:,} calls at once (200 threads; one event loop)"
    yield f"| {what} | OK | {seconds} | ok | {_left(before)} |"
    yield PROGRAMS
    for situation in SITUATIONS:
        with serve() as server:
            outcomes = ", ".join(see(situation, server))
        yield f"| {situation.name} | `{situation.kind}` | {outcomes} |"


def _left(before: tuple[int, int]) -> str:
    return "nothing" if is_released(before) else f"{before} -> {held()}"


def _endless(server: Server) -> threading.Event:
    """Has a server stream without end, and returns what tells that it was cancelled."""
    cancelled = threading.Event()

    def stream(_request: Any, context: Context) -> Iterator[bytes]:
        context.add_callback(cancelled.set)
        while context.is_active():
            yield chunk()
            cancelled.wait(0.01)

    server.stream = stream
    return cancelled


def _leave(how: str) -> float:
    """Returns the seconds until the server knows, and sees to it that the next call works."""
    with serve() as server, Client(**plain(server.target)) as client:
        cancelled = _endless(server)
        stream = client.stream_generate_content("m", "x")
        with contextlib.suppress(ZeroDivisionError):
            if how == "an exception":
                with stream:
                    next(stream)
                    raise ZeroDivisionError
            for _ in stream:
                break
        began = time.monotonic()
        if how == "close":
            stream.close()
        del stream
        gc.collect()
        if not cancelled.wait(10):
            raise RuntimeError(how)
        client.generate_content("m", "x")
        return time.monotonic() - began


async def _leave_async(how: str) -> float:
    """Does so with the async client."""

    async def read(stream: Any) -> None:
        async for _ in stream:
            started.set()

    with serve() as server:
        cancelled = _endless(server)
        started = asyncio.Event()
        async with AsyncClient(**plain(server.target)) as client:
            stream: Any = client.stream_generate_content("m", "x")
            began = time.monotonic()
            if how == "a task that is cancelled":
                task = asyncio.ensure_future(read(stream))
                await started.wait()
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
                del task
            elif how == "an exception":
                with contextlib.suppress(ZeroDivisionError):
                    async with stream:
                        await stream.__anext__()
                        raise ZeroDivisionError
            else:
                async for _ in stream:
                    break
            if how == "close":
                await stream.aclose()
            del stream
            gc.collect()
            if not await asyncio.to_thread(cancelled.wait, 10):
                raise RuntimeError(how)
            await client.generate_content("m", "x")
            return time.monotonic() - began


def _code(seen: Seen) -> str:
    chunks = f", after {seen.chunks} chunk" if seen.chunks else ""
    return f"{seen.code}{chunks}"


def _threads() -> float:
    with serve() as server, Client(**plain(server.target)) as client, ThreadPoolExecutor(200) as ex:
        began = time.monotonic()
        made = [ex.submit(client.generate_content, "m", "x") for _ in range(CALLS)]
        for each in made:
            each.result()
        return time.monotonic() - began


async def _tasks() -> float:
    with serve() as server:
        async with AsyncClient(**plain(server.target)) as client:
            began = time.monotonic()
            await asyncio.gather(*(client.generate_content("m", "x") for _ in range(CALLS)))
            return time.monotonic() - began


if __name__ == "__main__":
    lines: list[str] = []
    for line in main():
        print(line, flush=True)
        lines.append(line)
    if "--write" in sys.argv[1:]:
        PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
