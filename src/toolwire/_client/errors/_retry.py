"""When a call that failed is made again, and after how long. No clock, no chance, no transport."""

from __future__ import annotations

import inspect
import random
import re
import time
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from toolwire._client.errors._failures import is_final
from toolwire._errors import UsageError
from toolwire._words import kind_spoken, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolwire._call_errors import CallError

_WHERE = "async ones are for AsyncClient and async_stub"

MOST_RETRIES = 100
FIRST_STEP = 1.0
"""Seconds of the longest wait before the first retry; each next one may be twice as long."""

LONGEST_STEP = 32.0

_DEFAULT = frozenset({"UNAVAILABLE", "RESOURCE_EXHAUSTED"})

# By method. The rest have the default: to ask a model twice does no harm. INTERNAL,
# DEADLINE_EXCEEDED and CANCELLED are nowhere: nobody knows what became of such a call.
_CODES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "CreateCachedContent": frozenset({"RESOURCE_EXHAUSTED"}),  # else there may be two of it
        "BidiGenerateContent": frozenset(),  # a conversation cannot be said over again
    }
)

# gRPC's own limits, which the same message exceeds again.
_TOO_LARGE = re.compile("larger than max|metadata size exceeds")


@dataclass(frozen=True, slots=True)
class Retry:
    """A call that failed and is about to be made again.

    Attributes:
        method: Full name of the method.
        number: Which retry this is, from 1.
        delay: Seconds until then.
        error: What it failed with.
    """

    method: str
    number: int
    delay: float
    error: CallError


def retryable_codes(method: str) -> frozenset[str]:
    """Returns the status codes after which a method may be called again.

    Args:
        method: Its name, such as ``GenerateContent``.
    """
    return _CODES.get(method, _DEFAULT)


def check_retries(retries: object) -> int:
    """Returns a number of retries.

    Raises:
        UsageError: If it is none.
    """
    if isinstance(retries, int) and not isinstance(retries, bool) and 0 <= retries <= MOST_RETRIES:
        return retries
    raise UsageError(
        f"retries takes a whole number from 0 to {MOST_RETRIES}, found {shown(retries)}"
    )


def check_on_retry(on_retry: object, *, is_async: bool) -> None:
    """Refuses what cannot be told of retries, before anything is sent.

    Args:
        on_retry: What was given.
        is_async: Whether there is a loop to await an async function in.

    Raises:
        UsageError: If it is no function, or an async one that nobody would await.
    """
    if on_retry is None:
        return
    if not callable(on_retry):
        raise UsageError(f"on_retry takes a function, found {kind_spoken(on_retry)}")
    if not is_async and any(map(inspect.iscoroutinefunction, (on_retry, on_retry.__call__))):
        raise UsageError(f"on_retry: expected a blocking function, found an async one; {_WHERE}")


def check_told(answer: object) -> None:
    """Refuses what a function answered that would have to be awaited for it to be told at all.

    Raises:
        UsageError: If it is that.
    """
    if inspect.isawaitable(answer):
        if inspect.iscoroutine(answer):
            answer.close()
        raise UsageError(f"on_retry: expected a blocking function, found an awaitable; {_WHERE}")


@dataclass(slots=True)
class Retrying:
    """How one client makes its calls again.

    Attributes:
        count: How often, at most, where a call does not say otherwise.
        on_retry: Is told of each retry before the wait; what it answers may have to be awaited.
        clock: Seconds from anywhere.
        chance: A number from 0 up to 1.
    """

    count: int
    on_retry: Callable[[Retry], object] | None = None
    clock: Callable[[], float] = field(default=time.monotonic)
    chance: Callable[[], float] = field(default=random.random)

    def tell(self, retry: Retry) -> object:
        """Tells of a retry, and returns what came of it, which an event loop may have to await."""
        return None if self.on_retry is None else self.on_retry(retry)

    def delay(self, error: CallError, codes: frozenset[str], tries: int, left: float) -> float:
        """Returns the seconds to wait before a call is made again; negative for never.

        Args:
            error: What the call failed with.
            codes: The codes that may be retried.
            tries: How often it has been retried already.
            left: Seconds until its deadline, beyond which there is no use in waiting.
        """
        if error.code not in codes or not _is_passing(error):
            return -1.0
        step = min(LONGEST_STEP, FIRST_STEP * 2.0**tries)
        delay = max(self.chance() * step, error.retry_after or 0.0)
        return delay if delay < left else -1.0


def _is_passing(error: CallError) -> bool:
    """Tells whether the same call may fare better: not with the wrong kind of server, say."""
    if error.code == "UNAVAILABLE":
        return not is_final(error.hint)
    return _TOO_LARGE.search(error.message) is None
