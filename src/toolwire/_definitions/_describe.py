"""Says of a definition all that its descriptor and its comments say."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from google.protobuf.descriptor import Descriptor, EnumDescriptor, ServiceDescriptor
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
)

from toolwire._annotations import behaviors, bindings, default_host, referenced_resource, scopes
from toolwire._apis import api_of
from toolwire._definitions._entries import (
    Enum,
    Field,
    Message,
    Method,
    Oneof,
    Route,
    Service,
    Value,
)
from toolwire._definitions._schema import schema
from toolwire._messages import is_map_entry

if TYPE_CHECKING:
    from toolwire._definitions._entries import Definition
    from toolwire._definitions._schema import Kind
    from toolwire._descriptor_types import FieldType, MethodType


def describe(kind: Kind) -> Definition:
    """Returns what the schema says of a message, enum or service."""
    if isinstance(kind, ServiceDescriptor):
        return _service(kind)
    return _enum(kind) if isinstance(kind, EnumDescriptor) else _message(kind)


def _message(kind: Descriptor) -> Message:
    proto = DescriptorProto()
    kind.CopyToProto(proto)
    fields = tuple(map(_field, kind.fields, proto.field))
    nested = cast("list[Kind]", [*kind.nested_types, *kind.enum_types])
    return Message(
        name=kind.full_name,
        file=kind.file.name,
        python=_python(kind),
        deprecated=proto.options.deprecated,
        doc=_doc(kind.full_name),
        fields=fields,
        oneofs=tuple(
            Oneof(oneof.name, members, _doc(f"{kind.full_name}.{oneof.name}"))
            for oneof in kind.oneofs
            if (members := tuple(field.name for field in fields if field.oneof == oneof.name))
        ),
        reserved=tuple((found.start, found.end - 1) for found in proto.reserved_range),
        reserved_names=tuple(proto.reserved_name),
        nested=tuple(found.full_name for found in nested if not _is_map_entry(found)),
    )


def _field(kind: FieldType, proto: FieldDescriptorProto) -> Field:
    entry = kind.message_type if _is_map_entry(kind.message_type) else None
    value = entry.fields_by_name["value"] if entry else kind
    # An optional field has a oneof of its own, which nobody wrote.
    oneof = None if proto.proto3_optional else kind.containing_oneof
    return Field(
        name=kind.name,
        number=kind.number,
        type=_type(value),
        label="map" if entry else "repeated" if kind.is_repeated else "singular",
        key_type=_type(entry.fields_by_name["key"]) if entry else "",
        has_presence=None if kind.is_repeated else kind.has_presence,
        oneof=oneof.name if oneof else "",
        json_name=kind.json_name,
        behaviors=behaviors(kind),
        resource=referenced_resource(kind),
        default=proto.default_value,
        deprecated=proto.options.deprecated,
        doc=_doc(kind.full_name),
    )


def _type(field: FieldType) -> str:
    named = field.message_type or field.enum_type
    if named:
        return str(named.full_name)
    kind = cast("FieldDescriptorProto.Type.ValueType", field.type)
    return FieldDescriptorProto.Type.Name(kind).removeprefix("TYPE_").lower()


def _enum(kind: EnumDescriptor) -> Enum:
    proto = EnumDescriptorProto()
    kind.CopyToProto(proto)
    return Enum(
        name=kind.full_name,
        file=kind.file.name,
        python=_python(kind),
        deprecated=proto.options.deprecated,
        doc=_doc(kind.full_name),
        values=tuple(
            Value(
                name=value.name,
                number=value.number,
                deprecated=value.options.deprecated,
                doc=_doc(f"{kind.full_name}.{value.name}"),
            )
            for value in proto.value
        ),
        # Unlike that of a message, the end of an enum's range belongs to it.
        reserved=tuple((found.start, found.end) for found in proto.reserved_range),
        reserved_names=tuple(proto.reserved_name),
    )


def _service(kind: ServiceDescriptor) -> Service:
    return Service(
        name=kind.full_name,
        file=kind.file.name,
        python=_python(kind),
        deprecated=kind.GetOptions().deprecated,
        doc=_doc(kind.full_name),
        host=default_host(kind),
        scopes=scopes(kind),
        methods=tuple(map(_method, kind.methods)),
    )


def _method(kind: MethodType) -> Method:
    return Method(
        name=kind.name,
        request=kind.input_type.full_name,
        response=kind.output_type.full_name,
        client_streaming=kind.client_streaming,
        server_streaming=kind.server_streaming,
        routes=tuple(Route(*binding) for binding in bindings(kind)),
        deprecated=kind.GetOptions().deprecated,
        doc=_doc(kind.full_name),
    )


def _python(kind: Kind) -> str:
    api = api_of(kind.file.package)
    if api is None:
        return ""
    relative = kind.full_name.removeprefix(f"{kind.file.package}.")
    is_service = isinstance(kind, ServiceDescriptor)
    return f"{api.module}.grpc.{relative}Stub" if is_service else f"{api.module}.{relative}"


def _is_map_entry(kind: object) -> bool:
    return isinstance(kind, Descriptor) and is_map_entry(kind)


def _doc(name: str) -> str:
    return schema().docs.get(name, "")
