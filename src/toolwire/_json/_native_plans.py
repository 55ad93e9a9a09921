"""The plans by which the native core of the codec works: what it knows of each message type."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from weakref import ref

from google.protobuf import descriptor_pb2
from google.protobuf.descriptor import FieldDescriptor

from toolwire._json import _schema
from toolwire._json._codec import Codec, Enum, Plan
from toolwire._messages import descriptor_of, is_message_class

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.descriptor import Descriptor, EnumDescriptor
    from google.protobuf.message import Message

_MOST_ROOTS = 256  # classes whose plans are kept
_MOST_FIELDS = 256
_MOST_ONEOFS = 64
_NO_ONEOF = 255
_SINGLE, _LIST, _MAP = range(3)

# The JSON forms, numbered as in native/plan.h.
_FIELDS, _FOREIGN, _STRUCT, _VALUE, _LIST_VALUE, _TIMESTAMP, _DURATION, _WRAPPER = range(8)
_FORMS = {
    _schema.ANY: _FOREIGN,
    _schema.FIELD_MASK: _FOREIGN,
    _schema.STRUCT: _STRUCT,
    _schema.VALUE: _VALUE,
    _schema.LIST_VALUE: _LIST_VALUE,
    _schema.TIMESTAMP: _TIMESTAMP,
    _schema.DURATION: _DURATION,
    **dict.fromkeys(_schema.WRAPPERS, _WRAPPER),
}
# The fields that the native core writes and reads by heart: number, shape, type, message type.
_LAYOUTS = {
    _STRUCT: [(1, _MAP, FieldDescriptor.TYPE_MESSAGE, _schema.VALUE)],
    _LIST_VALUE: [(1, _LIST, FieldDescriptor.TYPE_MESSAGE, _schema.VALUE)],
    _VALUE: [
        (1, _SINGLE, FieldDescriptor.TYPE_ENUM, ""),
        (2, _SINGLE, FieldDescriptor.TYPE_DOUBLE, ""),
        (3, _SINGLE, FieldDescriptor.TYPE_STRING, ""),
        (4, _SINGLE, FieldDescriptor.TYPE_BOOL, ""),
        (5, _SINGLE, FieldDescriptor.TYPE_MESSAGE, _schema.STRUCT),
        (6, _SINGLE, FieldDescriptor.TYPE_MESSAGE, _schema.LIST_VALUE),
    ],
    _TIMESTAMP: [
        (1, _SINGLE, FieldDescriptor.TYPE_INT64, ""),
        (2, _SINGLE, FieldDescriptor.TYPE_INT32, ""),
    ],
    _DURATION: [
        (1, _SINGLE, FieldDescriptor.TYPE_INT64, ""),
        (2, _SINGLE, FieldDescriptor.TYPE_INT32, ""),
    ],
}

# A plan holds nothing of protobuf's, since a descriptor would keep its class and pool alive.
_roots: dict[ref[type[Message]], Plan] = {}
_watchers: dict[ref[type[Message]], ref[type[Message]]] = {}


class _Family:
    """The plans of a message class and of all types below it, each made when it is needed.

    While one is needed, its caller has the class; else nothing here keeps that alive.
    """

    def __init__(self, cls: type[Message]) -> None:
        self._class = ref(cls)
        self._plans: dict[str, Plan] = {}
        self._enums: dict[str, Enum] = {}
        self._endless = _endless(descriptor_of(cls))

    def plan(self, name: str) -> Plan:
        """Returns the plan of the message type with that full name."""
        known = self._plans.get(name)
        if known is None:
            known = self._plans[name] = self._make(self._find(name))
        return known

    def _find(self, name: str) -> Descriptor:
        cls = self._class()
        if cls is None:
            raise RuntimeError("the message class is gone")
        root = descriptor_of(cls)
        if root.full_name == name:
            return root
        return root.file.pool.FindMessageTypeByName(name)

    def _make(self, kind: Descriptor) -> Plan:
        fields = sorted(kind.fields, key=lambda field: field.number)
        form = _form_of(kind, fields)
        if form == _FOREIGN:
            return Plan(form, [], [], self.plan)
        oneofs = [oneof for oneof in kind.oneofs if len(oneof.fields) > 1]
        numbers = {oneof.name: number for number, oneof in enumerate(oneofs)}
        described = [self._describe(field, numbers) for field in fields]
        names = {field.name: index for index, field in enumerate(fields)}
        names.update({field.json_name: index for index, field in enumerate(fields)})
        return Plan(form, described, [(k.encode(), v) for k, v in names.items()], self.plan)

    def _describe(
        self, field: FieldDescriptor, oneofs: dict[str, int]
    ) -> tuple[int, int, int, int, int, bool, bool, bytes, bytes, str, str | Enum | None]:
        """Returns a field as native/plan.c takes it."""
        shape, key, value = _LIST if field.is_repeated else _SINGLE, 0, field
        if _schema.is_map(field):
            key_field, value = _schema.entry_fields(field)
            shape, key = _MAP, key_field.type
        oneof = field.containing_oneof
        kind = value.message_type
        return (
            field.number,
            value.type,
            key,
            shape,
            _NO_ONEOF if oneof is None else oneofs.get(oneof.name, _NO_ONEOF),
            _schema.takes_null(field),
            kind is not None and kind.full_name in self._endless,
            _key(field.json_name),
            _key(field.name),
            field.name,
            kind.full_name if kind is not None else self._enum(value.enum_type),
        )

    def _enum(self, kind: EnumDescriptor | None) -> Enum | None:
        if kind is None:
            return None
        known = self._enums.get(kind.full_name)
        if known is None:
            first = {value.number: kind.values_by_number[value.number] for value in kind.values}
            known = self._enums[kind.full_name] = Enum(
                [(_quoted(first[number].name), number) for number in sorted(first)],
                [(value.name.encode(), value.number) for value in kind.values],
                kind.full_name == _schema.NULL_VALUE,
            )
        return known


def _find_root(cls: type) -> Plan | None:
    """Returns the plan of a message class, for as long as the class lives; None for another."""
    if not is_message_class(cls):
        return None
    plan = _Family(cls).plan(descriptor_of(cls).full_name)
    if len(_roots) >= _MOST_ROOTS:
        _roots.clear()
        _watchers.clear()
    reference = ref(cls)  # the one that looking it up makes, too: found without a comparison
    _roots[reference] = plan
    _watchers[ref(cls, _forget)] = reference
    return plan


def _forget(gone: ref[type[Message]]) -> None:
    reference = _watchers.pop(gone, None)
    if reference is not None:
        _roots.pop(reference, None)


def _form_of(kind: Descriptor, fields: list[FieldDescriptor]) -> int:
    """Returns the JSON form of a type; what is rare is foreign."""
    form = _FORMS.get(kind.full_name, _FIELDS)
    layout = [_layout(field) for field in fields]
    if form == _WRAPPER:
        is_usual = [part[:2] for part in layout] == [(1, _SINGLE)] and not layout[0][3]
        return form if is_usual else _FOREIGN
    if form in _LAYOUTS and _LAYOUTS[form] != layout:
        return _FOREIGN
    is_big = len(fields) > _MOST_FIELDS or len(kind.oneofs) > _MOST_ONEOFS
    is_rare = kind.is_extendable or is_big or any(map(_is_rare, fields))
    clash = len({field.json_name for field in fields}) < len(fields)
    return _FOREIGN if is_rare or clash else form


def _layout(field: FieldDescriptor) -> tuple[int, int, int, str]:
    shape, value = _LIST if field.is_repeated else _SINGLE, field
    if _schema.is_map(field):
        shape, value = _MAP, _schema.entry_fields(field)[1]
    kind = value.message_type
    return field.number, shape, value.type, "" if kind is None else kind.full_name


def _is_rare(field: FieldDescriptor) -> bool:
    value = _schema.entry_fields(field)[1] if _schema.is_map(field) else field
    is_closed = value.enum_type is not None and value.enum_type.is_closed
    return field.is_required or value.type == FieldDescriptor.TYPE_GROUP or is_closed


def _key(name: str) -> bytes:
    """Returns a field's name as it stands in a JSON object."""
    return _quoted(name) + b":"


def _quoted(name: str) -> bytes:
    return json.dumps(name, ensure_ascii=False).encode()


def _endless(root: Descriptor) -> set[str]:
    """Returns the names of the types, from a type on, whose messages can nest without end."""
    parts: dict[Descriptor, set[Descriptor]] = {}
    users: dict[Descriptor, list[Descriptor]] = {root: []}
    found = [root]
    while found:
        kind = found.pop()
        parts[kind] = set(_message_types(kind))
        for part in parts[kind]:
            if part not in users:
                found.append(part)
            users.setdefault(part, []).append(kind)
    # Types without parts end, and so does a type whose parts all end.
    ending = [kind for kind, below in parts.items() if not below]
    while ending:
        kind = ending.pop()
        del parts[kind]
        for user in users[kind]:
            parts[user].discard(kind)
            if not parts[user]:
                ending.append(user)
    return {kind.full_name for kind in parts}


def _message_types(kind: Descriptor) -> Iterator[Descriptor]:
    """Yields the types of the messages that a message can hold."""
    for field in kind.fields:
        value = _schema.entry_fields(field)[1] if _schema.is_map(field) else field
        if value.message_type is not None:
            yield value.message_type


def make_codec() -> Codec:
    """Returns the native core."""
    base = descriptor_pb2.FileDescriptorProto.__mro__[1]  # the class of all messages has no name
    return Codec(_roots, _find_root, base)
