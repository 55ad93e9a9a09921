"""What stands around the messages of a stream when it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._streams._delimited import varint

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def as_lines(payloads: Iterable[bytes]) -> Iterator[bytes]:
    """Yields JSON Lines."""
    for payload in payloads:
        yield payload
        yield b"\n"


def as_array(payloads: Iterable[bytes], indent: int | None) -> Iterator[bytes]:
    """Yields a JSON array with each element on its own lines."""
    margin = b" " * (indent or 0)
    before = b"[\n"
    for payload in payloads:
        yield before + margin
        # Within a JSON string a newline is escaped: what is found here stands between tokens.
        yield payload.replace(b"\n", b"\n" + margin) if margin else payload
        before = b",\n"
    yield b"[]\n" if before == b"[\n" else b"\n]\n"


def as_delimited(payloads: Iterable[bytes]) -> Iterator[bytes]:
    """Yields length-delimited binary."""
    for payload in payloads:
        yield varint(len(payload))
        yield payload
