"""gevent in the place of threads."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import Any

from support.situations._acts import asynchronous, blocking, call, call_async, tell, until_held
from support.situations._situation import WAIT, situation

_PATCH = "from gevent import monkey; monkey.patch_all()"


@situation(
    "gevent, with grpc.experimental.gevent.init_gevent()",
    "Client",
    "greenlets: works",
    "killed: works",
    needs="gevent",
    first=f"{_PATCH}; from grpc.experimental import gevent; gevent.init_gevent()",
)
def _(target: str) -> None:
    gevent: Any = import_module("gevent")
    with blocking(target) as client:
        waiting = [gevent.spawn(call, client) for _ in range(50)]
        tell("greenlets", lambda: gevent.joinall(waiting, raise_error=True))
        held = gevent.spawn(client.generate_content, "m", WAIT)
        until_held(client)  # which works, although the other waits for its answer
        print("killed:", held.kill() or "works")


@situation(
    "gevent, with grpc.experimental.gevent.init_gevent()",
    "AsyncClient",
    "call: UsageError",
    "stream: UsageError",
    needs="gevent",
    first=f"{_PATCH}; from grpc.experimental import gevent; gevent.init_gevent()",
)
def _(target: str) -> None:
    async def stream() -> None:
        await anext(asynchronous(target).stream_generate_content("m", "x"))

    tell("call", lambda: asyncio.run(call_async(asynchronous(target))))
    tell("stream", lambda: asyncio.run(stream()))


@situation(
    "gevent, without it",
    "Client",
    "call: UsageError",
    needs="gevent",
    first=_PATCH,
)
def _(target: str) -> None:
    tell("call", lambda: call(blocking(target)))
