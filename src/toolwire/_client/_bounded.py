"""Waiting no longer than a deadline for work that has none of its own."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class _Work(Generic[T]):
    def __init__(self, function: Callable[[], T]) -> None:
        self._function = function
        self.result: T
        self.error: BaseException | None = None
        self.done = threading.Event()

    def run(self) -> None:
        try:
            self.result = self._function()
        except BaseException as error:  # noqa: BLE001 - handed to the thread that waits
            self.error = error
        self.done.set()


def run_bounded(function: Callable[[], T], seconds: float) -> T:
    """Runs a function in a thread of its own and returns its result, or raises its error.

    Args:
        function: What to run. It goes on when the time is up, and its result is dropped.
        seconds: How long to wait.

    Raises:
        TimeoutError: If the time is up.
    """
    work = _Work(function)
    threading.Thread(target=work.run, name="toolwire-credentials", daemon=True).start()
    if not work.done.wait(max(0.0, seconds)):
        raise TimeoutError
    if work.error is not None:
        raise work.error
    return work.result
