"""Conversations with a real server over real stubs."""

from __future__ import annotations

from typing import Any, TypeAlias

import pytest

from support.calls import MODEL, TIME, WEATHER, ask, calls, refused, text
from toolwire import v1

Stub: TypeAlias = "v1.grpc.PredictionServiceStub"


def respond(request: v1.GenerateContentRequest, *entries: tuple[str, dict[str, Any]]) -> None:
    """Adds a turn of function responses."""
    turn = request.contents.add(role="user")
    for name, response in entries:
        turn.parts.add(function_response={"name": name, "response": response})


def test_text_is_echoed(stub: Stub) -> None:
    response = stub.GenerateContent(ask("Hello there!"))
    assert text(response) == "You said: Hello there!"
    candidate = response.candidates[0]
    assert candidate.content.role == "model"
    assert candidate.finish_reason == v1.Candidate.STOP
    assert response.model_version == "gemini-2.5-flash"
    assert response.response_id
    assert response.HasField("create_time")


def test_usage_counts_words_and_marks(stub: Stub) -> None:
    usage = stub.GenerateContent(ask("Hello there!")).usage_metadata
    assert usage.prompt_token_count == 4  # user Hello there !
    assert usage.candidates_token_count == 7
    assert usage.total_token_count == usage.prompt_token_count + usage.candidates_token_count
    assert [d.modality for d in usage.prompt_tokens_details] == [v1.Modality.TEXT]


def test_the_same_request_gets_the_same_response(stub: Stub) -> None:
    request = ask("Weather in Paris?", WEATHER, TIME)
    first, second = stub.GenerateContent(request), stub.GenerateContent(request)
    assert first.SerializeToString(deterministic=True) == second.SerializeToString(
        deterministic=True
    )
    assert stub.GenerateContent(ask("Else?")).response_id != first.response_id


def test_a_whole_tool_conversation(stub: Stub) -> None:
    request = ask("What is the weather in Paris, in fahrenheit?", TIME, WEATHER)
    first = stub.GenerateContent(request)
    assert calls(first) == [("get_weather", {"city": "Paris", "unit": "FAHRENHEIT", "days": 2.0})]
    assert first.candidates[0].finish_reason == v1.Candidate.STOP

    request.contents.append(first.candidates[0].content)
    respond(request, ("get_weather", {"output": {"degrees": 21, "sky": "clear"}}))
    second = stub.GenerateContent(request)
    assert text(second) == 'get_weather returned {"degrees": 21, "sky": "clear"}.'
    assert second.usage_metadata.prompt_token_count > first.usage_metadata.prompt_token_count

    request.contents.append(second.candidates[0].content)
    request.contents.add(role="user", parts=[{"text": "And the time?"}])
    assert [name for name, _ in calls(stub.GenerateContent(request))] == ["get_time"]


def test_parallel_calls_are_answered_in_order(stub: Stub) -> None:
    request = ask("Weather in Paris and in New York please", WEATHER)
    first = stub.GenerateContent(request)
    assert [args["city"] for _, args in calls(first)] == ["Paris", "New York"]
    request.contents.append(first.candidates[0].content)
    respond(request, ("get_weather", {"sky": "clear"}), ("get_weather", {"sky": "grey"}))
    expected = 'get_weather returned {"sky": "clear"}. get_weather returned {"sky": "grey"}.'
    assert text(stub.GenerateContent(request)) == expected


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ("Call get_time and get_weather", ["get_time", "get_weather"]),
        ("Call both", ["get_weather", "get_time"]),
        ("Run all of them", ["get_weather", "get_time"]),
        ("Please use get_time.", ["get_time"]),
        ("What time is it?", ["get_time"]),
        ("Hello", ["get_weather"]),
        ("my_get_time or get_time_of_day or the weather, get it", ["get_weather"]),
    ],
)
def test_which_functions_are_called(stub: Stub, prompt: str, names: list[str]) -> None:
    response = stub.GenerateContent(ask(prompt, WEATHER, TIME))
    assert [name for name, _ in calls(response)] == names


def test_one_function_is_called_several_times_with_other_arguments(stub: Stub) -> None:
    found = calls(stub.GenerateContent(ask("In parallel, please", WEATHER)))
    assert [name for name, _ in found] == ["get_weather", "get_weather"]
    assert found[0] != found[1]


def test_several_places_of_one_call(stub: Stub) -> None:
    route = {
        "name": "find_flight",
        "parameters": {
            "type": "OBJECT",
            "properties": {"origin": {"type": "STRING"}, "to_city": {"type": "STRING"}},
            "required": ["origin", "to_city"],
        },
    }
    response = stub.GenerateContent(ask("A flight from Berlin to Lisbon", route))
    assert calls(response) == [("find_flight", {"origin": "Berlin", "to_city": "Lisbon"})]


def test_allowed_names_restrict(stub: Stub) -> None:
    config = {"function_calling_config": {"mode": "ANY", "allowed_function_names": ["get_time"]}}
    response = stub.GenerateContent(ask("get_weather now", WEATHER, TIME, tool_config=config))
    assert [name for name, _ in calls(response)] == ["get_time"]


def test_mode_none_forbids_calls(stub: Stub) -> None:
    config = {"function_calling_config": {"mode": "NONE"}}
    response = stub.GenerateContent(ask("get_weather", WEATHER, tool_config=config))
    assert text(response) == "You said: get_weather"


def test_mode_any_calls_even_after_responses(stub: Stub) -> None:
    config = {"function_calling_config": {"mode": "ANY"}}
    request = ask("get_weather", WEATHER, tool_config=config)
    request.contents.append(stub.GenerateContent(request).candidates[0].content)
    respond(request, ("get_weather", {}))
    assert [name for name, _ in calls(stub.GenerateContent(request))] == ["get_weather"]


def test_a_function_without_parameters(stub: Stub) -> None:
    response = stub.GenerateContent(ask("go", {"name": "ping"}))
    part = response.candidates[0].content.parts[0]
    assert part.function_call.HasField("args")
    assert calls(response) == [("ping", {})]


def test_signatures_are_checked_on_return(stub: Stub) -> None:
    request = ask("Weather in Rome?", WEATHER)
    turn = stub.GenerateContent(request).candidates[0].content
    assert turn.parts[0].thought_signature
    request.contents.append(turn)
    respond(request, ("get_weather", {}))
    part = request.contents[1].parts[0]

    part.function_call.args.fields["city"].string_value = "Milan"
    answer = refused(lambda: stub.GenerateContent(request))
    assert list(answer.fields) == ["contents[1].parts[0].thoughtSignature"]
    part.thought_signature = b"skip_thought_signature_validator"
    assert text(stub.GenerateContent(request))
    part.thought_signature = b""
    assert text(stub.GenerateContent(request))


def test_a_retrieval_tool_grounds_the_reply(stub: Stub) -> None:
    store = "projects/p/locations/global/collections/c/dataStores/manuals"
    search = {"retrieval": {"vertex_ai_search": {"datastore": store}}}
    response = stub.GenerateContent(ask("How do I reset it?", tools=[search]))
    assert text(response) == f"Used retrieval ({store}). You said: How do I reset it?"
    metadata = response.candidates[0].grounding_metadata
    chunk = metadata.grounding_chunks[0].retrieved_context
    assert (chunk.uri, chunk.title) == (store, "manuals")
    assert list(metadata.retrieval_queries) == ["How do I reset it?"]
    assert metadata.grounding_supports[0].segment.text == text(response)


def test_a_corpus_grounds_the_reply(stub: Stub) -> None:
    corpus = "projects/p/locations/us-central1/ragCorpora/42"
    store = {"retrieval": {"vertex_rag_store": {"rag_resources": [{"rag_corpus": corpus}]}}}
    response = stub.GenerateContent(ask("Hm?", tools=[store]))
    chunks = response.candidates[0].grounding_metadata.grounding_chunks
    assert [chunk.retrieved_context.uri for chunk in chunks] == [corpus]


def test_a_web_search_grounds_the_reply(stub: Stub) -> None:
    response = stub.GenerateContent(ask("News?", tools=[{"google_search": {}}]))
    assert text(response) == "Used google_search. You said: News?"
    metadata = response.candidates[0].grounding_metadata
    assert list(metadata.web_search_queries) == ["News?"]
    assert metadata.grounding_chunks[0].web.uri


def test_pages_are_read(stub: Stub) -> None:
    request = ask("Sum up https://example.com/a, please", tools=[{"url_context": {}}])
    pages = stub.GenerateContent(request).candidates[0].url_context_metadata.url_metadata
    assert [page.retrieved_url for page in pages] == ["https://example.com/a"]


def test_a_tool_of_the_service_beside_functions(stub: Stub) -> None:
    tools: list[dict[str, Any]] = [{"google_search": {}}, {"function_declarations": [TIME]}]
    assert calls(stub.GenerateContent(ask("hello", tools=tools)))


def test_json_output_fits_the_schema(stub: Stub) -> None:
    schema = {"type": "OBJECT", "properties": {"ok": {"type": "BOOLEAN"}}, "required": ["ok"]}
    config = {"response_mime_type": "application/json", "response_schema": schema}
    assert text(stub.GenerateContent(ask("x", generation_config=config))) == '{"ok": true}'


@pytest.mark.parametrize(("prompt", "member"), [("blue please", "blue"), ("what?", "red")])
def test_an_enum_is_answered_with_a_member(stub: Stub, prompt: str, member: str) -> None:
    schema = {"type": "STRING", "enum": ["red", "blue"]}
    config = {"response_mime_type": "text/x.enum", "response_schema": schema}
    assert text(stub.GenerateContent(ask(prompt, generation_config=config))) == member


@pytest.mark.parametrize(
    ("said", "argument"),
    [("Format: date.", "2026-01-01"), ("Of it. Encoded as base64.", "dG9vbHdpcmU=")],
)
def test_a_format_is_read_from_the_description(stub: Stub, said: str, argument: str) -> None:
    parameter = {"type": "STRING", "description": said}
    parameters = {"type": "OBJECT", "properties": {"x": parameter}, "required": ["x"]}
    tool = {"function_declarations": [{"name": "f", "parameters": parameters}]}
    (call,) = calls(stub.GenerateContent(ask("call f", tools=[tool])))
    assert call[1] == {"x": argument}


def test_candidates(stub: Stub) -> None:
    response = stub.GenerateContent(ask("x", generation_config={"candidate_count": 3}))
    assert [candidate.index for candidate in response.candidates] == [0, 1, 2]


def test_media_count(stub: Stub) -> None:
    parts = [{"inline_data": {"mime_type": "image/png", "data": b"x"}}, {"text": "what?"}]
    usage = stub.GenerateContent(ask(contents=[{"role": "user", "parts": parts}])).usage_metadata
    counted = {d.modality: d.token_count for d in usage.prompt_tokens_details}
    assert counted == {v1.Modality.TEXT: 3, v1.Modality.IMAGE: 258}


def test_a_turn_without_words(stub: Stub) -> None:
    parts = [{"inline_data": {"mime_type": "image/png", "data": b"x"}}]
    response = stub.GenerateContent(ask(contents=[{"role": "user", "parts": parts}]))
    assert text(response) == "You said nothing in words."


def test_the_last_turn_may_be_the_models(stub: Stub) -> None:
    turns = [{"parts": [{"text": "a"}]}, {"role": "model", "parts": [{"text": "b"}]}]
    assert text(stub.GenerateContent(ask("", WEATHER, contents=turns))) == "You said: b"


def test_short_model_names(stub: Stub) -> None:
    name = "publishers/google/models/anything-you-like"
    assert stub.GenerateContent(ask("x", model=name)).model_version == "anything-you-like"
    tuned = MODEL.partition("/publishers")[0] + "/endpoints/7"
    assert stub.GenerateContent(ask("x", model=tuned)).model_version == "7"
