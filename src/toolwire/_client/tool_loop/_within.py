"""Async hooks of a conversation, which must not outlast the time for all of it."""

from __future__ import annotations

import asyncio
import inspect
import sys
import time
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


class LateError(Exception):
    """A hook was still awaited when its time was up, and has been cancelled."""


def bounded(hook: Callable[..., Any] | None, deadline: float) -> Callable[..., Any] | None:
    """Returns a hook that is cancelled once a time has come, if it is awaited.

    Args:
        hook: What is called, and awaited if it makes an awaitable.
        deadline: When it must have ended, by the monotonic clock. Then it raises LateError.
    """
    if hook is None:
        return None

    async def ends(*given: object) -> object:
        answer: object = hook(*given)
        if not inspect.isawaitable(answer):
            return answer
        return await _within(cast("Awaitable[object]", answer), deadline - time.monotonic())

    return ends


# In the very task, not one of its own: what a hook sets in context variables is for the functions.
if sys.version_info >= (3, 11):

    async def _within(answer: Awaitable[object], seconds: float) -> object:
        scope = asyncio.timeout(seconds)
        try:
            async with scope:
                return await answer
        except TimeoutError as error:
            if scope.expired():
                raise LateError from error
            raise  # its own

else:

    async def _within(answer: Awaitable[object], seconds: float) -> object:
        task = cast("asyncio.Task[object]", asyncio.current_task())
        is_late = False

        def end() -> None:
            nonlocal is_late
            is_late = task.cancel()

        timer = asyncio.get_running_loop().call_later(seconds, end)
        try:
            return await answer
        except asyncio.CancelledError as error:
            if is_late:
                raise LateError from error
            raise  # its own, or the caller's
        finally:
            timer.cancel()
