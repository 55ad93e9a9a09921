"""Keeping credentials out of what is shown: a server may echo what it was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolwire._client._headers import Header

_SECRET_HEADERS = frozenset({"authorization", "cookie", "proxy-authorization", "x-goog-api-key"})
_SHORTEST = 4  # characters; less is no secret, and could stand in any word


def secrets_in(headers: Iterable[Header]) -> tuple[str, ...]:
    """Returns what must not be shown of the headers of a call, longest first."""
    found: set[str] = set()
    for name, value in headers:
        if name in _SECRET_HEADERS and isinstance(value, str):
            found.update((value, value.rpartition(" ")[2]))
    return tuple(sorted((text for text in found if len(text) >= _SHORTEST), key=len, reverse=True))


def hide(text: str, secrets: Iterable[str]) -> str:
    """Returns the text with asterisks for every secret."""
    for secret in secrets:
        text = text.replace(secret, "*" * len(secret))
    return text


def hide_in_bytes(data: bytes, secrets: Iterable[str]) -> bytes:
    """Does so in encoded messages, which stay valid since no length changes."""
    for secret in secrets:
        data = data.replace(secret.encode(), b"*" * len(secret))
    return data
