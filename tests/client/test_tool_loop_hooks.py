"""Async hooks of ``run_tools``, which end with the time for all."""

from __future__ import annotations

import asyncio
import contextvars
from typing import TYPE_CHECKING, Any

import pytest

from support.hangs import HANG
from toolwire import functions
from toolwire.client import ToolLoopError
from toolwire.testing import LocalServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolwire import AsyncClient

MODEL = "gemini-2.5-flash"
USER: contextvars.ContextVar[str] = contextvars.ContextVar("user", default="nobody")


async def stock(item: str) -> str:
    """Tells who counts an item."""
    return f"{USER.get()} counts {item}"


async def hangs(item: str) -> str:
    """Takes too long."""
    await asyncio.sleep(HANG)
    return item


class Hook:
    """An async hook that hangs."""

    def __init__(self) -> None:
        self.entered = asyncio.Event()
        self.ended: list[str] = []

    async def __call__(self, *_: object) -> None:
        self.entered.set()
        try:
            await asyncio.sleep(HANG)
            self.ended.append("by itself")
        except asyncio.CancelledError:
            self.ended.append("cancelled")
            raise


@pytest.fixture(scope="module")
def local() -> Iterator[LocalServer]:
    with LocalServer() as server, server.client() as client:
        client.run_tools(MODEL, "Use stock.", tools=[stock])  # loads what a first run loads
        yield server


def options_with(name: str, hook: Any) -> dict[str, Any]:
    """Returns tools and options with a hook: the run's own, or that of a toolbox."""
    of_box = name.removeprefix("box_")
    if of_box != name:
        return {"tools": [functions.Toolbox([stock], **{of_box: hook})]}
    return {"tools": [stock], name: hook}


@pytest.mark.parametrize(
    ("name", "turns", "outcomes"),
    [
        ("before", 1, 0),
        ("after", 1, 1),
        ("box_before", 1, 0),
        ("box_after", 1, 1),
        ("on_chunk", 0, 0),
    ],
)
def test_a_hook_that_hangs_ends_with_the_time_for_all(
    local: LocalServer, name: str, turns: int, outcomes: int
) -> None:
    async def main() -> None:
        hook = Hook()
        async with local.async_client() as client:
            with pytest.raises(ToolLoopError, match="the time of 2 seconds was up") as caught:
                await client.run_tools(MODEL, "Use stock.", timeout=2, **options_with(name, hook))
            run = caught.value.transcript
            assert hook.ended == ["cancelled"]
            assert len(run.turns) == turns
            assert [len(turn.outcomes) for turn in run.turns] == [outcomes] * turns
            assert [call.name for call in run.pending] == ["stock"] * turns
            again = await client.run_tools(MODEL, "Use stock.", tools=[stock], timeout=20)
            assert "nobody counts" in again.text  # the task goes on as if nothing had been

    asyncio.run(main())


def test_a_hook_is_told_of_what_took_all_the_time(local: LocalServer) -> None:
    told: list[object] = []

    async def after(call: functions.Call, outcome: functions.Outcome) -> None:
        await asyncio.sleep(0)
        told.append((call.name, outcome.error))

    async def main(client: AsyncClient) -> None:
        async with client:
            await client.run_tools(MODEL, "Use hangs.", tools=[hangs], after=after, timeout=2)

    with pytest.raises(ToolLoopError, match="the time of 2 seconds was up after 1 turn") as caught:
        asyncio.run(main(local.async_client()))
    (outcome,) = caught.value.transcript.turns[0].outcomes
    assert told == [("hangs", outcome.error)]
    assert not caught.value.transcript.pending  # which has been answered for


def test_a_run_may_be_cancelled_in_a_hook(local: LocalServer) -> None:
    async def main() -> None:
        hook = Hook()
        async with local.async_client() as client:
            run = asyncio.ensure_future(
                client.run_tools(MODEL, "Use stock.", tools=[stock], before=hook, timeout=HANG)
            )
            await hook.entered.wait()
            run.cancel()
            with pytest.raises(asyncio.CancelledError):
                await run
        assert hook.ended == ["cancelled"]

    asyncio.run(main())


@pytest.mark.parametrize("timeout", [None, HANG])
def test_hooks_and_functions_share_their_context(local: LocalServer, timeout: float | None) -> None:
    async def before(_: functions.Call) -> None:
        await asyncio.sleep(0)
        USER.set("somebody")

    async def main() -> str:
        async with local.async_client() as client:
            run = await client.run_tools(
                MODEL, "Use stock.", tools=[stock], before=before, timeout=timeout
            )
            return run.text

    assert "somebody counts" in asyncio.run(main())


@pytest.mark.parametrize("kind", [asyncio.TimeoutError, asyncio.CancelledError, LookupError])
def test_what_a_hook_raises_itself_stays(local: LocalServer, kind: type[BaseException]) -> None:
    async def before(_: functions.Call) -> None:
        await asyncio.sleep(0)
        raise kind

    async def main() -> None:
        async with local.async_client() as client:
            with pytest.raises(kind) as caught:
                await client.run_tools(
                    MODEL, "Use stock.", tools=[stock], before=before, timeout=HANG
                )
            assert [call.name for call in vars(caught.value)["transcript"].pending] == ["stock"]

    asyncio.run(main())


def test_a_hook_need_not_be_async(local: LocalServer) -> None:
    seen: list[str] = []

    def before(call: functions.Call) -> str:
        seen.append(call.name)
        return "not today"

    async def main() -> str:
        async with local.async_client() as client:
            run = await client.run_tools(
                MODEL,
                "Use stock.",
                tools=[stock],
                before=before,
                on_chunk=lambda _: seen.append("chunk"),
                timeout=HANG,
            )
            return str(run.turns[0].outcomes[0].error)

    assert asyncio.run(main()) == "not today"
    assert {"stock", "chunk"} == set(seen)
