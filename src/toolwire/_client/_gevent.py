"""What gevent asks for: its threads block in gRPC, unless gRPC has been told of them."""

from __future__ import annotations

import sys

from toolwire._errors import UsageError

_SWITCH = "grpc.experimental.gevent"


def check() -> None:
    """Refuses to go on where a stream would block every greenlet until its deadline.

    Raises:
        UsageError: If gevent has patched ``threading``, and gRPC does not know.
    """
    if _has_patched() and _SWITCH not in sys.modules:
        raise UsageError(
            "gevent has patched this process's threads, which gRPC would block: call "
            f"{_SWITCH}.init_gevent() after gevent.monkey.patch_all(), before the first call"
        )


def check_async() -> None:
    """Refuses event loops: gRPC's thread for them would be a greenlet, and block all for good.

    Raises:
        UsageError: If gevent has patched ``threading``, whatever gRPC knows.
    """
    if _has_patched():
        raise UsageError(
            "gevent has patched this process's threads, in which gRPC's event loop client would "
            "hang: use Client or stub, not AsyncClient or async_stub"
        )


def _has_patched() -> bool:
    monkey = sys.modules.get("gevent.monkey")
    return monkey is not None and bool(monkey.is_module_patched("threading"))
