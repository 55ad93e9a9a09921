"""Runs functions, blocking and async ones, each within its time."""

from __future__ import annotations

import asyncio
import contextlib
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
from toolwire._errors import UsageError
from toolwire._words import in_seconds, shown

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Sequence

    from toolwire._calls._result import ErrorKind

_LONGEST = 1e9  # seconds; threads refuse to wait much longer
_GRACE = 0.5  # seconds beyond the timeout for a coroutine to end after it was cancelled

# What is a function's own failure; the rest of what is no Exception ends more than the function.
_ANSWERED = (Exception, asyncio.CancelledError, GeneratorExit)


@dataclass(frozen=True, slots=True, eq=False)
class Lane:
    """What jobs share that were given together; each lane is its own.

    Attributes:
        timeout: Seconds that each job may take; None for any time.
        threads: How many blocking ones may run side by side.
    """

    timeout: float | None
    threads: int


def check_seconds(name: str, value: object) -> None:
    """Refuses what is no time that a job may take.

    Raises:
        UsageError: If it is that.
    """
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if value is not None and not (is_number and 0 < cast("float", value) <= _LONGEST):
        raise UsageError(
            f"{name}: expected seconds above 0, up to 1e9, or None, found {shown(value)}"
        )


def check_threads(name: str, value: object) -> None:
    """Refuses what is no number of threads.

    Raises:
        UsageError: If it is that.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise UsageError(f"{name}: expected a number from 1, found {shown(value)}")


@dataclass(frozen=True, slots=True)
class Job:
    """A function with the arguments of a call.

    Attributes:
        name: Name of the function.
        work: Checks the arguments and calls the function.
        is_async: Whether that makes an awaitable, and blocks nothing.
        lane: How it may run.
    """

    name: str
    work: Callable[[], object]
    is_async: bool
    lane: Lane

    def seconds(self, deadline: float | None) -> float | None:
        """Returns how long it may take from now on; None for any time."""
        if deadline is None:
            return self.lane.timeout
        left = max(0.0, deadline - time.monotonic())
        return left if self.lane.timeout is None else min(left, self.lane.timeout)


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


def run_jobs(jobs: Sequence[Job], deadline: float | None = None) -> list[Ended]:
    """Runs jobs and waits for them: lanes side by side, and in each as many as it has threads.

    One at a time they run in the caller's thread where there is no timeout to keep. An async
    function gets an event loop of its own, in a thread of its own.

    Args:
        jobs: What to run.
        deadline: When all must have ended, by the monotonic clock.

    Raises:
        BaseException: Such as ``KeyboardInterrupt`` or ``SystemExit``, out of a function.
    """
    lanes: dict[Lane, deque[tuple[int, Job]]] = {}
    for index, job in enumerate(jobs):
        lanes.setdefault(job.lane, deque()).append((index, job))
    if sum(min(lane.threads, len(waiting)) for lane, waiting in lanes.items()) == 1:
        return [_run(job, deadline) for job in jobs]
    ended: dict[int, Ended] = {}

    def worker(waiting: deque[tuple[int, Job]]) -> None:
        while waiting:
            try:
                index, job = waiting.popleft()
            except IndexError:  # another worker was faster
                return
            ended[index] = _run(job, deadline)

    workers = [
        in_thread(partial(worker, waiting))
        for lane, waiting in lanes.items()
        for _ in range(min(lane.threads, len(waiting)))
    ]
    try:
        for each in futures.as_completed(workers):
            each.result()
    finally:
        for waiting in lanes.values():
            waiting.clear()  # after an interrupt nothing new is started
    return [ended[index] for index in range(len(jobs))]


async def arun_jobs(jobs: Sequence[Job], deadline: float | None = None) -> list[Ended]:
    """Awaits async functions side by side, and blocking ones in the threads of their lanes.

    Args:
        jobs: What to run.
        deadline: When all must have ended, by the monotonic clock.

    Raises:
        BaseException: Such as ``KeyboardInterrupt`` or ``SystemExit``, out of a function; the
            others are cancelled then, as they are when the caller is.
    """
    slots = {job.lane: asyncio.Semaphore(job.lane.threads) for job in jobs}
    tasks = [asyncio.ensure_future(_arun(job, slots[job.lane], deadline)) for job in jobs]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _run(job: Job, deadline: float | None) -> Ended:
    timeout = job.seconds(deadline)
    if timeout == 0:
        return Ended(None, _late(job, timeout), 0.0)
    if job.is_async:
        return _run_coroutine(job, job.work, timeout)
    if timeout is None:
        ended = contextvars.copy_context().run(_attempt, job)
    else:
        ended = _wait(job, in_thread(partial(_attempt, job)), timeout, timeout)
    if ended.error is None and inspect.isawaitable(ended.value):
        return _run_coroutine(job, lambda: ended.value, timeout, ended.seconds)
    return ended


def _run_coroutine(
    job: Job, work: Callable[[], object], timeout: float | None, spent: float = 0.0
) -> Ended:
    """Awaits what the work makes, in a loop of its own: the caller's thread may have one."""
    future = in_thread(lambda: _run_in_loop(job, _attempt_async(job, work, timeout, spent)))
    # A coroutine that blocks, or will not be cancelled, is left behind with its thread.
    return _wait(job, future, timeout, None if timeout is None else timeout - spent + _GRACE)


def _run_in_loop(job: Job, coroutine: Coroutine[object, object, Ended]) -> Ended:
    """Runs a coroutine in a loop of this thread's own, which a function may stop or cancel.

    Raises:
        UsageError: If the thread has a loop already, as a greenlet has that of all others.
    """
    with contextlib.suppress(RuntimeError):  # for there is none
        asyncio.get_running_loop()
        coroutine.close()
        raise UsageError(
            "an async function needs a thread of its own, which gevent does not give: "
            "let functions block there"
        )
    start = time.monotonic()
    try:
        return asyncio.run(coroutine)
    except _ANSWERED as error:
        return _failed(job, error, start)


def _wait(
    job: Job, future: futures.Future[Ended], timeout: float | None, longest: float | None
) -> Ended:
    done, _ = futures.wait((future,), longest)
    if done:
        return future.result()
    return Ended(None, _late(job, timeout), longest or 0)


async def _arun(job: Job, slots: asyncio.Semaphore, deadline: float | None) -> Ended:
    if job.is_async:
        return await _attempt_async(job, job.work, job.seconds(deadline))
    async with slots:
        timeout = job.seconds(deadline)
        outer = await _attempt_async(
            job, lambda: asyncio.wrap_future(in_thread(partial(_attempt, job))), timeout
        )
    if outer.error is not None:
        return outer
    ended = cast("Ended", outer.value)
    if ended.error is None and inspect.isawaitable(ended.value):
        return await _attempt_async(job, lambda: ended.value, timeout, ended.seconds)
    return ended


def _attempt(job: Job) -> Ended:
    start = time.monotonic()
    try:
        value = job.work()
    except _ANSWERED as error:
        return _failed(job, error, start)
    return Ended(value, None, time.monotonic() - start)


async def _attempt_async(
    job: Job, work: Callable[[], object], timeout: float | None, spent: float = 0.0
) -> Ended:
    """Awaits what the work makes, for the timeout less what is spent of it.

    ``wait_for`` would wait on where a cancel is ignored. In a task of its own, a function that is
    cancelled by something of its own is told from a caller that is cancelled.
    """
    if timeout == 0:
        return Ended(None, _late(job, timeout), 0.0)
    start = time.monotonic() - spent

    async def body() -> Ended:
        try:
            value = await cast("Awaitable[object]", work())
        except _ANSWERED as error:
            return _failed(job, error, start)
        return Ended(value, None, time.monotonic() - start)

    task = asyncio.ensure_future(body())
    try:
        await asyncio.wait((task,), timeout=None if timeout is None else timeout - spent)
    except asyncio.CancelledError:
        task.cancel()
        await asyncio.wait((task,))
        raise
    if task.done():
        return task.result()
    task.cancel()
    task.add_done_callback(_forget)
    return Ended(None, _late(job, timeout), time.monotonic() - start)


def _forget(task: asyncio.Future[Ended]) -> None:
    """Takes what a late function still raises, so that nobody reports it as lost."""
    if not task.cancelled():
        task.exception()


def _failed(job: Job, error: BaseException, start: float) -> Ended:
    seconds = time.monotonic() - start
    if isinstance(error, Exception):
        return Ended(None, error, seconds)
    kind: ErrorKind = "GeneratorExit" if isinstance(error, GeneratorExit) else "CancelledError"
    reply = ToolError(kind, f"{job.name} was ended from within{f': {error}' if error.args else ''}")
    reply.__cause__ = error
    return Ended(None, reply, seconds)


def _late(job: Job, timeout: float | None) -> ToolError:
    if not timeout:
        return ToolError("Timeout", f"{job.name} was not started: the time for all was up")
    return ToolError("Timeout", f"{job.name} did not finish within {in_seconds(timeout)}")
