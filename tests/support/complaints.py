"""What event loops complain of while a test runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import logging

    import pytest


def complaints(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    """Returns what was logged, but for what gRPC says of an earlier test.

    grpc.aio hands what comes late for a loop that has ended to the next one, which logs that.
    """
    return [each for each in caplog.records if "PollerCompletionQueue" not in each.getMessage()]
