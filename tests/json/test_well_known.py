"""Well-known types in their JSON forms, in a pool of their own and in the default one."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf import (
    any_pb2,
    api_pb2,
    duration_pb2,
    empty_pb2,
    field_mask_pb2,
    struct_pb2,
    timestamp_pb2,
    wrappers_pb2,
)
from google.protobuf.message import Message

from support.kinds import Kinds
from toolwire._errors import JsonError
from toolwire._json import from_json, to_dict, to_json

URL = "type.googleapis.com/google.protobuf"


@pytest.mark.parametrize(
    ("seconds", "nanos", "text"),
    [
        (0, 0, "1970-01-01T00:00:00Z"),
        (1, 500_000_000, "1970-01-01T00:00:01.500Z"),
        (1, 10_000_000, "1970-01-01T00:00:01.010Z"),
        (1, 1_000, "1970-01-01T00:00:01.000001Z"),
        (1, 1, "1970-01-01T00:00:01.000000001Z"),
        (-1, 999_999_999, "1969-12-31T23:59:59.999999999Z"),
        (-62_135_596_800, 0, "0001-01-01T00:00:00Z"),
        (253_402_300_799, 999_999_999, "9999-12-31T23:59:59.999999999Z"),
        (951_782_400, 0, "2000-02-29T00:00:00Z"),
    ],
)
def test_timestamps_have_the_digits_they_need(seconds: int, nanos: int, text: str) -> None:
    message = timestamp_pb2.Timestamp(seconds=seconds, nanos=nanos)
    assert to_json(message) == f'"{text}"'
    assert from_json(timestamp_pb2.Timestamp, f'"{text}"') == message


@pytest.mark.parametrize(
    ("text", "seconds", "nanos"),
    [
        ("1970-01-01T01:30:00+01:30", 0, 0),
        ("1969-12-31T16:00:00-08:00", 0, 0),
        ("1970-01-01T00:00:00+00:00", 0, 0),
        ("1970-01-01T00:00:00.1Z", 0, 100_000_000),
        ("1970-01-01T00:00:00.123456789-23:59", 86_340, 123_456_789),
        ("0001-01-01T01:00:00+01:00", -62_135_596_800, 0),
    ],
)
def test_timestamps_are_read_with_offset_and_any_digits(
    text: str, seconds: int, nanos: int
) -> None:
    message = from_json(timestamp_pb2.Timestamp, f'"{text}"')
    assert (message.seconds, message.nanos) == (seconds, nanos)


@pytest.mark.parametrize(
    "text",
    [
        *('"1970-01-01t00:00:00Z"', '"1970-01-01T00:00:00z"', '"1970-01-01 00:00:00Z"'),
        *('"1970-01-01T00:00:00"', '"1970-01-01T00:00Z"', '"1970-01-01"', '"1970-1-1T00:00:00Z"'),
        *('"1970-01-01T00:00:00.Z"', '"1970-01-01T00:00:00.1234567890Z"'),
        *('"1970-01-01T00:00:00+24:00"', '"1970-01-01T00:00:00+1:00"', '"1970-01-01T00:00:00+01"'),
        *('"1970-02-30T00:00:00Z"', '"1970-01-01T24:00:00Z"', '"1970-01-01T00:00:60Z"'),
        *('"0000-01-01T00:00:00Z"', '"0001-01-01T00:00:00+00:01"', '"9999-12-31T23:59:59-00:01"'),
        *('"1970-01-01T00:00:00Z "', '"\u0661970-01-01T00:00:00Z"', '""', "0", "{}", "null"),
    ],
)
def test_what_is_no_timestamp_is_refused(text: str) -> None:
    with pytest.raises(JsonError, match="expected a time of the years 1 to 9999 such as"):
        from_json(timestamp_pb2.Timestamp, text)


@pytest.mark.parametrize(
    ("seconds", "nanos", "text"),
    [
        (0, 0, "0s"),
        (3, 0, "3s"),
        (3, 500_000_000, "3.500s"),
        (1, 340_012, "1.000340012s"),
        (0, 1_000, "0.000001s"),
        (0, -500_000_000, "-0.500s"),
        (-3, -100_000_000, "-3.100s"),
        (315_576_000_000, 999_999_999, "315576000000.999999999s"),
        (-315_576_000_000, -999_999_999, "-315576000000.999999999s"),
    ],
)
def test_durations_have_the_digits_they_need(seconds: int, nanos: int, text: str) -> None:
    message = duration_pb2.Duration(seconds=seconds, nanos=nanos)
    assert to_json(message) == f'"{text}"'
    assert from_json(duration_pb2.Duration, f'"{text}"') == message


@pytest.mark.parametrize(
    "text",
    [
        *('"1"', '"s"', '".5s"', '"1.s"', '"+1s"', '" 1s"', '"1 s"', '"1S"', '"1e3s"', '"--1s"'),
        *('"1.1234567890s"', '"315576000001s"', '"-315576000001s"', '"\u0661s"', '""', "1", "{}"),
    ],
)
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(JsonError, match="expected seconds up to 315576000000 such as"):
        from_json(duration_pb2.Duration, text)


@pytest.mark.parametrize(
    "message",
    [
        timestamp_pb2.Timestamp(seconds=-62_135_596_801),
        timestamp_pb2.Timestamp(seconds=253_402_300_800),
        timestamp_pb2.Timestamp(nanos=-1),
        timestamp_pb2.Timestamp(nanos=1_000_000_000),
        duration_pb2.Duration(seconds=315_576_000_001),
        duration_pb2.Duration(nanos=1_000_000_000),
        duration_pb2.Duration(seconds=1, nanos=-1),
        duration_pb2.Duration(seconds=-1, nanos=1),
    ],
    ids=repr,
)
def test_times_out_of_range_are_not_written(message: Message) -> None:
    with pytest.raises(JsonError, match="nanoseconds"):
        to_json(message)


@pytest.mark.parametrize(
    ("paths", "text"),
    [
        ([], ""),
        (["name"], "name"),
        (["display_name", "tools.function_declarations"], "displayName,tools.functionDeclarations"),
        (["a_b_c", "_leading"], "aBC,Leading"),
    ],
)
def test_field_masks_are_camel_case(paths: list[str], text: str) -> None:
    message = field_mask_pb2.FieldMask(paths=paths)
    assert to_json(message) == f'"{text}"'
    assert from_json(field_mask_pb2.FieldMask, f'"{text}"') == message


@pytest.mark.parametrize("path", ["Name", "x_1", "a__b", "a_", "a_B", "a,b", ""])
def test_a_path_that_would_not_come_back_is_not_written(path: str) -> None:
    with pytest.raises(JsonError, match="has no form in JSON that reads back"):
        to_json(field_mask_pb2.FieldMask(paths=["fine", path]))


@pytest.mark.parametrize("text", ['"a_b"', '"a,"', '","', '"a,,b"', "1", "[]"])
def test_what_is_no_field_mask_is_refused(text: str) -> None:
    with pytest.raises(JsonError, match="expected"):
        from_json(field_mask_pb2.FieldMask, text)


@pytest.mark.parametrize(
    ("cls", "value", "text"),
    [
        (wrappers_pb2.BoolValue, False, "false"),
        (wrappers_pb2.Int32Value, -1, "-1"),
        (wrappers_pb2.UInt32Value, 1, "1"),
        (wrappers_pb2.Int64Value, 0, '"0"'),
        (wrappers_pb2.UInt64Value, 2**64 - 1, '"18446744073709551615"'),
        (wrappers_pb2.FloatValue, 0.1, "0.1"),
        (wrappers_pb2.DoubleValue, float("inf"), '"Infinity"'),
        (wrappers_pb2.StringValue, "", '""'),
        (wrappers_pb2.BytesValue, b"\xff", '"/w=="'),
    ],
)
def test_wrappers_are_the_value_they_wrap(cls: Any, value: object, text: str) -> None:
    assert to_json(cls(value=value)) == text
    assert from_json(cls, text) == cls(value=value)
    with pytest.raises(JsonError):
        from_json(cls, "null")
    with pytest.raises(JsonError):
        from_json(cls, '{"value": 1}')


@pytest.mark.parametrize(
    "text",
    [
        *('{"a":null}', '{"a":{}}', '{"a":[]}', '{"a":""}', "{}", '{"":{"":[{}]}}'),
        *('{"a":3}', '{"a":-3}', '{"a":0}', '{"a":-0.0}', '{"a":0.1}', '{"a":1e+300}'),
        *('{"a":9007199254740992}', '{"a":-9007199254740992}', '{"a":9007199254740994.0}'),
        *('{"a":true,"b":false}', '{"a":"NaN"}', '{"fields":{}}', '{"a":[1,[2,[null]]]}'),
    ],
)
def test_a_struct_is_any_object_and_keeps_what_json_tells_apart(text: str) -> None:
    assert to_json(from_json(struct_pb2.Struct, text)) == text
    assert to_json(from_json(Kinds, f'{{"wkStruct":{text}}}')) == f'{{"wkStruct":{text}}}'
    assert to_json(from_json(struct_pb2.Value, text)) == text
    assert to_json(from_json(struct_pb2.ListValue, f"[{text}]")) == f"[{text}]"


def test_numbers_in_a_struct_are_doubles() -> None:
    text = '{"a":12345678901234567890,"b":1.0,"c":-0,"d":1e2}'
    struct = from_json(struct_pb2.Struct, text)
    assert to_json(struct) == '{"a":1.2345678901234567e+19,"b":1,"c":-0.0,"d":100}'
    assert to_dict(struct) == {"a": 12345678901234567890.0, "b": 1, "c": 0, "d": 100}
    assert [type(value) for value in to_dict(struct).values()] == [float, int, float, int]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_a_number_that_is_no_json_number_is_not_written_in_a_value(number: float) -> None:
    message = struct_pb2.Struct()
    message.fields["a"].list_value.values.add().number_value = number
    for write in (to_json, to_dict):
        with pytest.raises(JsonError, match="expected a finite number in a Value") as caught:
            write(message)
        assert caught.value.path == '["a"][0]'


def test_a_value_with_nothing_set_is_null() -> None:
    assert to_json(struct_pb2.Value()) == "null"


@pytest.mark.parametrize(
    ("cls", "text"),
    [
        (struct_pb2.Struct, "[]"),
        (struct_pb2.Struct, "null"),
        (struct_pb2.Struct, '"a"'),
        (struct_pb2.ListValue, "{}"),
        (struct_pb2.ListValue, "null"),
        (empty_pb2.Empty, "null"),
        (empty_pb2.Empty, "[]"),
        (empty_pb2.Empty, '{"a":1}'),
    ],
)
def test_the_wrong_kind_of_json_is_refused(cls: type[Message], text: str) -> None:
    with pytest.raises(JsonError):
        from_json(cls, text)


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        f'{{"@type":"{URL}.Duration","value":"3.100s"}}',
        f'{{"@type":"{URL}.Struct","value":{{"value":1}}}}',
        f'{{"@type":"{URL}.Value","value":null}}',
        f'{{"@type":"{URL}.Int64Value","value":"0"}}',
        f'{{"@type":"{URL}.Empty"}}',
        f'{{"@type":"{URL}.Any","value":{{"@type":"{URL}.Empty"}}}}',
        '{"@type":"a/b/toolwire.test.Kinds","oneInt32":1,"color":"RED"}',
        f'{{"@type":"/toolwire.test.Kinds","wkAny":{{"@type":"{URL}.FieldMask","value":"aB"}}}}',
    ],
)
def test_any_is_the_json_of_its_content_with_the_type(text: str) -> None:
    """ProtoJSON specification, "Any"; ``Empty`` has no "value"."""
    message = from_json(Kinds, f'{{"wkAny":{text}}}')
    assert to_json(message) == f'{{"wkAny":{text}}}'


def test_any_is_read_with_its_type_last() -> None:
    text = '{"oneInt32": 1, "@type": "x/toolwire.test.Kinds"}'
    message = from_json(Kinds, f'{{"wkAny": {text}}}')
    assert to_dict(message) == {"wkAny": {"@type": "x/toolwire.test.Kinds", "oneInt32": 1}}


def test_an_empty_in_an_any_is_read_with_the_value_of_older_codecs() -> None:
    message = from_json(any_pb2.Any, f'{{"@type":"{URL}.Empty","value":{{}}}}')
    assert to_json(message) == f'{{"@type":"{URL}.Empty"}}'


def test_any_finds_types_in_its_own_pool_then_in_the_default_one() -> None:
    only_in_default = api_pb2.Api(name="x")
    text = f'{{"@type":"{URL}.Api","name":"x"}}'
    message: Any = from_json(Kinds, f'{{"wkAny":{text}}}')
    assert message.wk_any.value == only_in_default.SerializeToString()
    assert to_json(message.wk_any) == text
    with pytest.raises(JsonError, match='unknown message type "toolwire'):
        from_json(any_pb2.Any, '{"@type":"x/toolwire.test.Kinds"}')


@pytest.mark.parametrize(
    ("text", "reason", "path"),
    [
        ('{"value":1}', 'an Any without "@type"', "wkAny"),
        ('{"@type":1}', "expected a type URL such as", "wkAny.@type"),
        ('{"@type":""}', "expected a type URL such as", "wkAny.@type"),
        (f'{{"@type":"{URL[20:]}.Empty"}}', "expected a type URL such as", "wkAny.@type"),
        ('{"@type":"x/no.Such"}', 'unknown message type "no.Such"', "wkAny.@type"),
        (f'{{"@type":"{URL}.Duration"}}', 'but without "value"', "wkAny"),
        (f'{{"@type":"{URL}.Duration","value":1}}', "expected seconds", "wkAny.value"),
        (f'{{"@type":"{URL}.Duration","value":"1s","a":1}}', 'unknown field "a"', "wkAny.a"),
        (f'{{"@type":"{URL}.Empty","value":{{"a":1}}}}', 'unknown field "value"', "wkAny.value"),
        ('{"@type":"x/toolwire.test.Kinds","a":1}', 'unknown field "a"', "wkAny.a"),
        ('{"@type":"x/toolwire.test.Needs"}', "required field is missing", "wkAny.idNumber"),
        ("[]", "expected an object, found a list", "wkAny"),
    ],
)
def test_what_is_no_any_is_refused(text: str, reason: str, path: str) -> None:
    with pytest.raises(JsonError) as caught:
        from_json(Kinds, f'{{"wkAny":{text}}}')
    assert reason in caught.value.reason
    assert caught.value.path.replace('["@type"]', ".@type") == path


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (any_pb2.Any(value=b"x"), "expected a type URL such as"),
        (any_pb2.Any(type_url="x/no.Such"), 'unknown message type "no.Such"'),
        (any_pb2.Any(type_url="google.protobuf.Empty"), "expected a type URL such as"),
        (any_pb2.Any(type_url="x/google.protobuf.Empty", value=b"\xff"), "not a valid google"),
    ],
)
def test_an_any_that_cannot_be_opened_is_not_written(message: Message, reason: str) -> None:
    with pytest.raises(JsonError, match=reason):
        to_json(message)


@pytest.mark.parametrize(
    "message",
    [timestamp_pb2.Timestamp(), struct_pb2.ListValue(), wrappers_pb2.Int64Value()],
    ids=lambda message: str(message.DESCRIPTOR.full_name),
)
def test_a_message_whose_json_is_no_object_has_no_dict(message: Message) -> None:
    with pytest.raises(JsonError, match="is no object; use to_json"):
        to_dict(message)
