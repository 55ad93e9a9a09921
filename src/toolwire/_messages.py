"""Protobuf messages of any class: ours, of other pools, and inside proto-plus wrappers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar, cast

from google.protobuf import message
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from toolwire._errors import DecodeError, JsonError
from toolwire._words import kind_of, kind_spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolwire._descriptor_types import FieldType, MessageType
    from toolwire._paths import Step

M = TypeVar("M", bound=Message)

DEEPEST = 100
"""How many levels of messages below the outermost one protobuf's binary reader accepts.

A map entry is a message of its own, so one level of a ``Struct`` object costs three levels
(entry, ``Value``, ``Struct``) and one of a list two (``Value``, ``ListValue``).
"""


def as_message(value: object) -> Message | None:
    """Returns the plain message of a message or proto-plus wrapper, or None for anything else."""
    if isinstance(value, Message):
        return value
    if isinstance(value, type):
        return None
    wrapped = attribute(value, "_pb")  # proto-plus keeps its message there
    return wrapped if isinstance(wrapped, Message) else None


def attribute(value: object, name: str) -> object:
    """Returns an attribute of anybody's object; None if it has none, or its own code fails."""
    try:
        return getattr(value, name, None)
    except Exception:  # noqa: BLE001 - whatever a __getattr__ raises
        return None


def unwrap(value: object) -> Message:
    """Returns the plain protobuf message of a message or of a proto-plus wrapper.

    Raises:
        JsonError: If the value is neither.
    """
    plain = as_message(value)
    if plain is None:
        raise JsonError(f"expected a protobuf message, found {kind_of(value)}")
    return plain


def is_message_class(cls: object) -> TypeGuard[type[Message]]:
    """Tells whether ``cls`` is a generated message class, of whichever pool."""
    return (
        isinstance(cls, type)
        and issubclass(cls, Message)
        and isinstance(getattr(cls, "DESCRIPTOR", None), Descriptor)
    )


def wrapped_class(cls: object) -> type[Message] | None:
    """Returns the message class of a class of proto-plus, or None for anything else."""
    meta = attribute(cls, "meta") if isinstance(cls, type) else None
    wrapped = attribute(meta, "pb")
    return wrapped if is_message_class(wrapped) else None


def no_class(value: object) -> str:
    """Says what was found in place of a message class, and where a class of proto-plus has it."""
    own = ""
    if isinstance(value, type) and wrapped_class(value) is not None:
        own = f", whose own is {value.__name__}.pb()"
    return f"expected a message class such as v1.Tool, found {kind_spoken(value)}{own}"


def descriptor_of(message: Message | type[Message]) -> Descriptor:
    """Returns the descriptor of a message or message class."""
    return cast("Descriptor", message.DESCRIPTOR)  # the stubs also name the C implementation's


def parse_binary(cls: type[M], data: bytes) -> M:
    """Reads the binary form of a message.

    Raises:
        DecodeError: If the bytes are not a valid encoding, or nest too deeply. Protobuf gives
            no place, so neither does the error.
    """
    try:
        return cls.FromString(data)
    except message.DecodeError as error:
        detail = str(error).strip()
    except UnicodeDecodeError:  # protobuf's pure Python implementation
        detail = "a string field is not UTF-8"
    name = cls.DESCRIPTOR.full_name
    raise DecodeError(f"not a valid {name}: {detail}" if detail else f"not a valid {name}")


def fits(msg: Message, levels: int) -> bool:
    """Tells whether at most ``levels`` levels of messages lie below this one."""
    for field, value in msg.ListFields():
        kind = field.message_type
        if kind is None:
            continue
        if levels < 1:
            return False
        if field.is_repeated:
            entry = kind.fields_by_name["value"] if is_map_entry(kind) else None
            if entry is not None and entry.message_type is None:
                continue
            below = levels - 1 if entry is None else levels - 2
            items = value if entry is None else value.values()
            if below < 0 or not all(fits(item, below) for item in items):
                return False
        elif not fits(value, levels - 1):
            return False
    return True


def messages_in(field: FieldType, value: Any) -> Iterator[tuple[Step | None, Message]]:
    """Yields the messages in a field, each behind the step of a path to it, which one alone lacks.

    Args:
        field: The field.
        value: What it holds: of a map, whose entries come in the order of their keys, its values.
    """
    kind = field.message_type
    if kind is None:
        return
    if not field.is_repeated:
        yield None, value
    elif not is_map_entry(kind):
        yield from enumerate(value)
    elif kind.fields_by_name["value"].message_type is not None:
        for key in sorted(value):
            yield (str(key),), value[key]


def reached(kinds: Iterable[MessageType]) -> Iterator[MessageType]:
    """Yields message types, and all that their fields lead to, each once."""
    seen: set[str] = set()
    waiting = list(kinds)
    while waiting:
        kind = waiting.pop()
        if kind.full_name not in seen:
            seen.add(kind.full_name)
            waiting += [each.message_type for each in kind.fields if each.message_type is not None]
            yield kind


def is_map_entry(kind: MessageType) -> bool:
    """Tells whether a message type is the hidden entry of a map field."""
    return bool(kind.has_options and kind.GetOptions().map_entry)
