"""What a forked child may do, and what is left of gRPC when a program ends.

gRPC does not survive a fork once it has been used.

Its threads are gone in the child and its sockets are shared with the parent, so that a call
there hangs, or breaks the parent's connection. The child is therefore refused at once, unless
gRPC's own fork support is on (``GRPC_ENABLE_FORK_SUPPORT=1`` before grpc is imported).
A fork before the first use does no harm.

Nor does it survive that the interpreter ends while streams or channels are open: its threads stand
still then, at times with a lock that freeing them takes.
"""

from __future__ import annotations

import atexit
import os
import weakref
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

_SWITCH = "GRPC_ENABLE_FORK_SUPPORT"
_ON = frozenset({"1", "true", "yes", "on"})


class _State:
    used = False
    used_by_parent = False


_watchers: weakref.WeakKeyDictionary[Any, Callable[[Any], None]] = weakref.WeakKeyDictionary()
_of_parents: list[object] = []


def watch(after_fork: Callable[[], None]) -> None:
    """Has an object put right in every child, before anything else runs there.

    If it still is there when the program ends, it is not freed any more.

    Args:
        after_fork: The method that does so. Its object is not kept alive.
    """
    method: Any = after_fork
    _watchers[method.__self__] = method.__func__


def keep(*objects: object) -> None:
    """Keeps objects for good: in a child, even freeing what gRPC made in the parent would hang."""
    _of_parents.extend(objects)


def use_grpc() -> None:
    """Notes that this process is about to use gRPC.

    Raises:
        UsageError: If it is a child of a process that had used gRPC before it forked.
    """
    if _State.used_by_parent and os.environ.get(_SWITCH, "").lower() not in _ON:
        raise UsageError(
            "this process was forked from one that had already used gRPC, which does not "
            "survive that: start it by spawn or forkserver, make the first call after the "
            f"fork, or set {_SWITCH}=1 before Python starts"
        )
    _State.used = True


def _after_fork() -> None:
    _State.used_by_parent |= _State.used
    for watcher, after_fork in tuple(_watchers.items()):
        after_fork(watcher)


def _at_exit() -> None:
    left = [*_of_parents, *(ref() for ref in _watchers.keyrefs())]
    if left:
        with suppress(ImportError, AttributeError):  # a Python without C
            from ctypes import py_object, pythonapi  # noqa: PLC0415 - mostly nothing is left

            pythonapi.Py_IncRef(py_object(left))


atexit.register(_at_exit)
if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=_after_fork)
