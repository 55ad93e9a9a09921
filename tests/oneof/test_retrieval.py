"""The retrieval builders and ``source``, in every API that has a Retrieval."""

from __future__ import annotations

import json
from typing import Any

import pytest

import toolwire
from support.apis import RETRIEVING, foreign, module
from support.fill import filled
from toolwire import oneof, retrieval, v1, v1beta1

DATASTORE = "projects/p/locations/global/collections/c/dataStores/d"
ENGINE = "projects/p/locations/global/collections/c/engines/e"
CORPUS = "projects/p/locations/us-central1/ragCorpora/42"

of_every_retrieving_api = pytest.mark.parametrize("api", RETRIEVING)


def build(member: str, api: str, **fields: Any) -> Any:
    """Calls a builder as an untyped program does."""
    return getattr(retrieval, member)(api=api, **fields)


def source(message: object, function: Any = retrieval.source) -> Any:
    """Finds a source as an untyped program does."""
    return function(message)


def test_both_apis_of_vertex_ai_retrieve() -> None:
    assert RETRIEVING == ["v1", "v1beta1"]


@of_every_retrieving_api
def test_builds_a_search_with_every_option(api: str) -> None:
    options = {
        "engine": ENGINE,
        "max_results": 3,
        "filter": "lang: en",
        "data_store_specs": [{"data_store": DATASTORE, "filter": "x"}],
    }
    tool = build("vertex_ai_search", api, **options)
    assert tool == module(api).Tool(retrieval={"vertex_ai_search": options})


@of_every_retrieving_api
def test_builds_a_rag_store_with_every_option(api: str) -> None:
    tool = build(
        "vertex_rag_store",
        api,
        rag_resources=[
            module(api).VertexRagStore.RagResource(rag_corpus=CORPUS, rag_file_ids=["1"]),
            {"rag_corpus": CORPUS, "rag_file_ids": ["2"]},
        ],
        similarity_top_k=4,
        vector_distance_threshold=0.5,
        rag_retrieval_config={
            "top_k": 4,
            "filter": {"vector_similarity_threshold": 0.0},
            "ranking": {"llm_ranker": {"model_name": "gemini-2.5-flash"}},
        },
    )
    store = tool.retrieval.vertex_rag_store
    assert [list(resource.rag_file_ids) for resource in store.rag_resources] == [["1"], ["2"]]
    threshold = store.rag_retrieval_config.filter
    assert oneof.which(threshold, "vector_db_threshold") == "vector_similarity_threshold"


def test_an_api_takes_its_own_fields() -> None:
    tool = retrieval.vertex_rag_store(
        api="v1beta1",
        rag_resources=[{"rag_corpus": CORPUS}],
        store_context=True,
        rag_retrieval_config={"hybrid_search": {"alpha": 0.5}},
    )
    assert isinstance(tool, v1beta1.Tool)
    assert tool.retrieval.vertex_rag_store.store_context
    with pytest.raises(toolwire.JsonError, match="store_context"):
        retrieval.vertex_rag_store(store_context=True)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]


@of_every_retrieving_api
@pytest.mark.parametrize("member", ["vertex_ai_search", "vertex_rag_store"])
def test_a_builder_takes_every_field_of_its_source(member: str, api: str) -> None:
    fields = module(api).Retrieval.DESCRIPTOR.fields_by_name[member].message_type
    for field in fields.fields:
        given = getattr(filled(getattr(module(api), fields.name)), field.name)
        try:
            tool = build(member, api, **{field.name: given})
        except toolwire.ValidationError:
            continue  # the field was read: only its value breaks a rule
        assert [set_.name for set_, _ in getattr(tool.retrieval, member).ListFields()] == [
            field.name
        ]


def test_source_is_told_by_match() -> None:
    def kind(message: v1.Tool | v1.Retrieval) -> str:
        match retrieval.source(message):
            case v1.VertexAISearch() as search:
                return search.datastore
            case v1.VertexRagStore() as store:
                return store.rag_resources[0].rag_corpus
            case None:
                return "none"

    assert kind(retrieval.vertex_ai_search(datastore=DATASTORE)) == DATASTORE
    store = retrieval.vertex_rag_store(rag_resources=[{"rag_corpus": CORPUS}])
    assert kind(store) == kind(store.retrieval) == CORPUS
    assert kind(v1.Tool(google_search={})) == "none"
    assert kind(v1.Tool(retrieval={})) == "none"


@of_every_retrieving_api
def test_an_empty_source_is_a_source(api: str) -> None:
    found = source(module(api).Retrieval(vertex_rag_store={}))
    assert isinstance(found, module(api).VertexRagStore)


@of_every_retrieving_api
def test_the_source_is_the_live_message(api: str) -> None:
    tool = build("vertex_ai_search", api, datastore=DATASTORE)
    found = source(tool)
    assert isinstance(found, module(api).VertexAISearch)
    found.max_results = 7
    assert tool.retrieval.vertex_ai_search.max_results == 7


@of_every_retrieving_api
def test_a_message_of_another_pool_comes_back_as_ours(api: str) -> None:
    theirs = foreign(module(api).Tool)(retrieval={"vertex_ai_search": {"datastore": DATASTORE}})
    for message in (theirs, theirs.retrieval):
        found = source(message)
        assert isinstance(found, module(api).VertexAISearch)
        assert found.datastore == DATASTORE


@of_every_retrieving_api
def test_a_newer_source_is_told_from_none(api: str) -> None:
    newer = module(api).Tool(retrieval=module(api).Retrieval.FromString(b"\x4a\x00"))
    assert retrieval.source(newer) is None
    assert retrieval.source(newer, unknown="newer") == "newer"
    assert retrieval.source(module(api).Tool(retrieval={}), unknown="newer") is None


@of_every_retrieving_api
@pytest.mark.parametrize(
    ("fields", "path", "text"),
    [
        pytest.param(
            {"datastore": DATASTORE, "engine": ENGINE},
            "retrieval.vertexAiSearch.engine",
            "datastore",
            id="datastore beside engine",
        ),
        pytest.param(
            {"datastore": DATASTORE, "data_store_specs": [{"data_store": DATASTORE}]},
            "retrieval.vertexAiSearch.dataStoreSpecs",
            "engine",
            id="specs without engine",
        ),
        pytest.param(
            {"datastore": DATASTORE, "max_results": 11},
            "retrieval.vertexAiSearch.maxResults",
            "10",
            id="too many results",
        ),
    ],
)
def test_rules_of_the_comments_hold(
    fields: dict[str, object], path: str, text: str, api: str
) -> None:
    with pytest.raises(toolwire.ValidationError) as caught:
        build("vertex_ai_search", api, **fields)
    (violation,) = caught.value.violations
    assert violation.path == path
    assert violation.severity == "error"
    assert text in violation.message


@of_every_retrieving_api
def test_one_corpus_only(api: str) -> None:
    resources = [{"rag_corpus": CORPUS}, {"rag_corpus": CORPUS.replace("42", "43")}]
    with pytest.raises(toolwire.ValidationError, match=r"ragResources\[1\].ragCorpus"):
        build("vertex_rag_store", api, rag_resources=resources)


@of_every_retrieving_api
@pytest.mark.parametrize(
    "value",
    [
        {"vertexAiSearch": {}, "vertexRagStore": {}},
        {"vertex_ai_search": {}, "vertex_rag_store": {}},
        {"vertexAiSearch": {}, "vertex_rag_store": {}},
    ],
    ids=["json names", "proto names", "mixed"],
)
def test_two_sources_are_refused_by_name(value: dict[str, object], api: str) -> None:
    cls = module(api).Tool
    with pytest.raises(toolwire.JsonError) as from_dict:
        toolwire.from_dict(cls, {"retrieval": value})
    with pytest.raises(toolwire.JsonError) as from_json:
        toolwire.from_json(cls, json.dumps({"retrieval": value}))
    assert str(from_dict.value) == str(from_json.value)
    assert from_dict.value.path == "retrieval"
    assert "vertexAiSearch" in str(from_dict.value)
    assert "vertexRagStore" in str(from_dict.value)


def test_what_is_no_tool_is_refused() -> None:
    with pytest.raises(
        toolwire.ConversionError, match=r"Retrieval of v1 or v1beta1, found a .*\.Part"
    ):
        retrieval.source(v1.Part())
    with pytest.raises(toolwire.JsonError, match="unknown field"):
        retrieval.vertex_ai_search(data_store=DATASTORE)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue]
    with pytest.raises(toolwire.DescriptorError, match="v2"):
        build("vertex_ai_search", "v2", datastore=DATASTORE)


@pytest.mark.parametrize("api", ["gemini", "firebase"])
def test_an_api_without_retrieval_is_refused(api: str) -> None:
    with pytest.raises(toolwire.DescriptorError, match="expected v1 or v1beta1"):
        build("vertex_ai_search", api, datastore=DATASTORE)
    with pytest.raises(toolwire.ConversionError, match="found a "):
        retrieval.source(module(api).Tool())
