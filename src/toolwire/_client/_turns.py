"""Turns of a conversation (``Content``) out of text, parts, turns, and lists of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, cast

from google.protobuf.message_factory import GetMessageClass

from toolwire._client._copies import describe, is_dict, is_single, to_message
from toolwire._errors import JsonError
from toolwire._messages import DEEPEST, as_message

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor
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
            turns.append(to_message(cls, item, place))
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
        return to_message(cls, value, path)
    return cls(parts=[_part(cls, item, path) for item in _items(value)])


def _items(value: object) -> Iterable[object]:
    if is_single(value) or not isinstance(value, Iterable):
        return (value,)
    return cast("Iterable[object]", value)


def _is_turn(cls: type[Message], value: object) -> bool:
    if isinstance(value, str):
        return False
    message = as_message(value)
    if message is not None:
        return message.DESCRIPTOR.full_name == cls.DESCRIPTOR.full_name
    return is_dict(value) and not _names(cls.DESCRIPTOR).isdisjoint(value)


@cache
def _names(kind: MessageType) -> frozenset[str]:
    """Returns how the fields of a turn may be spelled in a dict."""
    return frozenset(name for field in kind.fields for name in (field.name, field.json_name))


@cache
def _part_class(kind: MessageType) -> type[Message]:
    part = kind.fields_by_name["parts"].message_type
    return GetMessageClass(cast("Descriptor", part))


def _part(turn: type[Message], value: object, path: str) -> Message:
    cls = _part_class(turn.DESCRIPTOR)
    if isinstance(value, str):
        try:
            return cls(text=value)
        except ValueError:  # a lone surrogate: let the reader of dicts say so, with the path
            return to_message(cls, {"text": value}, path, _BELOW)
    if is_dict(value) or as_message(value) is not None:
        return to_message(cls, value, path, _BELOW)
    raise JsonError(
        f"expected text, a Part, a Content or a dict of either, found {describe(value)}", path=path
    )
