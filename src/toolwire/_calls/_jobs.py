"""Runs functions, blocking and async ones, each within its time."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import time
from collections import deque
from concurrent import futures
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

from toolwire._calls._result import ToolError
from toolwire._calls._threads import in_thread

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

_GRACE = 0.5  # seconds beyond the timeout for a coroutine to end after it was cancelled


@dataclass(frozen=True, slots=True)
class Job:
    """A function with the arguments of a call.

    Attributes:
        name: Name of the function.
        work: Checks the arguments and calls the function.
        is_async: Whether that makes an awaitable, and blocks nothing.
    """

    name: str
    work: Callable[[], object]
    is_async: bool


class Ended(NamedTuple):
    """How a job ended.

    Attributes:
        value: What the function returned.
        error: What it raised, or the timeout.
        seconds: How long it took.
    """

    value: object
    error: Exception | None
    seconds: float


def run_jobs(jobs: Sequence[Job], threads: int, timeout: float | None) -> list[Ended]:
    """Runs jobs and waits for them, up to ``threads`` side by side.

    One at a time they run in the caller's thread where there is no timeout to keep. An async
    function gets an event loop of its own, in a thread of its own.

    Raises:
        BaseException: Whatever a function raises that is no ``Exception``.
    """
    if threads == 1 or len(jobs) == 1:
        return [_run(job, timeout) for job in jobs]
    waiting = deque(enumerate(jobs))
    ended: dict[int, Ended] = {}

    def worker() -> None:
        while waiting:
            try:
                index, job = waiting.popleft()
            except IndexError:  # another worker was faster
                return
            ended[index] = _run(job, timeout)

    workers = [in_thread(worker) for _ in range(min(threads, len(jobs)))]
    try:
        for each in futures.as_completed(workers):
            each.result()
    finally:
        waiting.clear()  # after an interrupt nothing new is started
    return [ended[index] for index in range(len(jobs))]


async def arun_jobs(jobs: Sequence[Job], threads: int, timeout: float | None) -> list[Ended]:
    """Awaits async functions side by side, and blocking ones in up to ``threads`` threads.

    Raises:
        BaseException: Whatever a function raises that is no ``Exception``; the others are
            cancelled then, as they are when the caller is.
    """
    slots = asyncio.Semaphore(threads)
    tasks = [asyncio.ensure_future(_arun(job, slots, timeout)) for job in jobs]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _run(job: Job, timeout: float | None) -> Ended:
    if job.is_async:
        return _run_coroutine(job, job.work, timeout)
    if timeout is None:
        ended = contextvars.copy_context().run(_attempt, job.work)
    else:
        ended = _wait(job, in_thread(partial(_attempt, job.work)), timeout, timeout)
    if ended.error is None and inspect.isawaitable(ended.value):
        return _run_coroutine(job, lambda: ended.value, timeout)
    return ended


def _run_coroutine(job: Job, work: Callable[[], object], timeout: float | None) -> Ended:
    """Awaits what the work makes, in a loop of its own: the caller's thread may have one."""
    future = in_thread(lambda: asyncio.run(_attempt_async(job, work, timeout)))
    # A coroutine that blocks, or will not be cancelled, is left behind with its thread.
    return _wait(job, future, timeout, None if timeout is None else timeout + _GRACE)


def _wait(
    job: Job, future: futures.Future[Ended], timeout: float | None, longest: float | None
) -> Ended:
    done, _ = futures.wait((future,), longest)
    if done:
        return future.result()
    return Ended(None, _late(job, timeout), longest or 0)


async def _arun(job: Job, slots: asyncio.Semaphore, timeout: float | None) -> Ended:
    if job.is_async:
        return await _attempt_async(job, job.work, timeout)
    async with slots:
        outer = await _attempt_async(
            job, lambda: asyncio.wrap_future(in_thread(partial(_attempt, job.work))), timeout
        )
    if outer.error is not None:
        return outer
    ended = cast("Ended", outer.value)
    if ended.error is None and inspect.isawaitable(ended.value):
        return await _attempt_async(job, lambda: ended.value, timeout)
    return ended


def _attempt(work: Callable[[], object]) -> Ended:
    start = time.monotonic()
    try:
        value = work()
    except Exception as error:  # noqa: BLE001 - a function may raise anything
        return Ended(None, error, time.monotonic() - start)
    return Ended(value, None, time.monotonic() - start)


async def _attempt_async(job: Job, work: Callable[[], object], timeout: float | None) -> Ended:
    start = time.monotonic()
    try:
        value = await _bounded(job, cast("Awaitable[object]", work()), timeout)
    except Exception as error:  # noqa: BLE001 - likewise
        return Ended(None, error, time.monotonic() - start)
    return Ended(value, None, time.monotonic() - start)


async def _bounded(job: Job, awaitable: Awaitable[object], timeout: float | None) -> object:
    """Awaits something for some time; ``wait_for`` would wait on where a cancel is ignored."""
    if timeout is None:
        return await awaitable
    task = asyncio.ensure_future(awaitable)
    try:
        done, _ = await asyncio.wait((task,), timeout=timeout)
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait((task,))
        raise
    if done:
        return task.result()
    task.cancel()
    task.add_done_callback(_forget)
    raise _late(job, timeout)


def _forget(task: asyncio.Future[object]) -> None:
    """Takes what a late function still raises, so that nobody reports it as lost."""
    if not task.cancelled():
        task.exception()


def _late(job: Job, timeout: float | None) -> ToolError:
    return ToolError("Timeout", f"{job.name} did not finish within {timeout:g} seconds")
