"""Streams put together, as the response at once would be."""

from __future__ import annotations

import contextlib
from typing import Any, cast

import pytest

import toolwire
from support.apis import foreign, module, of_every_served_api
from support.foreign import Wrapper
from support.messages import random_message, seeded
from toolwire import ConversionError, gemini, join_chunks, v1, v1beta1
from toolwire.testing import LocalServer
from toolwire.testing._model import chunks as cut


def chunk(api: str, *parts: Any, **candidate: Any) -> Any:
    value = {"candidates": [{"content": {"role": "model", "parts": parts}, **candidate}]}
    return toolwire.from_dict(module(api).GenerateContentResponse, value)


def joined_parts(api: str, *chunks: list[Any]) -> list[Any]:
    whole = join_chunks([chunk(api, *parts) for parts in chunks])
    return [toolwire.to_dict(part) for part in whole.candidates[0].content.parts]


@of_every_served_api
def test_text_goes_on(api: str) -> None:
    assert joined_parts(api, [{"text": "It "}], [{"text": "rai"}, {"text": "ns."}]) == [
        {"text": "It rains."}
    ]


@of_every_served_api
def test_thoughts_and_answer_stay_apart(api: str) -> None:
    thought = {"text": "hm", "thought": True}
    assert joined_parts(api, [thought], [thought, {"text": "a"}], [{"text": "b"}], [thought]) == [
        {"text": "hmhm", "thought": True},
        {"text": "ab"},
        {"text": "hm", "thought": True},
    ]


@of_every_served_api
def test_signed_parts_stay_as_they_came(api: str) -> None:
    signed = {"text": "b", "thoughtSignature": "AAH/"}
    empty = {"text": "", "thoughtSignature": "/w=="}
    lone = {"thoughtSignature": "AQ=="}
    parts = [{"text": "a"}, signed, {"text": "c"}, empty, lone, {"text": "d"}]
    assert joined_parts(api, *([part] for part in parts)) == parts


@of_every_served_api
def test_empty_text_is_dropped_unless_it_is_all(api: str) -> None:
    assert joined_parts(api, [{"text": ""}], [{"text": ""}]) == [{"text": ""}]
    call = {"functionCall": {"name": "f"}}
    assert joined_parts(api, [{"text": ""}], [call], [{"text": ""}]) == [call]


@of_every_served_api
def test_calls_stay_apart(api: str) -> None:
    call = {"functionCall": {"name": "f", "args": {"a": 1}}}
    assert joined_parts(api, [call, call], [call]) == [call, call, call]


def test_parts_with_more_than_text_stay_apart() -> None:
    part = {"text": "a", "partMetadata": {"x": 1}}
    assert joined_parts("gemini", [part], [part], [{"text": "b"}]) == [part, part, {"text": "b"}]
    future = v1.GenerateContentResponse.FromString(chunk("v1", {"text": "a"}).SerializeToString())
    future.candidates[0].content.parts[0].MergeFromString(b"\xf2\x7f\x03abc")
    whole = join_chunks([future, future])
    assert list(whole.candidates[0].content.parts) == [
        future.candidates[0].content.parts[0],
        future.candidates[0].content.parts[0],
    ]


@of_every_served_api
def test_candidates_are_told_apart_by_index(api: str) -> None:
    cls = module(api).GenerateContentResponse

    def candidate(index: int, text: str, **more: Any) -> Any:
        return {"index": index, "content": {"parts": [{"text": text}]}, **more}

    chunks: list[Any] = [
        {"candidates": [candidate(1, "x"), candidate(0, "a")]},
        {"candidates": [candidate(0, "b", finishReason="STOP")]},
        {"candidates": [candidate(1, "y", finishReason="MAX_TOKENS")]},
    ]
    whole = join_chunks(toolwire.from_dict(cls, value) for value in chunks)
    found = [toolwire.to_dict(candidate, include_defaults=False) for candidate in whole.candidates]
    assert [one["content"] for one in found] == [
        {"parts": [{"text": "ab"}]},
        {"parts": [{"text": "xy"}]},
    ]
    assert [one["finishReason"] for one in found] == ["STOP", "MAX_TOKENS"]


@of_every_served_api
def test_the_last_state_of_usage_and_feedback_counts(api: str) -> None:
    cls = module(api).GenerateContentResponse
    detail = {"modality": "TEXT", "tokenCount": 3}
    chunks: list[Any] = [
        {"usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 1}},
        {"usageMetadata": {"candidatesTokenCount": 2, "candidatesTokensDetails": [detail]}},
        {"usageMetadata": {"candidatesTokenCount": 3, "candidatesTokensDetails": [detail]}},
        {"promptFeedback": {"blockReason": "SAFETY"}, "modelVersion": "m"},
    ]
    whole = join_chunks(toolwire.from_dict(cls, value) for value in chunks)
    assert toolwire.to_dict(whole) == {
        "usageMetadata": {
            "promptTokenCount": 9,
            "candidatesTokenCount": 3,
            "candidatesTokensDetails": [detail],
        },
        "promptFeedback": {"blockReason": "SAFETY"},
        "modelVersion": "m",
    }


@of_every_served_api
def test_log_probabilities_and_ratings_add_up(api: str) -> None:
    token = {"token": "ha", "logProbability": -0.5}
    low = {"category": "HARM_CATEGORY_HARASSMENT", "probability": "LOW"}
    high = {"category": "HARM_CATEGORY_HARASSMENT", "probability": "HIGH", "blocked": True}
    other = {"category": "HARM_CATEGORY_HATE_SPEECH", "probability": "LOW"}
    one = chunk(api, logprobsResult={"chosenCandidates": [token]}, safetyRatings=[low, other])
    two = chunk(api, logprobsResult={"chosenCandidates": [token]}, safetyRatings=[high])
    values: Any = toolwire.to_dict(join_chunks([one, two]))["candidates"]
    (found,) = values
    assert found["logprobsResult"] == {"chosenCandidates": [token, token]}
    assert found["safetyRatings"] == [other, high]


@of_every_served_api
def test_sources_that_go_on_are_cited_by_their_new_place(api: str) -> None:
    def sources(*names: str, cites: list[int]) -> Any:
        return chunk(
            api,
            groundingMetadata={
                "webSearchQueries": ["q"],
                "groundingChunks": [{"web": {"uri": name}} for name in names],
                "groundingSupports": [{"groundingChunkIndices": cites}],
            },
        )

    def found(*chunks: Any) -> tuple[list[str], list[list[int]], list[str]]:
        metadata = join_chunks(chunks).candidates[0].grounding_metadata
        return (
            [source.web.uri for source in metadata.grounding_chunks],
            [list(support.grounding_chunk_indices) for support in metadata.grounding_supports],
            list(metadata.web_search_queries),
        )

    apart = found(sources("a", cites=[0]), sources("b", "c", cites=[1]), sources(cites=[2]))
    assert apart == (["a", "b", "c"], [[0], [2], [2]], ["q"])
    grown = found(sources("a", cites=[0]), sources("a", "b", cites=[1]))
    assert grown == (["a", "b"], [[0], [1]], ["q"])


def test_what_a_newer_server_says_is_kept() -> None:
    future = b"\xf2\x7f\x03abc"
    one = chunk("v1", {"text": "a"})
    two = chunk("v1", {"text": "b"})
    two.MergeFromString(future)
    two.candidates[0].MergeFromString(future)
    whole = join_chunks([one, two])
    assert whole.SerializeToString().endswith(future)
    assert whole.candidates[0].SerializeToString().endswith(future)
    assert toolwire.text(whole) == "ab"


@of_every_served_api
@pytest.mark.parametrize("prompt", ["", "Hello", "Weather in Paris? " * 40])
@pytest.mark.parametrize("kind", ["none", "functions", "google_search", "url_context"])
def test_the_stream_of_the_local_server_is_its_answer(api: str, prompt: str, kind: str) -> None:
    schema = {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}}
    functions = [
        {"name": name, "description": "what it does", "parameters": schema} for name in ("f", "g")
    ]
    kinds: dict[str, Any] = {
        "none": [],
        "functions": [{"function_declarations": functions}],
        "google_search": [{"google_search": {}}],
        "url_context": [{"url_context": {}}],
    }
    tools = kinds[kind]
    config = {"candidate_count": 3}
    with LocalServer() as local, contextlib.closing(cast("Any", local).client(api=api)) as client:
        asked: Any = ("gemini-2.5-flash", prompt)
        whole = client.generate_content(*asked, tools=tools, generation_config=config)
        stream = client.stream_generate_content(*asked, tools=tools, generation_config=config)
        assert join_chunks(stream) == whole


@of_every_served_api
def test_random_answers_cut_into_chunks_are_themselves_again(api: str) -> None:
    cls = module(api).GenerateContentResponse
    for seed in range(150):
        whole = random_message(seeded(f"{api}{seed}"), cls, 5)
        seen: dict[int, Any] = {}
        for candidate in whole.candidates:
            candidate.ClearField("logprobs_result")  # each chunk of the model repeats it
            if not candidate.content.parts:
                candidate.content.parts.add(text="x")
            for part in candidate.content.parts:
                for field in ("partial_args", "will_continue"):
                    if field in part.function_call.DESCRIPTOR.fields_by_name:
                        part.function_call.ClearField(field)  # makes every part a call
            seen[candidate.index] = candidate
        kept = [seen[index] for index in sorted(seen)]
        del whole.candidates[:]
        whole.candidates.extend(kept)
        normal = join_chunks([whole])
        pieces = list(cut(normal))
        if pieces:
            again = join_chunks(pieces).SerializeToString(deterministic=True)
            assert again == normal.SerializeToString(deterministic=True)


@of_every_served_api
def test_joining_is_done_once(api: str) -> None:
    cls = module(api).GenerateContentResponse
    for seed in range(100):
        chunks = [random_message(seeded(f"{api}{seed}{n}"), cls, 5, odd=True) for n in range(3)]
        before = [one.SerializeToString(deterministic=True) for one in chunks]
        whole = None
        with contextlib.suppress(ConversionError):  # of random chunks, some contradict each other
            whole = join_chunks(chunks)
        assert [one.SerializeToString(deterministic=True) for one in chunks] == before
        if whole is None:
            continue
        again = join_chunks([whole])
        # Of numbers in an Any or a sum NaN may be one or another.
        assert len(again.SerializeToString()) == len(whole.SerializeToString())


def test_chunks_of_other_pools_and_wrappers_are_taken() -> None:
    one, two = chunk("v1", {"text": "a"}), chunk("v1", {"text": "b"})
    other = foreign(v1.GenerateContentResponse).FromString(two.SerializeToString())
    whole = join_chunks(iter([one, Wrapper(other)]))
    assert type(whole) is v1.GenerateContentResponse
    assert toolwire.text(whole) == "ab"
    assert type(join_chunks([other, one])) is type(other)


def test_long_text_and_arguments_take_linear_time() -> None:
    many = 20_000
    piece = {"jsonPath": "$.code", "stringValue": "x" * 40, "willContinue": True}
    call = chunk("v1beta1", {"functionCall": {"partialArgs": [piece], "willContinue": True}})
    begin = chunk("v1beta1", {"functionCall": {"name": "f", "willContinue": True}})
    word = chunk("v1beta1", {"text": "x" * 40})
    whole = join_chunks([*[word] * many, begin, *[call] * many])
    text, function = whole.candidates[0].content.parts
    assert len(text.text) == 40 * many
    assert len(function.function_call.args["code"]) == 40 * many


@pytest.mark.parametrize(
    ("chunks", "message"),
    [
        ([], "no chunks"),
        (iter(()), "no chunks"),
        (None, "found a NoneType"),
        ("text", "found a str"),
        (v1.GenerateContentResponse(), "found a GenerateContentResponse"),
        ([v1.Content()], r"chunks\[0\]: expected a GenerateContentResponse, found a google"),
        ([v1.GenerateContentResponse(), 1], r"chunks\[1\]: expected .* found int"),
        (
            [v1.GenerateContentResponse(), gemini.GenerateContentResponse()],
            r"chunks\[1\]: expected a google.cloud.aiplatform.v1\..* like the first",
        ),
        (
            [v1.GenerateContentResponse(response_id=one) for one in ("a", "", "b")],
            r'chunks\[2\].responseId: "b" contradicts "a"',
        ),
        (
            [v1.GenerateContentResponse(candidates=[{"content": {"role": r}}]) for r in ("a", "b")],
            r"chunks\[1\].candidates\[0\].content.role",
        ),
        (
            [v1.GenerateContentResponse(candidates=[{"index": 2}, {"index": 2}])],
            r"chunks\[0\].candidates\[1\].index: 2 stands in this chunk twice",
        ),
    ],
)
def test_what_is_no_stream_is_refused(chunks: Any, message: str) -> None:
    with pytest.raises(ConversionError, match=message):
        join_chunks(chunks)


def test_an_asynchronous_stream_is_refused_with_a_hint() -> None:
    async def stream() -> Any:
        yield v1.GenerateContentResponse()

    with pytest.raises(ConversionError, match="async for"):
        join_chunks(cast("Any", stream()))


def test_a_chunk_too_deep_is_refused_with_the_place() -> None:
    deep = chunk("v1", {"functionCall": {"name": "f"}})
    value = deep.candidates[0].content.parts[0].function_call.args.fields["a"]
    for _ in range(500):
        value = value.list_value.values.add()
    with pytest.raises(ConversionError, match="deeper than 100 levels") as caught:
        join_chunks([v1.GenerateContentResponse(), deep])
    assert caught.value.path.startswith("chunks[1].candidates[0].content.parts[0].functionCall")


def test_what_the_stream_raises_passes_through() -> None:
    def broken() -> Any:
        yield v1beta1.GenerateContentResponse()
        raise RuntimeError("gone")

    with pytest.raises(RuntimeError, match="gone"):
        join_chunks(broken())
