"""The answers that count tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire.testing._model._reply import details
from toolwire.testing._model._tokens import pieces, prompt_tokens, token_id
from toolwire.testing._model._values import add, put

if TYPE_CHECKING:
    from google.protobuf.message import Message


def count(request: Message, response: Message) -> Message:
    """Fills in the response to a CountTokensRequest."""
    counts = prompt_tokens(request)
    characters = sum(len(token) for _, tokens in pieces(request) for token in tokens)
    put(response, total_tokens=sum(counts.values()), total_billable_characters=characters)
    details(response, "prompt_tokens_details", counts)
    return response


def compute(request: Message, response: Message) -> Message:
    """Fills in the response to a ComputeTokensRequest."""
    for role, tokens in pieces(request):
        info = add(response, "tokens_info")
        if info is not None:
            put(info, role=role)
            put(info, tokens=[token.encode() for token in tokens])
            put(info, token_ids=[token_id(token) for token in tokens])
    return response
