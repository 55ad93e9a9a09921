"""Fields of requests out of what Python programs have.

A message of our own class goes into the request as it is, which costs a copy and nothing else;
only dicts pay for being read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from google.protobuf.message import Message

from toolwire import _rpc
from toolwire._client._copies import describe, is_dict, is_single, to_message
from toolwire._client._masks import to_mask
from toolwire._client._methods import class_of
from toolwire._client._tools import to_tools
from toolwire._client._turns import to_turn, to_turns
from toolwire._errors import JsonError
from toolwire._json import from_dict
from toolwire._messages import as_message

if TYPE_CHECKING:
    from toolwire._descriptor_types import FieldType, MessageType

Q = TypeVar("Q", bound=Message)

_BODY = "google.api.HttpBody"
_BODY_TYPE = "application/json"

_Reader: TypeAlias = Callable[[object], object]


def build_request(cls: type[Q], fields: Mapping[str, object]) -> Q:
    """Makes a request out of its fields.

    A field that holds turns of a conversation (``Content``) also takes text, parts, and lists
    in which they are mixed, and so does a message that is little else than one turn. Tools take
    Python functions and toolboxes, a body of HTTP takes bytes and text, a mask takes paths.

    Args:
        cls: The class.
        fields: Their values by proto name.

    Raises:
        JsonError: If a value does not fit its field.
        DecodeError: If a message of another class cannot be read back.
    """
    readers = _readers(cls.DESCRIPTOR)
    messages: dict[str, Any] = {}
    others: dict[str, object] = {}
    for name, value in fields.items():
        read = readers.get(name)
        if read is None:
            others[name] = value
        else:
            messages[name] = read(value)
    request = cls(**messages)
    if others:
        request.MergeFrom(from_dict(cls, others))
    return request


@cache
def _readers(kind: MessageType) -> dict[str, _Reader]:
    found = ((field.name, _reader(field)) for field in kind.fields)
    return {name: read for name, read in found if read is not None}


def _reader(field: FieldType) -> _Reader | None:
    """Returns what reads a field of messages, as opposed to scalars, maps and well-known types."""
    kind = field.message_type
    if kind is None or kind.GetOptions().map_entry:
        return None
    read: _Reader | None = None
    cls, path = class_of(kind), field.json_name
    if _rpc.is_mask(field):
        read = partial(to_mask, cls, path=path)
    elif kind.file.package == "google.protobuf":
        pass  # from_dict reads what Python has for these
    elif kind.name == _rpc.TURN:
        read = partial(to_turns if field.is_repeated else to_turn, cls, path=path)
    elif field.is_repeated and kind.name == _rpc.TOOL:
        read = partial(to_tools, cls, path=path)
    elif field.is_repeated:
        sole = _rpc.sole_turn(kind)
        read = partial(_to_list, cls, sole.name if sole is not None else None, path=path)
    else:
        read = partial(_to_body if kind.full_name == _BODY else to_message, cls, path=path)
    return read


def _to_list(cls: type[Message], turn: str | None, value: object, *, path: str) -> list[Message]:
    if turn is not None and is_single(value):
        value = (value,)
    if is_single(value) or not isinstance(value, Iterable):
        hint = "; put it into one" if is_single(value) else ""
        raise JsonError(f"expected a list, found {describe(value)}{hint}", path=path)
    items = enumerate(cast("Iterable[object]", value))
    return [_to_item(cls, turn, item, f"{path}[{index}]") for index, item in items]


def _to_item(cls: type[Message], turn: str | None, value: object, path: str) -> Message:
    """Returns one message of a list; where it is little else than a turn, what stands for that."""
    if turn is None:
        return to_message(cls, value, path)
    message = as_message(value)
    if message is not None and message.DESCRIPTOR.full_name == cls.DESCRIPTOR.full_name:
        return to_message(cls, value, path)
    if is_dict(value) and not _spellings(cls.DESCRIPTOR).isdisjoint(value):
        return to_message(cls, value, path)
    return build_request(cls, {turn: value})


@cache
def _spellings(kind: MessageType) -> frozenset[str]:
    return frozenset(name for field in kind.fields for name in (field.name, field.json_name))


def _to_body(cls: type[Message], value: object, *, path: str) -> Message:
    if isinstance(value, str):
        value = value.encode()
    if isinstance(value, (bytes, bytearray)):
        made: Any = cls
        body: Message = made(content_type=_BODY_TYPE, data=bytes(value))
        return body
    return to_message(cls, value, path)
