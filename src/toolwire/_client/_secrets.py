"""Keeping credentials out of what is shown: a server may echo what it was sent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from google.protobuf.message import Message

    from toolwire._client._headers import Header

_SECRET_HEADERS = re.compile(r".*(authorization|cookie|api-?key|assertion|token|secret|password).*")
_SECRET_FIELDS = re.compile(r"(.*_)?(api_key|password|private_key|secret)(_string)?")
_SHORTEST = 4  # characters; less is no secret, and could stand in any word


def secrets_in(headers: Iterable[Header], request: Message | None) -> tuple[str, ...]:
    """Returns what must not be shown of a call, longest first.

    Args:
        headers: The headers of the call.
        request: Its request, whose fields may hold a secret, such as the key of a search tool.
    """
    found: set[str] = set() if request is None else set(_walk(request))
    for name, value in headers:
        if _SECRET_HEADERS.fullmatch(name):
            text = value if isinstance(value, str) else value.decode(errors="ignore")
            found.update((text, text.strip(), text.strip().rpartition(" ")[2]))
            if "cookie" in name:
                found.update(pair.partition("=")[2].strip() for pair in text.split(";"))
    return tuple(sorted((text for text in found if len(text) >= _SHORTEST), key=len, reverse=True))


def _walk(message: Message) -> Iterator[str]:
    for field, value in message.ListFields():
        kind = field.message_type
        if kind is None:
            if field.type == field.TYPE_STRING and _SECRET_FIELDS.fullmatch(field.name):
                yield from value if field.is_repeated else (value,)
        elif not field.is_repeated:
            yield from _walk(value)
        elif not kind.GetOptions().map_entry:
            for item in value:
                yield from _walk(item)
        elif kind.fields_by_name["value"].message_type is not None:
            items: Any = value
            for item in items.values():
                yield from _walk(item)


def hide(text: str, secrets: Iterable[str]) -> str:
    """Returns the text with asterisks for every secret."""
    for secret in secrets:
        text = text.replace(secret, "*" * len(secret))
    return text


def hide_in_bytes(data: bytes, secrets: Iterable[str]) -> bytes:
    """Does so in encoded messages, which stay valid since no length changes."""
    for secret in secrets:
        encoded = secret.encode()
        data = data.replace(encoded, b"*" * len(encoded))
    return data
