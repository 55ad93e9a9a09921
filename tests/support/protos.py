"""Proto files made in Python, for tests that need a schema of their own and no compiler.

``message("Point", "int32 x = 1", "optional int32 y = 2")`` reads like a proto file. A line is::

    [label] type name = number [json=jsonName] [default=text]

The label is one of ``optional``, ``required``, ``repeated``, ``oneof:NAME``; in editions also
``implicit``, ``legacy_required`` and ``delimited``. The type is a scalar, ``map<key, value>``,
``message NAME``, ``enum NAME`` or ``group NAME``; a NAME without a dot is of the same package.
"""

from __future__ import annotations

import re

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    Edition,
    EnumDescriptorProto,
    FeatureSet,
    FieldDescriptorProto,
    FileDescriptorProto,
)

PACKAGE = "toolwire.test"

_LINE = re.compile(
    r"(?:(?P<label>optional|required|repeated|implicit|legacy_required|delimited"
    r"|oneof:\w+) )?"
    r"(?P<type>map<.+>|(?:message|enum|group) [\w.]+|\w+) (?P<name>\w+) = (?P<number>\d+)"
    r"(?: json=(?P<json>\S+))?(?: default=(?P<default>\S+))?"
)


def message(
    name: str, *lines: str | DescriptorProto | EnumDescriptorProto, proto3: bool = True
) -> DescriptorProto:
    """Returns the descriptor of a message from lines and nested types."""
    made = DescriptorProto(name=name)
    for line in lines:
        if isinstance(line, DescriptorProto):
            made.nested_type.append(line)
        elif isinstance(line, EnumDescriptorProto):
            made.enum_type.append(line)
        else:
            _add_field(made, line, proto3=proto3)
    for field in made.field:
        if field.proto3_optional:  # these come last (a rule of descriptor.proto)
            field.oneof_index = len(made.oneof_decl)
            made.oneof_decl.add(name=f"_{field.name}")
    return made


def enum(name: str, *, closed: bool = False, **values: int) -> EnumDescriptorProto:
    """Returns the descriptor of an enum; ``closed`` is for editions."""
    made = EnumDescriptorProto(name=name)
    for value, number in values.items():
        made.value.add(name=value, number=number)
    if len(set(values.values())) < len(values):
        made.options.allow_alias = True
    if closed:
        made.options.features.enum_type = FeatureSet.CLOSED
    return made


def extension(message_name: str, line: str) -> FieldDescriptorProto:
    """Returns an extension of a proto2 message."""
    field = _field(line, proto3=False)
    field.extendee = _full(message_name)
    return field


def file(
    name: str,
    *types: DescriptorProto | EnumDescriptorProto | FieldDescriptorProto,
    syntax: str = "proto3",
    imports: tuple[str, ...] = (),
) -> FileDescriptorProto:
    """Returns the descriptor of a file; syntax "editions" is edition 2023."""
    made = FileDescriptorProto(name=name, package=PACKAGE, dependency=imports)
    if syntax != "proto2":
        made.syntax = syntax
    if syntax == "editions":
        made.edition = Edition.EDITION_2023
    for kind in types:
        if isinstance(kind, DescriptorProto):
            made.message_type.append(kind)
        elif isinstance(kind, EnumDescriptorProto):
            made.enum_type.append(kind)
        else:
            made.extension.append(kind)
    return made


def _add_field(made: DescriptorProto, line: str, *, proto3: bool) -> None:
    field = _field(line, proto3=proto3)
    parts = _LINE.fullmatch(line)
    assert parts is not None
    label = parts["label"] or ""
    if label.startswith("oneof:"):
        oneof = label.removeprefix("oneof:")
        names = [known.name for known in made.oneof_decl]
        if oneof not in names:
            made.oneof_decl.add(name=oneof)
            names.append(oneof)
        field.oneof_index = names.index(oneof)
    if parts["type"].startswith("map<"):
        entry = "".join(word.capitalize() for word in field.name.split("_")) + "Entry"
        nested = made.nested_type.add(name=entry)
        nested.options.map_entry = True
        key, value = parts["type"][4:-1].split(", ")
        nested.field.append(_field(f"{key} key = 1", proto3=proto3))
        nested.field.append(_field(f"{value} value = 2", proto3=proto3))
        field.label = FieldDescriptorProto.LABEL_REPEATED
        field.type_name = f".{PACKAGE}.{made.name}.{entry}"
    made.field.append(field)


def _field(line: str, *, proto3: bool) -> FieldDescriptorProto:
    parts = _LINE.fullmatch(line)
    assert parts is not None, line
    field = FieldDescriptorProto(
        name=parts["name"],
        number=int(parts["number"]),
        label=FieldDescriptorProto.LABEL_OPTIONAL,
        json_name=parts["json"] or _camel(parts["name"]),
    )
    if parts["default"]:
        field.default_value = parts["default"]
    kind, _, type_name = parts["type"].partition(" ")
    if kind.startswith("map<"):
        kind = "message"
    elif type_name:
        field.type_name = _full(type_name)
    field.type = FieldDescriptorProto.Type.Value(f"TYPE_{kind.upper()}")
    label = parts["label"]
    if label == "repeated":
        field.label = FieldDescriptorProto.LABEL_REPEATED
    elif label == "required":
        field.label = FieldDescriptorProto.LABEL_REQUIRED
    elif label == "optional" and proto3:
        field.proto3_optional = True
    elif label == "implicit":
        field.options.features.field_presence = FeatureSet.IMPLICIT
    elif label == "legacy_required":
        field.options.features.field_presence = FeatureSet.LEGACY_REQUIRED
    elif label == "delimited":
        field.options.features.message_encoding = FeatureSet.DELIMITED
    return field


def _full(name: str) -> str:
    return f".{name}" if "." in name else f".{PACKAGE}.{name}"


def _camel(name: str) -> str:
    """Returns the JSON name that the compiler would give."""
    return re.sub(r"_(.?)", lambda match: match[1].upper(), name)
