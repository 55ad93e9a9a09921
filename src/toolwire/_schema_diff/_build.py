"""Makes the index of a schema from its descriptors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FeatureSet,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    ServiceDescriptorProto,
)

from toolwire._schema_diff._descriptor_set import require_text
from toolwire._schema_diff._features import (
    encoding,
    features_of,
    inherited,
    is_delimited,
    presence,
    syntax_of,
)
from toolwire._schema_diff._index import (
    Enum,
    Field,
    File,
    Message,
    Method,
    Reserved,
    Schema,
    Service,
    Type,
    Value,
)
from toolwire._schema_diff._option_texts import Names, texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

# These come with the compiler: what differs in them is not a change of the schema.
_COMMON = (
    "google/api/",
    "google/cloud/common_resources.proto",
    "google/cloud/extended_operations.proto",
    "google/gapic/",
    "google/logging/type/",
    "google/longrunning/",
    "google/protobuf/",
    "google/rpc/",
    "google/type/",
)


def is_common(path: str) -> bool:
    """Tells whether a file comes with the compiler, and is not compared."""
    return path.startswith(_COMMON)


def build(files: FileDescriptorSet) -> Schema:
    """Returns the index of a schema.

    Raises:
        DescriptorError: A text of the descriptors is not UTF-8.
    """
    # Read anew: options stay unknown where they were read before their extension was known.
    files = FileDescriptorSet.FromString(files.SerializePartialToString())
    for file in files.file:
        file.ClearField("source_code_info")
    require_text(files, "the schema")
    schema = Schema({}, {}, {}, {}, {})
    names = _option_names(files)
    for file in files.file:
        _Builder(file, schema, names).run()
    return schema


def joined(scope: str, name: str) -> str:
    """Returns the full name of what is in a scope, which may be empty."""
    return f"{scope}.{name}" if scope else name


def scopes(file: FileDescriptorProto) -> Iterator[tuple[str, Iterable[DescriptorProto]]]:
    """Yields the messages of a file, with the scope that they stand in, from the outside in."""
    pending = [(file.package, list(file.message_type))]
    while pending:
        scope, kinds = pending.pop()
        yield scope, kinds
        pending += [(joined(scope, kind.name), list(kind.nested_type)) for kind in kinds]


def _option_names(files: FileDescriptorSet) -> Names:
    found: dict[tuple[str, int], str] = {}
    for file in files.file:
        declared = [(file.package, field) for field in file.extension]
        for scope, kinds in scopes(file):
            declared += [
                (joined(scope, kind.name), field) for kind in kinds for field in kind.extension
            ]
        for scope, field in declared:
            found[field.extendee.removeprefix("."), field.number] = joined(scope, field.name)
    return found


class _Builder:
    """Adds one file to an index. Types of common files are known there, but not compared."""

    def __init__(self, file: FileDescriptorProto, schema: Schema, names: Names) -> None:
        self._file = file
        self._schema = schema
        self._names = names

    def run(self) -> None:
        file = self._file
        features = features_of(file)
        if not is_common(file.name):
            options = texts(file.options, self._names)
            self._schema.files[file.name] = File(file.name, file.package, syntax_of(file), options)
            for service in file.service:
                self._service(service)
        self._extensions(file.extension, file.package, features)
        for enum in file.enum_type:
            self._enum(enum, file.package, features)
        for message in file.message_type:
            self._message(message, file.package, features)

    def _message(self, message: DescriptorProto, scope: str, outer: FeatureSet) -> None:
        full_name = joined(scope, message.name)
        features = inherited(outer, message.options)
        entries = {
            f".{full_name}.{nested.name}": nested
            for nested in message.nested_type
            if nested.options.map_entry
        }
        ranges = tuple((one.start, one.end - 1) for one in message.reserved_range)
        real = {field.oneof_index for field in message.field if _in_oneof(field)}
        names = [one.name for index, one in enumerate(message.oneof_decl) if index in real]
        self._schema.messages[full_name] = Message(
            full_name,
            self._file.name,
            tuple(self._field(one, full_name, features, message, entries) for one in message.field),
            tuple(names),
            Reserved(ranges, frozenset(message.reserved_name)),
            tuple((one.start, one.end - 1) for one in message.extension_range),
            texts(message.options, self._names),
        )
        self._extensions(message.extension, full_name, features)
        for enum in message.enum_type:
            self._enum(enum, full_name, features)
        for nested in message.nested_type:
            if not nested.options.map_entry:
                self._message(nested, full_name, features)

    def _field(
        self,
        field: FieldDescriptorProto,
        scope: str,
        outer: FeatureSet,
        message: DescriptorProto | None,
        entries: Mapping[str, DescriptorProto],
    ) -> Field:
        features = inherited(outer, field.options)
        kind, key = _type(field, features), None
        if field.type_name in entries:
            parts = {part.name: part for part in entries[field.type_name].field}
            if parts.keys() >= {"key", "value"}:
                key, kind = (_type(parts[name], _PLAIN) for name in ("key", "value"))
        oneof = ""
        if message and _in_oneof(field) and 0 <= field.oneof_index < len(message.oneof_decl):
            oneof = message.oneof_decl[field.oneof_index].name
        full_name = joined(scope, field.name)
        return Field(
            full_name=full_name,
            name=field.name if message else full_name,
            number=field.number,
            type=kind,
            key=key,
            repeated=field.label == FieldDescriptorProto.LABEL_REPEATED,
            presence=presence(field, features),
            oneof=oneof,
            json_name=(field.json_name or _camel(field.name)) if message else f"[{full_name}]",
            default=field.default_value,
            options={**texts(field.options, self._names), **encoding(field, features)},
        )

    def _extensions(
        self, fields: Iterable[FieldDescriptorProto], scope: str, outer: FeatureSet
    ) -> None:
        if is_common(self._file.name):
            return
        for field in fields:
            extended = self._schema.extensions.setdefault(field.extendee.removeprefix("."), [])
            extended.append(self._field(field, scope, outer, None, {}))

    def _enum(self, enum: EnumDescriptorProto, scope: str, outer: FeatureSet) -> None:
        full_name = joined(scope, enum.name)
        ranges = tuple((one.start, one.end) for one in enum.reserved_range)
        self._schema.enums[full_name] = Enum(
            full_name,
            self._file.name,
            tuple(
                Value(value.name, value.number, texts(value.options, self._names))
                for value in enum.value
            ),
            inherited(outer, enum.options).enum_type == FeatureSet.CLOSED,
            Reserved(ranges, frozenset(enum.reserved_name)),
            texts(enum.options, self._names),
        )

    def _service(self, service: ServiceDescriptorProto) -> None:
        full_name = joined(self._file.package, service.name)
        self._schema.services[full_name] = Service(
            full_name,
            self._file.name,
            tuple(
                Method(
                    joined(full_name, method.name),
                    Type("message", method.input_type.removeprefix(".")),
                    Type("message", method.output_type.removeprefix(".")),
                    (method.client_streaming, method.server_streaming),
                    texts(method.options, self._names),
                )
                for method in service.method
            ),
            texts(service.options, self._names),
        )


_PLAIN = FeatureSet()  # keys and values of maps are never delimited


def _in_oneof(field: FieldDescriptorProto) -> bool:
    """Tells whether a field is in a oneof that somebody wrote: `optional` makes hidden ones."""
    return field.HasField("oneof_index") and not field.proto3_optional


def _type(field: FieldDescriptorProto, features: FeatureSet) -> Type:
    if is_delimited(field, features):
        return Type("group", field.type_name.removeprefix("."))
    kind = FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
    return Type(kind, field.type_name.removeprefix("."))


def _camel(name: str) -> str:
    """Returns the JSON name that the compiler gives."""
    head, *rest = name.split("_")
    return head + "".join(part[:1].upper() + part[1:] for part in rest)
