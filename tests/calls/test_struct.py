"""Python values into ``Struct`` and ``Value``, by rule or not at all; and back."""

from __future__ import annotations

import collections
import collections.abc
import dataclasses
import datetime
import decimal
import enum
import functools
import math
import re
import sys
import types
import uuid
from pathlib import Path
from typing import Any, NamedTuple

import pydantic
import pytest
from google.protobuf import struct_pb2, timestamp_pb2
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import Self

import toolwire
from support.foreign import Wrapper, foreign
from toolwire import JsonError, UsageError, from_dict, functions, to_json, v1
from toolwire_pb.google.protobuf.struct_pb2 import ListValue, Struct, Value

UTC = datetime.timezone.utc


class Color(enum.Enum):
    RED = "red"
    PAIR = (1, 2)


class Level(enum.IntEnum):
    HIGH = 3


class Bits(enum.Flag):
    A = 1
    B = 2


class Name(str, enum.Enum):
    KEY = "key"


class Point(NamedTuple):
    x: int
    y: int


@dataclasses.dataclass
class Order:
    number: str
    day: datetime.date
    lines: tuple[Point, ...] = ()


class City(pydantic.BaseModel):
    name: str = pydantic.Field(alias="cityName")
    founded: datetime.date
    tags: set[str] = set()
    key: pydantic.SecretStr = pydantic.SecretStr("s3cret")


class Celsius(pydantic.RootModel[float]):
    pass


RULES: list[tuple[Any, Any]] = [
    (None, None),
    (True, True),
    ("", ""),
    ([], []),
    ({}, {}),
    (2**53, 2**53),
    (2**60, float(2**60)),
    (-0.0, -0.0),
    ((1, (2,)), [1, [2]]),
    (Point(1, 2), [1, 2]),
    ({3, 1, 2}, [1, 2, 3]),
    (frozenset({"b", "a"}), ["a", "b"]),
    ({"a", 1}, ["a", 1]),
    (range(3), [0, 1, 2]),
    (collections.deque([1]), [1]),
    ({"a": 1, "b": 2}.keys(), ["a", "b"]),
    (types.MappingProxyType({"a": 1}), {"a": 1}),
    (collections.OrderedDict([("b", 1)]), {"b": 1}),
    (Color.RED, "red"),
    (Color.PAIR, [1, 2]),
    (Level.HIGH, 3),
    (Bits.A | Bits.B, 3),
    ({Name.KEY: Name.KEY}, {"key": "key"}),
    (datetime.datetime(2026, 1, 2, 3, 4, 5, 600, UTC), "2026-01-02T03:04:05.000600+00:00"),
    (datetime.datetime(2026, 1, 2, 3, 4), "2026-01-02T03:04:00"),  # noqa: DTZ001
    (datetime.date(2026, 1, 2), "2026-01-02"),
    (datetime.time(3, 4), "03:04:00"),
    (decimal.Decimal("19.90"), "19.90"),
    (uuid.UUID(int=7), "00000000-0000-0000-0000-000000000007"),
    (b"\xfb\xff", "+/8="),
    (bytearray(b"x"), "eA=="),
    (memoryview(b"x.y")[::2], "eHk="),
    (datetime.timedelta(hours=-1), "-PT1H"),
    (Path("a/b"), "a/b"),
    (pydantic.AnyUrl("http://a.b/c"), "http://a.b/c"),
    (re.compile("a+"), "a+"),
    (1j, "1j"),
    ({1: True, 2**70: False}, {"1": True, "1180591620717411303424": False}),
    ({True: 1, 2.5: 2, Level.HIGH: 3}, {"true": 1, "2.5": 2, "3": 3}),
    ({Color.RED: 1, Path("a"): 2}, {"red": 1, "a": 2}),
    ({datetime.date(2026, 1, 2): 1, b"x": 2}, {"2026-01-02": 1, "eA==": 2}),
    (
        Order("7", datetime.date(2026, 1, 2), (Point(1, 2),)),
        {"number": "7", "day": "2026-01-02", "lines": [[1, 2]]},
    ),
    (
        City(cityName="Lisbon", founded=datetime.date(1147, 10, 25), tags={"sea"}),
        {"cityName": "Lisbon", "founded": "1147-10-25", "tags": ["sea"], "key": "**********"},
    ),
    (Celsius(21.5), 21.5),
    (v1.Schema(type="STRING", min_length=3), {"type": "STRING", "minLength": "3"}),
    (timestamp_pb2.Timestamp(seconds=1), "1970-01-01T00:00:01Z"),
]


@pytest.mark.parametrize(
    ("value", "expected"), RULES, ids=[type(value).__name__ for value, _ in RULES]
)
def test_a_value_goes_in_by_rule(value: object, expected: object) -> None:
    for given_value, wanted in ((value, expected), ([{"deep": value}], [{"deep": expected}])):
        made = functions.to_value(given_value)
        assert isinstance(made, Value)
        assert functions.to_plain(made) == wanted
    struct = functions.to_struct({"x": value})
    assert isinstance(struct, Struct)
    assert functions.to_plain(struct) == {"x": expected}


def test_minus_zero_and_large_numbers_stay_what_they_are() -> None:
    back: Any = functions.to_plain(functions.to_struct({"a": -0.0, "b": 2.0**60, "c": 1.0}))
    assert (math.copysign(1, back["a"]), type(back["b"]), type(back["c"])) == (-1, float, int)
    kept: Any = functions.to_plain(functions.to_struct({"c": 1}), keep_floats=True)
    assert type(kept["c"]) is float


CIRCLE: list[object] = []
CIRCLE.append({"again": CIRCLE})


@dataclasses.dataclass
class Ring:
    next: object = None


RING = Ring()
RING.next = [RING]


def nested(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


class Broken(pydantic.BaseModel):
    x: int = 1

    @pydantic.field_serializer("x")
    def fails(self, _: int) -> int:
        raise RuntimeError("no")


@pytest.mark.parametrize(
    ("value", "path", "reason"),
    [
        (2**53 + 1, "", "whole number that a double holds exactly, or text, found the number 9007"),
        (10**400, "", "whole number that a double holds exactly, or text, found the number of abo"),
        (math.nan, "", "expected a finite number, found the number nan"),
        (-math.inf, "", "expected a finite number, found the number -inf"),
        (decimal.Decimal("NaN"), "", "expected a finite number, found Decimal NaN"),
        (object(), "", "expected a JSON value, found a Python object"),
        (Path("\udc80"), "", "lone surrogate"),
        (Order, "", "found the class Order"),
        (iter([1]), "", "found an iterator; make a list of it"),
        ((i for i in [1]), "", "found an iterator; make a list of it"),
        ({None: "x"}, "", "expected a key that is text, or that text stands for, found null"),
        ({(1, 2): "x"}, "", "expected a key that is text, or that text stands for, found a list"),
        ({Color.PAIR: 1}, "", "expected a key that is text, or that text stands for, found a list"),
        ({math.inf: 1}, "", "expected a finite number, found the number inf"),
        ({1: "x", "1": "y"}, "", '"1" stands for two keys'),
        ("\ud800", "", "lone surrogate"),
        ({"\ud800": 1}, "", "lone surrogate"),
        (CIRCLE, '[0]["again"]', "a value that holds itself"),
        (RING, '["next"][0]', "a value that holds itself"),
        (nested(60), "[0]" * 48, "nested deeper than 100 levels of messages"),
        (nested(5000), "[0]" * 48, "nested deeper than 100 levels of messages"),
        ([1, (2, {3.5, math.inf})], "[1][1]", "finite number"),
        (Order("7", object()), '["day"]', "found a Python object"),  # type: ignore[arg-type]
        (Broken(), "", 'the model Broken gives no JSON: "Error calling function `fails`: Runti'),
        (Celsius(math.nan), "", "finite number"),
        (Struct(fields={"a": Value(number_value=math.nan)}), '["a"]', "finite number"),
    ],
    ids=lambda value: None if isinstance(value, str) else type(value).__name__,
)
def test_a_value_that_is_no_json_is_refused_with_its_path(
    value: object, path: str, reason: str
) -> None:
    with pytest.raises(JsonError) as caught:
        functions.to_value(value)
    assert reason in caught.value.reason
    assert caught.value.path.startswith(path)
    with pytest.raises(JsonError) as caught:
        functions.to_struct({"a": [value]})
    assert caught.value.path.startswith(f'["a"][0]{path[:30]}')


def test_an_awaitable_is_refused_with_what_to_do() -> None:
    async def later() -> int:
        return 1

    coroutine = later()
    with pytest.raises(JsonError, match=r'\["a"\]: .*found an awaitable; await it'):
        functions.to_struct({"a": coroutine})
    coroutine.close()


def test_a_message_that_is_no_json_is_refused_with_its_place() -> None:
    schema = v1.Schema(default=Value(number_value=math.nan))
    with pytest.raises(JsonError, match="finite number") as caught:
        functions.to_value({"schema": [schema]})
    assert caught.value.path == '["schema"][0]'


def test_a_stack_that_is_nearly_full_is_an_error_of_ours() -> None:
    value = nested(40)

    def dig(levels: int) -> None:
        if levels:
            dig(levels - 1)
        else:
            functions.to_value(value)

    found: set[str] = set()
    for levels in range(sys.getrecursionlimit() - 250, sys.getrecursionlimit(), 5):
        try:
            dig(levels)
        except JsonError as error:  # noqa: PERF203
            found.add(error.reason)
        except RecursionError:  # of the test's own
            break
    assert found == {"nested too deeply for what is left of Python's stack"}


def test_an_object_in_several_places_is_no_circle() -> None:
    shared = {"x": [1]}
    made = functions.to_struct({"a": shared, "b": [shared, shared]})
    assert functions.to_plain(made) == {"a": shared, "b": [shared, shared]}


@pytest.mark.parametrize("value", [None, 1, "x", [1], Level.HIGH, Celsius(1)])
def test_a_struct_needs_an_object(value: object) -> None:
    with pytest.raises(JsonError, match="expected an object, found"):
        functions.to_struct(value)


def test_parts_of_one_struct_go_into_another_without_aliasing() -> None:
    source = functions.to_struct({"a": {"b": [1, {"c": 2}]}, "d": None})
    inner = source.fields["a"]
    made = functions.to_struct({"x": inner, "y": [inner.struct_value.fields["b"]], "z": source})
    expected = {
        "x": {"b": [1, {"c": 2}]},
        "y": [[1, {"c": 2}]],
        "z": {"a": {"b": [1, {"c": 2}]}, "d": None},
    }
    assert functions.to_plain(made) == expected
    inner.struct_value.fields["b"].Clear()
    source.Clear()
    assert functions.to_plain(made) == expected
    whole = functions.to_struct(made)
    made.Clear()
    assert functions.to_plain(whole) == expected


def test_containers_of_messages_go_in() -> None:
    source = functions.to_struct({"a": [1, 2]})
    made = functions.to_struct({"map": source.fields, "list": source.fields["a"].list_value.values})
    assert functions.to_plain(made) == {"map": {"a": [1, 2]}, "list": [1, 2]}


def test_structs_of_other_pools_go_in_and_out() -> None:
    common = struct_pb2.Struct()
    common.update({"a": [1, {"b": None}]})
    assert functions.to_plain(common) == {"a": [1, {"b": None}]}
    assert functions.to_plain(common.fields["a"]) == [1, {"b": None}]
    assert functions.to_plain(common.fields["a"].list_value) == [1, {"b": None}]
    assert functions.to_plain(functions.to_struct(common)) == {"a": [1, {"b": None}]}
    call = foreign("FunctionCall")(args={"x": 1})
    assert functions.to_plain(functions.to_struct(Wrapper(call.args))) == {"x": 1}


@pytest.mark.parametrize("wrong", [v1.Tool(), timestamp_pb2.Timestamp()])
def test_only_structs_are_plain_python(wrong: object) -> None:
    with pytest.raises(UsageError, match="expected a Struct, Value or ListValue, found a "):
        functions.to_plain(wrong)
    with pytest.raises(JsonError, match="expected a protobuf message, found dict"):
        functions.to_plain({})


def test_an_empty_value_of_each_kind_is_told_apart() -> None:
    given_values: dict[str, object] = {"list": [], "object": {}, "null": None, "text": ""}
    made = functions.to_struct(given_values)
    kinds = {name: value.WhichOneof("kind") for name, value in made.fields.items()}
    assert kinds == {
        "list": "list_value",
        "object": "struct_value",
        "null": "null_value",
        "text": "string_value",
    }
    assert functions.to_plain(made) == given_values
    assert functions.to_plain(ListValue()) == []


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), JSON))
def test_what_goes_in_comes_out(plain: dict[str, Any]) -> None:
    made = functions.to_struct(plain)
    assert functions.to_plain(made) == plain
    assert functions.to_struct(functions.to_plain(made)) == made
    assert from_dict(Struct, plain) == made
    assert Struct.FromString(made.SerializeToString()) == made


@given(JSON)
def test_plain_python_is_what_json_text_says(plain: Any) -> None:
    made = functions.to_value(plain)
    back = functions.to_plain(made)
    assert to_json(functions.to_value(back)) == to_json(made)


@pytest.mark.parametrize("levels", [31, 32, 33, 34])
def test_the_deepest_struct_is_one_that_protobuf_reads(levels: int) -> None:
    value: object = {}
    for _ in range(levels):
        value = {"a": value}
    try:
        made = functions.to_struct(value)
    except JsonError:
        assert levels > 33  # three levels of messages each, and one for the last
    else:
        assert functions.to_plain(Struct.FromString(made.SerializeToString())) == value


@pytest.mark.skipif("numpy" in sys.modules, reason="numpy is loaded")
def test_nothing_is_loaded_to_tell_values_of_packages_apart() -> None:
    functions.to_value([1, "x", None])
    assert "numpy" not in sys.modules


def test_numpy_scalars_go_in() -> None:
    numpy: Any = pytest.importorskip("numpy")
    values = [
        numpy.int64(7),
        numpy.uint8(7),
        numpy.float64(2.5),
        numpy.float32(0.5),
        numpy.bool_(True),
        numpy.str_("x"),
        numpy.datetime64("2026-01-02"),
    ]
    assert functions.to_plain(functions.to_value(values)) == [
        7,
        7,
        2.5,
        0.5,
        True,
        "x",
        "2026-01-02",
    ]
    wrong = [
        numpy.int64(2**53 + 1),
        numpy.float64("nan"),
        numpy.datetime64(1, "ns"),
        numpy.timedelta64(1, "ns"),
        numpy.datetime64("NaT", "s"),
        numpy.longdouble(1),
        numpy.array([1]),
    ]
    for value in wrong:
        with pytest.raises(JsonError) as caught:
            functions.to_value([value])
        assert caught.value.path == "[0]"


class Attributes:
    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


class Whole(int):
    def __float__(self) -> float:
        raise RuntimeError("no float")


class Entries(collections.abc.Mapping[str, Any]):
    def __getitem__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __iter__(self) -> Any:
        return iter(["a"])

    def __len__(self) -> int:
        return 1


@pytest.mark.parametrize("cls", [Attributes, Entries, Whole])
def test_values_whose_own_code_raises(cls: Any) -> None:
    content = v1.Content(parts=[{"function_call": {"name": "f"}}])
    with pytest.raises(JsonError, match=r"cannot be read: RuntimeError|found a Python") as caught:
        functions.to_struct({"x": [cls()]})
    assert caught.value.path == '["x"][0]'
    with pytest.raises(JsonError, match=r"cannot be read: RuntimeError|found a Python") as caught:
        functions.respond(content, cls())
    assert caught.value.path == "parts[0].functionResponse.response"
    for ask in (functions.calls, functions.to_plain, functools.partial(toolwire.convert, to=Value)):
        with pytest.raises(toolwire.Error, match="expected"):
            ask(cls())


class Size(str, enum.Enum):
    SMALL = ("small", "S")

    def __new__(cls, text: str, value: str) -> Self:
        made = str.__new__(cls, text)
        made._value_ = value
        return made


def test_a_member_of_an_enum_is_its_value_as_a_key_too() -> None:
    assert functions.to_plain(functions.to_struct({Size.SMALL: Size.SMALL})) == {"S": "S"}
