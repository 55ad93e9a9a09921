"""``functions.calls``: the calls of a turn, as plain Python."""

from __future__ import annotations

import copy
import math
import pickle
from typing import Any

import pytest

from support.apis import foreign as foreign_api
from support.apis import module
from support.foreign import Wrapper, foreign
from toolwire import DescriptorError, JsonError, UsageError, functions, v1, v1beta1

read: Any = functions.calls

CALLING = ["v1", "v1beta1", "gemini"]
every_api = pytest.mark.parametrize("api", CALLING)

TAKEN = "a GenerateContentResponse, Candidate, Content or BidiGenerateContentServerMessage"
JOIN = "; join the chunks of a stream first, with toolwire.join_chunks"


def response(api: str, *parts: dict[str, Any], **candidate: Any) -> Any:
    content = {"role": "model", "parts": list(parts)}
    return module(api).GenerateContentResponse(candidates=[{"content": content, **candidate}])


def call(name: str, **args: Any) -> dict[str, Any]:
    return {"function_call": {"name": name, "args": args}}


@every_api
def test_the_calls_of_the_first_candidate_come_in_order(api: str) -> None:
    message = response(api, {"text": "One moment."}, call("a", x=1), {"text": ""}, call("b"))
    message.candidates.add(content={"parts": [call("never")]})
    found = read(message)
    assert [(c.name, c.args, c.position) for c in found] == [("a", {"x": 1}, 1), ("b", {}, 3)]
    assert [c.part for c in found] == [message.candidates[0].content.parts[i] for i in (1, 3)]
    assert len(found) == 2
    assert found[-1].name == "b"
    assert [c.name for c in found[:1]] == ["a"]


@every_api
def test_a_candidate_and_a_content_say_the_same_as_the_response(api: str) -> None:
    message = response(api, call("a", x=[1, {"y": None}]))
    whole = read(message)
    for part in (message.candidates[0], message.candidates[0].content):
        found = read(part)
        assert list(found) == list(whole)
        assert found.content == whole.content


def test_messages_of_other_pools_and_wrappers_are_read() -> None:
    other = foreign("GenerateContentResponse")(
        candidates=[{"content": {"parts": [{"function_call": {"name": "a", "args": {"x": 1}}}]}}]
    )
    for message in (other, Wrapper(other), Wrapper(other.candidates[0].content)):
        (only,) = read(message)
        assert (only.name, only.args) == ("a", {"x": 1})


def test_an_id_is_there_where_the_api_has_one() -> None:
    with_id = v1beta1.Content(parts=[{"function_call": {"name": "a", "id": "7"}}])
    assert read(with_id)[0].id == "7"
    assert str(read(with_id)[0]) == "a (id 7)"
    without = read(v1.Content(parts=[call("a")]))[0]
    assert without.id == ""
    assert str(without) == "a"


def test_a_call_without_arguments_gives_an_empty_dict() -> None:
    parts: list[Any] = [
        {"function_call": {"name": "a"}},
        {"function_call": {"name": "b", "args": {}}},
    ]
    assert [c.args for c in read(v1.Content(parts=parts))] == [{}, {}]


def test_arguments_are_plain_python_all_the_way_down() -> None:
    args: dict[str, Any] = {
        "list": [1, [], [None, True, {"deep": [{"er": "x"}]}]],
        "object": {},
        "null": None,
        "empty": "",
        "no": False,
        "half": 0.5,
    }
    (only,) = read(v1.Content(parts=[call("a", **args)]))
    plain: dict[str, Any] = only.args
    assert plain == args
    assert [*map(type, plain.values())] == [*map(type, (args[key] for key in plain))]
    plain["list"] = "changed"  # the message keeps what was received
    assert read(v1.Content(parts=[only.part]))[0].args == args


def test_the_turn_is_the_one_that_was_received() -> None:
    message = response("v1", {"text": "", "thought_signature": b"\xff\x00"}, call("a", x=1.0))
    before = message.SerializeToString(deterministic=True)
    found = read(message)
    assert found.content is message.candidates[0].content
    assert message.SerializeToString(deterministic=True) == before
    assert found[0].part is message.candidates[0].content.parts[1]


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (0.0, 0),
        (3.0, 3),
        (-3.0, -3),
        (2.0**53, 2**53),
        (-(2.0**53), -(2**53)),
        (2.0**53 + 2, 2.0**53 + 2),
        (1e300, 1e300),
        (-0.0, -0.0),
        (2.5, 2.5),
    ],
)
def test_whole_numbers_are_ints_as_far_as_doubles_count_in_ones(
    number: float, expected: float
) -> None:
    part = call("a", x=number)
    (only,) = read(v1.Content(parts=[part]))
    found = only.args["x"]
    assert isinstance(found, (int, float))
    assert (type(found), found) == (type(expected), expected)
    assert math.copysign(1, found) == math.copysign(1, expected)
    (only,) = read(v1.Content(parts=[part]), keep_floats=True)
    assert (type(only.args["x"]), only.args["x"]) == (float, number)


def test_a_value_that_is_not_set_is_none() -> None:
    content = v1.Content(parts=[call("a")])
    content.parts[0].function_call.args.fields["x"].SetInParent()
    assert read(content)[0].args == {"x": None}


def test_arguments_that_no_server_can_send_are_refused_with_their_path() -> None:
    content = v1.Content(parts=[call("a", x=1)])
    value = content.parts[0].function_call.args.fields["x"]
    for _ in range(60):
        value = value.list_value.values.add()
    with pytest.raises(JsonError, match="nested deeper than 100 levels") as caught:
        read(content)
    assert caught.value.path.startswith('parts[0].functionCall.args["x"][0][0]')


@every_api
def test_a_candidate_without_content_has_no_calls_and_says_why(api: str) -> None:
    candidate = {"finish_reason": "MALFORMED_FUNCTION_CALL", "finish_message": "bad call"}
    message = module(api).GenerateContentResponse(candidates=[candidate])
    for source in (message, message.candidates[0]):
        found = read(source)
        assert (len(found), found.content) == (0, None)
        assert found.finish_reason == "MALFORMED_FUNCTION_CALL"
        assert found.finish_message == "bad call"
        assert found.block_reason == ""
        assert repr(found) == "<Calls finish_reason=MALFORMED_FUNCTION_CALL>"


@every_api
def test_no_candidate_exposes_the_block_reason(api: str) -> None:
    message = module(api).GenerateContentResponse(prompt_feedback={"block_reason": "SAFETY"})
    if api != "gemini":  # which has no words for it
        message.prompt_feedback.block_reason_message = "not this"
    found = read(message)
    assert (list(found), found.content, found.finish_reason) == ([], None, "")
    assert found.block_reason == "SAFETY"
    assert found.block_message == ("" if api == "gemini" else "not this")


def test_an_empty_response_has_no_reason_either() -> None:
    found = read(v1.GenerateContentResponse())
    assert (found.finish_reason, found.block_reason) == ("", "")
    assert repr(found) == "<Calls none>"


def test_a_reason_of_a_newer_server_is_readable_as_its_number() -> None:
    message = response("v1", call("a"))
    message.candidates[0].finish_reason = 7777
    message.prompt_feedback.block_reason = 7878
    found = read(message)
    assert (found.finish_reason, found.block_reason, len(found)) == ("7777", "7878", 1)
    assert repr(found) == "<Calls a(), finish_reason=7777, block_reason=7878>"


def test_a_call_of_which_pieces_are_missing_says_so() -> None:
    pieces = {"partial_args": [{"json_path": "$.x", "number_value": 1}]}
    parts: list[Any] = [
        {"function_call": {"name": "a", "will_continue": True}},
        {"function_call": {"name": "b", **pieces}},
        {"function_call": {"name": "c", "args": {"x": 1}, **pieces}},
        call("d"),
    ]
    found = read(v1beta1.Content(parts=parts))
    assert [c.is_partial for c in found] == [True, True, False, False]


def test_calls_pickle_and_copy() -> None:
    (only,) = read(v1.Content(parts=[call("a", x=[1])]))
    assert pickle.loads(pickle.dumps(only)) == only
    assert copy.deepcopy(only) == only


@pytest.mark.parametrize(
    ("wrong", "found"),
    [
        (None, "found null"),
        ({"candidates": []}, "found an object"),
        ([v1.GenerateContentResponse()], f"found a list{JOIN}"),
        (v1.Tool(), "found a google.cloud.aiplatform.v1.Tool message"),
        (iter(()), f"found a Python tuple_iterator{JOIN}"),
    ],
    ids=["nothing", "dict", "chunks", "tool", "stream"],
)
def test_anything_else_is_refused(wrong: object, found: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(wrong)
    assert str(caught.value) == f"expected {TAKEN}, {found}"


def test_tools_in_lists_of_lists_are_refused() -> None:
    itself: list[object] = []
    itself.append(itself)
    for tools in (itself, [[v1.Tool()]]):
        with pytest.raises(UsageError, match="expected a Tool in tools, found a list"):
            functions.calls(v1.Content(), tools=tools)


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        (v1.GenerateContentResponse, "prompt_feedback"),
        (v1.Candidate, "content"),
        (v1.Content, "parts"),
    ],
)
def test_what_only_has_the_name_of_a_response_is_refused(kind: Any, field: str) -> None:
    def bare(file: Any) -> None:
        for message in file.message_type:
            if message.name == kind.DESCRIPTOR.name:
                del message.field[:], message.oneof_decl[:]

    with pytest.raises(DescriptorError, match=f"{kind.DESCRIPTOR.name} has no field {field}"):
        functions.calls(foreign_api(kind, bare)())
