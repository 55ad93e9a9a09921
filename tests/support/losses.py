"""A message without what a conversion has reported as lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from google.protobuf.message import Message

from toolwire._paths import parse

if TYPE_CHECKING:
    from collections.abc import Iterable

M = TypeVar("M", bound=Message)


def without(message: M, paths: Iterable[str]) -> M:
    """Returns a copy of a message in which nothing stands at the paths."""
    copied = type(message)()
    copied.CopyFrom(message)
    for path in sorted(map(parse, paths), key=_position, reverse=True):
        _clear(copied, path)
    return copied


def _position(steps: tuple[str | int, ...]) -> list[tuple[bool, str | int]]:
    return [(isinstance(step, int), step) for step in steps]


def _clear(message: Any, steps: tuple[str | int, ...]) -> None:
    """Clears one place; the last items of a list go first, so that the others keep theirs."""
    here, *rest = steps
    field = next(field for field in message.DESCRIPTOR.fields if field.json_name == here)
    if not rest:
        message.ClearField(field.name)
        return
    value = getattr(message, field.name)
    if not field.is_repeated:
        _clear(value, tuple(rest))
        return
    key, *deeper = rest
    if not deeper:
        del value[key]
    else:
        _clear(value[key], tuple(deeper))
