"""Turns of a conversation (``Content``) out of text, parts, turns, and lists of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, cast

from toolwire._client.requests._copies import (
    describe,
    is_dict,
    is_single,
    is_whole,
    to_message,
)
from toolwire._client.requests._hints import hint_from
from toolwire._client.requests._methods import class_of
from toolwire._errors import JsonError
from toolwire._messages import DEEPEST, as_message

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._descriptor_types import MessageType

_USER = "user"
_BELOW = DEEPEST - 2  # a part lies in a turn, which lies in a request


def to_turns(cls: type[Message], value: object, *, path: str) -> list[Message]:
    """Sorts text, parts and turns into turns: parts that stand together make one user turn.

    Args:
        cls: The class of a turn.
        value: One piece, or any iterable of them.
        path: Where the turns stand in the request, for errors.

    Raises:
        JsonError: If something is neither, or does not fit.
    """
    turns: list[Message] = []
    parts: list[Message] = []
    for index, item in enumerate(_items(value)):
        place = f"{path}[{index}]"
        if _is_turn(cls, item):
            if parts:
                turns.append(cls(role=_USER, parts=parts))
                parts = []
            turns.append(_turn(cls, item, place))
        else:
            parts.append(_part(cls, item, place))
    if parts:
        turns.append(cls(role=_USER, parts=parts))
    return turns


def to_turn(cls: type[Message], value: object, *, path: str) -> Message:
    """Returns a turn as it is, and puts anything else into one, without a role.

    Args:
        cls: The class of a turn.
        value: A turn, one part of it, or any iterable of its parts.
        path: Where the turn stands in the request, for errors.

    Raises:
        JsonError: If the value is none of these, or does not fit.
    """
    if _is_turn(cls, value):
        return _turn(cls, value, path)
    place = "{}" if _is_piece(value) else "{}[{}]"
    items = enumerate(_items(value))
    return cls(parts=[_part(cls, item, place.format(path, index)) for index, item in items])


def _items(value: object) -> Iterable[object]:
    return (value,) if _is_piece(value) else cast("Iterable[object]", value)


def _is_piece(value: object) -> bool:
    return is_single(value) or not isinstance(value, Iterable)


def _is_turn(cls: type[Message], value: object) -> bool:
    return not isinstance(value, str) and is_whole(cls.DESCRIPTOR, value)


def _turn(cls: type[Message], value: object, path: str) -> Message:
    """Returns a turn; in a dict of one, text stands for a part as it does beside turns."""
    if is_dict(value) and (parts := value.get("parts")) is not None:
        parts = (parts,) if is_single(parts) else parts
        if isinstance(parts, (list, tuple)):
            items = cast("Iterable[object]", parts)
            texts = [{"text": each} if isinstance(each, str) else each for each in items]
            value = {**value, "parts": texts}
    elif is_dict(value) and "content" in value:
        raise JsonError('unknown field "content"; did you mean "parts"?', path=f"{path}.content")
    return to_message(cls, value, path)


@cache
def _part_class(kind: MessageType) -> type[Message]:
    return class_of(cast("MessageType", kind.fields_by_name["parts"].message_type))


def _part(turn: type[Message], value: object, path: str) -> Message:
    cls = _part_class(turn.DESCRIPTOR)
    if isinstance(value, str):
        try:
            return cls(text=value)
        except ValueError:  # a lone surrogate: let the reader of dicts say so, with the path
            return to_message(cls, {"text": value}, path, _BELOW)
    message = as_message(value)
    if is_dict(value) or (message is not None and is_whole(cls.DESCRIPTOR, message)):
        return to_message(cls, value, path, _BELOW)
    hint = "" if message is None else hint_from(message, cls.DESCRIPTOR, turn.DESCRIPTOR)
    if isinstance(value, (bytes, bytearray)):
        hint = '; for bytes give {"inline_data": {"mime_type": ..., "data": ...}}'
    raise JsonError(
        f"expected text, a Part, a Content or a dict of either, found {describe(value)}{hint}",
        path=path,
    )
