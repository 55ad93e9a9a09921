"""The chunks of a stream are the reply, cut into pieces."""

from __future__ import annotations

from typing import TypeAlias

import pytest

from support.calls import TIME, WEATHER, ask, calls, refused, text
from toolwire import v1

Stub: TypeAlias = "v1.grpc.PredictionServiceStub"


def test_text_comes_in_groups_of_words(stub: Stub) -> None:
    request = ask("one two three four five six\nseven  eight nine")
    chunks = list(stub.StreamGenerateContent(request))
    assert [text(chunk) for chunk in chunks] == [
        "You said: one two ",
        "three four five six\n",
        "seven  eight nine",
    ]
    assert "".join(map(text, chunks)) == text(stub.GenerateContent(request))


def test_only_the_last_chunk_finishes(stub: Stub) -> None:
    request = ask("one two three four five", tools=[{"google_search": {}}])
    chunks = list(stub.StreamGenerateContent(request))
    whole = stub.GenerateContent(request)
    *early, last = chunks
    assert early
    for chunk in early:
        assert not chunk.HasField("usage_metadata")
        assert chunk.candidates[0].finish_reason == v1.Candidate.FINISH_REASON_UNSPECIFIED
        assert not chunk.candidates[0].HasField("grounding_metadata")
    assert last.usage_metadata == whole.usage_metadata
    assert last.candidates[0].finish_reason == v1.Candidate.STOP
    assert last.candidates[0].grounding_metadata == whole.candidates[0].grounding_metadata
    assert {chunk.response_id for chunk in chunks} == {whole.response_id}
    assert {chunk.model_version for chunk in chunks} == {whole.model_version}


def test_every_call_is_a_chunk(stub: Stub) -> None:
    request = ask("both", WEATHER, TIME)
    chunks = list(stub.StreamGenerateContent(request))
    assert [[name for name, _ in calls(chunk)] for chunk in chunks] == [
        ["get_weather"],
        ["get_time"],
    ]
    parts = [part for chunk in chunks for part in chunk.candidates[0].content.parts]
    assert parts == list(stub.GenerateContent(request).candidates[0].content.parts)


def test_candidates_come_side_by_side(stub: Stub) -> None:
    request = ask("one two three", generation_config={"candidate_count": 2})
    for chunk in stub.StreamGenerateContent(request):
        assert [candidate.index for candidate in chunk.candidates] == [0, 1]


def test_a_long_text_comes_in_few_chunks(stub: Stub) -> None:
    request = ask("word " * 20_000)
    chunks = list(stub.StreamGenerateContent(request))
    assert 60 <= len(chunks) <= 64
    assert "".join(map(text, chunks)) == text(stub.GenerateContent(request))


@pytest.mark.parametrize("prompt", ["\n", "   ", "x"])
def test_any_text_is_one_chunk_at_least(stub: Stub, prompt: str) -> None:
    request = ask(prompt)
    chunks = list(stub.StreamGenerateContent(request))
    assert "".join(map(text, chunks)) == text(stub.GenerateContent(request))


def test_a_stream_may_be_left(stub: Stub) -> None:
    stream = stub.StreamGenerateContent(ask("word " * 20_000))
    assert text(next(stream)).startswith("You said")
    stream.cancel()
    assert text(stub.GenerateContent(ask("still there?"))) == "You said: still there?"


def test_a_stream_is_refused_like_a_call(stub: Stub) -> None:
    streamed = refused(lambda: stub.StreamGenerateContent(ask("x", tools=[{}])))
    assert streamed == refused(lambda: stub.GenerateContent(ask("x", tools=[{}])))
