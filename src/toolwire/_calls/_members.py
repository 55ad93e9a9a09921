"""The members of dataclasses and TypedDicts, under the names that a declaration has for them.

pydantic describes a result: it has aliases, and leaves fields out. What goes back must agree.
"""

from __future__ import annotations

import functools
import sys
from itertools import chain, repeat
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Union, get_args, get_origin

from toolwire._errors import DeclarationError
from toolwire._functions.python._callables import behind, is_field, own_metadata
from toolwire._functions.python._described import field_hints
from toolwire._functions.python._fields import fields_in
from toolwire._functions.python._models import adapter_of
from toolwire._functions.python._typed_dicts import is_typed_dict
from toolwire._json._kinds import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Member(NamedTuple):
    """A field of a class.

    Attributes:
        name: The name under which it goes back; None if it does not.
        kind: Its annotation; None where nothing is known of it.
    """

    name: str | None
    kind: object = None


def members_of(kind: object) -> Mapping[str, Member]:
    """Returns what is known of the fields of a dataclass or TypedDict; nothing of None."""
    # Without pydantic there are no aliases.
    if kind is None or "pydantic" not in sys.modules:
        return {}
    try:
        return _members_of(kind)
    except TypeError:  # what is annotated to it cannot be hashed
        return _members_of.__wrapped__(kind)


def bytes_mode_of(kind: Any) -> str:
    """Returns how a dataclass or TypedDict reads bytes; nothing where it does not decide that."""
    config: Mapping[str, Any] | None = getattr(
        get_origin(kind) or kind, "__pydantic_config__", None
    )
    return "" if config is None else str(config.get("val_json_bytes", "utf8"))


def typed_dict_of(kind: object, value: object) -> object:
    """Returns the TypedDict that a value is by its annotation; None if it is none."""
    found = _chosen(kind, value)
    return found if is_typed_dict(get_origin(found) or found) else None


def value_kind(kind: object, value: object) -> object:
    """Returns the annotation of the values of a mapping; None for none."""
    return next(iter(get_args(_chosen(kind, value))[1:]), None)


def item_kinds(kind: object, value: object) -> Iterator[object]:
    """Yields the annotation of each item of a list, without end; None for none."""
    args = get_args(_chosen(kind, value))
    is_fixed = len(args) > 1 and args[-1] is not ...  # of a tuple
    return chain(args if is_fixed else (), repeat(None if is_fixed or not args else args[0]))


@functools.lru_cache(maxsize=512)
def _members_of(kind: Any) -> Mapping[str, Member]:
    source: Any = get_origin(kind) or kind
    hints = field_hints(source)
    told = {name: Member(name, hint) for name, hint in hints.items()}
    metadata = (each for hint in hints.values() for each in own_metadata(hint))
    is_pydantic = hasattr(source, "__pydantic_config__") or hasattr(source, "__pydantic_fields__")
    if not is_pydantic and not any(map(is_field, metadata)):
        return told
    try:
        schema: Any = adapter_of(kind).core_schema
    except DeclarationError:  # so it is not declared either
        return told
    definitions = {each["ref"]: each for each in schema.get("definitions", ())}
    for name, field in fields_in(schema, definitions).items():
        written = field.get("serialization_alias", name)
        is_left_out = field.get("serialization_exclude", False)
        told[name] = Member(None if is_left_out else written, hints.get(name))
    return told


def _chosen(kind: Any, value: object) -> Any:
    """Returns the type that an annotation names, of several the first that may have a value."""
    if kind is None:
        return None
    kind = behind(kind)
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _chosen(args[0], value)
    if origin in {Union, UnionType}:
        choices = (_chosen(each, value) for each in args)
        return next((each for each in choices if _suits(each, value)), None)
    return kind


def _suits(kind: Any, value: object) -> bool:
    origin: Any = get_origin(kind) or kind
    if is_typed_dict(origin):
        names = origin.__annotations__.keys()
        return is_object(value) and origin.__required_keys__ <= value.keys() <= names
    is_kind = isinstance(origin, type) and isinstance(value, origin)
    return is_kind and (is_object(value) or is_list(value))
