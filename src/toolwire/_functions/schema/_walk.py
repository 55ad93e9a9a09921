"""The walk from a JSON Schema to the Schema of an API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._functions._keywords import (
    ANNOTATIONS,
    PLAIN,
    RULED,
    SILENT,
    TYPES,
    misspelt,
    types_of,
)
from toolwire._functions._report import Unfit, fault
from toolwire._functions.schema._annotated import put_annotations
from toolwire._functions.schema._arrays import put_items
from toolwire._functions.schema._bounds import put_bounds, put_counts
from toolwire._functions.schema._context import Place, described, say
from toolwire._functions.schema._enums import put_format, put_values
from toolwire._functions.schema._infer import inferred
from toolwire._functions.schema._objects import put_properties
from toolwire._functions.schema._refs import name_of
from toolwire._functions.schema._resolve import resolve
from toolwire._functions.schema._said import sentence_of
from toolwire._functions.schema._unions import convert_union
from toolwire._json import near
from toolwire._words import with_article

if TYPE_CHECKING:
    from toolwire._functions._keywords import Json, Node
    from toolwire._functions.schema._context import Context

_MEMBERS = ("properties",)  # an object that loses them looks as if it had none


def convert_document(context: Context, document: Json, at: Place) -> Node:
    """Returns the Schema of an API, as a dict with the names of the proto's fields.

    Raises:
        DeclarationError: If the schema cannot be expressed, with the path.
    """
    made = convert(context, document, at, carry=False)
    definitions: Node = {}
    while len(definitions) < len(context.definitions):
        for name, ref in list(context.definitions.items())[len(definitions) :]:
            there = at.below("$defs", (name,), levels=2, name=name)
            # What a reference points at must not be nothing but a reference again.
            target = context.references.look_up(ref, None)
            definitions[name] = convert(context, target, there, carry=False)
    if definitions:
        made["defs"] = definitions
    return made


def convert(context: Context, raw: Json, place: Place, *, carry: bool = True) -> Node:
    """Converts a schema that something must fit.

    Args:
        context: The walk.
        raw: The schema.
        place: Where it stands.
        carry: Leaves a reference that the API is to carry as it is.

    Raises:
        DeclarationError: If it cannot be expressed, or nothing fits.
    """
    if raw is False:
        raise fault("is false: nothing fits", place.path)
    try:
        node, place = resolve(context, {} if raw is True else raw, place, carry=carry)
        made = _convert(context, node, place)
    except Unfit as error:
        raise fault(error.reason, error.at) from None
    if made.get("type") == "NULL" and not context.has_null():
        made |= {"type": "STRING", "nullable": True}
        say(made, "Always null.")
        context.report.changed(place.path, "only null fits: became text that may be null")
    return made


def _convert(context: Context, node: Node, place: Place) -> Node:
    """Converts a schema without ``$ref`` and ``allOf``; of type NULL for whichever API.

    Raises:
        DeclarationError: If it cannot be expressed.
        Unfit: If nothing fits.
    """
    if "$ref" in node:
        return _carried(context, node, place)
    if "anyOf" in node or "oneOf" in node:
        return convert_union(context, node, place, _convert)
    node = dict(node)
    flag = node.pop("nullable", False)
    if not isinstance(flag, bool):
        raise fault(f"expected true or false, found {described(flag)}", (place.path, "nullable"))
    types, allows_null = _types(context, node, place, nullable=flag)
    if len(types) > 1:
        rest = {name: value for name, value in node.items() if name != "type"}
        branches: Json = [{"type": name} for name in types]
        union: Node = {**rest, "nullable": flag or allows_null, "anyOf": branches}
        return convert_union(context, union, place, _convert, spelled=("type",))
    made = _typed_or_null(context, node, types, place, takes_null=flag or allows_null)
    if (flag or allows_null) and made["type"] != "NULL":
        made["nullable"] = True
    elif made["type"] != "NULL" and made.get("default", False) is None:
        del made["default"]
        context.report.dropped(
            (place.path, "default"), "the type does not take null: let it, as with str | None"
        )
    return made


def _typed_or_null(
    context: Context, node: Node, types: list[str], place: Place, *, takes_null: bool
) -> Node:
    """Converts a schema of one type, or of none but null."""
    if not types:
        if not takes_null:
            raise Unfit("only null is of its type, and null does not fit", place.path)
        return _null(context, node, place)
    try:
        return _typed(context, node, types[0], place)
    except Unfit as error:
        if not takes_null:
            raise
        context.report.dropped(error.at, f"{error.reason}, but null")
    return _null(context, {name: node[name] for name in node if name in ANNOTATIONS}, place)


def _types(context: Context, node: Node, place: Place, *, nullable: bool) -> tuple[list[str], bool]:
    """Returns the types of a node but null, and whether null fits it as well."""
    given = node.get("type")
    members = node.get("enum")
    if given is None:
        types = inferred(context, node, place)
        had_null = "null" in types or (isinstance(members, list) and None in members)
    else:
        types = [str(name) for name in given] if isinstance(given, list) else [str(given)]
        had_null = "null" in types
        if isinstance(members, list) and members:
            had_null = had_null and None in members
    if "const" in node and (node["const"] is not None or not isinstance(members, list)):
        if node["const"] is None and (had_null or nullable):
            return [], True
        had_null = False
    if isinstance(members, list):
        node["enum"] = [member for member in members if member is not None]
        if members and not node["enum"]:
            if not had_null and not nullable:
                raise Unfit(f"none of the values is of type {types[0]}", (place.path, "enum"))
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
    """Reports the keywords that no other function reads, and says those that have words."""
    kind = with_article(str(made["type"]).lower())
    for name, value in node.items():
        types = types_of(name)
        if types is None:
            if name not in SILENT:
                _report_unknown(context, name, value, made, place)
        elif types and made["type"] not in types:
            if name == "properties":
                raise fault(f"belongs to an object, found in {kind}", (place.path, name))
            context.report.dropped((place.path, name), f"says nothing about {kind}")


def _report_unknown(context: Context, name: str, value: Json, made: Node, place: Place) -> None:
    at = (place.path, name)
    if name == "propertyNames" and isinstance(value, dict):  # perhaps the name of an enum
        value, _ = resolve(context, value, place.below(name, levels=0), carry=False)
    said = sentence_of(name, value)
    if said == "":
        return
    reason = f"the {context.api} schema has no such keyword"
    if said is not None:
        say(made, said)
        context.report.dropped(at, f"{reason}: said in the description")
        return
    hint = misspelt(name)
    if hint and made["type"] == "OBJECT" and "properties" not in made and near(name, _MEMBERS):
        raise fault(f"no keyword has that name{hint}", at)
    context.report.dropped(at, reason + hint)


def _null(context: Context, node: Node, place: Place) -> Node:
    """Converts a schema that only null fits."""
    rest = {name: value for name, value in node.items() if name not in {"const", "enum"}}
    made: Node = {"type": "NULL"}
    put_annotations(context, rest, made, place)
    _report_rest(context, rest, made, place)
    return made


def _carried(context: Context, node: Node, place: Place) -> Node:
    """Writes a reference as one."""
    ref = str(node["$ref"])
    context.references.look_up(ref, place.path)  # so that an error says where
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
