"""Messages that callers give to be converted or joined: plain ones, and not too deep."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable
from typing import TYPE_CHECKING

from toolwire._errors import ConversionError
from toolwire._json._kinds import is_object
from toolwire._messages import DEEPEST, as_message, fits, messages_in
from toolwire._paths import render
from toolwire._words import is_genai, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._paths import Path

_LONGEST = 100  # characters of a key in an error


def given(
    value: object, what: str = "a protobuf message", at: Path = None, hint: str = ""
) -> Message:
    """Returns the plain message of a message or proto-plus wrapper.

    Args:
        value: What the caller gave.
        what: What was expected, in words.
        at: Its place, for the error.
        hint: What to do where it is no message, for the error.

    Raises:
        ConversionError: If it is no message, or nests deeper than protobuf reads.
    """
    plain = as_message(value)
    if plain is None:
        raise ConversionError(f"expected {what}, found {kind_of(value)}{hint}", path=place(at))
    if not fits(plain, DEEPEST):
        raise ConversionError(
            f"lies deeper than {DEEPEST} levels of messages: protobuf refuses to read it",
            path=place(_too_deep(plain, at)),
        )
    return plain


def hint_to_join(value: object) -> str:
    """Returns what to do with what looks like the chunks of a stream; nothing for others."""
    if is_object(value) or isinstance(value, (str, bytes)) or is_genai(value):
        return ""
    is_stream = isinstance(value, (Iterable, AsyncIterable))
    return "; join the chunks of a stream first, with toolwire.join_chunks" if is_stream else ""


def place(at: Path) -> str:
    """Returns a path as errors and losses show it."""
    return render(at, longest=_LONGEST)


def _too_deep(message: Message, at: Path) -> Path:
    """Finds the first place that is too deep, without recursing."""
    waiting = [(message, at, 0)]
    while waiting:
        outer, path, level = waiting.pop()
        if level > DEEPEST:
            return path
        waiting.extend(_below(outer, path, level))
    return at


def _below(message: Message, at: Path, level: int) -> Iterator[tuple[Message, Path, int]]:
    for field, value in message.ListFields():
        here: Path = (at, field.json_name)
        for step, inner in messages_in(field, value):
            is_entry = isinstance(step, tuple)  # of a map, which is a message itself
            yield inner, here if step is None else (here, step), level + 1 + is_entry
