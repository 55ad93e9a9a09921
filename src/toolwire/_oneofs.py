"""The oneof helpers: a few lines over descriptors, for any message of any pool."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from google.protobuf import descriptor_pb2
from google.protobuf.unknown_fields import UnknownFieldSet

from toolwire._errors import DescriptorError, JsonError
from toolwire._json import from_dict, near
from toolwire._messages import is_message_class, unwrap, wrapped_class
from toolwire._paths import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from google.protobuf.message import Message

    from toolwire._descriptor_types import MessageType, OneofType


def which(message: object, oneof: str, *, unknown: str | None = None) -> str | None:
    """Names the member of a oneof that is set.

    A member that is set to an empty message, to false, 0 or "" is set.

    Args:
        message: A message of any pool, or a proto-plus wrapper.
        oneof: Name of the oneof.
        unknown: What to answer where no known member is set but the message came with fields
            that its schema does not know, one of which may be a newer member.

    Returns:
        The member's field name; None where no member is set.

    Raises:
        DescriptorError: The message has no such oneof.
        JsonError: What was given is no message.
    """
    plain = unwrap(message)
    name: str | None = plain.WhichOneof(_oneof(plain.DESCRIPTOR, oneof).name)
    if name is None and unknown is not None and len(UnknownFieldSet(plain)):
        return unknown
    return name


def get(message: object, oneof: str) -> object:
    """Returns the value of the member of a oneof that is set.

    Args:
        message: A message of any pool, or a proto-plus wrapper.
        oneof: Name of the oneof.

    Returns:
        The value, for a message the live one; None where no member is set.

    Raises:
        DescriptorError: The message has no such oneof.
        JsonError: What was given is no message.
    """
    plain = unwrap(message)
    name = plain.WhichOneof(_oneof(plain.DESCRIPTOR, oneof).name)
    return None if name is None else getattr(plain, name)


def assign(message: object, field: str, value: object) -> None:
    """Sets a member of a oneof, and so clears the others.

    Args:
        message: A message of any pool, or a proto-plus wrapper; it is changed.
        field: Name of the member.
        value: A message of any pool with the member's full name, or a mapping, for a message;
            a name or a number for an enum; else the plain value. What is assigned is a copy.

    Raises:
        DescriptorError: No oneof of the message has such a member.
        JsonError: The value does not fit the member; nothing was changed.
    """
    plain = unwrap(message)
    oneofs = _oneofs(plain.DESCRIPTOR)
    members = {member.name: oneof for oneof in oneofs for member in oneof.fields}
    _check_name("oneof member", field)
    if field not in members:
        raise _missing("oneof member", field, plain.DESCRIPTOR, members)
    if plain.DESCRIPTOR.full_name == "google.protobuf.Value":
        fresh = _json_value(type(plain), field, value)
    elif value is None:
        raise DescriptorError(f"{field}: None is no value: use clear to unset a oneof")
    else:
        fresh = _alone(plain, field, value)
    plain.ClearField(members[field].name)
    plain.MergeFrom(fresh)


def clear(message: object, oneof: str) -> None:
    """Unsets whichever member of a oneof is set.

    Args:
        message: A message of any pool, or a proto-plus wrapper; it is changed.
        oneof: Name of the oneof.

    Raises:
        DescriptorError: The message has no such oneof.
        JsonError: What was given is no message.
    """
    plain = unwrap(message)
    plain.ClearField(_oneof(plain.DESCRIPTOR, oneof).name)


def names(message: type[Message] | Message) -> tuple[str, ...]:
    """Names the oneofs of a message or message class, in the order of the schema.

    Args:
        message: A message class, a message of any pool, or a class or wrapper of proto-plus.

    Returns:
        The names; those that only stand for an optional field are left out.

    Raises:
        JsonError: What was given is neither.
    """
    found: object = wrapped_class(message) or message
    descriptor = found.DESCRIPTOR if is_message_class(found) else unwrap(found).DESCRIPTOR
    return tuple(oneof.name for oneof in _oneofs(descriptor))


def _alone(message: Message, field: str, value: object) -> Message:
    """Makes a message that has one member set.

    It is read with the fields that proto2 requires, which the message itself may lack by now.
    """
    required = {
        other.name: getattr(message, other.name)
        for other in message.DESCRIPTOR.fields
        if other.is_required
    }
    fresh = from_dict(type(message), {**required, field: value})
    for name in required:
        fresh.ClearField(name)
    return fresh


def _json_value(cls: type[Message], field: str, value: object) -> Message:
    """Makes a Value, whose JSON form is the value itself and names no member."""
    fresh = from_dict(cls, cast("Mapping[str, object]", value))
    if fresh.WhichOneof("kind") != field:
        raise JsonError(f"expected a {field}, found a {fresh.WhichOneof('kind')}", path=field)
    return fresh


def _oneofs(descriptor: MessageType) -> list[OneofType]:
    """The oneofs that the schema spells, without those that stand for an optional field."""
    return [oneof for oneof in descriptor.oneofs if not _only_stands_for_optional(oneof)]


def _only_stands_for_optional(oneof: OneofType) -> bool:
    """Tells whether the compiler made the oneof up for a field marked ``optional``."""
    if len(oneof.fields) > 1 or not oneof.name.endswith(f"_{oneof.fields[0].name}"):
        return False  # spares the copy below
    message = descriptor_pb2.DescriptorProto()
    oneof.containing_type.CopyToProto(message)
    return message.field[oneof.fields[0].index].proto3_optional


def _check_name(kind: str, name: object) -> None:
    if not isinstance(name, str):
        raise DescriptorError(f"expected the name of a {kind}, found {type(name).__name__}")


def _oneof(descriptor: MessageType, name: str) -> OneofType:
    _check_name("oneof", name)
    for oneof in _oneofs(descriptor):
        if oneof.name == name:
            return oneof
    raise _missing("oneof", name, descriptor, [oneof.name for oneof in _oneofs(descriptor)])


def _missing(
    kind: str, name: str, descriptor: MessageType, known: Iterable[str]
) -> DescriptorError:
    hint = near(name, known) or f"; it has {', '.join(known) or 'none'}"
    return DescriptorError(f"{descriptor.name} has no {kind} {quote(name, longest=60)}{hint}")
