"""What never ends by itself, and how long to wait for what should."""

from __future__ import annotations

import threading

HANG = 60.0  # seconds; far beyond anything that a test waits for


class Hang:
    """A call that hangs until the test lets go of it: who comes back before has not waited for it.

    So no test needs to look at a clock. One that does wait is ended by pytest-timeout.
    """

    def __init__(self) -> None:
        self.entered = threading.Event()
        self._over = threading.Event()

    def __call__(self, *_given: object) -> None:
        self.entered.set()
        self._over.wait()

    def let_go(self) -> None:
        """Ends it, for all who are in it and all who come."""
        self._over.set()
