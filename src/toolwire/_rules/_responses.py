"""Rules of what a server sends: the figures of an answer that refer to each other."""

# ruff: noqa: ARG001  a rule gets the context, whether it asks it or not

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._message_fields import get, json_name
from toolwire._rules._rule import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._rules._rule import Context


def grounding_chunks(grounding: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each source of a stretch of text that is not there."""
    number = len(get(grounding, "grounding_chunks"))
    supports: list[Message] = list(get(grounding, "grounding_supports"))
    for position, support in enumerate(supports):
        for index, chunk in enumerate(get(support, "grounding_chunk_indices")):
            if not 0 <= chunk < number:
                steps = (json_name(grounding, "grounding_supports"), position)
                where = (json_name(support, "grounding_chunk_indices"), index)
                yield Finding((*steps, *where), f"is {chunk}, but there are {number} sources")


def grounding_scores(support: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for scores that are not one for each source."""
    scores = len(get(support, "confidence_scores"))
    sources = len(get(support, "grounding_chunk_indices"))
    if scores and scores != sources:
        fault = f"has {scores} entries, but there are {sources} sources"
        yield Finding((json_name(support, "confidence_scores"),), fault)


def segment(stretch: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a stretch of text that ends before it starts."""
    start: int = get(stretch, "start_index")
    end: int = get(stretch, "end_index")
    if end < start:
        yield Finding((json_name(stretch, "end_index"),), f"is {end}, before the start, {start}")
