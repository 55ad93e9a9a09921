"""Dicts: the JSON shape with Python's own values, and Python's values read back."""

from __future__ import annotations

import collections
import datetime
import enum
import math
import types
from decimal import Decimal
from typing import Any

import pytest
from google.protobuf import struct_pb2, timestamp_pb2, wrappers_pb2
from google.protobuf.message import Message

from support.kinds import Kinds, Needs, Old
from toolwire import v1
from toolwire._errors import JsonError
from toolwire._json import from_dict, from_json, to_dict, to_json

UTC = datetime.timezone.utc


class Level(enum.IntEnum):
    HIGH = 2


class Word(str, enum.Enum):
    RED = "RED"


def test_a_dict_keeps_ints_floats_and_on_request_bytes() -> None:
    message = Kinds(
        one_int64=2**63 - 1,
        one_double=math.inf,
        one_float=0.1,
        one_bytes=b"\xff",
        by_int64={1: "x"},
        wk_uint64value={"value": 5},
        wk_bytesvalue={"value": b"a"},
    )
    expected = {
        "oneInt64": 2**63 - 1,
        "oneFloat": 0.1,
        "oneDouble": math.inf,
        "oneBytes": "/w==",
        "byInt64": {"1": "x"},
        "wkBytesvalue": "YQ==",
        "wkUint64value": 5,
    }
    assert to_dict(message) == expected
    raw = to_dict(message, raw_bytes=True)
    assert raw == expected | {"oneBytes": b"\xff", "wkBytesvalue": b"a"}
    assert from_dict(Kinds, raw) == from_dict(Kinds, expected) == message
    nan = to_dict(Kinds(one_double=math.nan))["oneDouble"]
    assert isinstance(nan, float)
    assert math.isnan(nan)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        pytest.param({"one_int32": 1, "oneInt64": 2}, '"oneInt32":1,"oneInt64":"2"', id="names"),
        pytest.param({"oneBytes": bytearray(b"a")}, '"oneBytes":"YQ=="', id="bytearray"),
        pytest.param({"oneBytes": memoryview(b"a")}, '"oneBytes":"YQ=="', id="memoryview"),
        pytest.param({"oneBytes": "YQ"}, '"oneBytes":"YQ=="', id="base64"),
        pytest.param({"oneDouble": math.nan}, '"oneDouble":"NaN"', id="nan"),
        pytest.param({"oneFloat": -math.inf}, '"oneFloat":"-Infinity"', id="infinity"),
        pytest.param({"oneDouble": 2**60}, '"oneDouble":1.152921504606847e+18', id="int-as-double"),
        pytest.param({"oneInt32": Level.HIGH}, '"oneInt32":2', id="int-enum"),
        pytest.param({"color": Level.HIGH}, '"color":"DARK_GREEN"', id="int-enum-as-enum"),
        pytest.param({"color": Word.RED}, '"color":"RED"', id="str-enum-as-enum"),
        pytest.param({"oneString": Word.RED}, '"oneString":"RED"', id="str-enum"),
        pytest.param({"allInt32": (1, 2)}, '"allInt32":[1,2]', id="tuple"),
        pytest.param({"allInt32": range(2)}, '"allInt32":[0,1]', id="range"),
        pytest.param({"allInt32": Kinds(all_int32=[7]).all_int32}, '"allInt32":[7]', id="repeated"),
        pytest.param({"byInt32": {1: "a", "2": "b"}}, '"byInt32":{"1":"a","2":"b"}', id="int-keys"),
        pytest.param({"byBool": {True: "a"}}, '"byBool":{"true":"a"}', id="bool-keys"),
        pytest.param({"oneInt32": None, "child": None}, "", id="none"),
        pytest.param(
            {"wkTimestamp": datetime.datetime(2024, 1, 2, 3, 4, 5, 6000, UTC)},
            '"wkTimestamp":"2024-01-02T03:04:05.006Z"',
            id="datetime",
        ),
        pytest.param(
            {"wkTimestamp": datetime.datetime(2024, 1, 2)},  # noqa: DTZ001
            '"wkTimestamp":"2024-01-02T00:00:00Z"',
            id="naive-datetime-is-utc",
        ),
        pytest.param(
            {"wkDuration": datetime.timedelta(seconds=-1, microseconds=-500)},
            '"wkDuration":"-1.000500s"',
            id="timedelta",
        ),
        pytest.param({"wkStruct": {"a": (1, [None])}}, '"wkStruct":{"a":[1,[null]]}', id="struct"),
        pytest.param({"wkValue": 1.5}, '"wkValue":1.5', id="value"),
        pytest.param({"wkValue": None}, '"wkValue":null', id="null-value"),
        pytest.param({"wkListvalue": ({"": 1},)}, '"wkListvalue":[{"":1}]', id="list-value"),
        pytest.param(
            types.MappingProxyType({"child": collections.UserDict(oneInt32=1)}),
            '"child":{"oneInt32":1}',
            id="mappings",
        ),
    ],
)
def test_python_values_are_read(fields: Any, text: str) -> None:
    assert to_json(from_dict(Kinds, fields)) == f"{{{text}}}"


@pytest.mark.parametrize(
    ("fields", "path", "reason"),
    [
        pytest.param({1: 2}, "", "expected a string as field name, found the number 1", id="key"),
        pytest.param({"oneInt32": Decimal(1)}, "oneInt32", "found a Python Decimal", id="decimal"),
        pytest.param({"oneInt32": b"1"}, "oneInt32", "found bytes", id="bytes-as-int"),
        pytest.param({"oneInt32": math.nan}, "oneInt32", "found the number nan", id="nan-as-int"),
        pytest.param({"oneInt32": 10**5000}, "oneInt32", "of about 4983 digits", id="huge"),
        pytest.param({"oneDouble": 10**400}, "oneDouble", "expected a number", id="huge-double"),
        pytest.param({"oneString": b"x"}, "oneString", "expected a string", id="bytes-as-text"),
        pytest.param({"oneString": "\ud800"}, "oneString", "lone surrogate", id="surrogate"),
        pytest.param({"allInt32": {1}}, "allInt32", "found a Python set", id="set"),
        pytest.param({"allInt32": iter([1])}, "allInt32", "expected a list", id="iterator"),
        pytest.param({"allString": "ab"}, "allString", "expected a list", id="text-as-list"),
        pytest.param({"byInt32": [1]}, "byInt32", "expected an object", id="list-as-map"),
        pytest.param({"byInt32": {1: "a", "1": "b"}}, 'byInt32["1"]', "duplicate key", id="twice"),
        pytest.param({"byInt32": {True: "a"}}, "byInt32", "whole number", id="bool-as-int-key"),
        pytest.param({"byBool": {1: "a"}}, "byBool", "found int", id="int-as-bool-key"),
        pytest.param({"byString": {1: "a"}}, "byString", "expected a string", id="int-as-text-key"),
        pytest.param({"color": True}, "color", "found true", id="bool-as-enum"),
        pytest.param({"wkStruct": {1: 2}}, "wkStruct", "a string as key", id="int-key-in-struct"),
        pytest.param(
            {"wkStruct": {"a": [2**53 + 1]}}, 'wkStruct["a"][0]', "holds exactly", id="inexact"
        ),
        pytest.param({"wkValue": 10**400}, "wkValue", "holds exactly", id="huge-value"),
        pytest.param({"wkValue": math.inf}, "wkValue", "a finite number", id="infinite-value"),
        pytest.param({"wkValue": b"x"}, "wkValue", "expected a JSON value", id="bytes-value"),
        pytest.param({"wkValue": {1, 2}}, "wkValue", "expected a JSON value", id="set-value"),
        pytest.param(
            {"wkTimestamp": datetime.date(2024, 1, 1)}, "wkTimestamp", "a Python date", id="date"
        ),
        pytest.param(
            {"wkTimestamp": datetime.datetime.min.replace(
                tzinfo=datetime.timezone(datetime.timedelta(hours=14)))},
            "wkTimestamp", "years 1 to 9999", id="before-year-1",
        ),
        pytest.param(
            {"wkDuration": datetime.timedelta.max}, "wkDuration", "expected seconds", id="long"
        ),
        pytest.param({"wkTimestamp": {"seconds": 1}}, "wkTimestamp", "found an object", id="parts"),
        pytest.param(
            {"child": timestamp_pb2.Timestamp()},
            "child",
            "expected a toolwire.test.Kinds, found a google.protobuf.Timestamp message",
            id="other-message",
        ),
        pytest.param(
            {"wkValue": timestamp_pb2.Timestamp()}, "wkValue", "a JSON value", id="message-value"
        ),
        pytest.param({"oneInt32": Kinds()}, "oneInt32", "a toolwire.test.Kinds", id="message"),
        pytest.param({"child": Kinds}, "child", "object, found the class Kinds", id="class"),
    ],
)  # fmt: skip
def test_other_python_values_are_refused(fields: Any, path: str, reason: str) -> None:
    with pytest.raises(JsonError) as caught:
        from_dict(Kinds, fields)
    assert caught.value.path == path
    assert reason in caught.value.reason


def test_what_contains_itself_is_refused() -> None:
    loop: dict[str, object] = {}
    loop["wkStruct"] = loop["child"] = loop
    for key in ("wkStruct", "child"):
        with pytest.raises(JsonError, match="nested deeper than 100 levels of messages"):
            from_dict(Kinds, {key: loop[key]})


@pytest.mark.parametrize("mapping", [None, 1, "{}", [], b""])
def test_what_is_no_mapping_is_refused(mapping: Any) -> None:
    with pytest.raises(JsonError, match="expected an object, found"):
        from_dict(Kinds, mapping)


def test_messages_stand_for_message_fields_everywhere() -> None:
    child = Kinds(one_int32=1)
    struct = struct_pb2.Struct()
    struct.update({"a": [1]})
    made = from_dict(
        Kinds,
        {
            "child": child,
            "children": [child, {"oneInt32": 2}],
            "childrenByName": {"x": child},
            "wkStruct": {"inner": struct, "list": struct["a"], "value": struct.fields["a"]},
            "wkValue": struct,
            "wksValue": [struct["a"], struct.fields["a"], struct],
        },
    )
    assert to_dict(made) == {
        "wkStruct": {"inner": {"a": [1]}, "list": [1], "value": [1]},
        "wkValue": {"a": [1]},
        "wksValue": [[1], [1], {"a": [1]}],
        "child": {"oneInt32": 1},
        "children": [{"oneInt32": 1}, {"oneInt32": 2}],
        "childrenByName": {"x": {"oneInt32": 1}},
    }
    child.one_int32 = 9
    assert "9" not in to_json(made)


def test_a_container_of_messages_stands_for_its_field() -> None:
    tool = v1.Tool(function_declarations=[v1.FunctionDeclaration(name="f")])
    schema = v1.Schema(properties={"a": v1.Schema(type="STRING")})
    again = from_dict(v1.Tool, {"functionDeclarations": tool.function_declarations})
    assert again == tool
    assert from_dict(v1.Schema, {"properties": schema.properties}) == schema
    assert from_dict(v1.Tool, tool) == tool  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def test_a_message_that_lacks_a_required_field_is_refused() -> None:
    with pytest.raises(JsonError, match="that lacks a required field") as caught:
        from_dict(Old, {"allNeeds": [Needs(id_number=1), Needs()]})
    assert caught.value.path == "allNeeds[1]"


def test_the_caller_keeps_what_was_given() -> None:
    given = {"wkAny": {"@type": "x/toolwire.test.Kinds", "child": {"oneInt32": 1}}}
    from_dict(Kinds, given)
    assert given == {"wkAny": {"@type": "x/toolwire.test.Kinds", "child": {"oneInt32": 1}}}


def test_numbers_of_a_struct_are_ints_where_they_are_whole_and_exact() -> None:
    made = to_dict(
        from_json(struct_pb2.Struct, '{"a":12345678901234567890,"b":1.0,"c":-0,"d":1e2}')
    )
    assert made == {"a": 12345678901234567890.0, "b": 1, "c": 0, "d": 100}
    assert [type(value) for value in made.values()] == [float, int, float, int]


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_no_json_number_is_in_no_dict_of_a_value(number: float) -> None:
    message = struct_pb2.Struct()
    message.fields["a"].list_value.values.add().number_value = number
    with pytest.raises(JsonError, match="expected a finite number in a Value") as caught:
        to_dict(message)
    assert caught.value.path == '["a"][0]'


@pytest.mark.parametrize(
    "message",
    [timestamp_pb2.Timestamp(), struct_pb2.ListValue(), wrappers_pb2.Int64Value()],
    ids=lambda message: str(message.DESCRIPTOR.full_name),
)
def test_a_message_whose_json_is_no_object_has_no_dict(message: Message) -> None:
    with pytest.raises(JsonError, match="is no object; use to_json"):
        to_dict(message)


def test_text_stands_for_types_whose_json_is_text() -> None:
    stamp: Any = "1970-01-01T00:00:01Z"
    assert from_dict(timestamp_pb2.Timestamp, stamp) == timestamp_pb2.Timestamp(seconds=1)
    assert from_dict(struct_pb2.Value, stamp) == struct_pb2.Value(string_value=stamp)
