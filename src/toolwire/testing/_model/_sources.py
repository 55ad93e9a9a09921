"""Tools that the service runs itself: what they found, and the grounding that says so."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolwire._message_fields import get, short_name
from toolwire._rules._resources import COMMENTS
from toolwire._rules._tools import kinds_set
from toolwire.testing._model._values import add, items, part, put

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._descriptor_types import FieldType

_FUNCTIONS = "function_declarations"
_RESOURCE = re.compile(r"[a-z][A-Za-z]*(/[^/\s]+)+")
_SECRET = re.compile(r"key|secret|token|auth|password|credential")
_URL = re.compile(r"https?://[^\s\"'<>]+[\w/]")
_DEEPEST = 20


def served(request: Message) -> list[tuple[str, list[str]]]:
    """Returns the tools of a request that are no functions, with the resources that they name."""
    found: list[tuple[str, list[str]]] = []
    for tool in items(request, "tools"):
        for kind in kinds_set(tool):
            if kind.name != _FUNCTIONS:
                value = get(tool, kind.name)
                entries: list[Message] = list(value) if kind.is_repeated else [value]
                found.extend((kind.name, _distinct(_resources(entry))) for entry in entries)
    return found


def used(tools: list[tuple[str, list[str]]]) -> str:
    """Returns the sentence that says which tools were used."""
    if not tools:
        return ""
    parts = [f"{name} ({', '.join(found)})" if found else name for name, found in tools]
    return f"Used {' and '.join(parts)}."


def ground(candidate: Message, tools: list[tuple[str, list[str]]], query: str, text: str) -> None:
    """Fills in the grounding of a reply, as far as the API has fields for it.

    A tool that names resources found a passage in each; one that searches the web a page; one that
    reads addresses those of the prompt.
    """
    if not tools or "grounding_metadata" not in candidate.DESCRIPTOR.fields_by_name:
        return
    chunks = sum(_found(candidate, name, resources, query) for name, resources in tools)
    support = add(get(candidate, "grounding_metadata"), "grounding_supports") if chunks else None
    if support is not None:
        segment = part(support, "segment")
        if segment is not None:
            put(segment, start_index=0, end_index=len(text.encode()), text=text)
        put(support, grounding_chunk_indices=range(chunks))


def _found(candidate: Message, name: str, resources: list[str], query: str) -> int:
    """Adds what one tool found, and returns the number of chunks."""
    metadata: Message = get(candidate, "grounding_metadata")
    if resources:
        put(metadata, retrieval_queries=[query])
        return sum(_passage(candidate, resource, query) for resource in resources)
    if "maps" in name:
        return _chunk(candidate, "maps", uri="https://maps.example.com/1", title=query)
    if "search" in name:
        put(metadata, web_search_queries=[query])
        return _chunk(candidate, "web", uri="https://www.example.com/1", title=query)
    if "url" in name:
        _read_pages(candidate, query)
    return 0


def _distinct(names: Iterator[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _passage(candidate: Message, resource: str, query: str) -> int:
    title = resource.rpartition("/")[2]
    text = f"A passage about: {query}"
    return _chunk(candidate, "retrieved_context", uri=resource, title=title, text=text)


def _chunk(candidate: Message, kind: str, **fields: str) -> int:
    metadata: Message = get(candidate, "grounding_metadata")
    kinds = metadata.DESCRIPTOR.fields_by_name["grounding_chunks"].message_type
    if kinds is None or kind not in kinds.fields_by_name:
        return 0
    inner = part(get(metadata, "grounding_chunks").add(), kind)
    if inner is not None:
        put(inner, **fields)
    return 1


def _read_pages(candidate: Message, query: str) -> None:
    metadata = part(candidate, "url_context_metadata")
    for url in _URL.findall(query) if metadata is not None else ():
        page = add(metadata, "url_metadata") if metadata is not None else None
        if page is not None:
            put(page, retrieved_url=url, url_retrieval_status=1)


def _resources(message: Message, depth: int = 0) -> Iterator[str]:
    """Yields the resource names in a tool; never what may be a secret."""
    if depth > _DEEPEST:
        return
    for field, value in message.ListFields():
        if _SECRET.search(field.name):
            continue
        entries = value if field.is_repeated else [value]
        if field.message_type is None:
            if field.type == field.TYPE_STRING:
                yield from (entry for entry in entries if _is_resource(message, field, entry))
        elif not field.message_type.GetOptions().map_entry:
            for entry in entries:
                yield from _resources(entry, depth + 1)


def _is_resource(message: Message, field: FieldType, value: str) -> bool:
    known = (short_name(message.DESCRIPTOR), field.name) in COMMENTS
    return bool(value) and (known or _RESOURCE.fullmatch(value) is not None)
