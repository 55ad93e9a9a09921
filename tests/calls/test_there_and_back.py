"""A result goes back as the JSON that an argument of its type is read from."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import pydantic
import pytest
from pydantic import Base64Bytes, Base64Str, Base64UrlBytes, ConfigDict
from typing_extensions import TypedDict

from support.calling import content
from toolwire.functions import Toolbox

DAY = datetime.date(2026, 1, 2)


class Color(enum.Enum):
    RED = "red"


class Level(enum.Enum):
    LOW = 1
    HIGH = 2.5
    NONE = False


class Step(enum.IntEnum):
    ONE = 1


@dataclasses.dataclass
class Hex:
    __pydantic_config__ = ConfigDict(val_json_bytes="hex")
    data: bytes


@dataclasses.dataclass
class Text:
    __pydantic_config__ = ConfigDict(extra="forbid")
    data: bytes


class HexDict(TypedDict):
    data: bytes
    below: list[Hex]


setattr(HexDict, "__pydantic_config__", {"val_json_bytes": "hex"})  # noqa: B010 - is no field


@dataclasses.dataclass
class Outer:
    inner: Hex
    data: bytes
    safe: Base64UrlBytes
    text: Annotated[Base64Str, "said in base64"]


@pydantic.dataclasses.dataclass
class Own:
    data: bytes


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
        (dict[Level, int], {Level.LOW: 1, Level.HIGH: 2, Level.NONE: 3}),
        (Mapping[Step, list[Level]], {Step.ONE: [Level.LOW]}),
        (list[dict[Level, Level]], [{Level.HIGH: Level.LOW}]),
        (Base64Bytes, b"\xfb\xff"),
        (Base64UrlBytes | None, b"\xfb\xff"),
        (Base64Str, "hi"),
        (list[Base64UrlBytes], [b"\xfb\xff"]),
        (dict[str, list[Base64UrlBytes]], {"a": [b"\xfb\xff"]}),
        (Hex, Hex(b"\xfb\xff")),
        (Text, Text(b"hi")),
        (HexDict, {"data": b"\xfb", "below": [Hex(b"\xff")]}),
        (Outer, Outer(Hex(b"\xfb"), b"\xfb\xff", b"\xfb\xff", "hi")),
        (list[Outer | Hex], [Hex(b"a"), Outer(Hex(b"b"), b"c", b"d", "e")]),
        (Own, Own(b"hi")),
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


def test_bytes_that_are_no_text_do_not_go_back_as_text() -> None:
    def give() -> Text:
        """Gives it."""
        return Text(b"\xff")

    (given,) = Toolbox([give]).run(content("give"))
    assert '["data"]: expected bytes that are text' in str(given.error)
