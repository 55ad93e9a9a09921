"""Things that a server keeps: made, got, listed, changed and deleted by the methods named so.

Which thing a method is about comes from its descriptor, so that a kind of thing that upstream
adds is kept as well.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, cast

from google.protobuf.message_factory import GetMessageClass

from toolwire._annotations import behaviors, resource
from toolwire._message_fields import get
from toolwire._rpc import is_mask
from toolwire.testing._model import prompt_tokens
from toolwire.testing._model._values import has, part, put
from toolwire.testing._refusal import Refusal

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor
    from google.protobuf.message import Message

    from toolwire._descriptor_types import MessageType
    from toolwire.testing._api import Method

_BEGAN = 1_767_225_600  # the first second of 2026: the store has no clock
_LASTS = 3600  # seconds
_PAGE = 50
_MOST = 1000
_VERBS = ("Create", "Get", "List", "Update", "Delete")


class Store:
    """What one server keeps. Its clock goes on by a second with each change."""

    def __init__(self) -> None:
        """Keeps nothing yet."""
        self._kept: dict[str, Message] = {}
        self._changes = 0
        self._lock = threading.Lock()

    def answer(self, method: Method, request: Message) -> Message | None:
        """Returns the response to a method about a thing; None if it is about none.

        Raises:
            Refusal: If there is no such thing, or it cannot be changed so.
        """
        verb = next((verb for verb in _VERBS if method.name.startswith(verb)), None)
        kind = _kind(method) if verb is not None else None
        is_deletion = verb == "Delete" and "name" in request.DESCRIPTOR.fields_by_name
        if kind is None and not is_deletion:
            return None
        with self._lock:
            match verb:
                case "Create":
                    response = self._create(request, kind)
                case "Get":
                    response = _shown(self._find(request))
                case "List":
                    response = self._list(method, request, kind)
                case "Update":
                    response = self._update(request)
                case _:
                    del self._kept[get(self._find(request), "name")]
                    response = method.response()
        return response

    def has(self, name: str) -> bool:
        """Tells whether there is a thing of that name."""
        with self._lock:
            return name in self._kept

    def _find(self, request: Message) -> Message:
        name = str(get(request, "name"))
        found = self._kept.get(name)
        if found is None:
            raise Refusal("NOT_FOUND", f"{name!r} was not found")
        return found

    def _create(self, request: Message, kind: MessageType | None) -> Message:
        made = _copy(_body(request, kind))
        self._changes += 1
        collection = _collection(made.DESCRIPTOR)
        parent = f"{get(request, 'parent')}/" if has(request, "parent") else ""
        put(made, name=f"{parent}{collection}/{self._changes}")
        _stamp(made, self._changes, "create_time", "update_time")
        usage = part(made, "usage_metadata")
        if usage is not None:
            put(usage, total_token_count=sum(prompt_tokens(made).values()))
        _expire(made, self._changes)
        self._kept[get(made, "name")] = made
        return _shown(made)

    def _list(self, method: Method, request: Message, kind: MessageType | None) -> Message:
        parent = str(get(request, "parent")) if has(request, "parent") else ""
        found = [
            each
            for name, each in self._kept.items()
            if each.DESCRIPTOR is kind and name.startswith(f"{parent}/" if parent else "")
        ]
        token = str(get(request, "page_token"))
        if token and not (token.isascii() and token.isdecimal()):
            raise Refusal("INVALID_ARGUMENT", f"pageToken: {token!r} is none of this server's")
        start = int(token or 0)
        asked = int(get(request, "page_size"))
        if asked < 0:
            raise Refusal("INVALID_ARGUMENT", f"pageSize: {asked} is negative")
        size = min(asked or _PAGE, _MOST)
        response = method.response()
        listed = next(field for field in response.DESCRIPTOR.fields if field.is_repeated)
        get(response, listed.name).extend(map(_shown, found[start : start + size]))
        if start + size < len(found):
            put(response, next_page_token=str(start + size))
        return response

    def _update(self, request: Message) -> Message:
        changed = _body(request, None)
        kept = self._find(changed)
        (mask,) = (field.name for field in request.DESCRIPTOR.fields if is_mask(field))
        fields = kept.DESCRIPTOR.fields_by_name
        names = [path.partition(".")[0] for path in get(get(request, mask), "paths")]
        for name in names:
            if name not in fields:
                raise Refusal("INVALID_ARGUMENT", f"updateMask: there is no field {name!r}")
            if not {"IMMUTABLE", "OUTPUT_ONLY"}.isdisjoint(behaviors(fields[name])):
                raise Refusal("INVALID_ARGUMENT", f"updateMask: {name!r} cannot be changed")
        for name in names:
            kept.ClearField(name)
            if has(changed, name):
                source = type(kept)(**{name: get(changed, name)})
                kept.MergeFrom(source)
        self._changes += 1
        _stamp(kept, self._changes, "update_time")
        _expire(kept, self._changes)
        return _shown(kept)


def _kind(method: Method) -> MessageType | None:
    """Returns the type of the thing that a method is about."""
    kinds = [method.response.DESCRIPTOR]
    kinds += [field.message_type for field in kinds[0].fields if field.message_type is not None]
    return next((kind for kind in kinds if resource(kind)[0]), None)


def _body(request: Message, kind: MessageType | None) -> Message:
    for field in request.DESCRIPTOR.fields:
        inside = field.message_type
        if inside is not None and (inside is kind if kind is not None else resource(inside)[0]):
            body: Message = get(request, field.name)
            return body
    raise Refusal("INVALID_ARGUMENT", "the request holds nothing to keep")


def _collection(kind: MessageType) -> str:
    """Returns the last part but one of the names of a kind of thing."""
    pattern = resource(kind)[1][0].split("/")
    return pattern[-2]


def _copy(message: Message) -> Message:
    copied: Message = GetMessageClass(cast("Descriptor", message.DESCRIPTOR))()
    copied.CopyFrom(message)
    return copied


def _shown(kept: Message) -> Message:
    """Returns what the server shows of a thing: not what is only to be put in."""
    shown = _copy(kept)
    for field, _ in kept.ListFields():
        is_turns = field.name in {"contents", "system_instruction", "tools", "tool_config"}
        if is_turns or "INPUT_ONLY" in behaviors(field):
            shown.ClearField(field.name)
    return shown


def _stamp(message: Message, changes: int, *fields: str) -> None:
    for field in fields:
        moment = part(message, field)
        if moment is not None:
            put(moment, seconds=_BEGAN + changes)


def _expire(message: Message, changes: int) -> None:
    """Turns the time that a thing is to last into the moment when it ends."""
    if "expire_time" not in message.DESCRIPTOR.fields_by_name or has(message, "expire_time"):
        return
    seconds = get(message, "ttl").seconds if has(message, "ttl") else _LASTS
    moment: Any = part(message, "expire_time")
    put(moment, seconds=_BEGAN + changes + seconds)
