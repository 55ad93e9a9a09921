"""Forks and other processes."""

from __future__ import annotations

import asyncio
import copy
import pickle
import threading
from multiprocessing.context import ForkServerProcess, SpawnProcess

from support.situations._acts import (
    HANG,
    asynchronous,
    blocking,
    call,
    call_async,
    in_child,
    tell,
    until_held,
)
from support.situations._situation import WAIT, situation


@situation(
    "two forks before the first call",
    "Client",
    "child: works",
    "child: works",
    "parent: works",
    needs="fork",
)
def _(target: str) -> None:
    with blocking(target) as client:
        for _ in range(2):
            in_child(lambda: tell("child", lambda: call(client)))
        tell("parent", lambda: call(client))


@situation(
    "two forks before the first call",
    "AsyncClient",
    "child: works",
    "child: works",
    "parent: works",
    needs="fork",
)
def _(target: str) -> None:
    client = asynchronous(target)
    for _ in range(2):
        in_child(lambda: tell("child", lambda: asyncio.run(call_async(client))))
    tell("parent", lambda: asyncio.run(call_async(client)))
    asyncio.run(client.close())


@situation(
    "fork after a call",
    "Client",
    "child: UsageError",
    "its own client: UsageError",
    "parent: works",
    needs="fork",
)
def _(target: str) -> None:
    def work() -> None:
        tell("child", lambda: call(client))
        tell("its own client", lambda: call(blocking(target)))
        client.close()

    with blocking(target) as client:
        call(client)
        in_child(work)
        tell("parent", lambda: call(client))


@situation(
    "fork after a call",
    "AsyncClient",
    "child: UsageError",
    "its own client: UsageError",
    "parent: works",
    needs="fork",
)
def _(target: str) -> None:
    def work() -> None:
        tell("child", lambda: asyncio.run(call_async(client)))
        tell("its own client", lambda: asyncio.run(call_async(asynchronous(target))))
        asyncio.run(client.close())

    client = asynchronous(target)
    asyncio.run(call_async(client))
    in_child(work)
    tell("parent", lambda: asyncio.run(call_async(client)))
    asyncio.run(client.close())


@situation(
    "fork after a call, with GRPC_ENABLE_FORK_SUPPORT=1",
    "Client",
    "child: works",
    "parent: works",
    needs="fork",
    GRPC_ENABLE_FORK_SUPPORT="1",
)
def _(target: str) -> None:
    with blocking(target) as client:
        call(client)
        in_child(lambda: tell("child", lambda: call(client)))
        tell("parent", lambda: call(client))


@situation(
    "fork while a stream is read",
    "Client",
    "child: UsageError",
    "parent: works",
    needs="fork",
)
def _(target: str) -> None:
    with blocking(target) as client:
        stream = client.stream_generate_content("m", "x")
        next(stream)
        in_child(lambda: tell("child", lambda: next(stream)))
        assert len(list(stream)) == 2
        tell("parent", lambda: call(client))


@situation(
    "fork while another thread waits for an answer",
    "Client",
    "child: UsageError",
    "parent: works",
    "thread: Cancelled",
    needs="fork",
)
def _(target: str) -> None:
    client = blocking(target)
    thread = threading.Thread(target=tell, args=("thread", lambda: call(client, WAIT)))
    thread.start()
    until_held(client)
    in_child(lambda: tell("child", lambda: call(client)))
    tell("parent", lambda: call(client))
    client.close()
    thread.join(HANG)


def work_elsewhere(target: str) -> None:
    """Is what the process of another method of starting one does."""
    with blocking(target) as client:
        tell("child", lambda: call(client))


@situation(
    "child by spawn and by forkserver after a call",
    "Client",
    "child: works",
    "child: works",
    "parent: works",
    needs="fork",
)
def _(target: str) -> None:
    with blocking(target) as client:
        call(client)
        for method in (SpawnProcess, ForkServerProcess):
            process = method(target=work_elsewhere, args=(target,))
            process.start()
            process.join(HANG)
        tell("parent", lambda: call(client))


@situation("pickle, copy", "Client", "pickle: UsageError", "copy: UsageError")
def _(target: str) -> None:
    with blocking(target) as client:
        tell("pickle", lambda: pickle.dumps(client))
        tell("copy", lambda: copy.deepcopy(client))


@situation("pickle, copy", "AsyncClient", "pickle: UsageError", "copy: UsageError")
def _(target: str) -> None:
    client = asynchronous(target)
    tell("pickle", lambda: pickle.dumps(client))
    tell("copy", lambda: copy.deepcopy(client))
