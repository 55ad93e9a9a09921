"""Work in threads of its own, which never keep a program from ending."""

from __future__ import annotations

import contextvars
from concurrent.futures import Future
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


def in_thread(work: Callable[[], T]) -> Future[T]:
    """Starts work in a new thread, with a copy of the caller's context variables.

    A pool would be joined when the interpreter ends, and so wait for a function that hangs.

    Args:
        work: What to do.

    Returns:
        Its result, or whatever it raised.
    """
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()  # from now on nobody can cancel it
    context = contextvars.copy_context()

    def body() -> None:
        try:
            result = context.run(work)
        except BaseException as error:  # noqa: BLE001 - whoever waits for it raises it
            future.set_exception(error)
        else:
            future.set_result(result)

    Thread(target=body, name="toolwire-function", daemon=True).start()
    return future
