"""Rules of the retrieval tool's sources."""

# ruff: noqa: ARG001  a rule gets the context, whether it asks it or not

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._message_fields import get, json_name
from toolwire._rules._rule import Finding, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._rules._rule import Context

_MOST_RESULTS = 10
_MOST_DOMAINS = 2000
_PARALLEL = ("source_policy", "excerpts", "max_results", "mode", "fetch_policy")


def datastore_or_engine(search: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a search in both a data store and an engine."""
    if get(search, "datastore") and get(search, "engine"):
        names = json_name(search, "datastore"), json_name(search, "engine")
        yield Finding((names[1],), f"is set beside {names[0]}: set only one of the two")


def something_to_search(search: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a search in neither a data store nor an engine."""
    if not get(search, "datastore") and not get(search, "engine"):
        names = json_name(search, "datastore"), json_name(search, "engine")
        yield Finding((), f"names nothing to search in: set {names[0]} or {names[1]}")


def specs_need_engine(search: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for data store specs without an engine."""
    if len(get(search, "data_store_specs")) and not get(search, "engine"):
        yield Finding(
            (json_name(search, "data_store_specs"),),
            f"is set without {json_name(search, 'engine')}: the specs choose among its data stores",
        )


def max_results(search: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for more results than the service returns."""
    asked: int = get(search, "max_results")
    if not 0 <= asked <= _MOST_RESULTS:
        yield Finding(
            (json_name(search, "max_results"),),
            f"is {asked}: at least 1 and at most {_MOST_RESULTS}, or unset for {_MOST_RESULTS}",
        )


def one_corpus(store: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each corpus after the first one."""
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


def some_source(retrieval: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a retrieval without a source."""
    source = retrieval.DESCRIPTOR.oneofs_by_name.get("source")
    if source is not None and retrieval.WhichOneof("source") is None:
        names = ", ".join(field.json_name for field in source.fields)
        yield Finding((), f"has no source: set one of {names}")


def files_need_corpus(resource: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for files without the corpus that they are in."""
    if len(get(resource, "rag_file_ids")) and not get(resource, "rag_corpus"):
        corpus = json_name(resource, "rag_corpus")
        yield Finding((json_name(resource, "rag_file_ids"),), f"is set without {corpus}")


def whole_period(search: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a period of which one end is missing."""
    if not search.HasField("time_range_filter"):
        return
    period: Message = get(search, "time_range_filter")
    for end in ("start_time", "end_time"):
        if not period.HasField(end):
            steps = (json_name(search, "time_range_filter"), json_name(period, end))
            yield Finding(steps, "is missing: both ends have to be set")


def period_order(period: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a period that ends before it starts."""
    if period.HasField("start_time") and period.HasField("end_time"):
        start, end = get(period, "start_time"), get(period, "end_time")
        if (end.seconds, end.nanos) < (start.seconds, start.nanos):
            fault = f"lies before {json_name(period, 'start_time')}"
            yield Finding((json_name(period, "end_time"),), fault)


def excluded_domains(search: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for more excluded domains than a search takes by default."""
    number = len(get(search, "exclude_domains"))
    if number > _MOST_DOMAINS:
        fault = f"has {number} entries: the default limit is {_MOST_DOMAINS}"
        yield Finding((json_name(search, "exclude_domains"),), fault)


def parallel_settings(search: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each setting that is not passed on to Parallel."""
    for name in sorted(get(search, "custom_configs").fields):
        if name not in _PARALLEL:
            steps = (json_name(search, "custom_configs"), (name,))
            yield Finding(steps, f"is not passed on: there are {', '.join(_PARALLEL)}")


def one_store(search: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for more than one store of files, which not every server takes."""
    number = len(get(search, "retrieval_resources"))
    if number > 1:
        fault = f"has {number} entries: not every server takes more than one"
        yield Finding((json_name(search, "retrieval_resources"),), fault)
