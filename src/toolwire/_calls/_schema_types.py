"""Python types out of a declared schema, for what a function's own annotations leave open.

They are wider than the schema where Python's types say less, and never narrower.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, Union, cast

if TYPE_CHECKING:
    import inspect
    from collections.abc import Callable, Mapping

Node: TypeAlias = "dict[str, object]"

_SCALARS = {"string": str, "number": float, "integer": int, "boolean": bool, "null": None}
_LISTED = ("string", "integer")  # the others that are listed, a Schema spells as well
_UNIONS = ("anyOf", "oneOf")

# Keywords of bounds, with pydantic's word for each and the whole number that says the same.
_BOUNDS: Mapping[str, tuple[str, Callable[[float], int]]] = {
    "minimum": ("ge", math.ceil),
    "maximum": ("le", math.floor),
    "exclusiveMinimum": ("gt", math.floor),
    "exclusiveMaximum": ("lt", math.ceil),
}
_LENGTHS = {
    "string": {"minLength": "min_length", "maxLength": "max_length"},
    "array": {"minItems": "min_length", "maxItems": "max_length"},
}
_UNREAD = ("$ref", "ref", "allOf")  # say what only a validator of JSON Schema tells


def declared_hints(schema: Node, parameters: Mapping[str, inspect.Parameter]) -> dict[str, Any]:
    """Returns what a declared schema says of the parameters of a function.

    Args:
        schema: The schema of all arguments.
        parameters: The parameters by name.
    """
    types = _members(schema)
    stars = [name for name, each in parameters.items() if each.kind is each.VAR_KEYWORD]
    named = parameters.keys() - stars
    found = {name: kind for name, kind in types.items() if name in named}
    for name in stars:  # one at most
        from typing_extensions import Unpack  # noqa: PLC0415 - of the extra

        rest = {each: kind for each, kind in types.items() if each not in named}
        found[name] = Unpack[_typed_dict(rest, schema, is_open=is_open(schema))]
    return found


def is_told(hint: object) -> bool:
    """Tells whether an annotation says anything of a type."""
    return hint is not Any and hint is not object


def is_open(schema: Node) -> bool:
    """Tells whether a function takes what its declaration does not name."""
    is_read = isinstance(schema.get("properties"), dict)
    is_read = is_read and not any(name in schema for name in (*_UNREAD, *_UNIONS))
    return not is_read or _others(schema, False) is not False


def type_of(schema: object) -> Any:
    """Returns the type of what fits a schema, as pydantic checks it."""
    node = as_node(schema)
    if any(name in node for name in _UNREAD):
        return Any
    found: list[Any] = [_named(node, name) for name in type_names(node)]
    for union in () if found else _UNIONS:
        found = found or [type_of(branch) for branch in as_list(node.get(union))]
    if not found:
        told = _choice(node) or (_named(node, "object") if "properties" in node else None)
        found = [told or Any]
    if not all(map(is_told, found)):
        return Any
    found.sort(key=lambda kind: kind is not bool)  # true is 1 to a Literal, but not the reverse
    if node.get("nullable"):
        found.append(None)
    return Union[tuple(found)]  # noqa: UP007 - made at run time


def type_names(node: Node) -> list[str]:
    """Returns the types that a node names, as JSON Schema spells them."""
    declared = node.get("type")
    return [name.lower() for name in as_list(declared) or [declared] if isinstance(name, str)]


def as_node(value: object) -> Node:
    """Returns a schema, empty for what is none."""
    return cast("Node", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """Returns a list, empty for what is none."""
    return cast("list[object]", value) if isinstance(value, list) else []


def _members(node: Node) -> dict[str, Any]:
    """Returns the types of an object's members."""
    properties = as_node(node.get("properties"))
    unknown: dict[str, Any] = {str(name): Any for name in as_list(node.get("required"))}
    return unknown | {name: type_of(each) for name, each in properties.items()}


def _others(node: Node, unsaid: object) -> object:
    """Returns the schema of members that are no properties; names of a pattern may be any."""
    return node.get("additionalProperties", unsaid) if "patternProperties" not in node else True


def _typed_dict(types: Mapping[str, Any], node: Node, *, is_open: bool) -> Any:
    """Returns the type of an object with these members."""
    import typing_extensions  # noqa: PLC0415 - of the extra

    of: Any = typing_extensions
    needed = as_list(node.get("required"))
    made = of.TypedDict(
        "Arguments",
        {name: (of.Required if name in needed else of.NotRequired)[types[name]] for name in types},
    )
    made.__pydantic_config__ = {"extra": "allow" if is_open else "forbid"}
    return made


def _named(node: Node, name: str) -> Any:
    """Returns what of a type fits a node."""
    if name == "object":
        others = _others(node, None)
        if others is False or "properties" in node or "required" in node:
            return _typed_dict(_members(node), node, is_open=others is not False)
        return dict.__class_getitem__((str, type_of(others)))
    if name == "array":
        items = Any if "prefixItems" in node else type_of(node.get("items"))
        return _bounded(list.__class_getitem__(items), node, name)
    if name not in _SCALARS:
        return Any
    return (name in _LISTED and _choice(node, name)) or _bounded(_SCALARS[name], node, name)


def _bounded(kind: Any, node: Node, name: str) -> Any:
    """Returns a type within the bounds of a node, lengths among them."""
    from pydantic import Field  # noqa: PLC0415 - of the extra

    limits: dict[str, Any] = {}
    for keyword, argument in _LENGTHS.get(name, {}).items():
        if (count := _number(node, keyword)) is not None and count >= 0:
            limits[argument] = int(count)
    for keyword, (argument, whole) in _BOUNDS.items() if name in {"integer", "number"} else ():
        if (bound := _number(node, keyword)) is not None:
            limits[argument] = whole(bound) if name == "integer" else bound
    return Annotated[kind, Field(**limits)] if limits else kind


def _number(node: Node, keyword: str) -> float | None:
    value = node.get(keyword)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return value


def _choice(node: Node, name: str = "") -> Any:
    """Returns the values that a node lists, where they can be told by a type; else None."""
    listed = [node["const"]] if "const" in node else as_list(node.get("enum"))
    if name == "integer":
        listed = [_whole(each) for each in listed]
    is_plain = all(each is None or isinstance(each, (str, int)) for each in listed)
    return Literal[tuple(listed)] if listed and is_plain else None


def _whole(value: object) -> object:
    """Returns a whole number as an int: a Schema spells it, a Value has doubles only."""
    is_spelled = isinstance(value, str) and value.isascii() and value.removeprefix("-").isdigit()
    is_double = isinstance(value, float) and value.is_integer()
    return int(cast("str | float", value)) if is_spelled or is_double else value
