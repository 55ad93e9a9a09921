"""Vectors of texts: the same for the same text, and near each other for texts with common words."""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING

from toolwire._message_fields import get
from toolwire.testing._model._tokens import message_tokens, text_tokens
from toolwire.testing._model._values import add, has, items, part, put

if TYPE_CHECKING:
    from google.protobuf.message import Message

_LENGTH = 16
_MOST = 3072


def embed(request: Message, response: Message) -> Message:
    """Fills in the response to an EmbedContentRequest."""
    content = _content(request)
    _fill(part(response, "embedding"), content, _length(request))
    usage = part(response, "usage_metadata")
    if usage is not None and content is not None:
        count = sum(message_tokens(content).values())
        put(usage, prompt_token_count=count, total_token_count=count)
    return response


def embed_all(request: Message, response: Message) -> Message:
    """Fills in the response to a BatchEmbedContentsRequest."""
    for each in items(request, "requests"):
        _fill(add(response, "embeddings"), _content(each), _length(each))
    return response


def _content(request: Message) -> Message | None:
    return get(request, "content") if has(request, "content") else None


def _length(request: Message) -> int:
    config = get(request, "embed_content_config") if has(request, "embed_content_config") else None
    for holder in (request, config):
        if holder is not None and has(holder, "output_dimensionality"):
            return max(1, min(int(get(holder, "output_dimensionality")), _MOST))
    return _LENGTH


def _fill(embedding: Message | None, content: Message | None, length: int) -> None:
    if embedding is None:
        return
    words = [word.lower() for word in text_tokens(content)] if content is not None else []
    sums = [0.0] * length
    for word in words or [""]:
        for index, value in enumerate(_vector(word, length)):
            sums[index] += value
    norm = math.sqrt(sum(value * value for value in sums)) or 1.0
    put(embedding, values=[value / norm for value in sums])


def _vector(word: str, length: int) -> list[float]:
    """Returns the direction of a word, as its hash has it."""
    data = hashlib.shake_256(word.encode()).digest(2 * length)
    return [int.from_bytes(data[2 * i : 2 * i + 2], "big") / 32768.0 - 1.0 for i in range(length)]
