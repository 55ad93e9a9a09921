"""Plans: made once for a class, alive as long as the class, and able to contain themselves."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf.message_factory import GetMessageClass

from support.kinds import EXT_OLD, Kinds, Old, new_pool
from support.protos import PACKAGE
from toolwire import v1
from toolwire._json import from_dict, from_json, to_json
from toolwire._json._plans import plan_of

if TYPE_CHECKING:
    from collections.abc import Callable


def test_a_plan_is_made_once_for_a_class() -> None:
    plan = plan_of(Kinds)
    assert plan_of(Kinds) is plan
    assert plan_of(Old) is not plan
    assert (
        plan_of(GetMessageClass(new_pool().FindMessageTypeByName(f"{PACKAGE}.Kinds"))) is not plan
    )


def test_types_that_contain_themselves_have_one_plan() -> None:
    schema = plan_of(v1.Schema)
    items = schema.by_json_name["items"]
    properties = schema.by_json_name["properties"]
    assert items.find_message() is schema
    assert properties.value.find_message() is schema
    text = '{"items":{"properties":{"a":{"items":{"type":"STRING"}}}}}'
    assert to_json(from_json(v1.Schema, text)) == text


def test_fields_are_found_by_both_names_and_extensions_by_theirs() -> None:
    plan = plan_of(Old)
    assert plan.find("oneInt32") is plan.find("one_int32")
    extension = plan.find(f"[{EXT_OLD.full_name}]")
    assert extension is not None
    assert plan.extension(EXT_OLD) is extension
    assert plan.find("[no.such]") is plan.find("no") is None


def use_a_new_pool() -> weakref.ref[type[Any]]:
    cls = GetMessageClass(new_pool().FindMessageTypeByName(f"{PACKAGE}.Kinds"))
    text = '{"wkAny":{"@type":"x/toolwire.test.Old"},"children":[{"wkStruct":{"a":[1]}}]}'
    assert to_json(from_json(cls, text)) == text
    return weakref.ref(cls)


def test_plans_of_pools_that_are_gone_are_gone() -> None:
    classes = [use_a_new_pool() for _ in range(20)]
    gc.collect()
    assert [ref for ref in classes if ref() is not None] == []


PLACES: list[Callable[[object], dict[str, Any]]] = [
    lambda inner: {"wkStruct": inner},
    lambda inner: {"wksStruct": [{}, inner]},
    lambda inner: {"byString": {"a": "b"}, "wkmStruct": {"k": inner}},
    lambda inner: {"child": {"oneInt32": 1, "allInt32": [1, 2], "wkStruct": inner}},
    lambda inner: {"children": [{}, {"wkValue": inner}]},
]


@pytest.mark.parametrize("place", PLACES)
def test_what_protobuf_cannot_copy_is_filled_in(place: Callable[[object], dict[str, Any]]) -> None:
    """An instance that is deeper than protobuf's binary reader goes."""
    inner: dict[str, object] = {"last": 1}
    for _ in range(60):
        inner = {"a": inner}
    message = from_dict(Kinds, place(inner), max_depth=400)
    shallow = from_dict(Kinds, place({}), max_depth=400)
    assert [field.name for field, _ in message.ListFields()] == [
        field.name for field, _ in shallow.ListFields()
    ]
    assert message.ByteSize() > shallow.ByteSize() + 60 * 6
