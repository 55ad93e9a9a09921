"""The retrieval builders and ``source``."""

from __future__ import annotations

import json

import pytest

import toolwire
from support.fill import filled
from toolwire import oneof, retrieval, v1

DATASTORE = "projects/p/locations/global/collections/c/dataStores/d"
ENGINE = "projects/p/locations/global/collections/c/engines/e"
CORPUS = "projects/p/locations/us-central1/ragCorpora/42"


def test_builds_a_search_with_every_option() -> None:
    tool = retrieval.vertex_ai_search(
        engine=ENGINE,
        max_results=3,
        filter="lang: en",
        data_store_specs=[{"data_store": DATASTORE, "filter": "x"}],
    )
    assert tool == v1.Tool(
        retrieval={
            "vertex_ai_search": {
                "engine": ENGINE,
                "max_results": 3,
                "filter": "lang: en",
                "data_store_specs": [{"data_store": DATASTORE, "filter": "x"}],
            }
        }
    )


def test_builds_a_rag_store_with_every_option() -> None:
    tool = retrieval.vertex_rag_store(
        rag_resources=[
            v1.VertexRagStore.RagResource(rag_corpus=CORPUS, rag_file_ids=["1"]),
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


@pytest.mark.parametrize("member", ["vertex_ai_search", "vertex_rag_store"])
def test_a_builder_takes_every_field_of_its_source(member: str) -> None:
    fields = v1.Retrieval.DESCRIPTOR.fields_by_name[member].message_type
    assert fields is not None
    for field in fields.fields:
        given = getattr(filled(getattr(v1, fields.name)), field.name)
        try:
            tool = getattr(retrieval, member)(**{field.name: given})
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


def test_an_empty_source_is_a_source() -> None:
    found = retrieval.source(v1.Retrieval(vertex_rag_store={}))
    assert isinstance(found, v1.VertexRagStore)


def test_the_source_is_the_live_message() -> None:
    tool = retrieval.vertex_ai_search(datastore=DATASTORE)
    found = retrieval.source(tool)
    assert isinstance(found, v1.VertexAISearch)
    found.max_results = 7
    assert tool.retrieval.vertex_ai_search.max_results == 7


def test_a_newer_source_is_told_from_none() -> None:
    newer = v1.Tool(retrieval=v1.Retrieval.FromString(b"\x4a\x00"))
    assert retrieval.source(newer) is None
    assert retrieval.source(newer, unknown="newer") == "newer"
    assert retrieval.source(v1.Tool(retrieval={}), unknown="newer") is None


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
def test_rules_of_the_comments_hold(fields: dict[str, object], path: str, text: str) -> None:
    with pytest.raises(toolwire.ValidationError) as caught:
        retrieval.vertex_ai_search(**fields)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    (violation,) = caught.value.violations
    assert violation.path == path
    assert violation.severity == "error"
    assert text in violation.message


def test_one_corpus_only() -> None:
    with pytest.raises(toolwire.ValidationError, match=r"ragResources\[1\].ragCorpus"):
        retrieval.vertex_rag_store(
            rag_resources=[{"rag_corpus": CORPUS}, {"rag_corpus": CORPUS.replace("42", "43")}]
        )


@pytest.mark.parametrize(
    "value",
    [
        {"vertexAiSearch": {}, "vertexRagStore": {}},
        {"vertex_ai_search": {}, "vertex_rag_store": {}},
        {"vertexAiSearch": {}, "vertex_rag_store": {}},
    ],
    ids=["json names", "proto names", "mixed"],
)
def test_two_sources_are_refused_by_name(value: dict[str, object]) -> None:
    with pytest.raises(toolwire.JsonError) as from_dict:
        toolwire.from_dict(v1.Tool, {"retrieval": value})
    with pytest.raises(toolwire.JsonError) as from_json:
        toolwire.from_json(v1.Tool, json.dumps({"retrieval": value}))
    assert str(from_dict.value) == str(from_json.value)
    assert from_dict.value.path == "retrieval"
    assert "vertexAiSearch" in str(from_dict.value)
    assert "vertexRagStore" in str(from_dict.value)


def test_what_is_no_tool_is_refused() -> None:
    with pytest.raises(toolwire.ConversionError, match=r"found a .*\.Part"):
        retrieval.source(v1.Part())
    with pytest.raises(toolwire.JsonError, match="unknown field"):
        retrieval.vertex_ai_search(data_store=DATASTORE)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    with pytest.raises(toolwire.DescriptorError, match="v2"):
        retrieval.vertex_ai_search(api="v2", datastore=DATASTORE)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
