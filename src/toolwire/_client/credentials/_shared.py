"""Work that is done once for all who wait for it, be they threads or tasks of an event loop.

How one waits is written as a generator that yields what to wait for; ``wait`` runs it in a
thread, and ``wait_async`` in an event loop.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from toolwire._client import _fork
from toolwire._client.credentials._identity import IdentityError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

T = TypeVar("T")
R = TypeVar("R")

# Until Python 3.11 these are classes of their own.
_TIMEOUTS = (TimeoutError, concurrent.futures.TimeoutError, asyncio.TimeoutError)

_LONGEST = 60.0  # seconds; work that takes longer is left to itself, and begun anew


class Running(Generic[T]):
    """Work under way. No waiter can cancel it, and each waits as long as it likes.

    Attributes:
        failed: What to say first if nothing comes of it.
        began: When, by the monotonic clock.
        future: What will come of it.
    """

    def __init__(self, failed: str) -> None:
        self.failed = failed
        self.began = time.monotonic()
        self.future: Future[T] = Future()
        self.future.set_running_or_notify_cancel()  # so that a waiter's cancel does nothing

    @property
    def is_going_on(self) -> bool:
        """Whether it is worth waiting for."""
        return not self.future.done() and time.monotonic() - self.began < _LONGEST


class Shared(Generic[T]):
    """One piece of work at a time, in a thread of its own: it may have no deadline itself."""

    def __init__(self, failed: str) -> None:
        """Does nothing yet.

        Args:
            failed: What to say first if nothing comes of it.
        """
        self._failed = failed
        self._lock = threading.RLock()  # a signal handler may make a call in the middle of it
        self._running: Running[T] | None = None
        _fork.watch(self._after_fork)

    def _after_fork(self) -> None:
        """Forgets what is under way: its thread is the parent's."""
        self._lock = threading.RLock()
        self._running = None

    def start(self, work: Callable[[], T]) -> Running[T]:
        """Returns the work that is under way, which may be another's, or begins it.

        Args:
            work: What to do if nothing is under way.
        """
        with self._lock:
            running = self._running
            if running is not None and running.is_going_on:
                return running
            self._running = running = Running[T](self._failed)
        thread = threading.Thread(
            target=_run, args=(work, running), name="toolwire-credentials", daemon=True
        )
        try:
            thread.start()
        except RuntimeError:  # there are too many threads, or the interpreter is about to end
            running.future.set_exception(
                IdentityError("UNAVAILABLE", f"{self._failed}: no thread can be started")
            )
        return running


def _run(work: Callable[[], T], running: Running[T]) -> None:
    try:
        result = work()
    except Exception as error:  # noqa: BLE001 - handed to those who wait
        running.future.set_exception(error)
    except BaseException as error:  # noqa: BLE001 - nothing of theirs ends, whatever it is called
        said = f"{running.failed}: {type(error).__name__}"
        running.future.set_exception(IdentityError("UNAUTHENTICATED", said))
    else:
        running.future.set_result(result)


@dataclass(frozen=True, slots=True)
class Wait(Generic[T]):
    """What to wait for.

    Attributes:
        running: The work.
        until: How long, by the monotonic clock.
    """

    running: Running[T]
    until: float

    @property
    def seconds(self) -> float:
        """How long that is from now."""
        return min(max(0.0, self.until - time.monotonic()), threading.TIMEOUT_MAX)


def wait(steps: Generator[Wait[T], T | IdentityError, R]) -> R:
    """Runs a generator that waits, and blocks meanwhile.

    Args:
        steps: Yields what to wait for, and is sent what came of it: the result, or the error.
    """
    try:
        step = next(steps)
        while True:
            found = _outcome(step.running, step.seconds)
            step = steps.send(found)
    except StopIteration as stop:
        result: R = stop.value
        return result


async def wait_async(steps: Generator[Wait[T], T | IdentityError, R]) -> R:
    """Does as ``wait`` does, without blocking the event loop."""
    try:
        step = next(steps)
        while True:
            future = asyncio.wrap_future(step.running.future)
            future.add_done_callback(_look_at)
            try:
                await asyncio.wait((future,), timeout=step.seconds)
            finally:
                future.cancel()  # this wait only: the work goes on for others
            found = _outcome(step.running, 0.0)
            step = steps.send(found)
    except StopIteration as stop:
        result: R = stop.value
        return result


def _look_at(future: asyncio.Future[T]) -> None:
    """Reads the error of a future, which asyncio would log otherwise."""
    if not future.cancelled():
        future.exception()


def _outcome(running: Running[T], seconds: float) -> T | IdentityError:
    try:
        return running.future.result(seconds)
    except _TIMEOUTS:
        return IdentityError("DEADLINE_EXCEEDED", f"{running.failed}: not in time")
    except IdentityError as error:
        return error
