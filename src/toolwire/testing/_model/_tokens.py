"""Tokens, as the model counts them: words and single marks of punctuation."""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING

from toolwire._messages import is_map_entry
from toolwire._rules._schema import get
from toolwire.testing._model._values import has, items

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from google.protobuf.message import Message

PER_MEDIUM = 258
"""Tokens of one image, sound, video or document, whatever its size."""

_VOCABULARY = 256_000
_TOKEN = re.compile(r"\w+|[^\w\s]")
_COUNTED = ("system_instruction", "contents", "tools", "instances", "generate_content_request")


def tokens(text: str) -> list[str]:
    """Splits a text into tokens."""
    return _TOKEN.findall(text)


def token_id(token: str) -> int:
    """Returns the number of a token: the same one everywhere and always."""
    return zlib.crc32(token.encode()) % _VOCABULARY


def prompt_tokens(request: Message) -> dict[str, int]:
    """Returns the tokens of a request's prompt, by the name of their modality."""
    found: dict[str, int] = {}
    for field in _COUNTED:
        if has(request, field):
            value = get(request, field)
            for message in items(request, field) if _is_list(request, field) else [value]:
                for modality, count in message_tokens(message).items():
                    found[modality] = found.get(modality, 0) + count
    return found


def message_tokens(message: Message) -> dict[str, int]:
    """Returns the tokens of a message by modality.

    A text, the key of a map and a name count as many tokens as they have words and marks; a
    number, a bool and an enum count one. Media count the same whatever their size, and a signature
    nothing.
    """
    found: dict[str, int] = {}
    waiting = [message]
    while waiting:
        message = waiting.pop()
        medium = _medium(message)
        if medium:
            found[medium] = found.get(medium, 0) + PER_MEDIUM
            continue
        for field, value in message.ListFields():
            kind = field.message_type
            entries: Iterable[object] = value if field.is_repeated else [value]
            if kind is not None and is_map_entry(kind):
                found["TEXT"] = found.get("TEXT", 0) + sum(_size(key) for key in value)
                entries = value.values()
                kind = kind.fields_by_name["value"].message_type
            if kind is None:
                found["TEXT"] = found.get("TEXT", 0) + sum(map(_size, entries))
            else:
                waiting.extend(entries)  # type: ignore[arg-type]  # they are messages, then
    return {modality: count for modality, count in found.items() if count}


def pieces(request: Message) -> Iterator[tuple[str, list[str]]]:
    """Yields the role and the tokens of every piece of a prompt: a part, or an instance."""
    for turn in items(request, "contents"):
        for piece in items(turn, "parts"):
            yield (
                str(get(turn, "role")),
                [token for text in _texts(piece) for token in tokens(text)],
            )
    for instance in items(request, "instances"):
        yield "", [token for text in _texts(instance) for token in tokens(text)]


def _texts(message: Message) -> Iterator[str]:
    for field, value in message.ListFields():
        entries: Iterable[object] = value if field.is_repeated else [value]
        if field.message_type is not None and is_map_entry(field.message_type):
            for key in sorted(value):
                yield str(key)
                entry = value[key]
                if isinstance(entry, str):
                    yield entry
                elif hasattr(entry, "ListFields"):
                    yield from _texts(entry)
            continue
        for entry in entries:
            if field.message_type is not None:
                yield from _texts(entry)  # type: ignore[arg-type]  # a message, then
            elif isinstance(entry, str):
                yield entry


def _size(value: object) -> int:
    if isinstance(value, str):
        return len(tokens(value))
    return 0 if isinstance(value, bytes) else 1


def _is_list(message: Message, field: str) -> bool:
    return message.DESCRIPTOR.fields_by_name[field].is_repeated


def _medium(message: Message) -> str:
    """Returns the modality of a message that holds a medium, and empty text for any other."""
    fields = message.DESCRIPTOR.fields_by_name
    if "mime_type" not in fields or not ("data" in fields or "file_uri" in fields):
        return ""
    kind: str = get(message, "mime_type")
    family = kind.partition("/")[0].upper()
    return family if family in ("IMAGE", "AUDIO", "VIDEO") else "DOCUMENT"
