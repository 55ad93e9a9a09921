"""The members of an object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._functions._report import SHOWN, Unfit, fault
from toolwire._functions.schema._context import described, say
from toolwire._functions.schema._resolve import holds_anything
from toolwire._functions.schema._said import words_of_values
from toolwire._json import near
from toolwire._paths import quote

if TYPE_CHECKING:
    from toolwire._functions._keywords import Json, Node
    from toolwire._functions.schema._arrays import Convert
    from toolwire._functions.schema._context import Context, Place

_VALUE_LEVELS = 8  # of messages, at least, for a schema that is written as a Value


def put_properties(
    context: Context, node: Node, made: Node, place: Place, convert: Convert
) -> None:
    """Writes properties, in order, which of them are required, and the rule for all others."""
    given = node.get("properties", {})
    if not isinstance(given, dict):
        raise fault(f"expected an object, found {described(given)}", (place.path, "properties"))
    properties: Node = {}
    for name, schema in given.items():
        there = place.below("properties", (name,), levels=2, name=name)
        if schema is False:
            context.report.dropped(there.path, "is false: a property that nothing fits")
        else:
            properties[name] = convert(context, schema, there)
    if properties:
        made["properties"] = properties
        made["property_ordering"] = _ordering(context, node, properties, place)
    if "required" in node:
        required = _required(context, node["required"], properties, place)
        most = node.get("maxProperties")
        if isinstance(most, (int, float)) and len(required) > most:
            reason = f"{len(required)} are more than maxProperties, {most}: nothing fits both"
            raise Unfit(reason, (place.path, "required"))
        if required:
            made["required"] = required
    least = node.get("minProperties", 0)
    is_closed = node.get("additionalProperties") is False and "patternProperties" not in node
    if is_closed and isinstance(least, (int, float)) and least > len(properties):
        reason = f"{least} is more than the {len(properties)} that there are: nothing fits"
        raise Unfit(reason, (place.path, "minProperties"))
    if "additionalProperties" in node or "patternProperties" in node:
        _put_additional(context, node, made, place, convert)


def _ordering(context: Context, node: Node, properties: Node, place: Place) -> list[Json]:
    """Returns the user's order, else that of the declaration: a map keeps none on the wire."""
    given = node.get("propertyOrdering")
    if given is None or given == []:
        return [*properties]
    return _names(context, given, properties, place, "propertyOrdering")


def _required(context: Context, given: Json, properties: Node, place: Place) -> list[Json]:
    if isinstance(given, bool):  # draft 3 has it on the property itself
        context.report.dropped((place.path, "required"), "expected a list of names")
        return []
    return _names(context, given, properties, place, "required")


def _names(
    context: Context, given: Json, properties: Node, place: Place, keyword: str
) -> list[Json]:
    """Returns those of the names that are properties, and reports the others."""
    at = (place.path, keyword)
    if not isinstance(given, list):
        raise fault(f"expected a list of names, found {described(given)}", at)
    found: dict[str, None] = {}
    for index, name in enumerate(given):
        if not isinstance(name, str):
            raise fault(f"expected a name, found {described(name)}", (at, index))
        if name in properties:
            found[name] = None
        else:
            hint = near(name, properties)
            context.report.dropped(
                (at, index), f"no property is named {quote(name, longest=SHOWN)}{hint}"
            )
    return [*found]


def _put_additional(
    context: Context, node: Node, made: Node, place: Place, convert: Convert
) -> None:
    there = place.below("additionalProperties", levels=_VALUE_LEVELS)
    has_field = context.has("additional_properties")
    values = node.get("additionalProperties")
    if has_field and "patternProperties" in node:
        if values is not None and values is not True:
            context.report.changed(there.path, "became true: names of a pattern may be others")
        values = True
    elif values is None:
        return
    elif holds_anything(context, values, there):
        if isinstance(values, dict) and values.get("description"):
            reason = "there is no schema that it could stand on"
            context.report.dropped((there.path, "description"), reason)
        values = True
    elif values is not False:
        values = convert(context, values, there)
    if has_field:
        made["additional_properties"] = _as_value(values)
        return
    reason = f"the {context.api} schema has no additional_properties"
    if values is not False:  # without a word, the object would look as if it were always empty
        each = f": {words_of_values(values)}" if isinstance(values, dict) else ""
        say(made, f"Other members are allowed{each}.")
        reason += ": said in the description"
    context.report.dropped(there.path, reason)


def _as_value(schema: Json) -> Json:
    """Returns a converted schema in the JSON form of its message, for a field that is a Value."""
    if isinstance(schema, list):
        return [_as_value(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made: Node = {}
    for name, value in schema.items():
        head, *rest = name.split("_")
        spelled = head + "".join(part.capitalize() for part in rest)
        if name in {"default", "example", "additional_properties"}:
            made[spelled] = value
        elif name == "properties" and isinstance(value, dict):
            made[spelled] = {key: _as_value(each) for key, each in value.items()}
        else:
            made[spelled] = _as_value(value)
    return made
