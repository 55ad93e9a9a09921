"""One server answers the calls of every API, with messages of that API."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import grpc
import pytest

import toolwire
from support.apis import SERVED, module, of_every_served_api
from support.calls import WEATHER, calls
from toolwire import gemini, v1, v1beta1
from toolwire._apis import APIS
from toolwire.testing import LocalServer

MODELS = {
    "v1": "publishers/google/models/gemini-2.5-flash",
    "v1beta1": "publishers/google/models/gemini-2.5-flash",
    "gemini": "models/gemini-2.5-flash",
}
TOOLS = [{"function_declarations": [WEATHER]}]


def client(server: Any, api: str) -> Any:
    """Returns a client as an untyped program has it."""
    return server.client(api=api)


def user(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "parts": list(parts)}


def test_every_api_with_services_is_served() -> None:
    assert list(MODELS) == SERVED


@of_every_served_api
def test_a_whole_turn(server: LocalServer, api: str) -> None:
    with client(server, api) as caller:
        question = user({"text": "What is the weather in Paris?"})
        first = caller.generate_content("gemini-2.5-flash", [question], tools=TOOLS)
        assert type(first) is module(api).GenerateContentResponse
        ((name, arguments),) = calls(first)
        assert name == "get_weather"
        assert arguments["city"] == "Paris"
        turn = first.candidates[0].content
        call = turn.parts[0].function_call
        answer: dict[str, Any] = {"name": call.name, "response": {"output": "sunny"}}
        if "id" in call.DESCRIPTOR.fields_by_name:
            assert call.id
            answer["id"] = call.id
        history = [question, turn, user({"function_response": answer})]
        chunks = caller.stream_generate_content("gemini-2.5-flash", history, tools=TOOLS)
        text = "".join(chunk.candidates[0].content.parts[0].text for chunk in chunks)
        assert text.startswith('get_weather returned "sunny".')


@of_every_served_api
def test_a_broken_rule_is_refused(server: LocalServer, api: str) -> None:
    with client(server, api) as caller, pytest.raises(toolwire.InvalidArgument) as caught:
        caller.generate_content("m", "x", tools=[{"function_declarations": [{"name": "a b"}]}])
    assert "functionDeclarations[0].name" in str(caught.value)


@of_every_served_api
def test_counts(server: LocalServer, api: str) -> None:
    with client(server, api) as caller:
        alone = caller.count_tokens("m", "three short words")
        assert type(alone) is module(api).CountTokensResponse
        assert alone.total_tokens == len(["user", "three", "short", "words"])
        more = caller.count_tokens("m", "three short words", tools=TOOLS)
        assert more.total_tokens > alone.total_tokens
        usage = caller.generate_content("m", "three short words", tools=TOOLS).usage_metadata
        assert usage.prompt_token_count == more.total_tokens


def test_gemini_counts_a_request_of_its_own_as_it_is(server: LocalServer) -> None:
    with server.client(api="gemini") as caller:
        plain_ = caller.count_tokens("m", "three short words", tools=TOOLS)
        given = {"contents": [user({"text": "three short words"})], "tools": TOOLS}
        inner = caller.count_tokens("m", generate_content_request=given)
    assert inner == plain_


def code_of(channel: Any, path: str, *, streams: bool) -> grpc.StatusCode:
    """Sends an empty request, and returns the code that comes of it."""
    call = channel.stream_stream(path)(iter([b""])) if streams else channel.unary_stream(path)(b"")
    with contextlib.suppress(grpc.RpcError):
        list(call)
    code: grpc.StatusCode = call.code()
    return code


@of_every_served_api
def test_every_method_answers(channel: grpc.Channel, api: str) -> None:
    for service in APIS[api].services():
        for method in service.methods:
            path = f"/{service.full_name}/{method.name}"
            code = code_of(channel, path, streams=method.client_streaming)
            is_empty_fine = api == "gemini" and method.name == "ListCachedContents"
            expected = grpc.StatusCode.OK if is_empty_fine else grpc.StatusCode.INVALID_ARGUMENT
            assert code is expected, path


@pytest.mark.parametrize("name", ["responseSchema", "responseJsonSchema", "_responseJsonSchema"])
def test_gemini_replies_in_json_by_each_of_its_schemas(server: LocalServer, name: str) -> None:
    kind = "OBJECT" if name == "responseSchema" else "object"
    number = "INTEGER" if name == "responseSchema" else "integer"
    schema = {"type": kind, "properties": {"n": {"type": number}}, "required": ["n"]}
    config = {"responseMimeType": "application/json", name: schema}
    with server.client(api="gemini") as caller:
        reply = caller.generate_content("m", "Give me a number", generation_config=config)
    assert list(json.loads(reply.candidates[0].content.parts[0].text)) == ["n"]


def test_stubs_of_every_api(channel: grpc.Channel) -> None:
    contents = [user({"text": "Hello"})]
    ours = v1.grpc.PredictionServiceStub(channel).GenerateContent(
        v1.GenerateContentRequest(model=MODELS["v1"], contents=contents)
    )
    beta = v1beta1.grpc.PredictionServiceStub(channel).GenerateContent(
        v1beta1.GenerateContentRequest(model=MODELS["v1beta1"], contents=contents)
    )
    other = gemini.grpc.GenerativeServiceStub(channel).GenerateContent(
        gemini.GenerateContentRequest(model=MODELS["gemini"], contents=contents)
    )
    for response in (ours, beta, other):
        assert response.candidates[0].content.parts[0].text == "You said: Hello"
    assert (
        v1beta1.grpc.PredictionServiceStub(channel)
        .CountTokens(v1beta1.CountTokensRequest(endpoint=MODELS["v1beta1"], contents=contents))
        .total_tokens
        == 2
    )
