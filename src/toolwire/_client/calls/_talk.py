"""What a session of either kind says, and knows of itself. No waiting, no sending."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Generic, TypeGuard, TypeVar

from google.protobuf.message import Message

from toolwire import _rpc
from toolwire._client._unique import Unique
from toolwire._client.requests._copies import (
    describe,
    is_dict,
    is_single,
    is_whole,
    spellings,
    to_message,
)
from toolwire._client.requests._fields import build_request, to_whole
from toolwire._client.requests._methods import class_of
from toolwire._errors import JsonError, UsageError
from toolwire._messages import DEEPEST, as_message

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolwire._client.requests._methods import Method
    from toolwire._descriptor_types import FieldType, MessageType

Q = TypeVar("Q", bound=Message)
R = TypeVar("R", bound=Message)

LATE = "no message came in that time; the session goes on"

_REPLY = "FunctionResponse"
_BELOW = DEEPEST - 2  # a response lies in a list of them, which lies in a message
_MOST_LEVELS = 20  # lists of turns of parts with a response are four
_ENDED = "this session has ended: receive tells why"
_CLOSED = "this session is closed"
_DONE = "nothing can be sent after done_sending; what the server sends can still be received"


class Within:
    """How long something may take."""

    def __init__(self, seconds: float | None) -> None:
        """Begins to count.

        Args:
            seconds: The most seconds; None for any time.
        """
        self._end = None if seconds is None else time.monotonic() + seconds

    @property
    def left(self) -> float | None:
        """The seconds that are left; None for any time."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())


EVER = Within(None)


class BaseSession(Unique, Generic[Q, R]):
    """What both kinds of sessions know of themselves."""

    def __init__(self, method: Method[Q, R]) -> None:
        """Knows of no message yet."""
        self._method = method
        word = f"{method.opening}_complete"
        known = method.response.DESCRIPTOR.fields_by_name
        self._word = word if method.opening is not None and word in known else None
        self._is_open = self._word is None
        self._is_done = False
        self._is_left = False
        self._ready: R | None = None
        self._kept: R | None = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._method.name}>"

    @property
    def ready(self) -> R | None:
        """The message by which the server said that the session is set up; None before that."""
        return self._ready

    def _take_first(self, message: R | None) -> None:
        """Takes the first message: it says that the server is ready for the others."""
        if message is not None and self._word is not None and message.HasField(self._word):
            self._ready = message
        else:
            self._kept = message  # of a server that says so in another way
        self._is_open = True

    def _take_kept(self) -> R | None:
        kept, self._kept = self._kept, None
        return kept

    def _check_open(self) -> None:
        if self._is_left:
            raise UsageError(_CLOSED)

    def _check_sending(self, *, has_ended: bool) -> None:
        self._check_open()
        if has_ended or self._is_done:
            raise UsageError(_ENDED if has_ended else _DONE)


def to_sent(
    method: Method[Q, R], content: object, fields: Mapping[str, object], *, ends_turn: object
) -> Q:
    """Returns a message to send.

    Args:
        method: The method.
        content: A ready message, or a conversation: text, parts, turns. None for neither.
        fields: Fields of the message, in place of that.
        ends_turn: Whether the conversation now waits for the model.

    Raises:
        UsageError: If there is nothing to send, or both, or ``ends_turn`` is no bool.
        JsonError: If a value does not fit.
    """
    kind = method.request
    if not isinstance(ends_turn, bool):
        raise UsageError(f"turn_complete takes True or False, found {describe(ends_turn)}")
    if (content is None) == (not fields):
        raise UsageError("send takes either a message or a conversation, or fields of a message")
    if content is None:
        return build_request(kind, fields)
    if is_whole(kind.DESCRIPTOR, content):
        return to_whole(kind, content, "", DEEPEST)
    field = _holder(kind.DESCRIPTOR, _rpc.TURN)
    if field is None or field.message_type is None:
        raise UsageError(f"{method.name} sends no conversations: pass a message or its fields")
    turns = _repeated(field.message_type, _rpc.TURN)
    inner: dict[str, object] = {turns.name: content} if turns is not None else {}
    if ends_turn and "turn_complete" in field.message_type.fields_by_name:
        inner["turn_complete"] = True
    return build_request(kind, {field.name: inner})


def to_reply(method: Method[Q, R], responses: object) -> Q:
    """Returns the message with the results of the functions that the model called.

    Args:
        method: The method.
        responses: Function responses: messages, dicts, or a turn or parts that hold them.

    Raises:
        UsageError: If the method takes no such results.
        JsonError: If one is none.
    """
    kind = method.request
    field = _holder(kind.DESCRIPTOR, _REPLY)
    inside = field.message_type if field is not None else None
    listed = _repeated(inside, _REPLY) if inside is not None else None
    each = listed.message_type if listed is not None else None
    if field is None or inside is None or listed is None or each is None:
        raise UsageError(f"{method.name} takes no results of functions")
    found = [
        to_message(class_of(each), value, place, _BELOW)
        for place, value in _responses(responses, spellings(each) - {"parts"})
    ]
    if not found:
        raise UsageError("reply takes at least one function response")
    return build_request(kind, {field.name: build_request(class_of(inside), {listed.name: found})})


def _responses(
    value: object, own: frozenset[str], path: str = "", levels: int = _MOST_LEVELS
) -> Iterable[tuple[str, object]]:
    """Yields the function responses in a response, a part, a turn, a dict of these, or a list.

    Args:
        value: What holds them. A response may have parts of its own, as a turn has.
        own: The other fields of a response, as a dict may spell them.
        path: Where it stands. Each response comes with its own place.
        levels: How deep it may nest.
    """
    if not levels:
        raise JsonError(f"nested deeper than {_MOST_LEVELS} levels, or without an end", path=path)
    for place, inner in _inside(value, own, path):
        if inner is value:
            yield place, value
        else:
            yield from _responses(inner, own, place, levels - 1)


def _inside(value: object, own: frozenset[str], path: str) -> Iterable[tuple[str, object]]:
    """Yields what lies one level below a value; of a response, the value itself."""
    dot = "." if path else ""
    message = as_message(value)
    if message is not None:
        kind = message.DESCRIPTOR
        if kind.name == _rpc.TURN:
            yield f"{path}{dot}parts", list(getattr(message, "parts"))  # noqa: B009
        elif kind.name != _REPLY and "function_response" in kind.fields_by_name:
            if not message.HasField("function_response"):
                raise JsonError("expected a part with a function response", path=path)
            yield f"{path}{dot}functionResponse", getattr(message, "function_response")  # noqa: B009
        else:
            yield path, value
    elif is_dict(value):
        inside = ["function_response", "functionResponse"]
        inside += ["parts"] if own.isdisjoint(value) else []
        name = next((name for name in inside if name in value), None)
        yield (path, value) if name is None else (f"{path}{dot}{name}", value[name])
    elif is_single(value) or not _is_iterable(value):
        raise JsonError(f"expected function responses, found {describe(value)}", path=path)
    else:
        for index, each in enumerate(value):
            yield f"{path}[{index}]", each


def _is_iterable(value: object) -> TypeGuard[Iterable[object]]:
    return isinstance(value, Iterable)


def _holder(kind: MessageType, name: str) -> FieldType | None:
    """Returns the field whose message holds a list of messages of that name."""
    for field in kind.fields:
        if field.message_type is not None and _repeated(field.message_type, name) is not None:
            return field
    return None


def _repeated(kind: MessageType, name: str) -> FieldType | None:
    for field in kind.fields:
        if field.is_repeated and field.message_type is not None and field.message_type.name == name:
            return field
    return None
