"""``functions.Toolbox.arun``: side by side, within their time, cancelled as one."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import threading
from typing import TYPE_CHECKING, Any

import pytest

from support.calling import content, error_of
from support.hangs import Hang
from toolwire import functions
from toolwire.functions import Call, Outcome, Toolbox

if TYPE_CHECKING:
    from collections.abc import Awaitable


def values(outcomes: list[Outcome]) -> list[object]:
    return [outcome.value for outcome in outcomes]


def test_async_functions_are_awaited_side_by_side_in_the_callers_loop() -> None:
    done = [asyncio.Event() for _ in range(3)]
    loops: set[object] = set()

    async def meet(number: int) -> int:
        """Ends after the next one."""
        loops.add(asyncio.get_running_loop())
        if number < 2:
            await done[number + 1].wait()
        done[number].set()
        return number

    async def main() -> list[Outcome]:
        loops.add(asyncio.get_running_loop())
        return await Toolbox([meet]).arun(content(*(("meet", {"number": n}) for n in range(3))))

    assert values(asyncio.run(main())) == [0, 1, 2]
    assert len(loops) == 1


def test_blocking_functions_run_in_threads_and_leave_the_loop_free() -> None:
    async def main(threads: int) -> int:
        loop = asyncio.get_running_loop()
        lock, together = threading.Lock(), threading.Barrier(threads)
        most = running = 0

        def work() -> str:
            """Works, and has the loop do something meanwhile."""
            nonlocal running, most
            with lock:
                running += 1
                most = max(most, running)
            together.wait()
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result()
            with lock:
                running -= 1
            return threading.current_thread().name

        outcomes = await Toolbox([work], threads=threads).arun(content(*["work"] * 4))
        assert [outcome.error for outcome in outcomes] == [None] * 4
        assert threading.current_thread().name not in values(outcomes)
        return most

    assert asyncio.run(main(1)) == 1
    assert asyncio.run(main(4)) == 4


def test_what_is_too_late_is_cancelled_or_left_behind(hang: Hang) -> None:
    cancelled: list[str] = []

    async def ahangs() -> None:
        """Hangs."""
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append("ahangs")
            raise

    def hangs() -> None:
        """Hangs."""
        hang()

    async def quick() -> str:
        """Is quick."""
        return "quick"

    async def main() -> list[Outcome]:
        box = Toolbox([ahangs, hangs, quick], timeout=1)
        outcomes = await box.arun(content("ahangs", "hangs", "quick", "hangs"))
        await asyncio.sleep(0)
        return outcomes

    outcomes = asyncio.run(main())
    assert cancelled == ["ahangs"]
    late = {"type": "Timeout", "message": "hangs did not finish within 1 second"}
    assert error_of(outcomes[0])["type"] == "Timeout"
    assert outcomes[2].value == "quick"
    assert [error_of(outcome) for outcome in outcomes[1::2]] == [late, late]


class Stop(BaseException): ...


@pytest.mark.parametrize("error", [ValueError, Stop])
def test_a_late_function_that_fails_after_all_troubles_nobody(error: type[BaseException]) -> None:
    reported: list[dict[str, Any]] = []
    tasks: list[asyncio.Task[Any] | None] = []

    async def stubborn() -> None:
        """Fails when cancelled."""
        tasks.append(asyncio.current_task())
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            raise error from None

    async def main() -> list[Outcome]:
        asyncio.get_running_loop().set_exception_handler(lambda _, found: reported.append(found))
        outcomes = await Toolbox([stubborn], timeout=0.05).arun(content("stubborn"))
        await asyncio.wait([task for task in tasks if task])
        tasks.clear()
        gc.collect()  # whereupon asyncio reports what nobody has asked for
        return outcomes

    assert error_of(asyncio.run(main())[0])["type"] == "Timeout"
    assert reported == []


@pytest.mark.parametrize("timeout", [None, 30.0])
def test_a_cancelled_caller_cancels_the_functions(timeout: float | None) -> None:
    events: list[str] = []

    async def waits() -> None:
        """Waits."""
        try:
            events.append("started")
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(0)  # cleans up
            events.append("cancelled")
            raise

    async def main() -> None:
        box = Toolbox([waits], timeout=timeout)
        task = asyncio.ensure_future(box.arun(content("waits", "waits")))
        while len(events) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert events == ["started", "started", "cancelled", "cancelled"]

    asyncio.run(main())


def test_a_cancelled_caller_does_not_wait_for_a_thread(hang: Hang) -> None:
    def hangs() -> None:
        """Hangs."""
        hang()

    async def main() -> None:
        task = asyncio.ensure_future(Toolbox([hangs]).arun(content("hangs")))
        while not hang.entered.is_set():  # noqa: ASYNC110 - of a thread
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())


@pytest.mark.parametrize("is_async", [True, False])
def test_what_is_no_exception_passes_and_ends_the_others(is_async: bool) -> None:
    ended: list[str] = []

    async def waits() -> None:
        """Waits."""
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("waits")

    async def astop() -> None:
        """Stops."""
        raise Stop

    def stop() -> None:
        """Stops."""
        raise Stop

    async def main() -> None:
        with pytest.raises(Stop):
            await Toolbox([waits, astop, stop]).arun(
                content("waits", "astop" if is_async else "stop")
            )
        assert ended == ["waits"]

    asyncio.run(main())


@pytest.mark.parametrize("timeout", [None, 30.0])
def test_a_function_that_cancels_its_own_task_ends_alone(timeout: float | None) -> None:
    """A caller that is cancelled is told from it, on Pythons without ``Task.uncancel`` too."""

    given_up = asyncio.Event()

    async def gives_up() -> None:
        """Gives up."""
        task = asyncio.current_task()
        assert task is not None
        task.add_done_callback(lambda _: given_up.set())
        task.cancel()
        await asyncio.sleep(60)

    async def fine() -> str:
        """Works."""
        await given_up.wait()
        return "fine"

    async def main() -> list[Outcome]:
        outcomes = await Toolbox([gives_up, fine], timeout=timeout).arun(
            content("gives_up", "fine")
        )
        await asyncio.sleep(0)  # a cancel that is still to come would come here
        return outcomes

    ended, worked = asyncio.run(main())
    assert error_of(ended)["type"] == "CancelledError"
    assert worked.value == "fine"


def test_a_caller_is_cancelled_though_its_functions_were_cancelled_at_the_same_time() -> None:
    started: list[asyncio.Task[Any] | None] = []

    async def waits() -> None:
        """Waits."""
        started.append(asyncio.current_task())
        await asyncio.sleep(60)

    async def main() -> None:
        task = asyncio.ensure_future(Toolbox([waits]).arun(content("waits", "waits")))
        while len(started) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        for each in asyncio.all_tasks() - {asyncio.current_task()}:  # as a program that stops
            each.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())


def test_an_interrupt_passes() -> None:
    def stop() -> None:
        """Stops."""
        raise KeyboardInterrupt

    async def astop() -> None:
        """Stops."""
        raise KeyboardInterrupt

    for function in (stop, astop):
        box = Toolbox([function])
        with pytest.raises(KeyboardInterrupt):
            asyncio.run(box.arun(content(function.__name__)))


def test_errors_go_back_and_unknown_functions_do_not_run() -> None:
    async def fails(kind: int) -> None:
        """Fails."""
        raise [ValueError, StopAsyncIteration, TimeoutError][kind]("x")

    def stops() -> None:
        """Stops an iteration."""
        raise StopIteration

    calls: list[Any] = [*(("fails", {"kind": kind}) for kind in range(3)), "stops", "nope"]
    for timeout in (None, 30.0):
        box = Toolbox([fails, stops], timeout=timeout)
        outcomes = asyncio.run(box.arun(content(*calls)))
        kinds = ["ValueError", "StopAsyncIteration", "TimeoutError", "StopIteration"]
        assert [error_of(each)["type"] for each in outcomes] == [*kinds, "UnknownFunction"]


def test_a_blocking_function_may_hand_out_an_awaitable() -> None:
    async def later(x: int) -> int:
        await asyncio.sleep(0)
        return x + 1

    def sooner(x: int) -> Awaitable[int]:
        return later(x)

    declared = functions.declare({"type": "object"}, name="sooner")
    outcomes = asyncio.run(Toolbox([(declared, sooner)]).arun(content(("sooner", {"x": 1}))))
    assert values(outcomes) == [2]


USER: contextvars.ContextVar[str] = contextvars.ContextVar("USER", default="nobody")


def test_context_variables_reach_every_function() -> None:
    def who() -> str:
        """Says who asks."""
        found = USER.get()
        USER.set("changed")
        return found

    async def awho() -> str:
        """Says who asks."""
        return who()

    async def main(name: str) -> list[object]:
        USER.set(name)
        outcomes = await Toolbox([who, awho], threads=2).arun(content("who", "awho", "who"))
        assert USER.get() == name
        return values(outcomes)

    async def both() -> list[list[object]]:
        return list(await asyncio.gather(main("alice"), main("bob")))

    assert asyncio.run(both()) == [["alice"] * 3, ["bob"] * 3]


def test_hooks_may_be_async_or_not() -> None:
    async def before(call: Call) -> str | None:
        await asyncio.sleep(0)
        return "no" if call.args["x"] == 2 else None

    async def after(_: Call, outcome: Outcome) -> Outcome | None:
        await asyncio.sleep(0)
        seen.append(outcome.response)
        return None

    def same(x: int) -> int:
        """Returns it."""
        return x

    seen: list[dict[str, object]] = []
    model = content(("same", {"x": 1}), ("same", {"x": 2}))
    outcomes = asyncio.run(Toolbox([same], before=before, after=after).arun(model))
    refused = {"error": {"type": "Refused", "message": "no"}}
    assert [outcome.response for outcome in outcomes] == [{"output": 1}, refused]
    assert seen == [{"output": 1}, refused]
    plain = Toolbox([same], before=lambda _: "never")
    assert [error_of(o)["message"] for o in asyncio.run(plain.arun(model))] == ["never"] * 2


def test_one_toolbox_serves_many_loops_and_threads() -> None:
    async def same(x: int) -> int:
        """Returns it."""
        await asyncio.sleep(0.001)
        return x

    box = Toolbox([same], threads=2, timeout=30)
    found: list[list[object]] = []

    def serve(x: int) -> None:
        for _ in range(5):
            found.append(values(asyncio.run(box.arun(content(("same", {"x": x}))))))
            found.append(values(box.run(content(("same", {"x": x}), ("same", {"x": x})))))

    workers = [threading.Thread(target=serve, args=(x,)) for x in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(len(each) for each in found) == [1] * 20 + [2] * 20
    assert all(len(set(each)) == 1 for each in found)
