"""The walk from a JSON Schema to the Schema of an API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._functions._annotated import put_annotations
from toolwire._functions._arrays import put_items
from toolwire._functions._bounds import put_bounds, put_counts
from toolwire._functions._context import Place, described, say
from toolwire._functions._enums import put_format, put_values
from toolwire._functions._infer import inferred
from toolwire._functions._keywords import PLAIN, RULED, SILENT, TYPES, types_of
from toolwire._functions._objects import put_properties
from toolwire._functions._refs import name_of
from toolwire._functions._report import fault
from toolwire._functions._resolve import resolve
from toolwire._functions._unions import convert_union

if TYPE_CHECKING:
    from toolwire._functions._context import Context
    from toolwire._functions._keywords import Json, Node


def convert_document(context: Context, document: Json, at: Place) -> Node:
    """Returns the Schema of an API, as a dict with the names of the proto's fields.

    Raises:
        DeclarationError: If the schema cannot be expressed, with the path.
    """
    node, place = resolve(context, {} if document is True else document, at, carry=False)
    made = _convert(context, node, place)
    definitions: Node = {}
    while len(definitions) < len(context.definitions):
        for name, ref in list(context.definitions.items())[len(definitions) :]:
            place = at.below("$defs", (name,), levels=2, name=name)
            definitions[name] = convert(context, context.references.look_up(ref, None), place)
    if definitions:
        made["defs"] = definitions
    return made


def convert(context: Context, raw: Json, place: Place) -> Node:
    """Converts a schema below the outermost one."""
    if raw is False:
        raise fault("is false: nothing fits", place.path)
    node, place = resolve(context, {} if raw is True else raw, place)
    return _convert(context, node, place)


def _convert(context: Context, node: Node, place: Place) -> Node:
    """Converts a schema without ``$ref`` and ``allOf``."""
    if "$ref" in node:
        return _carried(context, node, place)
    if "anyOf" in node or "oneOf" in node:
        return convert_union(context, node, place, _convert)
    node = dict(node)
    flag = node.pop("nullable", False)
    if not isinstance(flag, bool):
        raise fault(f"expected true or false, found {described(flag)}", (place.path, "nullable"))
    types, allows_null = _types(context, node, place)
    if len(types) > 1:
        rest = {name: value for name, value in node.items() if name != "type"}
        branches: Json = [{"type": name} for name in types]
        union: Node = {**rest, "nullable": flag or allows_null, "anyOf": branches}
        return convert_union(context, union, place, _convert, spelled=("type",))
    made = _null(context, node, place) if not types else _typed(context, node, types[0], place)
    if (flag or allows_null) and made["type"] != "NULL":
        made["nullable"] = True
    return made


def _types(context: Context, node: Node, place: Place) -> tuple[list[str], bool]:
    """Returns the types of a node but null, and whether null fits it as well."""
    given = node.get("type")
    members = node.get("enum")
    if given is None:
        types = inferred(context, node, place)
        had_null = isinstance(members, list) and None in members
    else:
        types = [str(name) for name in given] if isinstance(given, list) else [str(given)]
        had_null = "null" in types
        if isinstance(members, list):
            had_null = had_null and None in members
    if "const" in node and not isinstance(members, list):
        had_null = had_null and node["const"] is None
    if isinstance(members, list):
        node["enum"] = [member for member in members if member is not None]
        if members and not node["enum"] and had_null:
            return [], True
    return [name for name in types if name != "null"], had_null


def _typed(context: Context, node: Node, kind: str, place: Place) -> Node:
    """Converts a schema of one type."""
    made: Node = {"type": TYPES[kind]}
    put_annotations(context, node, made, place)
    put_values(context, node, made, place)
    put_format(context, node, made, place)
    put_counts(context, node, made, place)
    if kind in {"integer", "number"}:
        put_bounds(context, node, made, place)
    elif kind == "array":
        put_items(context, node, made, place, convert)
    elif kind == "object":
        put_properties(context, node, made, place, convert)
    _report_rest(context, node, made, place)
    return made


def _report_rest(context: Context, node: Node, made: Node, place: Place) -> None:
    """Reports the keywords that no other function reads."""
    for name in node:
        types = types_of(name)
        if types is None:
            if name not in SILENT:
                context.report.dropped(
                    (place.path, name), f"the {context.api} schema has no such keyword"
                )
        elif types and made["type"] not in types:
            if name == "properties":
                raise fault(f"belongs to an object, found in {_article(made)}", (place.path, name))
            context.report.dropped((place.path, name), f"says nothing about {_article(made)}")


def _article(made: Node) -> str:
    kind = str(made["type"]).lower()
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def _null(context: Context, node: Node, place: Place) -> Node:
    """Converts a schema that only null fits."""
    rest = {name: value for name, value in node.items() if name not in {"const", "enum"}}
    made: Node = {"type": "NULL"}
    put_annotations(context, rest, made, place)
    _report_rest(context, rest, made, place)
    if not context.has_null():
        made["type"] = "STRING"
        say(made, "Always null.")
        context.report.changed(place.path, "only null fits: became text that may be null")
    return made


def _carried(context: Context, node: Node, place: Place) -> Node:
    """Writes a reference as one."""
    ref = str(node["$ref"])
    wanted = name = name_of(ref)
    number = 1
    while context.definitions.setdefault(name, ref) != ref:
        number += 1
        name = f"{wanted}_{number}"
    made: Node = {"ref": "#/defs/" + name.replace("~", "~0").replace("/", "~1")}
    rest = {key: value for key, value in node.items() if key not in {"$ref", "nullable"}}
    put_annotations(context, rest, made, place)
    for key in rest:
        if key not in PLAIN and key not in RULED and key not in SILENT:
            context.report.dropped((place.path, key), "has no place beside a reference")
    if node.get("nullable") is True:
        made["nullable"] = True
    return made
