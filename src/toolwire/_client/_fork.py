"""What a forked child may do: gRPC does not survive a fork once it has been used.

Its threads are gone in the child and its sockets are shared with the parent, so that a call
there hangs, or breaks the parent's connection. The child is therefore refused at once, unless
gRPC's own fork support is on (``GRPC_ENABLE_FORK_SUPPORT=1`` before grpc is imported).
A fork before the first use does no harm.
"""

from __future__ import annotations

import os
import weakref
from typing import Protocol

from toolwire._errors import UsageError

_SWITCH = "GRPC_ENABLE_FORK_SUPPORT"
_ON = frozenset({"1", "true", "yes", "on"})


class Watcher(Protocol):
    """Something that has to be put right in a child."""

    def after_fork(self) -> None:
        """Is called in the child, before anything else runs there."""
        ...


class _State:
    used = False
    used_by_parent = False


_watchers: weakref.WeakSet[Watcher] = weakref.WeakSet()


def watch(watcher: Watcher) -> None:
    """Has ``after_fork`` called in every child, for as long as the object lives."""
    _watchers.add(watcher)


_of_parents: list[object] = []


def keep(*objects: object) -> None:
    """Keeps objects of the parent's for good: in a child, even freeing gRPC's would hang."""
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
    for watcher in tuple(_watchers):
        watcher.after_fork()


if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=_after_fork)
