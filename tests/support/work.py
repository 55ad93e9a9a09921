"""A measure of work that no clock takes part in."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def calls_of(work: Callable[[], object]) -> int:
    """How many functions Python calls for something: a measure of work that is always the same."""
    count = 0

    def count_calls(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    work()
    sys.setprofile(count_calls)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count
