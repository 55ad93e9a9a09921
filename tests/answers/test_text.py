"""The text of a response, and of one without."""

from __future__ import annotations

import pickle
from collections.abc import AsyncIterator
from typing import Any

import pytest

import toolwire
from support.apis import module, of_every_served_api
from support.foreign import Wrapper
from toolwire import AnswerError, ConversionError, text, v1


def response(api: str, value: Any) -> Any:
    return toolwire.from_dict(module(api).GenerateContentResponse, value)


@of_every_served_api
def test_text_is_that_of_the_first_candidate_without_thoughts(api: str) -> None:
    parts = [
        {"text": "hm", "thought": True},
        {"text": "It "},
        {"functionCall": {"name": "f"}},
        {"text": "rains.", "thoughtSignature": "AAH/"},
    ]
    candidates = [
        {"content": {"parts": parts}},
        {"index": 1, "content": {"parts": [{"text": "x"}]}},
    ]
    found = response(api, {"candidates": candidates})
    assert text(found) == "It rains."
    assert text(Wrapper(found)) == "It rains."


@of_every_served_api
def test_an_answer_in_calls_has_no_text(api: str) -> None:
    content = {"parts": [{"functionCall": {"name": "f"}}]}
    value = {"candidates": [{"content": content, "finishReason": "MALFORMED_FUNCTION_CALL"}]}
    assert text(response(api, value)) == ""


@of_every_served_api
@pytest.mark.parametrize("value", ["{}", '{"usageMetadata": {}}', '{"candidates": [{}]}'])
def test_a_chunk_without_text_has_none(api: str, value: str) -> None:
    assert text(toolwire.from_json(module(api).GenerateContentResponse, value)) == ""


@of_every_served_api
def test_an_answer_that_stopped_may_be_empty(api: str) -> None:
    assert text(response(api, {"candidates": [{"finishReason": "STOP"}]})) == ""


@of_every_served_api
def test_a_blocked_prompt_is_an_error_with_its_reason(api: str) -> None:
    with pytest.raises(AnswerError, match="the prompt was blocked: PROHIBITED_CONTENT") as caught:
        text(response(api, {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}))
    assert caught.value.reason == "PROHIBITED_CONTENT"


@of_every_served_api
def test_a_stopped_candidate_is_an_error_with_its_reason_and_message(api: str) -> None:
    candidate = {"finishReason": "SAFETY", "finishMessage": "no such talk"}
    with pytest.raises(AnswerError) as caught:
        text(response(api, {"candidates": [candidate]}))
    assert str(caught.value) == "the candidate has no content: SAFETY: no such talk"
    assert (caught.value.reason, caught.value.message) == ("SAFETY", "no such talk")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.reason) == (str(caught.value), "SAFETY")


def test_reasons_of_the_future_are_shown_by_number() -> None:
    with pytest.raises(AnswerError, match=r"no content: 7777$"):
        text(response("v1", {"candidates": [{"finishReason": 7777}]}))


def test_the_message_of_a_block_is_there() -> None:
    feedback = {"blockReason": "SAFETY", "blockReasonMessage": "no"}
    with pytest.raises(AnswerError, match="SAFETY: no"):
        text(response("v1", {"promptFeedback": feedback}))


@of_every_served_api
def test_a_candidate_and_a_turn_have_the_same_text(api: str) -> None:
    parts = [{"text": "Hmm.", "thought": True}, {"text": "He"}, {"text": "llo"}]
    whole = response(api, {"candidates": [{"content": {"role": "model", "parts": parts}}]})
    (candidate,) = whole.candidates
    assert text(candidate) == text(candidate.content) == text(Wrapper(candidate)) == "Hello"
    assert text(module(api).Content()) == text(module(api).Candidate()) == ""
    with pytest.raises(AnswerError, match="the candidate has no content: SAFETY"):
        text(module(api).Candidate(finish_reason="SAFETY"))


async def stream_async() -> AsyncIterator[v1.GenerateContentResponse]:
    yield v1.GenerateContentResponse()


JOIN = "; join the chunks of a stream first, with toolwire.join_chunks"
WRONG: list[tuple[Any, str]] = [
    (None, "found NoneType"),
    ("text", "found str"),
    ({}, "found dict"),
    (v1.GenerateContentResponse, "found the class GenerateContentResponse"),
    (v1.Part(), "found a google.cloud.aiplatform.v1.Part"),
    ([v1.GenerateContentResponse()], f"found list{JOIN}"),
    (iter(()), f"found tuple_iterator{JOIN}"),
    (stream_async(), f"found async_generator{JOIN}"),
]


@pytest.mark.parametrize(("value", "found"), WRONG, ids=lambda _: "")
def test_nothing_else_has_a_text(value: object, found: str) -> None:
    with pytest.raises(ConversionError) as caught:
        text(value)
    expected = "expected a GenerateContentResponse, Candidate or Content"
    assert str(caught.value) == f"{expected}, {found}"
