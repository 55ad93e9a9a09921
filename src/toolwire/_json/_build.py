"""Messages from what was read: one call of a constructor, and then the extensions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from google.protobuf.message import DecodeError, Message

if TYPE_CHECKING:
    from toolwire._json._plan import FieldPlan, MessagePlan


def build(plan: MessagePlan, made: Message | dict[str, Any]) -> Message:
    """Returns the message for what ``read_message`` returned."""
    if type(made) is not dict:  # which is quicker than to ask for a Message
        return cast("Message", made)
    try:
        return plan.cls(**made)
    except DecodeError:  # protobuf copies an instance by its binary form, 100 levels deep at most
        message = plan.cls()
    _fill(message, made)
    return message


def with_extensions(plan: MessagePlan, made: dict[str, Any]) -> Message | dict[str, Any]:
    """Makes an instance if there are extensions, which no constructor takes."""
    names = [name for name in made if name.startswith("[")]
    if not names:
        return made
    extensions = {name: made.pop(name) for name in names}
    message = build(plan, made)
    for name, value in extensions.items():
        _set_extension(message, cast("FieldPlan", plan.find(name)), value)
    return message


def _set_extension(message: Any, field: FieldPlan, value: Any) -> None:
    extensions = message.Extensions
    is_message = field.descriptor.message_type is not None
    if field.is_list:
        items = [build(field.find_message(), item) for item in value] if is_message else value
        extensions[field.descriptor].extend(items)
    elif is_message:
        extensions[field.descriptor].SetInParent()
        extensions[field.descriptor].CopyFrom(build(field.find_message(), value))
    else:
        extensions[field.descriptor] = value


def _fill(target: Any, made: dict[str, Any]) -> None:
    """Does what a constructor does, but copies instances of any depth."""
    for name, value in made.items():
        if _has_parts(value) or isinstance(value, list):
            _put(getattr(target, name), value)
        else:
            setattr(target, name, value)


def _put(part: Any, value: Any) -> None:
    if isinstance(part, Message):
        part.SetInParent()
        if isinstance(value, Message):
            part.CopyFrom(value)
        else:
            _fill(part, value)
    elif hasattr(part, "GetEntryClass"):  # a map
        for key, item in value.items():
            if _has_parts(item):
                _put(part[key], item)
            else:
                part[key] = item
    else:
        for item in value:
            if _has_parts(item):
                _put(part.add(), item)
            else:
                part.append(item)


def _has_parts(value: object) -> bool:
    return isinstance(value, (dict, Message))
