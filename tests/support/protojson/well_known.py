"""Wrappers, FieldMask, Struct, Value, ListValue, NullValue and Empty."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from google.protobuf import empty_pb2, wrappers_pb2
from google.protobuf.field_mask_pb2 import FieldMask

from support.differences import Row
from support.kinds import Kinds, ListValue, Nulls, Struct, Value
from support.protojson.case import (
    Case,
    Rule,
    cannot_write,
    no_value,
    reads,
    refuses,
    value,
    writes,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

NULL = Value(null_value=0)


def number(of: float) -> Any:
    return Value(number_value=of)


def text(of: str) -> Any:
    return Value(string_value=of)


def cases() -> Iterator[Case]:
    """Yields the cases of these types."""
    yield from _wrappers()
    yield from _masks()
    yield from _values()
    yield from _numbers()
    yield from _structs()
    yield from _nulls()
    yield from _empties()


def _wrappers() -> Iterator[Case]:
    for message, written in (
        (wrappers_pb2.BoolValue(value=False), "false"),
        (wrappers_pb2.BoolValue(value=True), "true"),
        (wrappers_pb2.Int32Value(value=-1), "-1"),
        (wrappers_pb2.Int32Value(), "0"),
        (wrappers_pb2.UInt32Value(value=2**32 - 1), "4294967295"),
        (wrappers_pb2.Int64Value(value=-(2**63)), '"-9223372036854775808"'),
        (wrappers_pb2.UInt64Value(value=2**64 - 1), '"18446744073709551615"'),
        (wrappers_pb2.FloatValue(value=0.1), "0.1"),
        (wrappers_pb2.DoubleValue(value=math.inf), '"Infinity"'),
        (wrappers_pb2.DoubleValue(value=-0.0), "-0.0"),
        (wrappers_pb2.StringValue(), '""'),
        (wrappers_pb2.BytesValue(value=b"\xff"), '"/w=="'),
    ):
        yield reads(Rule.WELL_KNOWN, written, message)
    for given, message, written in (
        ('"1e2"', wrappers_pb2.Int32Value(value=100), "100"),
        ("1.0", wrappers_pb2.UInt64Value(value=1), '"1"'),
        ('"-1.5"', wrappers_pb2.DoubleValue(value=-1.5), "-1.5"),
        ('"_w"', wrappers_pb2.BytesValue(value=b"\xff"), '"/w=="'),
    ):
        yield reads(Rule.WELL_KNOWN, given, message, written)
    for cls, given, reason in (
        (wrappers_pb2.BoolValue, '"true"', "expected true or false"),
        (wrappers_pb2.Int32Value, "2147483648", "expected a whole number"),
        (wrappers_pb2.UInt64Value, "-1", "expected a whole number"),
        (wrappers_pb2.FloatValue, "1e39", "expected a number within 32-bit floats"),
        (wrappers_pb2.StringValue, "1", "expected a string"),
        (wrappers_pb2.BytesValue, '"Y"', "expected base64 text"),
    ):
        yield refuses(Rule.WELL_KNOWN, given, "", reason, cls=cls)
        yield refuses(Rule.NULL, "null", "", "expected", cls=cls)
        yield refuses(Rule.WELL_KNOWN, '{"value":1}', "", "expected", cls=cls)
    given = '{"wkInt64value":"0","wksStringvalue":["",""],"wkmBoolvalue":{"a":false}}'
    message = Kinds(
        wk_int64value={}, wks_stringvalue=[{}, {}], wkm_boolvalue={"a": {"value": False}}
    )
    yield reads(Rule.WELL_KNOWN, given, message)


def _masks() -> Iterator[Case]:
    for given, paths in {
        "": [],
        "name": ["name"],
        "displayName,tools.functionDeclarations": ["display_name", "tools.function_declarations"],
        "aBC,Leading": ["a_b_c", "_leading"],
        "a.bC.dE": ["a.b_c.d_e"],
        "x1,x1Y": ["x1", "x1_y"],
    }.items():
        yield reads(Rule.FIELD_MASK_PROTO, f'"{given}"', FieldMask(paths=paths))
    rule, reason = Rule.FIELD_MASK_PROTO, "expected a field name in camelCase"
    yield reads(rule, '"aÉ"', FieldMask(paths=["aÉ"]), differs=Row.CAPITALS)
    for given in ("a_b", "a_b,c", "aB,c_d"):
        yield refuses(rule, f'"{given}"', "", reason, cls=FieldMask)
    for given in ("a,", ",a", "a,,b", ","):
        yield refuses(rule, f'"{given}"', "", reason, cls=FieldMask, differs=Row.MASKS)
    reason = 'expected field names such as "name,displayName"'
    for given in ("1", "[]", '["a"]', "{}", '{"paths":["a"]}', "null"):
        yield refuses(Rule.WELL_KNOWN, given, "", reason, cls=FieldMask)
    reason = "has no form in JSON that reads back"
    for path in ("Name", "a__b", "a_", "a_B", "x_1"):
        mask = FieldMask(paths=["fine", path])
        yield cannot_write(rule, repr(path), mask, "", reason)
    for path in ("a,b", ""):
        mask = FieldMask(paths=["fine", path])
        yield cannot_write(rule, repr(path), mask, "", reason, differs=Row.MASKS)


def _values() -> Iterator[Case]:
    for given, message in {
        "null": NULL,
        "true": Value(bool_value=True),
        "false": Value(bool_value=False),
        '""': text(""),
        '"NaN"': text("NaN"),
        '"1"': text("1"),
        "[]": Value(list_value={}),
        "{}": Value(struct_value={}),
        "[null]": Value(list_value=ListValue(values=[NULL])),
        '{"a":null}': Value(struct_value=Struct(fields={"a": NULL})),
        "1.5": number(1.5),
    }.items():
        yield reads(Rule.STRUCT_PROTO, given, message)
        struct = Struct(fields={"a": message, "b": message})
        yield reads(Rule.STRUCT_PROTO, f'{{"a":{given},"b":{given}}}', struct)
        items = ListValue(values=[message, message])
        yield reads(Rule.STRUCT_PROTO, f"[{given},{given}]", items)
        given_in_field = f'{{"wkValue":{given},"wksValue":[{given}],"wkmValue":{{"a":{given}}}}}'
        in_field = Kinds(wk_value=message, wks_value=[message], wkm_value={"a": message})
        yield reads(Rule.STRUCT_PROTO, given_in_field, in_field)
    yield writes(Rule.STRUCT_PROTO, "with nothing set", Value(), "null")


def _numbers() -> Iterator[Case]:
    """All are doubles; whole ones are written without a fraction while they are exact."""
    rule = Rule.STRUCT_PROTO
    for given in ("0.1", "1e+300", "-0.0", "1e-07"):
        yield reads(rule, given, number(float(given)))
    whole = {"3": "3", "-3": "-3", "0": "0", "1.0": "1", "1e2": "100"}
    for given in ("9007199254740992", "9007199254740993"):
        whole[given] = "9007199254740992"
    for given, written in whole.items():
        yield reads(rule, given, number(float(given)), written, differs=Row.WHOLE_VALUES)
    long = {
        "9007199254740994": "9007199254740994.0",
        "12345678901234567890": "1.2345678901234567e+19",
    }
    for given, written in long.items():
        yield reads(rule, given, number(float(given)), written)
    yield reads(rule, "-0", number(-0.0), "-0.0", differs=Row.SMALL)
    for of in (math.nan, math.inf, -math.inf):
        reason = "expected a finite number in a Value"
        yield cannot_write(rule, str(of), number(of), "", reason)
        nested = Kinds(wk_struct=Struct(fields={"a": Value(list_value={"values": [number(of)]})}))
        yield cannot_write(rule, str(of), nested, 'wkStruct["a"][0]', reason)


def _structs() -> Iterator[Case]:
    for given in (
        "{}",
        '{"":{"":[{}]}}',
        '{"a":[1.5,[2.5,[null]]]}',
        '{"fields":{},"snake_case":""}',
    ):
        yield reads(Rule.STRUCT_PROTO, given, _struct(given))
    keys = '{"b":0.5,"B":0.5,"é":0.5,"a":0.5,"":0.5}'
    ordered = '{"":0.5,"B":0.5,"a":0.5,"b":0.5,"é":0.5}'
    yield reads(Rule.STRUCT_PROTO, keys, _struct(keys), ordered)
    for given in ("[]", '"a"', "1", "true"):
        yield refuses(Rule.WELL_KNOWN, given, "", "expected an object, found", cls=Struct)
    yield refuses(Rule.NULL, "null", "", "expected an object, found null", cls=Struct)
    for given in ("{}", '"a"', "1", "true", "null"):
        yield refuses(Rule.WELL_KNOWN, given, "", "expected a list, found", cls=ListValue)
    yield no_value(Rule.WELL_KNOWN, "wk_struct", "[]", "expected an object, found a list")
    yield no_value(Rule.WELL_KNOWN, "wk_listvalue", "{}", "expected a list, found an object")


def _struct(given: str) -> Any:
    message = Struct()
    message.update(json.loads(given))
    return message


def _nulls() -> Iterator[Case]:
    yield value(Rule.NULL, "maybe_nothing", "null", 0)
    yield value(Rule.NULL, "maybe_nothing", '"NULL_VALUE"', 0, "null")
    yield value(Rule.NULL, "maybe_nothing", "0", 0, "null")
    yield value(Rule.NULL, "maybe_nothing", "5", 5, differs=Row.NULL_NUMBER)
    yield reads(Rule.NULL, '{"nothing":null}', Kinds(), "{}", name="nothing: null")
    yield reads(Rule.NULL, '{"values":[null,1.5]}', Nulls(values=[NULL, number(1.5)]))
    yield reads(Rule.NULL, '{"values":null}', Nulls(), "{}", differs=Row.NULL_ITEMS)
    yield reads(
        Rule.NULL,
        '{"all":[null,"NULL_VALUE",0],"byName":{"a":null}}',
        Nulls(all=[0, 0, 0], by_name={"a": 0}),
        '{"all":[null,null,null],"byName":{"a":null}}',
        differs=Row.NULL_ITEMS,
    )
    reason = "is no value of google.protobuf.NullValue"
    yield no_value(Rule.WELL_KNOWN, "nothing", '"null"', reason)
    reason = "expected a value of google.protobuf.NullValue"
    yield no_value(Rule.WELL_KNOWN, "nothing", "false", reason, differs=Row.BOOLEANS)
    written = '{"all":[null],"byName":{},"values":[]}'
    yield writes(Rule.OPTIONS, "defaults", Nulls(all=[0]), written, include_defaults=True)


def _empties() -> Iterator[Case]:
    rule, empty = Rule.WELL_KNOWN, empty_pb2.Empty
    yield reads(rule, "{}", empty())
    message = Kinds(wk_empty={}, wks_empty=[{}, {}])
    yield reads(rule, '{"wkEmpty":{},"wksEmpty":[{},{}]}', message)
    yield refuses(rule, '{"a":1}', "a", 'unknown field "a"', cls=empty)
    yield reads(Rule.OPTIONS, '{"a":1}', empty(), "{}", lenient=True)
    reason = "expected an object, found"
    for given in ("null", "true", "1"):
        yield refuses(rule, given, "", reason, cls=empty)
    for given in ("[]", '""'):
        yield refuses(rule, given, "", reason, cls=empty, differs=Row.NO_OBJECT)
