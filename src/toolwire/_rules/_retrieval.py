"""Rules of the retrieval tool's sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._rules._rule import Finding, shown
from toolwire._rules._schema import get, json_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._rules._rule import Context

_MOST_RESULTS = 10


def datastore_or_engine(search: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for a search in both a data store and an engine.

    Source: the comment on VertexAISearch, "datastore and engine are mutually exclusive".
    """
    if get(search, "datastore") and get(search, "engine"):
        names = json_name(search, "datastore"), json_name(search, "engine")
        yield Finding((names[1],), f"is set beside {names[0]}: set only one of the two")


def something_to_search(search: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for a search in neither a data store nor an engine.

    Source: the comment on VertexAISearch, "datastore or engine".
    """
    if not get(search, "datastore") and not get(search, "engine"):
        names = json_name(search, "datastore"), json_name(search, "engine")
        yield Finding((), f"names nothing to search in: set {names[0]} or {names[1]}")


def specs_need_engine(search: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for data store specs without an engine.

    Source: the comment on VertexAISearch.data_store_specs, "only be set if engine is used".
    """
    if len(get(search, "data_store_specs")) and not get(search, "engine"):
        yield Finding(
            (json_name(search, "data_store_specs"),),
            f"is set without {json_name(search, 'engine')}: the specs choose among its data stores",
        )


def max_results(search: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for more results than the service returns.

    Source: the comment on VertexAISearch.max_results, "the maximum allowed value is 10".
    """
    asked: int = get(search, "max_results")
    if not 0 <= asked <= _MOST_RESULTS:
        yield Finding(
            (json_name(search, "max_results"),),
            f"is {asked}: at least 1 and at most {_MOST_RESULTS}, or unset for {_MOST_RESULTS}",
        )


def one_corpus(store: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for each corpus after the first one.

    Source: the comment on VertexRagStore.rag_resources, "only one corpus or multiple files from
    one corpus".
    """
    first: str | None = None
    resources: list[Message] = list(get(store, "rag_resources"))
    for index, resource in enumerate(resources):
        corpus: str = get(resource, "rag_corpus")
        if not corpus or corpus == first:
            continue
        if first is None:
            first = corpus
            continue
        yield Finding(
            (json_name(store, "rag_resources"), index, json_name(resource, "rag_corpus")),
            f"{shown(corpus)} is a second corpus beside {shown(first)}: only one is allowed",
        )


def some_source(retrieval: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for a retrieval without a source.

    Source: the oneof of Retrieval, "the source of the retrieval".
    """
    source = retrieval.DESCRIPTOR.oneofs_by_name.get("source")
    if source is not None and retrieval.WhichOneof("source") is None:
        names = ", ".join(field.json_name for field in source.fields)
        yield Finding((), f"has no source: set one of {names}")


def files_need_corpus(resource: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for files without the corpus that they are in."""
    if len(get(resource, "rag_file_ids")) and not get(resource, "rag_corpus"):
        corpus = json_name(resource, "rag_corpus")
        yield Finding((json_name(resource, "rag_file_ids"),), f"is set without {corpus}")


def whole_period(search: Message, context: Context) -> Iterator[Finding]:  # noqa: ARG001
    """Yields a finding for a period of which one end is missing."""
    if not search.HasField("time_range_filter"):
        return
    period: Message = get(search, "time_range_filter")
    for end in ("start_time", "end_time"):
        if not period.HasField(end):
            steps = (json_name(search, "time_range_filter"), json_name(period, end))
            yield Finding(steps, "is missing: both ends have to be set")
