"""Where JSON is read otherwise than by pydantic alone. Importing this imports pydantic.

A class of pydantic's checks its fields itself, and stays as it is.
"""

from __future__ import annotations

import json
import operator
from enum import Enum
from typing import TYPE_CHECKING, Any, cast

from pydantic import EncodedBytes, SecretBytes, ValidationError
from pydantic.dataclasses import is_pydantic_dataclass
from pydantic_core import SchemaValidator, core_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pydantic import TypeAdapter

# What in a core schema holds none, but values of the user's.
_VALUES = {"default", "metadata", "serialization", "config", "expected", "members"}
_NUMBERS = {bool, int, float}
_LIMITS = ("strict", "min_length", "max_length")


def mend(adapter: TypeAdapter[Any], config: Mapping[str, Any]) -> None:
    """Has an adapter check values as ``amended`` says.

    Args:
        adapter: The adapter, which describes its type as before.
        config: How its type is read where no class decides that.
    """
    schema: Any = adapter.core_schema
    made = amended(schema)
    if made is not schema:
        adapter.validator = SchemaValidator(made, cast("Any", config))


def amended(schema: Any) -> Any:
    """Returns a core schema whose values arrive as they are declared; itself, if they do already.

    Text that a type decodes itself is not decoded before, items are checked before a function gets
    them, and a member of an enum may be a key.
    """
    definitions = {each["ref"]: each for each in schema.get("definitions", ())}
    return _amended(schema, definitions)


def whole(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Returns a part of a core schema with those definitions that it needs."""
    needed: dict[str, Any] = {}
    waiting = [schema]
    while waiting:
        found = {ref: definitions[ref] for ref in _refs_in(waiting.pop()) if ref in definitions}
        waiting += [each for ref, each in found.items() if ref not in needed]
        needed |= found
    return core_schema.definitions_schema(schema, [*needed.values()]) if needed else schema


def reads_text(schema: Mapping[str, Any]) -> bool:
    """Tells whether a core schema is of bytes that are made of the text as it stands."""
    function: Any = schema.get("function")
    if schema["type"] != "function-after" or schema["schema"]["type"] != "bytes":
        return False
    inner: object = function["function"]
    is_secret = isinstance(inner, type) and issubclass(inner, SecretBytes)
    owner: object = getattr(cast("Any", inner), "__self__", None)
    return is_secret or isinstance(owner, EncodedBytes)


def checks_itself(schema: Mapping[str, Any]) -> bool:
    """Tells whether a core schema is that of a class which pydantic has made a check for."""
    kind = schema["type"]
    return kind == "model" or (kind == "dataclass" and is_pydantic_dataclass(schema["cls"]))


def members_by_text(keys: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Enum]:
    """Returns the members of an enum by their texts as keys, if one has another than its value.

    Args:
        keys: The core schema of the keys; of anything but an enum there are none.
        definitions: What it refers to, by name.
    """
    found = _enum_of(keys, definitions)
    if found["type"] != "enum" or "sub_type" in found:  # which reads the text itself
        return {}
    members = cast("list[Enum]", found["members"])
    if not any(type(each.value) in _NUMBERS for each in members):
        return {}
    return {
        each.value if isinstance(each.value, str) else json.dumps(each.value): each
        for each in members
        if isinstance(each.value, str) or type(each.value) in _NUMBERS
    }


def by_pydantic(keys: Mapping[str, Any], definitions: Mapping[str, Any]) -> Callable[[str], object]:
    """Returns how pydantic itself reads a key that is a member of an enum."""
    found: Any = _enum_of(keys, definitions)
    validator = SchemaValidator(core_schema.dict_schema(found))

    def read(text: str) -> object:
        (key,) = validator.validate_json(json.dumps({text: None}))
        return key

    return read


def reads_more(keys: Mapping[str, Any], definitions: Mapping[str, Any]) -> bool:
    """Tells whether an enum may make members of other texts, by a ``_missing_`` of its own."""
    missing: Any = _enum_of(keys, definitions)["cls"]._missing_
    return missing.__func__ is not cast("Any", Enum)._missing_.__func__


def _enum_of(keys: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns what the core schema of keys refers to."""
    found: Mapping[str, Any] = definitions.get(keys.get("schema_ref", ""), keys)
    return found


def _refs_in(given: Any) -> Iterator[str]:
    if isinstance(given, (list, tuple)):
        for each in cast("list[Any]", given):
            yield from _refs_in(each)
    elif isinstance(given, dict):
        schema = cast("dict[str, Any]", given)
        if schema.get("type") == "definition-ref":
            yield schema["schema_ref"]
        left = _left_of(schema)
        for name, part in schema.items():
            if name not in left:
                yield from _refs_in(part)


def _left_of(schema: Mapping[str, Any]) -> set[str]:
    """Returns the keys of a core schema that hold values; there may also be names of fields."""
    return _VALUES if isinstance(schema.get("type"), str) else set()


def _amended(given: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(given, (list, tuple)):
        items = cast("list[Any]", given)
        made = [_amended(each, definitions) for each in items]
        is_same = all(map(operator.is_, made, items))
        return items if is_same else tuple(made) if isinstance(given, tuple) else made
    if not isinstance(given, dict):
        return given
    schema = cast("dict[str, Any]", given)
    left = _left_of(schema)
    if left and checks_itself(schema):
        return schema
    parts = {
        name: part if name in left else _amended(part, definitions) for name, part in schema.items()
    }
    if not all(map(operator.is_, parts.values(), schema.values())):
        schema = parts
    return _read(schema, definitions) if left else schema


def _read(schema: dict[str, Any], definitions: Mapping[str, Any]) -> Any:
    """Returns a core schema whose parts are read as they should be."""
    if schema["type"] == "generator":
        items: Any = {**schema, "type": "list"}
        ref = items.pop("ref", None)
        return core_schema.no_info_after_validator_function(iter, items, ref=ref)
    if schema["type"] == "dict" and "keys_schema" in schema:
        keys = schema["keys_schema"]
        members = members_by_text(keys, definitions)
        if members:
            read = by_pydantic(keys, definitions)

            def member(text: Any) -> Any:
                if not isinstance(text, str):  # of a default
                    return text
                try:
                    return members[text] if text in members else read(text)
                except ValidationError:
                    return text  # which is refused in its place

            keys = core_schema.no_info_before_validator_function(member, keys)
            return {**schema, "keys_schema": keys}
    if reads_text(schema):
        limits: Any = {name: each for name, each in schema["schema"].items() if name in _LIMITS}
        text = core_schema.str_schema(**limits)
        return {**schema, "schema": core_schema.no_info_after_validator_function(str.encode, text)}
    return schema
