"""Runs one fault against a client of either kind, and tells what its caller sees."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.faults import AMPLE, Fault, Scene
from toolwire.client import AsyncClient, CallError, Client

_LONGEST = 30.0  # seconds for what is freed in the background


@dataclass(frozen=True)
class Seen:
    """What the caller saw.

    Attributes:
        code: The status code.
        text: The error.
        seconds: How long the call took.
        chunks: How many chunks came first.
        following: What came of the next call: ``ok``, or an error; empty if there was none.
    """

    code: str
    text: str
    seconds: float
    chunks: int
    following: str


def run_sync(fault: Fault) -> Seen:
    """Runs it against ``Client``."""
    with ExitStack() as stack:
        scene = fault.arrange(stack)
        with Client(**scene.options) as client:
            code, text, chunks = "OK", "", 0
            began = time.monotonic()
            try:
                if fault.is_stream:
                    for _ in client.stream_generate_content("m", scene.prompt, **_how(scene)):
                        chunks += 1
                        scene.arrived()
                else:
                    client.generate_content("m", scene.prompt, **_how(scene))
            except CallError as error:
                code, text = error.code, str(error)
            seconds = time.monotonic() - began
            following = ""
            if scene.heal is not None:
                scene.heal()
                try:
                    client.generate_content("m", "x", timeout=AMPLE)
                    following = "ok"
                except CallError as error:
                    following = str(error)
        return Seen(code, text, seconds, chunks, following)


def run_async(fault: Fault) -> Seen:
    """Runs it against ``AsyncClient``."""
    return asyncio.run(_run(fault))


async def _run(fault: Fault) -> Seen:
    with ExitStack() as stack:
        scene = fault.arrange(stack)
        async with AsyncClient(**scene.options) as client:
            code, text, chunks = "OK", "", 0
            began = time.monotonic()
            try:
                if fault.is_stream:
                    async for _ in client.stream_generate_content("m", scene.prompt, **_how(scene)):
                        chunks += 1
                        scene.arrived()
                else:
                    await client.generate_content("m", scene.prompt, **_how(scene))
            except CallError as error:
                code, text = error.code, str(error)
            seconds = time.monotonic() - began
            following = ""
            if scene.heal is not None:
                scene.heal()
                try:
                    await client.generate_content("m", "x", timeout=AMPLE)
                    following = "ok"
                except CallError as error:
                    following = str(error)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        assert not left, left
        return Seen(code, text, seconds, chunks, following)


def _how(scene: Scene) -> dict[str, Any]:
    return {"timeout": scene.timeout, "retries": 0}


def held() -> tuple[int, int]:
    """Returns how many threads and file descriptors this process has."""
    gc.collect()
    return threading.active_count(), len(os.listdir(Path("/proc/self/fd")))  # noqa: PTH208


def is_released(before: tuple[int, int]) -> bool:
    """Tells whether no more is held than before, within some seconds."""
    end = time.monotonic() + _LONGEST
    while any(now > then for now, then in zip(held(), before, strict=True)):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
