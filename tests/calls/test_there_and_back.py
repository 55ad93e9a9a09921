"""A result goes back as the JSON that an argument of its type is read from."""

from __future__ import annotations

import datetime
import decimal
import enum
import uuid
from pathlib import Path
from typing import Any

import pytest

from support.calling import content
from toolwire.functions import Toolbox

DAY = datetime.date(2026, 1, 2)


class Color(enum.Enum):
    RED = "red"


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (bytes, b"\x00\xff"),
        (list[bytes], [b"\xfb\xff", b""]),
        (datetime.timedelta, datetime.timedelta(days=400, seconds=5, microseconds=7)),
        (datetime.timedelta, datetime.timedelta(hours=-30)),
        (datetime.datetime, datetime.datetime(2026, 1, 2, 3, 4, 5, 6, datetime.timezone.utc)),
        (Path, Path("/srv/a b")),
        (decimal.Decimal, decimal.Decimal("1.10")),
        (uuid.UUID, uuid.UUID(int=7)),
        (complex, 1 + 2j),
        (dict[int, str], {1: "a", -2: "b"}),
        (dict[float, int], {1.5: 1}),
        (dict[bool, int], {True: 1, False: 2}),
        (dict[Color, int], {Color.RED: 1}),
        (dict[datetime.date, dict[Path, bytes]], {DAY: {Path("x"): b"y"}}),
        (dict[uuid.UUID, set[datetime.date]], {uuid.UUID(int=7): {DAY}}),
    ],
)
def test_what_one_function_returns_another_takes(kind: Any, value: object) -> None:
    got: list[object] = []

    def give() -> Any:
        """Gives it."""
        return value

    def take(x: Any) -> None:
        """Takes it."""
        got.append(x)

    give.__annotations__["return"] = take.__annotations__["x"] = kind
    box = Toolbox([give, take])
    (given,) = box.run(content("give"))
    assert given.error is None
    (taken,) = box.run(content(("take", {"x": given.response.get("output", given.response)})))
    assert taken.error is None
    assert got == [value]
