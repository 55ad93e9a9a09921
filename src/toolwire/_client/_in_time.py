"""What others have written is awaited in the middle of a call, and no longer than that may last."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable

T = TypeVar("T")


class LateError(Exception):
    """Says that something was not done in time."""


async def in_time(work: Awaitable[T], seconds: float) -> T:
    """Awaits something in the running task, since what it does there may depend on the context.

    Args:
        work: The thing.
        seconds: How long it may take.

    Raises:
        LateError: If it takes longer. It was cancelled then, and has come to its end.
    """
    alarm = _Alarm()
    timer = asyncio.get_running_loop().call_later(seconds, alarm.ring)
    try:
        return await work
    except asyncio.CancelledError:
        if alarm.is_heard_alone:
            raise LateError from None
        raise
    finally:
        timer.cancel()
        alarm.take_back()


class _Alarm:
    """Cancels a task, and tells that from being cancelled by others, as far as Python can.

    Python 3.10 does not count who cancels a task: at the very moment of the alarm it counts alone.
    """

    def __init__(self) -> None:
        self._task = asyncio.current_task()
        self._before = self._count()
        self._has_rung = False

    def _count(self) -> int:
        cancelling = getattr(self._task, "cancelling", None)  # new in Python 3.11
        return 0 if cancelling is None else cancelling()

    def ring(self) -> None:
        """Cancels the task."""
        self._has_rung = True
        if self._task is not None:
            self._task.cancel()

    @property
    def is_heard_alone(self) -> bool:
        """Whether nobody else has cancelled the task meanwhile."""
        return self._has_rung and self._count() <= self._before + 1

    def take_back(self) -> None:
        """Has the task go on as if it had not been cancelled here."""
        uncancel = getattr(self._task, "uncancel", None)  # likewise
        if self._has_rung and uncancel is not None:
            uncancel()
