"""What the server refuses, with the path of the faulty field."""

from __future__ import annotations

from typing import Any, TypeAlias

import grpc
import pytest

from support.calls import MODEL, TIME, WEATHER, ask, refused
from toolwire import v1

Stub: TypeAlias = "v1.grpc.PredictionServiceStub"
STORE = "projects/p/locations/global/collections/c/dataStores/d"
ENGINE = STORE.replace("dataStores", "engines")
SPECS = [{"data_store": STORE}]
CORPORA = "projects/p/locations/us-central1/ragCorpora"


def call_turn(*names: str) -> dict[str, Any]:
    return {"role": "model", "parts": [{"function_call": {"name": name}} for name in names]}


def response_turn(*names: str) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [
        {"function_response": {"name": name, "response": {}}} for name in names
    ]
    return {"role": "user", "parts": parts}


def turns(*contents: dict[str, Any]) -> v1.GenerateContentRequest:
    return ask("", WEATHER, contents=[{"role": "user", "parts": [{"text": "x"}]}, *contents])


def search(**fields: Any) -> v1.GenerateContentRequest:
    return ask("x", tools=[{"retrieval": {"vertex_ai_search": fields}}])


def corpora(*names: str) -> v1.GenerateContentRequest:
    store = {"rag_resources": [{"rag_corpus": f"{CORPORA}/{name}"} for name in names]}
    return ask("x", tools=[{"retrieval": {"vertex_rag_store": store}}])


def allowing(*names: str, **fields: Any) -> v1.GenerateContentRequest:
    config = {"function_calling_config": {"allowed_function_names": names, **fields}}
    return ask("x", TIME, tool_config=config)


ALLOWED = "toolConfig.functionCallingConfig.allowedFunctionNames"
SEARCH = "tools[0].retrieval.vertexAiSearch"
CASES = [
    (ask("x", tools=[{}]), "tools[0]", "no kind of tool"),
    (
        ask("x", tools=[{"google_search": {}, "code_execution": {}}]),
        "tools[0]",
        "googleSearch and codeExecution",
    ),
    (ask("x", model=""), "model", "required"),
    (ask("", contents=[]), "contents", "required"),
    (ask("x", contents=[{}]), "contents[0].parts", "required"),
    (ask("x", {}), "tools[0].functionDeclarations[0].name", "required"),
    (ask("x", TIME, {"name": "a b"}), "tools[0].functionDeclarations[1].name", '"a b" contains'),
    (ask("x", {"name": "1a"}), "tools[0].functionDeclarations[0].name", '"1"'),
    (ask("x", {"name": "a" * 129}), "tools[0].functionDeclarations[0].name", "129 characters"),
    (ask("x", {"name": "é"}), "tools[0].functionDeclarations[0].name", '"é"'),
    (ask("x", model="gemini"), "model", "publishers/*/models/*"),
    (ask("x", cached_content="c/1"), "cachedContent", "cachedContents"),
    (allowing("f", mode="ANY"), f"{ALLOWED}[0]", 'declared are "get_time"'),
    (allowing("get_time"), ALLOWED, "mode ANY"),
    (search(datastore=STORE, engine=ENGINE), f"{SEARCH}.engine", "datastore"),
    (search(datastore=STORE, data_store_specs=SPECS), f"{SEARCH}.dataStoreSpecs", "engine"),
    (search(datastore=STORE, max_results=11), f"{SEARCH}.maxResults", "11"),
    (search(datastore="d"), f"{SEARCH}.datastore", "dataStores/{dataStore}"),
    (
        corpora("1", "2"),
        "tools[0].retrieval.vertexRagStore.ragResources[1].ragCorpus",
        "second corpus",
    ),
    (turns(call_turn("a"), response_turn()), "contents[2].parts", "required"),
    (turns(call_turn("a", "b"), response_turn("a")), "contents[2]", 'misses the response to "b"'),
    (turns(call_turn("a"), response_turn("a", "a")), "contents[2].parts[1]", "extra response"),
    (turns(response_turn("a")), "contents[1].parts[0]", "no such call"),
    (turns(call_turn("a")), "contents[1]", 'calls "a" without'),
    (turns(call_turn("a"), {"role": "user", "parts": [{"text": "x"}]}), "contents[2]", "misses"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("request_", "path", "words"), CASES, ids=[f"{path}-{words}" for _, path, words in CASES]
)
def test_refusal(stub: Stub, request_: v1.GenerateContentRequest, path: str, words: str) -> None:
    answer = refused(lambda: stub.GenerateContent(request_))
    assert answer.code is grpc.StatusCode.INVALID_ARGUMENT
    assert path in answer.fields
    assert words in answer.fields[path]
    assert all(answer.reasons)


def test_all_faults_are_listed(stub: Stub) -> None:
    request = v1.GenerateContentRequest(tools=[{}, {}])
    answer = refused(lambda: stub.GenerateContent(request))
    assert list(answer.fields) == ["model", "contents", "tools[0]", "tools[1]"]
    assert answer.reasons == ["FIELD_REQUIRED", "FIELD_REQUIRED", "TOOL_NO_KIND", "TOOL_NO_KIND"]
    assert (
        answer.message
        == "model: is required and missing; over REST it stands in the URL (and 3 more)"
    )


@pytest.mark.parametrize("count", [20, 60, 5000])
def test_details_stay_small(stub: Stub, count: int) -> None:
    request = ask("x", *[{"name": f"ä{'ö' * 200}{each}"} for each in range(count)])
    answer = refused(lambda: stub.GenerateContent(request))
    assert answer.code is grpc.StatusCode.INVALID_ARGUMENT
    assert answer.size < 7168
    assert "more violations are not listed" in answer.fields[""]
    listed = len(answer.fields) - 1
    assert listed > 5
    if count <= 100:
        assert answer.fields[""].startswith(f"{count - listed} more")
    else:
        assert answer.fields[""].startswith("at least ")


def test_long_map_keys_stay_out(stub: Stub) -> None:
    deep: dict[str, Any] = {"type": "OBJECT"}
    for _ in range(40):
        deep = {"type": "OBJECT", "properties": {"k" * 5000: deep}}
    request = ask("x", {"name": "1", "parameters": deep})
    assert refused(lambda: stub.GenerateContent(request)).size < 7168


def test_a_missing_model(stub: Stub, utility: v1.grpc.LlmUtilityServiceStub) -> None:
    name = "publishers/google/models/missing-model"
    answer = refused(lambda: stub.GenerateContent(ask("x", model=name)))
    assert answer.code is grpc.StatusCode.NOT_FOUND
    assert "missing-model" in answer.message
    answer = refused(lambda: utility.CountTokens(v1.CountTokensRequest(endpoint=name)))
    assert answer.code is grpc.StatusCode.NOT_FOUND


def test_every_method_checks_its_request(channel: grpc.Channel, stub: Stub) -> None:
    answer = refused(lambda: stub.Predict(v1.PredictRequest(endpoint=MODEL)))
    assert answer.code is grpc.StatusCode.INVALID_ARGUMENT
    assert list(answer.fields) == ["instances"]
    caches = v1.grpc.GenAiCacheServiceStub(channel)
    answer = refused(lambda: caches.GetCachedContent(v1.GetCachedContentRequest()))
    assert list(answer.fields) == ["name"]


def test_bytes_that_are_no_request(channel: grpc.Channel) -> None:
    path = "/google.cloud.aiplatform.v1.PredictionService/GenerateContent"
    method: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(path)
    answer = refused(lambda: method(b"\xff\xff\xff"))
    assert answer.code is grpc.StatusCode.INVALID_ARGUMENT
    assert "not a valid google.cloud.aiplatform.v1.GenerateContentRequest" in answer.message


def test_counting_is_checked_too(utility: v1.grpc.LlmUtilityServiceStub) -> None:
    request = v1.CountTokensRequest(endpoint=MODEL, tools=[{}])
    assert list(refused(lambda: utility.CountTokens(request)).fields) == ["tools[0]"]
