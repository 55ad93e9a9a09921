"""Tokens, as the model counts them: words and single marks of punctuation."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from typing import TYPE_CHECKING

from google.protobuf.message import Message

from toolwire._message_fields import get
from toolwire._messages import is_map_entry
from toolwire.testing._model._values import has, items

if TYPE_CHECKING:
    from collections.abc import Iterator

PER_MEDIUM = 258
"""Tokens of one image, sound, video or document, whatever its size."""

_VOCABULARY = 256_000
_TOKEN = re.compile(r"\w+|[^\w\s]")
_COUNTED = ("system_instruction", "contents", "tools", "instances")
_INNER = "generate_content_request"


def tokens(text: str) -> list[str]:
    """Splits a text into tokens."""
    return _TOKEN.findall(text)


def token_id(token: str) -> int:
    """Returns the number of a token: the same one everywhere and always."""
    return zlib.crc32(token.encode()) % _VOCABULARY


def prompt_tokens(request: Message) -> Counter[str]:
    """Returns the tokens of a request's prompt, by the name of their modality."""
    if has(request, _INNER):  # a whole request is to be counted
        return prompt_tokens(get(request, _INNER))
    counts: Counter[str] = Counter()
    for field in _COUNTED:
        if has(request, field):
            known = request.DESCRIPTOR.fields_by_name[field]
            for message in items(request, field) if known.is_repeated else [get(request, field)]:
                counts += message_tokens(message)
    return counts


def message_tokens(message: Message) -> Counter[str]:
    """Returns the tokens of a message by modality.

    A text, the key of a map and a name count as many tokens as they have words and marks; a
    number, a bool and an enum count one. Media count the same whatever their size, and a signature
    nothing.
    """
    counts: Counter[str] = Counter()
    for leaf in _leaves(message):
        if isinstance(leaf, Message):
            counts[_medium(leaf)] += PER_MEDIUM
        elif isinstance(leaf, str):
            counts["TEXT"] += len(tokens(leaf))
        elif not isinstance(leaf, bytes):
            counts["TEXT"] += 1
    return +counts


def pieces(request: Message) -> Iterator[tuple[str, list[str]]]:
    """Yields the role and the tokens of every piece of a prompt: a part, or an instance."""
    for turn in items(request, "contents"):
        role = str(get(turn, "role"))
        for piece in items(turn, "parts"):
            yield role, text_tokens(piece)
    for instance in items(request, "instances"):
        yield "", text_tokens(instance)


def text_tokens(message: Message) -> list[str]:
    """Returns the tokens of all texts in a message."""
    return [token for leaf in _leaves(message) if isinstance(leaf, str) for token in tokens(leaf)]


def _leaves(message: Message) -> Iterator[object]:
    """Yields the keys and plain values in a message, and whole messages where they are media."""
    if _medium(message):
        yield message
        return
    for field, value in message.ListFields():
        kind = field.message_type
        if kind is not None and is_map_entry(kind):
            for key in sorted(value):
                yield key
                yield from _leaf(value[key])
        else:
            for entry in value if field.is_repeated else [value]:
                yield from _leaf(entry)


def _leaf(value: object) -> Iterator[object]:
    if isinstance(value, Message):
        yield from _leaves(value)
    else:
        yield value


def _medium(message: Message) -> str:
    """Returns the modality of a message that holds a medium, and empty text for any other."""
    fields = message.DESCRIPTOR.fields_by_name
    if "mime_type" not in fields or not ("data" in fields or "file_uri" in fields):
        return ""
    kind: str = get(message, "mime_type")
    family = kind.partition("/")[0].upper()
    return family if family in ("IMAGE", "AUDIO", "VIDEO") else "DOCUMENT"
