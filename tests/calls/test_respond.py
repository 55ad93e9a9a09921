"""``functions.respond``: the one turn that answers the calls of a turn."""

from __future__ import annotations

import builtins
import dataclasses
import datetime
import sys
from typing import Any

import pytest
from google.protobuf import descriptor_pb2

from support.apis import foreign as foreign_api
from support.apis import module
from support.foreign import Wrapper, foreign
from toolwire import JsonError, UsageError, functions, join_chunks, to_dict, v1, v1beta1
from toolwire._rules import violations

respond: Any = functions.respond
read: Any = functions.calls
Result: Any = functions.Result  # with what a type checker would not accept

every_api = pytest.mark.parametrize("api", ["v1", "v1beta1", "gemini"])
with_ids = pytest.mark.parametrize("api", ["v1beta1", "gemini"])


def turn(api: str, *calls: tuple[str, str] | str) -> Any:
    """Returns a model's turn that calls functions, each given by name or by name and id."""
    parts: list[dict[str, Any]] = [{"text": "Let me see."}]
    for each in calls:
        name, id_ = (each, "") if isinstance(each, str) else each
        parts.append({"function_call": {"name": name, "id": id_} if id_ else {"name": name}})
    return module(api).Content(role="model", parts=parts)


def replies(content: Any) -> list[Any]:
    return [to_dict(part)["functionResponse"] for part in content.parts]


def outputs(content: Any) -> list[Any]:
    return [reply["response"]["output"] for reply in replies(content)]


@every_api
def test_the_answers_stand_in_one_turn_of_the_user_in_the_order_of_the_calls(api: str) -> None:
    model = turn(api, "a", "b", "a")
    reply = functions.respond(model, 1, 2, 3)
    assert type(reply) is module(api).Content
    assert reply.role == "user"
    assert [part.function_response.name for part in reply.parts] == ["a", "b", "a"]
    assert outputs(reply) == [1, 2, 3]
    history = [{"role": "user", "parts": [{"text": "?"}]}, model, reply]
    request = module(api).GenerateContentRequest(contents=history)
    assert [v for v in violations(request) if v.rule == "turns.paired"] == []


@every_api
def test_calls_a_response_and_a_candidate_are_taken_as_well(api: str) -> None:
    response = module(api).GenerateContentResponse(candidates=[{"content": turn(api, "a")}])
    content = response.candidates[0].content
    expected = functions.respond(content, 1)
    sources: list[Any] = [response, response.candidates[0], functions.calls(response)]
    for source in sources:
        assert respond(source, 1) == expected


def test_the_turn_is_of_the_class_of_the_models_turn() -> None:
    other = foreign("Content")(parts=[{"function_call": {"name": "a"}}])
    assert type(functions.respond(Wrapper(other), 1)) is type(other)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({"a": 1}, {"a": 1}),
        ({}, {}),
        ({"output": 1}, {"output": 1}),
        ({"error": "no"}, {"error": "no"}),
        (None, {"output": None}),
        ("", {"output": ""}),
        (0, {"output": 0}),
        ([], {"output": []}),
        ((1, {2}), {"output": [1, [2]]}),
        (datetime.date(2026, 1, 2), {"output": "2026-01-02"}),
        (v1.Schema(type="STRING"), {"type": "STRING"}),
        (functions.to_struct({"a": [1]}), {"a": [1]}),
        (functions.to_value([1]), {"output": [1]}),
        (ValueError("no such city"), {"error": {"type": "ValueError", "message": "no such city"}}),
        (KeyError("x"), {"error": {"type": "KeyError", "message": "'x'"}}),
        (Exception(), {"error": {"type": "Exception", "message": ""}}),
        (Result({"a": 1}), {"a": 1}),
        (Result(ValueError("x")), {"error": {"type": "ValueError", "message": "x"}}),
    ],
    ids=repr,
)
def test_a_result_becomes_an_object(result: object, expected: object) -> None:
    reply = functions.respond(turn("v1", "a"), result)
    assert replies(reply)[0]["response"] == expected


def test_an_error_goes_back_without_its_traceback_and_not_at_length() -> None:
    with pytest.raises(ValueError, match="x") as caught:
        raise ValueError("x" * 5000) from RuntimeError("secret cause")
    reply = functions.respond(turn("v1", "a"), caught.value)
    response = replies(reply)[0]["response"]
    assert response == {"error": {"type": "ValueError", "message": "x" * 2000 + "..."}}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="there are no groups")
def test_a_group_of_errors_goes_back_with_what_it_holds() -> None:
    make: Any = getattr(builtins, "ExceptionGroup", None)
    nested = make("both", [make("deep", [KeyError("x")]), ValueError()])
    reply = functions.respond(turn("v1", "a", "b"), nested, make("many", [OSError("x" * 50)] * 100))
    first, second = (each["response"]["error"] for each in replies(reply))
    assert first == {
        "type": "ExceptionGroup",
        "message": "both (2 sub-exceptions): "
        "ExceptionGroup: deep (1 sub-exception): KeyError: 'x'; ValueError",
    }
    assert second["message"].count("x" * 50) == 8


def test_an_error_that_cannot_be_described_goes_back_by_its_type() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    reply = functions.respond(turn("v1", "a", "b"), Mute(), ValueError("\ud800"))
    errors = [each["response"]["error"] for each in replies(reply)]
    assert errors == [{"type": "Mute", "message": ""}, {"type": "ValueError", "message": "?"}]


def test_a_hook_rewrites_what_goes_back() -> None:
    def rewrite(call: functions.Call, response: dict[str, object]) -> dict[str, object]:
        return {"error": "failed"} if "error" in response else {"by": call.name, **response}

    reply = functions.respond(turn("v1", "a", "b"), 1, ValueError("secret"), rewrite=rewrite)
    assert [each["response"] for each in replies(reply)] == [
        {"by": "a", "output": 1},
        {"error": "failed"},
    ]


def forgets(*_: object) -> None:
    """Does not return what it made."""


def lists(*_: object) -> list[int]:
    return [1]


@pytest.mark.parametrize(
    ("result", "rewrite", "fault"),
    [
        (1, 3, "rewrite takes a function, found an int"),
        (1, forgets, "rewrite: expected an object for a, found null"),
        (1, lists, "rewrite: expected an object for a, found a list"),
        (Result(1, media=3), None, "media: expected a list of files for a, found the number 3"),
        (Result(1, media="x"), None, "media: expected a list of files for a, found the string"),
        (Result(1, name=3), None, "name of a Result is text, found the number 3"),
        (Result(1, id=b"1"), None, "id of a Result is text, found bytes"),
    ],
    ids=["no function", "null", "a list", "media", "a name", "number as name", "bytes as id"],
)
def test_arguments_of_a_wrong_kind_are_refused(result: object, rewrite: Any, fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        respond(turn("v1beta1", "a"), result, rewrite=rewrite)


@with_ids
def test_the_id_of_a_call_goes_back_with_its_answer(api: str) -> None:
    reply = functions.respond(turn(api, ("a", "1"), "b", ("a", "2")), 1, 2, 3)
    assert [part.function_response.id for part in reply.parts] == ["1", "", "2"]


@with_ids
def test_results_pair_by_id(api: str) -> None:
    model = turn(api, ("a", "1"), ("a", "2"), ("b", "3"))
    results = [Result(3, id="3"), Result(2, name="a", id="2"), Result(1, id="1")]
    reply = functions.respond(model, *results)
    assert outputs(reply) == [1, 2, 3]
    assert [part.function_response.name for part in reply.parts] == ["a", "a", "b"]


@with_ids
def test_an_id_goes_before_a_name(api: str) -> None:
    model = turn(api, ("a", "1"), ("a", "2"))
    reply = functions.respond(model, Result("other", name="a"), Result("first", id="1"))
    assert outputs(reply) == ["first", "other"]


@every_api
def test_results_without_an_id_pair_by_name_and_position(api: str) -> None:
    results = [Result("b", name="b"), Result("first", name="a"), Result("second", name="a")]
    reply = functions.respond(turn(api, "a", "b", "a"), *results)
    assert outputs(reply) == ["first", "b", "second"]


@every_api
def test_a_ready_function_response_is_a_result(api: str) -> None:
    cls = module(api).FunctionResponse
    named = cls(name="b", response={"x": 1})
    reply = functions.respond(turn(api, "a", "b"), named, cls(name="a", response={"y": 2}))
    assert replies(reply) == [
        {"name": "a", "response": {"y": 2}},
        {"name": "b", "response": {"x": 1}},
    ]
    named.response["x"] = 5  # what goes back is a copy
    assert replies(reply)[1]["response"] == {"x": 1}


@every_api
def test_an_answer_is_no_result_of_one_call(api: str) -> None:
    """A forgotten star: it would go back as what the function returned."""
    pb = module(api)
    answer = pb.FunctionResponse(name="a", response={"x": 1})
    part = pb.Part(function_response=answer)
    content = pb.Content(role="user", parts=[part])
    wrong = [[answer], (answer,), part, [part], content, content.parts, Result(answer)]
    for each in wrong:
        with pytest.raises(JsonError, match="unpack the FunctionResponses with") as caught:
            functions.respond(turn(api, "a"), each)
        assert caught.value.path == "parts[0].functionResponse.response"
    # What an agent has said is a result like any other.
    said = functions.respond(turn(api, "a"), [content])
    assert outputs(said) == [[to_dict(content)]]
    plain = pb.Part(text="x")
    assert outputs(functions.respond(turn(api, "a"), [plain])) == [[{"text": "x"}]]


@every_api
def test_a_hook_rewrites_a_ready_function_response_too(api: str) -> None:
    given = module(api).FunctionResponse(name="a", response={"secret": 1})
    seen: list[dict[str, object]] = []

    def rewrite(_: functions.Call, response: dict[str, object]) -> dict[str, object]:
        seen.append(response)
        return {"said": "no"}

    reply = functions.respond(turn(api, "a"), given, rewrite=rewrite)
    assert replies(reply) == [{"name": "a", "response": {"said": "no"}}]
    assert seen == [{"secret": 1}]
    assert functions.to_plain(given.response) == {"secret": 1}
    with pytest.raises(UsageError, match="rewrite: expected an object for a, found null"):
        respond(turn(api, "a"), given, rewrite=forgets)


def test_a_ready_function_response_keeps_its_other_fields() -> None:
    gemini = module("gemini")
    given = gemini.FunctionResponse(response={"x": 1}, scheduling="SILENT", will_continue=True)
    reply = functions.respond(turn("gemini", ("a", "7")), given)
    expected = gemini.FunctionResponse(
        name="a", id="7", response={"x": 1}, scheduling="SILENT", will_continue=True
    )
    assert reply.parts[0].function_response == expected
    assert given.name == ""


@pytest.mark.parametrize(
    ("calls", "results", "fault"),
    [
        (["a", "b"], [1], 'no result for the call of "b"'),
        (["a", "b", "c"], [], 'no result for the call of "a", "b", "c"'),
        (["a"], [1, 2, 3], "no call for the result number 2, number 3"),
        (
            [("a", "1"), ("b", "2")],
            [Result(1, id="2"), Result(2, id="9")],
            'no result for the call of "a" with id "1"; no call for the result id "9"',
        ),
        ([("a", "1")], [Result(1, name="b", id="1")], 'no call for the result "b" with id "1"'),
        (
            ["a", "a"],
            [Result(1, name="a"), Result(1, name="a"), Result(1, name="a")],
            'no call for the result "a"',
        ),
        (["a"], [Result(1, name="b")], 'no result for the call of "a"; no call for the result "b"'),
        (
            [("a", "1")],
            [Result(1, id="1"), Result(1, id="1")],
            'no call for the result id "1"',
        ),
        (["a", "b"], [Result(1, name="a"), 2], "result 2 does not say which call it belongs to"),
        ([], [1], "there are no calls to respond to"),
        ([], [], "there are no calls to respond to"),
    ],
    ids=str,
)
def test_missing_and_extra_results_are_named(
    calls: list[Any], results: list[object], fault: str
) -> None:
    with pytest.raises(UsageError) as caught:
        functions.respond(turn("v1beta1", *calls), *results)
    assert fault in str(caught.value)


def test_without_calls_the_reason_is_named() -> None:
    stopped = v1.Candidate(finish_reason="SAFETY")
    with pytest.raises(UsageError, match="no calls to respond to: the reply ended with SAFETY"):
        functions.respond(stopped)
    blocked = v1.GenerateContentResponse(prompt_feedback={"block_reason": "JAILBREAK"})
    with pytest.raises(UsageError, match="the reply ended with JAILBREAK"):
        functions.respond(blocked)


def test_a_call_in_pieces_is_not_answered() -> None:
    call: dict[str, Any] = {"name": "a", "will_continue": True}
    pieces = call | {"partial_args": [{"json_path": "$.x", "string_value": "y"}]}
    with pytest.raises(UsageError, match="the call of a is not complete: join the chunks"):
        functions.respond(v1beta1.Content(parts=[{"function_call": pieces}]), 1)
    joined = join_chunks(
        [
            v1beta1.GenerateContentResponse(
                candidates=[{"content": {"parts": [{"function_call": pieces}]}}]
            )
        ]
    )
    with pytest.raises(UsageError, match="not complete: the stream was cut off in it, or"):
        functions.respond(joined, 1)


@every_api
def test_calls_in_a_list_are_answered_as_the_turn_is(api: str) -> None:
    found = read(turn(api, "a", "b", "a"))
    reply = functions.respond(list(found), 1, 2, 3)
    assert type(reply) is module(api).Content
    assert reply == functions.respond(found, 1, 2, 3)
    assert outputs(functions.respond(found[1:], 2, 3)) == [2, 3]


def test_what_is_no_list_of_calls_of_one_turn() -> None:
    a, b = read(turn("v1", "a"))[0], read(turn("gemini", "b"))[0]
    with pytest.raises(UsageError, match=r"calls of one API, found a google.ai.*Part and a google"):
        functions.respond([a, b], 1, 2)
    with pytest.raises(UsageError, match=r"^there are no calls to respond to$"):
        functions.respond([])
    with pytest.raises(UsageError, match=r"expected a Call, found a .*GenerateContentResponse"):
        functions.respond([v1.GenerateContentResponse()])
    with pytest.raises(
        UsageError, match=r"^expected what functions.calls returned, a list .* list$"
    ):
        functions.respond(a, 1)
    with pytest.raises(UsageError, match=r"functions.calls returned, .*with toolwire.join_chunks$"):
        functions.respond(iter([v1.GenerateContentResponse()]), 1)


@dataclasses.dataclass
class Holder:
    held: object


def same(value: object) -> object:
    return value


def listed(value: object) -> object:
    return {"a": [value]}


INSIDE: list[Any] = [same, listed, Holder]


@pytest.mark.parametrize("inside", INSIDE, ids=["itself", "lists", "dataclass"])
@pytest.mark.parametrize("own", [Result(1), functions.Outcome], ids=["result", "outcome"])
def test_a_forgotten_star_sends_nothing_of_ours_to_the_model(inside: Any, own: Any) -> None:
    (call,) = read(turn("v1", "a"))
    own = own(call, {"output": 1}) if isinstance(own, type) else own
    with pytest.raises(JsonError, match=r"unpack the outcomes with \*") as caught:
        functions.respond([call], [inside(own)])
    assert caught.value.path.startswith("parts[0].functionResponse.response")


def test_a_forgotten_star_where_there_are_several_calls() -> None:
    with pytest.raises(UsageError, match=r"of \"b\"; unpack the list of results with \*$"):
        functions.respond(turn("v1", "a", "b"), [1, 2])
    with pytest.raises(UsageError, match=r'no result for the call of "b"$'):
        functions.respond(turn("v1", "a", "b"), 1)


def no_json(*_: object) -> dict[str, object]:
    return {"x": object()}


def test_what_is_no_json_is_refused_with_its_place_in_the_turn() -> None:
    with pytest.raises(JsonError) as caught:
        functions.respond(turn("v1", "a", "b"), 1, {"x": [object()]})
    assert caught.value.path == 'parts[1].functionResponse.response["x"][0]'
    with pytest.raises(JsonError) as caught:
        functions.respond(turn("v1", "a"), 1, rewrite=no_json)
    assert caught.value.path == 'parts[0].functionResponse.response["x"]'


@pytest.mark.parametrize("value", [{"a": []}, [[]]])
def test_the_deepest_result_fits_into_a_request(value: Any) -> None:
    cost = 3 if isinstance(value, dict) else 2
    for levels in range(20, 60):
        result: Any = 1
        for _ in range(levels):
            result = {"a": result} if cost == 3 else [result]
        try:
            reply = functions.respond(turn("v1", "f"), result)
        except JsonError:
            assert levels > 94 // cost
            return
        data = v1.GenerateContentRequest(contents=[reply]).SerializeToString()
        assert v1.GenerateContentRequest.FromString(data).contents[0] == reply
    pytest.fail("nothing was too deep")


IMAGE: Any = {"inline_data": {"mime_type": "image/png", "data": b"\x89PNG"}}


@with_ids
def test_files_go_back_beside_the_result(api: str) -> None:
    pb = module(api)
    files = [IMAGE, pb.FunctionResponsePart(**IMAGE), pb.Part(**IMAGE), v1.Part(**IMAGE)]
    reply = functions.respond(turn(api, "a"), Result({"see": "picture"}, media=files))
    response = reply.parts[0].function_response
    assert list(response.parts) == [pb.FunctionResponsePart(**IMAGE)] * 4
    assert dict(response.response.items()) == {"see": "picture"}


def test_files_that_do_not_fit_are_refused_with_their_place() -> None:
    with pytest.raises(JsonError) as caught:
        functions.respond(turn("v1beta1", "a", "b"), 1, Result(1, media=[{"inline_dat": {}}]))
    assert caught.value.path == "parts[1].functionResponse.parts[0].inline_dat"
    assert 'did you mean "inlineData"' in caught.value.reason


def test_files_are_refused_where_the_api_has_no_field_for_them() -> None:
    def without_parts(file: descriptor_pb2.FileDescriptorProto) -> None:
        for message in file.message_type:
            if message.name == "FunctionResponse":
                kept = [field for field in message.field if field.name != "parts"]
                del message.field[:]
                message.field.extend(kept)

    old = foreign_api(v1.Content, without_parts)(parts=[{"function_call": {"name": "a"}}])
    with pytest.raises(UsageError, match="FunctionResponse takes no files: found 1 for a"):
        functions.respond(old, Result(1, media=[IMAGE]))
    assert len(functions.respond(old, Result(1)).parts) == 1


def test_a_dataclass_of_the_users_own_is_an_object() -> None:
    @dataclasses.dataclass
    class Weather:
        sky: str

    assert replies(functions.respond(turn("v1", "a"), Weather("clear")))[0]["response"] == {
        "sky": "clear"
    }


@pytest.mark.parametrize("levels", [48, 100, 50_000])
def test_a_response_deeper_than_protobuf_reads_is_refused(levels: int) -> None:
    given = v1.FunctionResponse(name="a")
    value = given.response.fields["x"]
    for _ in range(levels):
        value = value.list_value.values.add()
    with pytest.raises(JsonError, match="nested deeper than") as caught:
        functions.respond(turn("v1", "a"), given)
    assert caught.value.path == "parts[0].functionResponse"


def test_many_results_find_their_calls() -> None:
    calls = turn("v1beta1", *[(f"f{number % 2}", str(number)) for number in range(2000)])
    results = [Result(number, id=str(number)) for number in range(2000)]
    assert outputs(respond(calls, *reversed(results))) == [*range(2000)]
    named = [Result(number, name=f"f{number % 2}") for number in range(2000)]
    assert outputs(respond(calls, *named)) == [*range(2000)]
