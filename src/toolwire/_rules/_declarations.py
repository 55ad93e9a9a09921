"""Rules of the functions that a tool declares."""

# ruff: noqa: ARG001  a rule gets the context, whether it asks it or not

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._message_fields import (
    enum_name,
    field_of,
    get,
    is_missing,
    is_set,
    json_name,
    set_of,
)
from toolwire._rules._names import fault_of
from toolwire._rules._rule import Finding, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._rules._names import NameRule
    from toolwire._rules._rule import Context


_SAY_SOMETHING = {"properties", "any_of", "ref", "additional_properties"}


def function_name(function: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a declared name that is not of the newest published form."""
    if context.profile.function_name is not None:
        yield from _name(function, context.profile.function_name)


def older_name(function: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each form of older pages that a declared name has not."""
    for form in context.profile.older_names:
        yield from _name(function, form, "is refused by older pages: it ")


def called_name(call: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a call or response whose name no function can have."""
    yield from function_name(call, context)


def one_schema(message: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each schema that is given twice, as Schema and as JSON Schema."""
    fields = message.DESCRIPTOR.fields_by_name
    taken: dict[str, str] = {}
    for name, field in fields.items():
        base, found, _ = name.partition("_json_schema")
        plain = next((each for each in (base, f"{base}_schema") if each in fields), None)
        if not found or plain is None or is_missing(message, field):
            continue
        if not is_missing(message, fields[plain]):
            taken[base] = fields[plain].json_name
        if base in taken:
            yield Finding((field.json_name,), f"stands beside {taken[base]}: set only one")
        taken.setdefault(base, field.json_name)


def parameters_object(function: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for parameters that are no object."""
    if not is_set(function, "parameters"):
        return
    schema: Message = get(function, "parameters")
    kind = enum_name(schema, "type")
    if get(schema, "type") and kind != "OBJECT":
        steps = (json_name(function, "parameters"), json_name(schema, "type"))
        yield Finding(steps, f"is {kind}: parameters are an OBJECT with a property for each")


def no_parameters(function: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for an object without properties where nothing is taken."""
    if not is_set(function, "parameters"):
        return
    schema: Message = get(function, "parameters")
    if not _SAY_SOMETHING & {field.name for field, _ in schema.ListFields()}:
        steps = (json_name(function, "parameters"),)
        yield Finding(steps, "has no properties: leave it unset for a function without any")


def json_schema(function: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for parameters in JSON Schema that are no schema of an object."""
    for name in set_of(function, ("parameters_json_schema", "input_schema")):
        field, value = field_of(function, name), get(function, name)
        is_value = "struct_value" in value.DESCRIPTOR.fields_by_name
        if is_value and not value.HasField("struct_value"):
            found = str(value.WhichOneof("kind") or "nothing").removesuffix("_value")
            yield Finding((field.json_name,), f"is {found}: a JSON Schema is an object")
            continue
        fields = (get(value, "struct_value") if is_value else value).fields
        if "type" in fields and fields["type"].string_value != "object":
            kind = fields["type"].string_value
            found = shown(kind) if kind else "no string"
            # A map entry of a Struct stands in its JSON like a field.
            yield Finding((field.json_name, ("type",)), f'is {found}: parameters are of "object"')


def parameter_names(function: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each parameter whose name is not of the published form."""
    form = context.profile.parameter_name
    schema: Message = get(function, "parameters")
    steps = (json_name(function, "parameters"), json_name(schema, "properties"))
    for name in sorted(get(schema, "properties")) if form is not None else ():
        wrong = fault_of(name, form) if form is not None else ""
        if wrong:
            yield Finding((*steps, (name,)), f"the parameter's name {wrong}")


def _name(function: Message, form: NameRule, who: str = "") -> Iterator[Finding]:
    name: str = get(function, "name")
    wrong = fault_of(name, form) if name else ""
    if wrong:
        yield Finding((json_name(function, "name"),), f"{shown(name)} {who}{wrong}")
