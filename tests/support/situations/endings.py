"""The end of a program."""

from __future__ import annotations

import asyncio
import contextlib
import threading

from support.situations._acts import (
    asynchronous,
    blocking,
    call,
    call_async,
    tell,
    until_held,
    until_held_async,
)
from support.situations._situation import WAIT, situation
from toolwire import CallError


@situation("end with a stream open and the client not closed", "Client", "end: works")
def _(target: str) -> None:
    client = blocking(target)
    stream = client.stream_generate_content("m", WAIT)
    tell("end", lambda: next(stream))
    globals()["kept"] = stream


@situation("end with a stream open and the client not closed", "AsyncClient", "end: works")
def _(target: str) -> None:
    async def main() -> None:
        stream = client.stream_generate_content("m", WAIT)
        globals()["kept"] = stream
        await anext(stream)

    client = asynchronous(target)
    tell("end", lambda: asyncio.run(main()))


@situation("end with a stream left behind and the client not closed", "AsyncClient", "end: works")
def _(target: str) -> None:
    async def main() -> None:
        await anext(client.stream_generate_content("m", WAIT))

    client = asynchronous(target)
    tell("end", lambda: asyncio.run(main()))


@situation("end while daemon threads wait for answers", "Client", "end: works")
def _(target: str) -> None:
    client = blocking(target)

    def wait() -> None:
        with contextlib.suppress(CallError):
            call(client, WAIT)

    for _ in range(4):
        threading.Thread(target=wait, daemon=True).start()
    until_held(client, 4)
    tell("end", lambda: call(client))


@situation("end of the loop while tasks wait for answers", "AsyncClient", "end: works")
def _(target: str) -> None:
    async def main() -> None:
        globals()["kept"] = [asyncio.ensure_future(call_async(client, WAIT)) for _ in range(4)]
        await until_held_async(client, 4)
        await call_async(client)

    client = asynchronous(target)
    tell("end", lambda: asyncio.run(main()))
