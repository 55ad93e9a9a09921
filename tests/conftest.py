"""What holds for every test."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

# A shell that runs the tests in the background has them, and all that they start, ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)

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
