"""``functions.call_part``: a part that calls, for turns out of a store."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from support.apis import module
from toolwire import DescriptorError, JsonError, UsageError, functions, gemini, v1, v1beta1

make: Any = functions.call_part
read: Any = functions.calls


def test_the_part_is_of_the_api() -> None:
    part = functions.call_part("f", {"x": (1, None)}, thought_signature=b"\x00\xff")
    expected: Any = {"function_call": {"name": "f", "args": {"x": [1, None]}}}
    assert part == v1.Part(**expected, thought_signature=b"\x00\xff")
    other = functions.call_part("f", api="gemini", id="7")
    assert other == gemini.Part(function_call={"name": "f", "id": "7"})
    assert not other.function_call.HasField("args")
    assert functions.call_part("f", {}, api="v1beta1").function_call.HasField("args")


@pytest.mark.parametrize("api", ["v1", "v1beta1", "gemini"])
def test_what_was_called_reads_back(api: str) -> None:
    part = make("f", {"x": [1.5, {"y": 2}]}, api=api, thought_signature=b"s")
    (only,) = read(module(api).Content(parts=[part]))
    assert (only.name, only.args) == ("f", {"x": [1.5, {"y": 2}]})


@pytest.mark.parametrize("signature", ["", "c2ln", base64.b64encode(b"sig").decode()])
def test_a_signature_of_text_is_refused_with_a_hint(signature: str) -> None:
    with pytest.raises(
        UsageError, match=r"thought_signature: expected bytes, found text; .*b64dec"
    ):
        make("f", thought_signature=signature)


@pytest.mark.parametrize("signature", [None, 1, [1], bytearray(b"x"), memoryview(b"x")])
def test_a_signature_is_bytes_and_nothing_else(signature: object) -> None:
    with pytest.raises(UsageError, match="thought_signature: expected bytes, found "):
        make("f", thought_signature=signature)


def test_an_id_is_refused_where_calls_have_none() -> None:
    if "id" not in v1.FunctionCall.DESCRIPTOR.fields_by_name:
        with pytest.raises(UsageError, match="the function calls of v1 have no id: found '7'"):
            functions.call_part("f", id="7")
    assert functions.call_part("f", api="v1beta1", id="7").function_call.id == "7"


def test_arguments_are_an_object_of_json() -> None:
    with pytest.raises(JsonError, match="expected an object, found a list"):
        functions.call_part("f", [1])
    with pytest.raises(JsonError) as caught:
        functions.call_part("f", {"x": {"y": object()}})
    assert caught.value.path == '["x"]["y"]'


def test_an_api_without_calls_is_refused() -> None:
    with pytest.raises(DescriptorError, match="firebase has no function calls"):
        make("f", api="firebase")
    with pytest.raises(DescriptorError, match="unknown api 'v3'"):
        make("f", api="v3")


def test_a_restored_turn_is_the_one_that_was_received() -> None:
    received = v1beta1.Content(
        role="model",
        parts=[
            {"function_call": {"name": "f", "args": {"x": 1}, "id": "7"}, "thought_signature": b"s"}
        ],
    )
    (call,) = functions.calls(received)
    part = functions.call_part(
        call.name, call.args, api="v1beta1", id=call.id, thought_signature=b"s"
    )
    assert v1beta1.Content(role="model", parts=[part]) == received
