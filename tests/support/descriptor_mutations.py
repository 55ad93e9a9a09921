"""Schemas that are nearly right: descriptors changed at random places, with a seeded random."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet

if TYPE_CHECKING:
    import random

    from google.protobuf.message import Message

    from toolwire._descriptor_types import FieldType

_TEXTS = ["", "a", "name", "Tool", "é", ".", ".x", "a..b", "google.protobuf", "\x1b[31m", "proto2"]
_NUMBERS = [-(2**31), -1, 0, 1, 2, 8, 10, 999, 2**29 - 1, 2**31 - 1]


def mutated(files: FileDescriptorSet, rng: random.Random, count: int) -> FileDescriptorSet:
    """Returns a copy with that many changes, of any kind that descriptors can hold."""
    changed = FileDescriptorSet()
    changed.CopyFrom(files)
    for _ in range(count):
        _change(_place(changed, rng), rng)
    return changed


def _place(node: Message, rng: random.Random) -> Message:
    """Goes down from the top, to a message anywhere in the tree."""
    while True:
        inner: list[Message] = []
        for field, value in node.ListFields():
            if field.message_type is not None:
                inner += value if field.is_repeated else [value]
        if not inner or rng.random() < 0.2:
            return node
        node = rng.choice(inner)


def _change(node: Message, rng: random.Random) -> None:
    fields: list[FieldType] = list(node.DESCRIPTOR.fields)
    field = rng.choice(fields)
    target: Any = getattr(node, field.name)
    if rng.random() < 0.2:
        node.ClearField(field.name)
    elif not field.is_repeated and field.message_type is None:
        setattr(node, field.name, _value(field, rng))
    elif not field.is_repeated:
        target.SetInParent()
    elif len(target) and rng.random() < 0.5:
        del target[rng.randrange(len(target))]
    elif field.message_type is None:
        target.append(_value(field, rng))
    elif len(target):
        target.add().CopyFrom(rng.choice(target))
    else:
        target.add()


def _value(field: FieldType, rng: random.Random) -> object:
    if field.enum_type is not None:
        numbers: list[int] = [value.number for value in field.enum_type.values]
        return rng.choice(numbers)
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        is_bytes = field.type == FieldDescriptor.TYPE_BYTES
        return b"\xff" if is_bytes else rng.choice(_TEXTS)
    if field.cpp_type in {FieldDescriptor.CPPTYPE_UINT32, FieldDescriptor.CPPTYPE_UINT64}:
        return abs(rng.choice(_NUMBERS))
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return rng.random() < 0.5
    return rng.choice(_NUMBERS)
