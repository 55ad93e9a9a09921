"""What holds for every test."""

from __future__ import annotations

import logging
import signal
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from support.hangs import Hang

if TYPE_CHECKING:
    from collections.abc import Iterator

# A shell that runs the tests in the background has them, and all that they start, ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)

# grpc.aio hands what comes late for a loop that has ended to the next one, which logs that: no
# test may count it among its own records.
logging.getLogger("asyncio").addFilter(
    lambda record: "PollerCompletionQueue" not in record.getMessage()
)

# The same examples each time. `pytest --hypothesis-profile=more` tries others, and many more.
settings.register_profile(
    "ci",
    derandomize=True,
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("more", settings.get_profile("ci"), derandomize=False, max_examples=5000)
settings.load_profile("ci")


@pytest.fixture
def hang() -> Iterator[Hang]:
    """A call that hangs as long as the test runs."""
    hang = Hang()
    yield hang
    hang.let_go()
