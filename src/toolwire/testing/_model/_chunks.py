"""A reply cut into the chunks of a stream."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from toolwire._message_fields import get
from toolwire.testing._model._values import has, put

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

_WORDS = re.compile(r"\s*\S+\s*")
_IN_A_GROUP = 4
_MOST_GROUPS = 64
_LATE = ("finish_reason", "grounding_metadata", "url_context_metadata")


def chunks(response: Message) -> Iterator[Message]:
    """Yields a response in chunks that, joined, are the response again.

    A text comes in groups of words and each other part in a chunk of its own. All chunks have the
    response's id; the last one of each candidate has its finish reason and grounding, and the last
    one of all the usage.
    """
    candidates: list[Message] = list(get(response, "candidates"))
    pieces = [list(_pieces(candidate)) for candidate in candidates]
    last_frame = _without(response, "candidates")
    frame = _without(last_frame, "usage_metadata")
    last_sides = [_emptied(candidate) for candidate in candidates]
    sides = [_without(side, *_LATE) for side in last_sides]
    length = max(map(len, pieces), default=0)
    for step in range(length):
        chunk = _without(frame if step < length - 1 else last_frame)
        for number, parts in enumerate(pieces):
            if step < len(parts):
                is_last = step == len(parts) - 1
                added: Message = get(chunk, "candidates").add()
                added.CopyFrom(last_sides[number] if is_last else sides[number])
                get(get(added, "content"), "parts").add().CopyFrom(parts[step])
        yield chunk


def _without(message: Message, *fields: str) -> Message:
    """Returns a copy of a message, without some of its fields if it has them."""
    copied = type(message)()
    copied.CopyFrom(message)
    for field in fields:
        if field in copied.DESCRIPTOR.fields_by_name:
            copied.ClearField(field)
    return copied


def _emptied(candidate: Message) -> Message:
    copied = _without(candidate)
    get(copied, "content").ClearField("parts")
    return copied


def _pieces(candidate: Message) -> Iterator[Message]:
    for part in get(get(candidate, "content"), "parts"):
        if not has(part, "text"):
            yield part
            continue
        words: list[str] = _WORDS.findall(get(part, "text")) or [get(part, "text")]
        size = max(_IN_A_GROUP, math.ceil(len(words) / _MOST_GROUPS))
        for start in range(0, len(words), size):
            piece = _without(part)
            put(piece, text="".join(words[start : start + size]))
            yield piece
