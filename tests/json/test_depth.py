"""Depth: counted in levels of messages, as protobuf's binary reader counts them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf import struct_pb2

from support.kinds import EXT_OLD, Kinds, Old
from toolwire import v1
from toolwire._errors import DecodeError, JsonError
from toolwire._json import from_binary, from_dict, from_json, to_dict, to_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from google.protobuf.message import Message

TOO_DEEP = "nested deeper than 100 levels of messages"


def nest(wrap: Callable[[Any], object], levels: int, innermost: object) -> object:
    for _ in range(levels):
        innermost = wrap(innermost)
    return innermost


# The class, how a level is wrapped, how many levels of messages it costs, and the innermost value
# with what it costs.
SHAPES: dict[str, tuple[type[Message], Callable[[Any], object], int, object, int]] = {
    "field": (Kinds, lambda inner: {"child": inner}, 1, {}, 0),
    "field-then-map": (Kinds, lambda inner: {"child": inner}, 1, {"byString": {"a": "b"}}, 1),
    "field-then-list": (Kinds, lambda inner: {"child": inner}, 1, {"allInt32": [1]}, 0),
    "field-then-wrapper": (Kinds, lambda inner: {"child": inner}, 1, {"wkInt64value": "1"}, 1),
    "field-then-struct": (Kinds, lambda inner: {"child": inner}, 1, {"wkStruct": {}}, 1),
    "field-then-time": (Kinds, lambda inner: {"child": inner}, 1, {"wkDuration": "1s"}, 1),
    "list": (Kinds, lambda inner: {"children": [{"oneInt32": 1}, inner]}, 1, {}, 0),
    "map": (Kinds, lambda inner: {"childrenByName": {"a": inner}}, 2, {}, 0),
    "struct-object": (struct_pb2.Struct, lambda inner: {"a": inner}, 3, {}, 0),
    "struct-scalar": (struct_pb2.Struct, lambda inner: {"a": inner}, 3, {"a": 1}, 2),
    "value-list": (struct_pb2.Value, lambda inner: [inner], 2, 1, 0),
    "value-empty-list": (struct_pb2.Value, lambda inner: [inner], 2, [], 1),
    "value-object": (struct_pb2.Value, lambda inner: {"a": inner}, 3, {}, 1),
    "list-value": (struct_pb2.ListValue, lambda inner: [inner], 2, [], 0),
    "list-value-scalar": (struct_pb2.ListValue, lambda inner: [inner], 2, [1], 1),
    "schema": (v1.Schema, lambda inner: {"items": {"properties": {"a": inner}}}, 3, {}, 0),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_read_can_be_sent_and_what_is_deeper_is_refused(shape: str) -> None:
    cls, wrap, cost, innermost, last = SHAPES[shape]
    most = (100 - last) // cost
    tree = nest(wrap, most, innermost)
    message = from_json(cls, json.dumps(tree))
    assert from_binary(cls, message.SerializeToString()) == message
    assert json.loads(to_json(message)) == tree
    assert from_dict(cls, tree) == message  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    deeper = nest(wrap, most + 1, innermost)
    with pytest.raises(JsonError, match=TOO_DEEP):
        from_json(cls, json.dumps(deeper))
    by_force = from_json(cls, json.dumps(deeper), max_depth=200)
    with pytest.raises(DecodeError):
        from_binary(cls, by_force.SerializeToString())
    with pytest.raises(JsonError, match=TOO_DEEP):
        to_json(by_force)


@pytest.mark.parametrize("max_depth", [0, 1, 2, 5])
def test_the_limit_can_be_lower(max_depth: int) -> None:
    fits = nest(lambda inner: {"child": inner}, max_depth, {})
    message = from_json(Kinds, json.dumps(fits), max_depth=max_depth)
    assert to_dict(message) == fits
    with pytest.raises(JsonError, match=f"nested deeper than {max_depth} levels") as caught:
        from_json(Kinds, json.dumps({"child": fits}), max_depth=max_depth)
    assert caught.value.path == ".".join(["child"] * (max_depth + 1))


def test_the_content_of_an_any_counts() -> None:
    def wrap(inner: Any) -> object:
        return {"wkAny": {"@type": "x/toolwire.test.Kinds", **inner}}

    assert to_dict(from_json(Kinds, json.dumps(nest(wrap, 50, {}))))
    with pytest.raises(JsonError, match=TOO_DEEP):
        from_json(Kinds, json.dumps(nest(wrap, 51, {})))


def deep_message(levels: int) -> Any:
    message = Kinds()
    inner = message
    for _ in range(levels):
        inner = inner.child
    inner.SetInParent()
    return message


@pytest.mark.parametrize("levels", [101, 5_000, 200_000])
def test_a_message_nested_too_deeply_is_not_written(levels: int) -> None:
    message = deep_message(levels)
    for write in (to_json, to_dict):
        with pytest.raises(JsonError, match=TOO_DEEP):
            write(message)


@pytest.mark.parametrize("levels", [100, 5_000, 200_000])
def test_a_message_nested_too_deeply_is_not_taken_as_a_value(levels: int) -> None:
    message = deep_message(levels)
    with pytest.raises(JsonError, match=TOO_DEEP) as caught:
        from_dict(Kinds, {"child": message})
    assert caught.value.path == "child"
    assert from_dict(Kinds, {"child": deep_message(99)}) == deep_message(100)


def test_a_value_counts_where_it_is_put() -> None:
    value = from_json(struct_pb2.Value, "[" * 50 + "]" * 50)
    with pytest.raises(JsonError, match=TOO_DEEP):
        from_dict(struct_pb2.Struct, {"a": value})
    assert from_dict(struct_pb2.Value, value) == value  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    old: Any = Old()
    old.Extensions[EXT_OLD].Extensions[EXT_OLD].SetInParent()
    with pytest.raises(JsonError, match="nested deeper than 1 levels"):
        from_dict(Old, old, max_depth=1)
    assert from_dict(Old, old, max_depth=2) == old
