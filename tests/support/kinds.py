"""Messages with a field of every kind, in a pool of their own: proto3, proto2 and an edition."""

from __future__ import annotations

from typing import Any

from google.protobuf import (
    any_pb2,
    descriptor_pb2,
    duration_pb2,
    empty_pb2,
    field_mask_pb2,
    struct_pb2,
    timestamp_pb2,
    wrappers_pb2,
)
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass

from support.protos import PACKAGE, enum, extension, file, message

SCALARS = [
    *("int32", "int64", "uint32", "uint64", "sint32", "sint64"),
    *("fixed32", "fixed64", "sfixed32", "sfixed64"),
    *("float", "double", "bool", "string", "bytes"),
]
KEYS = [scalar for scalar in SCALARS if scalar not in {"float", "double", "bytes"}]
WRAPPERS = [
    *("BoolValue", "BytesValue", "DoubleValue", "FloatValue", "Int32Value", "Int64Value"),
    *("StringValue", "UInt32Value", "UInt64Value"),
]
WELL_KNOWN = [
    *("Any", "Timestamp", "Duration", "Struct", "Value", "ListValue", "FieldMask", "Empty"),
    *WRAPPERS,
]

_COLOR = enum("Color", COLOR_UNSPECIFIED=0, RED=1, CRIMSON=1, DARK_GREEN=2, NEGATIVE=-3)

_KINDS = message(
    "Kinds",
    *(f"{kind} one_{kind} = {number}" for number, kind in enumerate(SCALARS, 1)),
    *(f"optional {kind} maybe_{kind} = {number}" for number, kind in enumerate(SCALARS, 21)),
    *(f"repeated {kind} all_{kind} = {number}" for number, kind in enumerate(SCALARS, 41)),
    *(f"map<{kind}, string> by_{kind} = {number}" for number, kind in enumerate(KEYS, 61)),
    *(f"map<string, {kind}> map_{kind} = {number}" for number, kind in enumerate(SCALARS, 81)),
    *(
        f"message google.protobuf.{kind} wk_{kind.lower()} = {number}"
        for number, kind in enumerate(WELL_KNOWN, 101)
    ),
    *(
        f"repeated message google.protobuf.{kind} wks_{kind.lower()} = {number}"
        for number, kind in enumerate(WELL_KNOWN, 121)
    ),
    *(
        f"map<string, message google.protobuf.{kind}> wkm_{kind.lower()} = {number}"
        for number, kind in enumerate(WELL_KNOWN, 141)
    ),
    "enum Color color = 161",
    "optional enum Color maybe_color = 162",
    "repeated enum Color colors = 163",
    "map<string, enum Color> colors_by_name = 164",
    "message Kinds child = 165",
    "repeated message Kinds children = 166",
    "map<string, message Kinds> children_by_name = 167",
    "map<int32, message Kinds> children_by_number = 168",
    "oneof:choice string choice_string = 171",
    "oneof:choice int32 choice_int32 = 172",
    "oneof:choice bool choice_bool = 173",
    "oneof:choice enum Color choice_color = 174",
    "oneof:choice message Kinds choice_child = 175",
    "oneof:choice enum google.protobuf.NullValue choice_null = 176",
    "oneof:choice message google.protobuf.Value choice_value = 177",
    "oneof:choice message google.protobuf.Int64Value choice_wrapper = 178",
    "oneof:choice bytes choice_bytes = 179",
    "string renamed = 181 json=a-strange.name",
    "string _under__score_1 = 182",
    "string api_key = 183",
    "map<string, int32> secrets = 184",
    "enum google.protobuf.NullValue nothing = 185",
    "optional enum google.protobuf.NullValue maybe_nothing = 186",
)

_NULLS = message(
    "Nulls",
    "repeated enum google.protobuf.NullValue all = 1",
    "map<string, enum google.protobuf.NullValue> by_name = 2",
    "repeated message google.protobuf.Value values = 3",
)

_OLD = message(
    "Old",
    *(f"optional {kind} one_{kind} = {number}" for number, kind in enumerate(SCALARS, 1)),
    *(f"repeated {kind} all_{kind} = {number}" for number, kind in enumerate(SCALARS, 21)),
    message("Data", "optional int32 number = 1", proto3=False),
    message("Item", "optional string text = 1", proto3=False),
    "optional group toolwire.test.Old.Data data = 41",
    "repeated group toolwire.test.Old.Item item = 42",
    "optional int32 with_default = 43 default=7",
    "optional enum Closed closed = 44",
    "repeated enum Closed all_closed = 45",
    "map<string, enum Closed> closed_by_name = 46",
    "optional message Needs needs = 47",
    "repeated message Needs all_needs = 48",
    proto3=False,
)
_OLD.extension_range.add(start=100, end=200)

_NEEDS = message("Needs", "required int32 id_number = 1", "optional string note = 2", proto3=False)

_OUTER = message("Outer", proto3=False)
_OUTER.extension.append(extension("Old", "optional string nested_text = 105"))

_EDITION = message(
    "Edition",
    "int32 explicit = 1",
    "implicit int32 implicit = 2",
    "legacy_required int32 needed = 3",
    "delimited message Edition part = 4",
    "enum Narrow narrow = 5",
    "implicit string text = 6",
    proto3=False,
)

_IMPORTS = tuple(
    f"google/protobuf/{name}.proto"
    for name in ("any", "duration", "empty", "field_mask", "struct", "timestamp", "wrappers")
)
_FILES = (
    file("toolwire/test/kinds.proto", _COLOR, _KINDS, _NULLS, imports=_IMPORTS),
    file(
        "toolwire/test/old.proto",
        enum("Closed", ZEROTH=0, FIRST=1, SECOND=2),
        _OLD,
        _NEEDS,
        _OUTER,
        extension("Old", "optional int64 ext_int64 = 101"),
        extension("Old", "repeated string ext_strings = 102"),
        extension("Old", "optional message Old ext_old = 103"),
        extension("Old", "optional enum Closed ext_closed = 104"),
        syntax="proto2",
    ),
    file(
        "toolwire/test/edition.proto",
        _EDITION,
        enum("Narrow", closed=True, NARROW=0, NARROWER=1),
        syntax="editions",
    ),
)


def new_pool() -> DescriptorPool:
    """Returns a pool with the files above and the well-known types, and nothing of the default."""
    pool = DescriptorPool()
    for module in (
        any_pb2,
        duration_pb2,
        empty_pb2,
        field_mask_pb2,
        struct_pb2,
        timestamp_pb2,
        wrappers_pb2,
        descriptor_pb2,
    ):
        pool.AddSerializedFile(module.DESCRIPTOR.serialized_pb)
    for proto in _FILES:
        pool.AddSerializedFile(proto.SerializeToString())
    return pool


POOL = new_pool()
Kinds: type[Any] = GetMessageClass(POOL.FindMessageTypeByName(f"{PACKAGE}.Kinds"))
Nulls: type[Any] = GetMessageClass(POOL.FindMessageTypeByName(f"{PACKAGE}.Nulls"))
Old: type[Any] = GetMessageClass(POOL.FindMessageTypeByName(f"{PACKAGE}.Old"))
Needs: type[Any] = GetMessageClass(POOL.FindMessageTypeByName(f"{PACKAGE}.Needs"))
Edition: type[Any] = GetMessageClass(POOL.FindMessageTypeByName(f"{PACKAGE}.Edition"))
Value: type[Any] = GetMessageClass(POOL.FindMessageTypeByName("google.protobuf.Value"))
Struct: type[Any] = GetMessageClass(POOL.FindMessageTypeByName("google.protobuf.Struct"))
ListValue: type[Any] = GetMessageClass(POOL.FindMessageTypeByName("google.protobuf.ListValue"))
EXT_INT64 = POOL.FindExtensionByName(f"{PACKAGE}.ext_int64")
EXT_STRINGS = POOL.FindExtensionByName(f"{PACKAGE}.ext_strings")
EXT_OLD = POOL.FindExtensionByName(f"{PACKAGE}.ext_old")
EXT_CLOSED = POOL.FindExtensionByName(f"{PACKAGE}.ext_closed")
EXT_NESTED = POOL.FindExtensionByName(f"{PACKAGE}.Outer.nested_text")
