"""What a situation is, and running one in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from support.versions import IS_OLDER_GRPC

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from support.grpc_servers import Context, Server

WAIT = "wait"  # a prompt that is answered when the call is given up
_QUIET = """
import logging
# In development mode event loops tell of what takes long, as all does on a busy machine.
logging.getLogger("asyncio").addFilter(lambda record: not record.msg.startswith("Executing "))
"""
_HANG = 60.0  # seconds
_TESTS = Path(__file__).parents[2]


@dataclass(frozen=True)
class Situation:
    """One of them.

    Attributes:
        name: What happens.
        kind: The client's class.
        sees: What its program prints.
        run: The program, given the server's address.
        needs: What has to be there: a function of ``os``, or a package.
        first: What its process does first, as Python source.
        env: Variables that it needs.
    """

    name: str
    kind: str
    sees: tuple[str, ...]
    run: Callable[[str], object]
    needs: str
    first: str
    env: Mapping[str, str]

    def __str__(self) -> str:
        return f"{self.name}, {self.kind}"


SITUATIONS: list[Situation] = []


def situation(
    name: str, kind: str, *sees: str, needs: str = "", first: str = "", **env: str
) -> Callable[[Callable[[str], object]], Callable[[str], object]]:
    def register(run: Callable[[str], object]) -> Callable[[str], object]:
        SITUATIONS.append(Situation(name, kind, sees, run, needs, first, env))
        return run

    return register


def see(situation: Situation, server: Server) -> tuple[str, ...]:
    """Runs a situation in a process of its own, and returns what it printed.

    Raises:
        AssertionError: If it fails, or says anything beside, such as a warning at its end;
            the latter not with older versions of gRPC, which have noise of their own.
    """

    held = threading.Semaphore(0)

    def wait(context: Context) -> None:
        held.release()
        while context.is_active():
            time.sleep(0.01)

    generate, stream = server.generate, server.stream

    def generate_or_wait(request: Any, context: Context) -> bytes:
        if request.contents[0].parts[0].text == WAIT:
            wait(context)
        return generate(request, context)

    def stream_or_wait(request: Any, context: Context) -> Any:
        yield from stream(request, context)
        if request.contents[0].parts[0].text == WAIT:
            wait(context)

    count = server.count

    def count_when_one_waits(request: Any, context: Context) -> bytes:
        held.acquire(timeout=_HANG)
        return count(request, context)

    server.generate, server.stream = generate_or_wait, stream_or_wait
    server.count = count_when_one_waits
    number = SITUATIONS.index(situation)
    code = f"from support.situations import SITUATIONS; SITUATIONS[{number}].run({server.target!r})"
    # Python 3.12 warns of every fork of a process with threads, as it cannot know better.
    quiet = ("-X", "dev", "-W", "ignore::DeprecationWarning")
    done = subprocess.run(
        [sys.executable, *quiet, "-c", f"{situation.first}\n{_QUIET}{code}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=_HANG,
        cwd=_TESTS,
        env={**os.environ, "GRPC_VERBOSITY": "NONE", **situation.env},
    )
    assert done.returncode == 0, done.stderr
    # Event loops of older versions complain of each other where a process has several.
    assert not done.stderr or IS_OLDER_GRPC, done.stderr
    return tuple(done.stdout.splitlines())
