"""The class of the turn, of the reply and of the Tool follow from what is given, for checkers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from toolwire import functions, gemini, v1, v1beta1
from toolwire_pb.google.protobuf.struct_pb2 import Struct, Value

if TYPE_CHECKING:
    from typing_extensions import assert_type


def add(a: int, b: int = 1) -> int:
    """Adds."""
    return a + b


async def wait(seconds: float) -> None:
    """Waits."""
    await asyncio.sleep(seconds)


def before(call: functions.Call) -> str | None:
    return None if call.name else "no name"


async def after(call: functions.Call, outcome: functions.Outcome) -> functions.Outcome | None:
    return outcome if call.args else None


def test_the_api_of_the_turn_is_that_of_the_reply() -> None:
    turn = v1.Content(parts=[functions.call_part("add", {"a": 1})])
    response = gemini.GenerateContentResponse(
        candidates=[{"content": {"parts": [functions.call_part("add", api="gemini")]}}]
    )
    candidate = v1beta1.Candidate(content={"parts": [functions.call_part("add", api="v1beta1")]})
    found = functions.calls(turn)
    other = functions.calls(response, tools=gemini.Tool(), keep_floats=True)
    replies = (
        functions.respond(turn, 1),
        functions.respond(other, ValueError("x")),
        functions.respond(candidate, functions.Result(1, name="add")),
    )
    if TYPE_CHECKING:
        assert_type(found, functions.Calls[v1.Content])
        assert_type(found.content, v1.Content | None)
        assert_type(found[0], functions.Call)
        assert_type(found[:1], tuple[functions.Call, ...])
        assert_type(found[0].args, dict[str, object])
        assert_type(other, functions.Calls[gemini.Content])
        assert_type(functions.calls(candidate), functions.Calls[v1beta1.Content])
        assert_type(replies, tuple[v1.Content, gemini.Content, v1beta1.Content])
        assert_type(functions.call_part("add", api="gemini"), gemini.Part)
    assert [type(reply) for reply in replies] == [v1.Content, gemini.Content, v1beta1.Content]


def test_the_api_of_a_toolbox_is_that_of_its_tool() -> None:
    box = functions.Toolbox([add, wait], timeout=5, threads=2, before=before, after=after)
    ready = gemini.FunctionDeclaration(name="plus", description="Adds.")
    other = functions.Toolbox([(ready, add)], api="gemini")
    outcomes = other.run(gemini.Content(parts=[{"function_call": {"name": "plus"}}]))
    again = asyncio.run(box.arun(v1.Content()))
    if TYPE_CHECKING:
        assert_type(box, functions.Toolbox[v1.Tool])
        assert_type(box.tool, v1.Tool)
        assert_type(other.tool, gemini.Tool)
        assert_type(outcomes, list[functions.Outcome])
        assert_type(again, list[functions.Outcome])
        assert_type(outcomes[0].error, Exception | None)
    assert [type(each.tool) for each in (box, other)] == [v1.Tool, gemini.Tool]
    assert (len(outcomes), again) == (1, [])


def test_structs_are_of_the_classes_inside_the_messages() -> None:
    struct, value = functions.to_struct({"a": (1,)}), functions.to_value({1, 2})
    if TYPE_CHECKING:
        assert_type(struct, Struct)
        assert_type(value, Value)
        assert_type(functions.to_plain(struct), object)
    call = v1.FunctionCall(name="f", args=struct)
    call.args.fields["b"].CopyFrom(value)
    assert functions.to_plain(call.args) == {"a": [1], "b": [1, 2]}
