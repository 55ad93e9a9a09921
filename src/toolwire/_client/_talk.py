"""Messages of a session out of what Python programs have. No waiting, no sending."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar, cast

from google.protobuf.message import Message

from toolwire import _rpc
from toolwire._client._copies import describe, is_dict, is_single, to_message
from toolwire._client._fields import build_request
from toolwire._client._methods import class_of
from toolwire._errors import JsonError, UsageError
from toolwire._messages import DEEPEST, as_message

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolwire._client._methods import Method
    from toolwire._descriptor_types import FieldType, MessageType

Q = TypeVar("Q", bound=Message)
R = TypeVar("R", bound=Message)

_REPLY = "FunctionResponse"


def is_opened(method: Method[Q, R], message: R) -> bool:
    """Tells whether a message says that the server is ready for the others."""
    name = f"{method.opening}_complete"
    return name in method.response.DESCRIPTOR.fields_by_name and message.HasField(name)


def waits_for_opening(method: Method[Q, R]) -> bool:
    """Tells whether the server answers the first message before it wants others."""
    known = method.response.DESCRIPTOR.fields_by_name
    return method.opening is not None and f"{method.opening}_complete" in known


def to_sent(
    method: Method[Q, R], content: object, fields: Mapping[str, object], *, ends_turn: bool
) -> Q:
    """Returns a message to send.

    Args:
        method: The method.
        content: A ready message, or a conversation: text, parts, turns. None for neither.
        fields: Fields of the message, in place of that.
        ends_turn: Whether the conversation now waits for the model.

    Raises:
        UsageError: If there is nothing to send, or both.
        JsonError: If a value does not fit.
    """
    kind = method.request
    if (content is None) == (not fields):
        raise UsageError("send takes either a message or a conversation, or fields of a message")
    if content is None:
        return build_request(kind, fields)
    if _is_whole(kind.DESCRIPTOR, content):
        return to_message(kind, content, "", DEEPEST)
    field = _holder(kind.DESCRIPTOR, _rpc.TURN)
    if field is None or field.message_type is None:
        raise UsageError(f"{method.name} sends no conversations: pass a message or its fields")
    turns = _repeated(field.message_type, _rpc.TURN)
    inner: dict[str, object] = {turns.name: content} if turns is not None else {}
    if ends_turn and "turn_complete" in field.message_type.fields_by_name:
        inner["turn_complete"] = True
    return build_request(kind, {field.name: build_request(class_of(field.message_type), inner)})


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
    if field is None or inside is None or listed is None:
        raise UsageError(f"{method.name} takes no results of functions")
    found = [*_responses(responses)]
    if not found:
        raise UsageError("reply takes at least one function response")
    return build_request(kind, {field.name: build_request(class_of(inside), {listed.name: found})})


def _responses(value: object) -> Iterable[object]:
    """Yields the function responses in a response, a part, a turn, a dict of these, or a list."""
    message = as_message(value)
    if message is not None:
        known = message.DESCRIPTOR.fields_by_name
        if "parts" in known:
            yield from _responses(list(getattr(message, "parts")))  # noqa: B009
        elif "function_response" in known:
            if not message.HasField("function_response"):
                raise JsonError("expected a part with a function response", path="")
            yield getattr(message, "function_response")  # noqa: B009
        else:
            yield message
    elif is_dict(value):
        for name in ("function_response", "functionResponse", "parts"):
            if name in value:
                yield from _responses(value[name])
                return
        yield value
    elif is_single(value) or not _is_iterable(value):
        raise JsonError(f"expected function responses, found {describe(value)}", path="")
    else:
        for each in value:
            yield from _responses(each)


def _is_iterable(value: object) -> TypeGuard[Iterable[object]]:
    return isinstance(value, Iterable)


def _is_whole(kind: MessageType, value: object) -> bool:
    message = as_message(value)
    if message is not None:
        return message.DESCRIPTOR.full_name == kind.full_name
    names = {name for field in kind.fields for name in (field.name, field.json_name)}
    return is_dict(value) and not names.isdisjoint(cast("Mapping[Any, object]", value))


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
