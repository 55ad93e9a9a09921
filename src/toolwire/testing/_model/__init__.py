"""The model behind the local server: request in, response out, no clock, no chance, no network.

It reads and writes messages by the names of their fields, so that it serves every API whose
messages are alike, and sets what the API at hand has a field for.
"""

from __future__ import annotations

from toolwire.testing._model._chunks import chunks
from toolwire.testing._model._counting import compute, count
from toolwire.testing._model._echo import filled, predict, raw, raw_pieces
from toolwire.testing._model._embedding import embed, embed_all
from toolwire.testing._model._reply import model_name, reply
from toolwire.testing._model._tokens import prompt_tokens
from toolwire.testing._model._turns import wrong_signatures

__all__ = [
    "chunks",
    "compute",
    "count",
    "embed",
    "embed_all",
    "filled",
    "model_name",
    "predict",
    "prompt_tokens",
    "raw",
    "raw_pieces",
    "reply",
    "wrong_signatures",
]
