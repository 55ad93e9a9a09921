"""Async hooks of a conversation, which must not outlast the time for all of it."""

from __future__ import annotations

import inspect
import time
from typing import TYPE_CHECKING, Any, cast

from toolwire._client._in_time import in_time

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


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
        return await in_time(cast("Awaitable[object]", answer), deadline - time.monotonic())

    return ends
