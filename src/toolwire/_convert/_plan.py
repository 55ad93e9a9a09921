"""Which field becomes which, for a pair of messages."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from toolwire._apis import APIS, api_of
from toolwire._convert import _table
from toolwire._message_fields import find_field, schema_name, short_name
from toolwire._messages import is_map_entry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolwire._descriptor_types import FieldType, MessageType


class Move(NamedTuple):
    """Where a field goes.

    Attributes:
        target: The field of the other message; None if there is none.
        change: What is reported, if it does not come back as the same field.
    """

    target: FieldType | None
    change: str | None = None


@lru_cache(maxsize=1024)
def api_name(kind: MessageType) -> str:
    """Returns the name of the API that a message belongs to, or an empty text."""
    api = api_of(kind.file.package)
    return api.name if api is not None else ""


@lru_cache(maxsize=1024)
def concept_of(kind: MessageType) -> str:
    """Returns the name under which the tables know a message."""
    return _table.concept(short_name(kind), api_name(kind))


def counterpart(kind: MessageType, api: str) -> str:
    """Returns the name that a message's counterpart in an API has, if the API has it."""
    return _table.name_in(concept_of(kind), api)


def is_vertex(kind: MessageType) -> bool:
    """Tells whether a message is one of Vertex AI's, whose resource names have projects."""
    api = APIS.get(api_name(kind))
    return api is not None and api.is_regional


@lru_cache(maxsize=1024)
def changes_service(source: MessageType, target: MessageType) -> bool:
    """Tells whether names of models and of stored things have to be translated."""
    names = (api_name(source), api_name(target))
    return all(names) and is_vertex(source) != is_vertex(target)


@lru_cache(maxsize=1024)
def plan_of(source: MessageType, target: MessageType) -> Mapping[str, Move]:
    """Returns where each field of a message goes, by name."""
    return {field.name: _move(field, source, target) for field in source.fields}


def _move(field: FieldType, source: MessageType, target: MessageType) -> Move:
    message = concept_of(source)
    apis = (api_name(source), api_name(target))
    own = schema_name(field)
    name = _table.renamed(message, own, *apis)
    if name is None and not _table.claimed(message, own, *apis):
        name = own
    found = None if name is None else find_field(target, name)
    if found is not None:
        return Move(found)
    for near in _table.NEAR.get(message, ()):
        other = find_field(target, near.target)
        if near.source == own and other is not None:
            return Move(other, near.change)
    return Move(None)


def alike(source: MessageType, target: MessageType) -> bool:
    """Tells whether two messages mean the same, whichever API they are of."""
    if is_map_entry(source) or is_map_entry(target):
        return is_map_entry(source) and is_map_entry(target)
    return source.full_name == target.full_name or concept_of(source) == concept_of(target)
