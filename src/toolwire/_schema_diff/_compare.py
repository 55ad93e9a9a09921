"""Compares two schemas as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._schema_diff._build import build
from toolwire._schema_diff._definitions import definition_changes
from toolwire._schema_diff._enums import enum_changes
from toolwire._schema_diff._fields import FieldChanges
from toolwire._schema_diff._files import file_changes
from toolwire._schema_diff._finding import sort_key
from toolwire._schema_diff._index import Enum, Message, Reserved, Service, definitions
from toolwire._schema_diff._oneofs import oneof_changes
from toolwire._schema_diff._options import option_changes
from toolwire._schema_diff._pair_fields import pair_fields
from toolwire._schema_diff._pairs import find_pairs
from toolwire._schema_diff._peers import Peer
from toolwire._schema_diff._reserved import extensible_changes, reserved_changes
from toolwire._schema_diff._services import service_changes
from toolwire._schema_diff._types import Types

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.descriptor_pb2 import FileDescriptorSet

    from toolwire._schema_diff._finding import Finding
    from toolwire._schema_diff._index import Field, Schema
    from toolwire._schema_diff._pairs import Pairs

_NOTHING = Reserved((), frozenset())


def compare(old: FileDescriptorSet, new: FileDescriptorSet) -> list[Finding]:
    """Finds what changed from one schema to another.

    Comments and the order of things are no changes, and files that come with the compiler
    (``google/protobuf``, ``google/api``, ``google/rpc``, ``google/type``) are not compared.

    Args:
        old: The descriptors of the old schema, imports included.
        new: Those of the new one.

    Returns:
        What changed, the gravest first.

    Raises:
        DescriptorError: If a text in the descriptors is not UTF-8.
    """
    before, after = build(old), build(new)
    pairs = find_pairs(before, after)
    found = [
        *file_changes(before, after, pairs),
        *definition_changes(before, after, pairs),
        *_inside(before, after, pairs),
    ]
    return sorted(found, key=sort_key)


def _inside(old: Schema, new: Schema, pairs: Pairs) -> Iterator[Finding]:
    """Yields the changes inside of what is in both schemas."""
    types = Types(old, new, pairs.names)
    olds, news = definitions(old), definitions(new)
    for name, other_name in pairs.names.items():
        match olds[name], news[other_name]:
            case Message() as one, Message() as other:
                yield from _message_changes(one, other, types)
            case Enum() as one, Enum() as other:
                yield from enum_changes(one, other)
            case Service() as one, Service() as other:
                yield from service_changes(one, other, types)
            case _:
                pass
    for name, extensions in old.extensions.items():
        others = new.extensions.get(pairs.names.get(name, name), [])
        yield from _extension_changes(extensions, others, types)
    known = {pairs.names.get(name, name) for name in old.extensions}
    for name, extensions in new.extensions.items():
        if name not in known:
            yield from _extension_changes([], extensions, types)


def _extension_changes(old: list[Field], new: list[Field], types: Types) -> Iterator[Finding]:
    peers = Peer("old", old, _NOTHING), Peer("new", new, _NOTHING)
    yield from FieldChanges("extension", *peers, types).find(pair_fields(old, new, types))


def _message_changes(old: Message, new: Message, types: Types) -> Iterator[Finding]:
    fields = pair_fields(old.fields, new.fields, types)
    peers = Peer("old", old.fields, old.reserved), Peer("new", new.fields, new.reserved)
    yield from FieldChanges("field", *peers, types).find(fields)
    yield from oneof_changes(old, new, fields.kept)
    used = [(field.number, field.name) for field in new.fields]
    yield from reserved_changes(old, new, used)
    yield from extensible_changes(old, new)
    yield from option_changes(old.full_name, new.full_name, old.options, new.options)
