"""Rules of retrieval, on the sources themselves and inside a tool."""

from __future__ import annotations

from typing import Any

import pytest

from toolwire import v1
from toolwire._rules import violations

PLACE = "projects/p/locations/global/collections/default_collection"
STORE = f"{PLACE}/dataStores/manuals"
ENGINE = f"{PLACE}/engines/all"
CORPUS = "projects/p/locations/us-central1/ragCorpora/42"


def told(message: object, severity: str = "error") -> list[tuple[str, str]]:
    found = violations(message)
    return [(entry.path, entry.rule) for entry in found if entry.severity == severity]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"datastore": STORE}, []),
        ({"datastore": STORE, "max_results": 10, "filter": "x"}, []),
        ({"engine": ENGINE, "data_store_specs": [{"data_store": STORE}]}, []),
        ({"datastore": STORE, "engine": ENGINE}, [("engine", "retrieval.datastore-or-engine")]),
        (
            {"datastore": STORE, "data_store_specs": [{"data_store": STORE}]},
            [("dataStoreSpecs", "retrieval.specs-need-engine")],
        ),
        ({"datastore": STORE, "max_results": 11}, [("maxResults", "retrieval.max-results")]),
        ({"datastore": STORE, "max_results": -1}, [("maxResults", "retrieval.max-results")]),
        ({"datastore": ENGINE}, [("datastore", "resource.name")]),
        ({"datastore": f"/{STORE}"}, [("datastore", "resource.name")]),
        ({"datastore": f"{STORE}/"}, [("datastore", "resource.name")]),
        ({"datastore": f"{STORE}\n"}, [("datastore", "resource.name")]),
        ({"datastore": STORE.replace("manuals", "a b")}, [("datastore", "resource.name")]),
        ({"engine": STORE}, [("engine", "resource.name")]),
        (
            {"engine": ENGINE, "data_store_specs": [{"data_store": "manuals"}]},
            [("dataStoreSpecs[0].dataStore", "resource.name")],
        ),
    ],
)
def test_vertex_ai_search(fields: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    search = v1.VertexAISearch(**fields)
    assert told(search) == expected
    inside = [(f"retrieval.vertexAiSearch.{path}", rule) for path, rule in expected]
    assert told(v1.Tool(retrieval={"vertex_ai_search": search})) == inside


@pytest.mark.parametrize(
    ("resources", "expected"),
    [
        ([], []),
        ([{"rag_corpus": CORPUS}], []),
        ([{"rag_corpus": CORPUS}, {"rag_file_ids": ["1"]}], []),
        ([{"rag_corpus": CORPUS, "rag_file_ids": ["1"]}, {"rag_corpus": CORPUS}], []),
        (
            [{"rag_corpus": CORPUS}, {"rag_corpus": f"{CORPUS}1"}, {"rag_corpus": CORPUS}],
            [("ragResources[1].ragCorpus", "retrieval.one-corpus")],
        ),
        ([{"rag_corpus": "42"}], [("ragResources[0].ragCorpus", "resource.name")]),
    ],
)
def test_vertex_rag_store(resources: list[dict[str, Any]], expected: list[tuple[str, str]]) -> None:
    assert told(v1.VertexRagStore(rag_resources=resources)) == expected


def test_what_is_odd_is_a_warning() -> None:
    assert told(v1.VertexAISearch(), "warning") == [("", "retrieval.nothing-to-search")]
    assert told(v1.Retrieval(), "warning") == [("", "retrieval.source")]
    assert told(v1.Retrieval(vertex_rag_store={}), "warning") == []
