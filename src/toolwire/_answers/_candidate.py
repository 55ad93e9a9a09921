"""One candidate of a streamed response, with its content and its sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from toolwire._answers._merge import merge, starts_with
from toolwire._answers._parts import Parts
from toolwire._message_fields import get

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._paths import Path


class Candidate:
    """A candidate that is being put together."""

    def __init__(self, cls: type[Message]) -> None:
        self._message = cls()
        self._parts = Parts()

    def add(self, candidate: Message, at: Path) -> None:
        """Takes in what a chunk has of it.

        Raises:
            ConversionError: If it contradicts the chunks before.
        """
        merge(self._message, candidate, at, skip=("content", "grounding_metadata"))
        if candidate.HasField("content"):
            here: Path = (at, "content")
            content: Message = get(candidate, "content")
            into: Message = get(self._message, "content")
            into.SetInParent()
            merge(into, content, here, skip=("parts",))
            for position, part in enumerate(cast("list[Message]", get(content, "parts"))):
                self._parts.add(part, ((here, "parts"), position))
        if candidate.HasField("grounding_metadata"):
            sources: Message = get(self._message, "grounding_metadata")
            sources.SetInParent()
            _ground(sources, get(candidate, "grounding_metadata"), (at, "groundingMetadata"))

    def finish(self) -> Message:
        """Returns the whole candidate."""
        parts = self._parts.finish()
        if parts:
            get(get(self._message, "content"), "parts").extend(parts)
        return self._message


def _ground(into: Message, chunk: Message, at: Path) -> None:
    """Adds sources, and lets the passages that cite them by position cite them still."""
    before, own = get(into, "grounding_chunks"), get(chunk, "grounding_chunks")
    supports: list[Message] = list(get(chunk, "grounding_supports"))
    cited = [index for support in supports for index in get(support, "grounding_chunk_indices")]
    counts_own = not starts_with(own, before) and all(index < len(own) for index in cited)
    if counts_own and len(before):
        moved = type(chunk)()
        moved.CopyFrom(chunk)
        for support in get(moved, "grounding_supports"):
            support.grounding_chunk_indices[:] = [
                index + len(before) for index in support.grounding_chunk_indices
            ]
        chunk = moved
    merge(into, chunk, at)
