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
from toolwire._client.requests._copies import describe, is_dict, is_single, is_whole, to_message
from toolwire._client.requests._masks import to_mask
from toolwire._client.requests._methods import class_of
from toolwire._client.requests._tools import to_tools
from toolwire._client.requests._turns import to_turn, to_turns
from toolwire._errors import JsonError
from toolwire._json import from_dict
from toolwire._messages import DEEPEST, as_message, is_map_entry

if TYPE_CHECKING:
    from toolwire._descriptor_types import FieldType, MessageType

Q = TypeVar("Q", bound=Message)
M = TypeVar("M", bound=Message)

_BODY = "google.api.HttpBody"
_BODY_TYPE = "application/json"

_Reader: TypeAlias = Callable[..., object]


def build_request(cls: type[Q], fields: Mapping[str, object]) -> Q:
    """Makes a request out of its fields.

    A field that holds turns of a conversation (``Content``) also takes text, parts, and lists
    in which they are mixed, and so does a message that is little else than one turn. Tools take
    Python functions and toolboxes, a body of HTTP takes bytes and text, a mask takes paths. Turns
    and tools do so in dicts of the messages around them, too.

    Args:
        cls: The class.
        fields: Their values by proto name.

    Raises:
        JsonError: If a value does not fit its field.
        DecodeError: If a message of another class cannot be read back.
    """
    _check_oneofs(cls.DESCRIPTOR, fields)
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


def to_whole(cls: type[M], value: object, path: str = "", levels: int = DEEPEST - 1) -> M:
    """Does as ``to_message``; in a dict, what stands for turns and tools is read as in a request.

    Args:
        cls: As there, as are all that follow.
        value: See there.
        path: See there.
        levels: See there.

    Raises:
        JsonError: As there.
        DecodeError: As there.
        UsageError: If two functions have one name.
        DeclarationError: If a function cannot be declared.
    """
    loose = _loose(cls.DESCRIPTOR)
    given = {loose[key]: key for key in value if key in loose} if is_dict(value) else {}
    if not is_dict(value) or len(given) < len(value.keys() & loose.keys()):
        return to_message(cls, value, path, levels)  # which tells of a field that is given twice
    _check_oneofs(cls.DESCRIPTOR, value, path)
    readers = _readers(cls.DESCRIPTOR)
    prefix = f"{path}." if path else ""
    read: dict[str, Any] = {
        name: readers[name](
            value[key], path=f"{prefix}{cls.DESCRIPTOR.fields_by_name[name].json_name}"
        )
        for name, key in given.items()
        if value[key] is not None
    }
    rest = {key: item for key, item in value.items() if loose.get(key) not in read}
    message = cls(**read)
    message.MergeFrom(to_message(cls, rest, path, levels))
    return to_message(cls, message, path, levels)


def _check_oneofs(kind: MessageType, given: Mapping[Any, object], path: str = "") -> None:
    """Refuses two fields that exclude each other, of which protobuf would drop the first."""
    rivals = _rivals(kind)
    found: dict[str, str] = {}
    for name in given if rivals else ():
        oneof, field = rivals.get(name, ("", ""))
        other = found.setdefault(oneof, field) if given[name] is not None else field
        if other != field:
            reason = f'"{other}" and "{field}" are both set, but "{oneof}" takes one of them'
            raise JsonError(reason, path=path)


@cache
def _rivals(kind: MessageType) -> dict[str, tuple[str, str]]:
    """Returns the oneof and the JSON name of each field that has others beside it in its oneof."""
    return {
        spelled: (oneof.name, field.json_name)
        for oneof in kind.oneofs
        for field in oneof.fields
        if len(oneof.fields) > 1
        for spelled in (field.name, field.json_name)
    }


@cache
def _loose(kind: MessageType) -> dict[str, str]:
    """Returns the fields that take what stands for turns and tools, by each of their spellings."""
    return {
        spelled: field.name
        for field in kind.fields
        if field.message_type is not None
        and (field.message_type.name in {_rpc.TURN, _rpc.TOOL} or _holds_turns(field.message_type))
        for spelled in (field.name, field.json_name)
    }


def _holds_turns(kind: MessageType) -> bool:
    return any(
        field.message_type is not None and field.message_type.name == _rpc.TURN
        for field in kind.fields
    )


@cache
def _readers(kind: MessageType) -> dict[str, _Reader]:
    found = ((field.name, _reader(field)) for field in kind.fields)
    return {name: read for name, read in found if read is not None}


def _reader(field: FieldType) -> _Reader | None:
    """Returns what reads a field of messages, as opposed to scalars, maps and well-known types."""
    kind = field.message_type
    if kind is None or is_map_entry(kind):
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
        read = partial(_to_body if kind.full_name == _BODY else to_whole, cls, path=path)
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
        return to_whole(cls, value, path)
    if is_whole(cls.DESCRIPTOR, value):
        return to_whole(cls, value, path)
    item = cls()
    inner: Message = getattr(item, turn)
    inner.CopyFrom(to_turn(type(inner), value, path=path))
    return item


def _to_body(cls: type[Message], value: object, *, path: str) -> Message:
    if isinstance(value, str):
        try:
            value = value.encode()
        except UnicodeEncodeError:
            raise JsonError("text with a lone surrogate is no body", path=path) from None
    if isinstance(value, (bytes, bytearray)):
        made: Any = cls
        body: Message = made(content_type=_BODY_TYPE, data=bytes(value))
        return body
    if as_message(value) is None and not is_whole(cls.DESCRIPTOR, value):
        raise JsonError(
            f"expected an HttpBody or a dict of one, or a body as bytes or text, such as "
            f"json.dumps(...) makes, found {describe(value)}",
            path=path,
        )
    return to_message(cls, value, path)
