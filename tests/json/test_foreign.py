"""Messages of other pools and proto-plus wrappers: the same name is the same message."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest
from google.protobuf import duration_pb2, struct_pb2, timestamp_pb2
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from support.kinds import Kinds, new_pool
from support.protos import PACKAGE
from toolwire import v1
from toolwire._errors import JsonError
from toolwire._json import from_dict, from_json, to_dict, to_json, to_json_bytes
from toolwire._messages import as_message, unwrap


class ProtoPlus:
    """Stands for a proto-plus wrapper, which keeps its message in ``_pb``."""

    def __init__(self, message: Message) -> None:
        self._pb = message


def foreign() -> type[Any]:
    return GetMessageClass(new_pool().FindMessageTypeByName(f"{PACKAGE}.Kinds"))


def test_a_message_of_any_pool_is_written_and_read() -> None:
    cls = foreign()
    text = '{"oneInt32":1,"color":"RED","wkStruct":{"a":[1]},"wkTimestamp":"2024-01-01T00:00:00Z"}'
    message = from_json(cls, text)
    assert isinstance(message, cls)
    assert not isinstance(message, Kinds)
    assert from_dict(cls, to_dict(message)) == message


def test_a_message_of_another_pool_stands_for_a_field() -> None:
    child = foreign()(one_int32=1, wk_struct={"a": [1]})
    child.MergeFromString(b"\xfa\x3f\x03new")
    message = from_dict(
        Kinds, {"child": child, "children": [child], "childrenByName": {"x": child}}
    )
    assert isinstance(message, Kinds)
    assert to_dict(message)["child"] == {"oneInt32": 1, "wkStruct": {"a": [1]}}
    assert message.child.SerializeToString() == child.SerializeToString()
    assert message.child == message.children[0] == message.children_by_name["x"]


def test_well_known_messages_of_the_default_pool_stand_for_ours() -> None:
    struct = struct_pb2.Struct()
    struct.update({"city": "Paris", "days": 3})
    call = from_dict(v1.FunctionCall, {"name": "f", "args": struct})
    assert to_json(call) == '{"name":"f","args":{"city":"Paris","days":3}}'
    made = from_dict(
        Kinds,
        {
            "wkTimestamp": timestamp_pb2.Timestamp(seconds=1),
            "wkDuration": duration_pb2.Duration(nanos=-1),
            "wkValue": struct.fields["days"],
        },
    )
    assert to_dict(made) == {
        "wkTimestamp": "1970-01-01T00:00:01Z",
        "wkDuration": "-0.000000001s",
        "wkValue": 3,
    }
    ours = call.args
    assert to_json(from_dict(struct_pb2.Struct, {"inner": ours})) == (
        '{"inner":{"city":"Paris","days":3}}'
    )


def test_a_proto_plus_wrapper_is_the_message_in_it() -> None:
    child = ProtoPlus(Kinds(one_int32=1))
    assert to_json(child) == '{"oneInt32":1}'
    assert to_json_bytes(child) == b'{"oneInt32":1}'
    assert to_dict(child) == {"oneInt32": 1}
    struct = ProtoPlus(from_json(struct_pb2.Struct, '{"a":1}'))
    made = from_dict(
        Kinds, {"child": child, "children": [child], "wkStruct": struct, "wkValue": struct}
    )
    assert to_json(made) == (
        '{"wkStruct":{"a":1},"wkValue":{"a":1},"child":{"oneInt32":1},"children":[{"oneInt32":1}]}'
    )
    with pytest.raises(JsonError, match=r"wkTimestamp: .* found a toolwire\.test\.Kinds message"):
        from_dict(Kinds, {"wkTimestamp": child})


def test_unwrapping_gives_the_plain_message_or_our_error() -> None:
    message = Kinds()
    assert unwrap(message) is message
    assert unwrap(ProtoPlus(message)) is message
    assert as_message({"_pb": message}) is None
    for wrong in (None, Kinds, ProtoPlus, "x", ProtoPlus("x")):  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
        assert as_message(wrong) is None
        with pytest.raises(JsonError, match="expected a protobuf message, found"):
            unwrap(wrong)


def test_no_foreign_pool_is_kept_alive() -> None:
    cls = foreign()
    message = from_json(cls, '{"child":{"oneInt32":1},"colors":["RED"]}')
    assert to_json(message)
    gone = weakref.ref(cls)
    del cls, message
    gc.collect()
    assert gone() is None
