"""``functions.calls`` and ``respond`` with what a session receives."""

from __future__ import annotations

from typing import Any

import pytest

from support.apis import foreign
from toolwire import DescriptorError, JsonError, UsageError, functions, gemini, to_dict, v1

read: Any = functions.calls
respond: Any = functions.respond

ASKED = gemini.BidiGenerateContentServerMessage(
    tool_call={
        "function_calls": [
            {"id": "1", "name": "add", "args": {"a": 1, "b": 2.5}},
            {"id": "2", "name": "add", "args": {"a": 3, "b": 4}},
        ]
    }
)


def add(a: int, b: float) -> float:
    """Adds."""
    return a + b


@pytest.mark.parametrize("asked", [ASKED, ASKED.tool_call], ids=["message", "tool_call"])
def test_calls_of_a_session_are_run_and_answered(asked: Any) -> None:
    box = functions.Toolbox([add], api="gemini")
    found = read(asked)
    assert [(call.name, call.id, call.args) for call in found] == [
        ("add", "1", {"a": 1, "b": 2.5}),
        ("add", "2", {"a": 3, "b": 4}),
    ]
    expected = functions.respond(found, *box.run(found))
    assert type(expected) is gemini.Content
    assert [to_dict(part.function_response, proto_names=True) for part in expected.parts] == [
        {"id": "1", "name": "add", "response": {"output": 3.5}},
        {"id": "2", "name": "add", "response": {"output": 7}},
    ]
    outcomes = box.run(asked)
    assert respond(asked, *reversed(outcomes)) == expected
    assert respond(list(found), *outcomes) == expected


def test_the_declared_schema_counts_in_a_session_too() -> None:
    box = functions.Toolbox([add], api="gemini")
    found = functions.calls(ASKED, tools=box)
    assert [type(call.args["b"]) for call in found] == [float, float]
    assert found.content == gemini.Content(
        role="model", parts=[{"function_call": call} for call in ASKED.tool_call.function_calls]
    )


def test_other_messages_of_a_session_call_nothing() -> None:
    others: list[Any] = [{}, {"setup_complete": {}}, {"server_content": {"turn_complete": True}}]
    for fields in others:
        found = functions.calls(gemini.BidiGenerateContentServerMessage(**fields))
        assert (len(found), found.content, found.finish_reason) == (0, None, "")
    assert not functions.calls(gemini.BidiGenerateContentToolCall())
    with pytest.raises(UsageError, match="there are no calls to respond to"):
        functions.respond(gemini.BidiGenerateContentServerMessage())


def test_messages_of_another_pool_are_read() -> None:
    other = foreign(gemini.BidiGenerateContentServerMessage)()
    other.ParseFromString(ASKED.SerializeToString())
    reply = respond(other, 1, 2)
    assert (reply.DESCRIPTOR.full_name, type(reply) is gemini.Content) == (
        gemini.Content.DESCRIPTOR.full_name,
        False,
    )
    assert gemini.Content.FromString(reply.SerializeToString()) == functions.respond(ASKED, 1, 2)


def test_arguments_that_no_server_can_send_are_refused() -> None:
    asked = gemini.BidiGenerateContentToolCall(function_calls=[{"name": "add"}])
    inner = asked.function_calls[0].args.fields["a"]
    for _ in range(120):
        inner = inner.list_value.values.add()
    with pytest.raises(JsonError, match="functionCalls: nested deeper"):
        functions.calls(asked)


def test_what_only_has_the_name_of_a_sessions_message_is_refused() -> None:
    def emptied(file: Any) -> None:
        for kind in file.message_type:
            if kind.name == "BidiGenerateContentServerMessage":
                del kind.field[:]
                del kind.oneof_decl[:]

    with pytest.raises(DescriptorError, match="has no field tool_call"):
        read(foreign(gemini.BidiGenerateContentServerMessage, emptied)())
    with pytest.raises(UsageError, match="expected a GenerateContentResponse, "):
        read(v1.FunctionCall())
