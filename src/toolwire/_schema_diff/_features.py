"""What each syntax and edition says about fields and enums, inherited from the file down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from google.protobuf.descriptor_pb2 import (
    Edition,
    FeatureSet,
    FieldDescriptorProto,
    FileDescriptorProto,
)

if TYPE_CHECKING:
    from toolwire._schema_diff._index import Presence

_F = FieldDescriptorProto
_UNPACKABLE = {_F.TYPE_STRING, _F.TYPE_BYTES, _F.TYPE_MESSAGE, _F.TYPE_GROUP}

_PROTO2 = FeatureSet(
    field_presence=FeatureSet.EXPLICIT,
    enum_type=FeatureSet.CLOSED,
    repeated_field_encoding=FeatureSet.EXPANDED,
    utf8_validation=FeatureSet.NONE,
    message_encoding=FeatureSet.LENGTH_PREFIXED,
    json_format=FeatureSet.LEGACY_BEST_EFFORT,
)
_PROTO3 = FeatureSet(
    field_presence=FeatureSet.IMPLICIT,
    enum_type=FeatureSet.OPEN,
    repeated_field_encoding=FeatureSet.PACKED,
    utf8_validation=FeatureSet.VERIFY,
    message_encoding=FeatureSet.LENGTH_PREFIXED,
    json_format=FeatureSet.ALLOW,
)


class _HasFeatures(Protocol):
    """Options of anything."""

    @property
    def features(self) -> FeatureSet: ...


def syntax_of(file: FileDescriptorProto) -> str:
    """Returns the syntax of a file, or its edition, such as ``edition 2023``."""
    if file.syntax != "editions":
        return file.syntax or "proto2"
    name = Edition.Name(file.edition) if file.edition in Edition.values() else str(file.edition)
    return name.replace("EDITION_", "edition ")


def features_of(file: FileDescriptorProto) -> FeatureSet:
    """Returns what holds for a file."""
    base = FeatureSet()
    base.CopyFrom(_PROTO3 if file.syntax in {"proto3", "editions"} else _PROTO2)
    if file.syntax == "editions":  # as proto3 but for presence, in every edition so far
        base.field_presence = FeatureSet.EXPLICIT
    return inherited(base, file.options)


def inherited(outer: FeatureSet, options: _HasFeatures) -> FeatureSet:
    """Returns what holds for something inside, by its own options."""
    merged = FeatureSet()
    merged.CopyFrom(outer)
    merged.MergeFrom(options.features)
    return merged


def presence(field: FieldDescriptorProto, features: FeatureSet) -> Presence:
    """Returns how one sees whether a field is set."""
    if field.label == _F.LABEL_REPEATED:
        return "none"
    legacy = features.field_presence == FeatureSet.LEGACY_REQUIRED
    if field.label == _F.LABEL_REQUIRED or legacy:
        return "required"
    is_implicit = (
        features.field_presence == FeatureSet.IMPLICIT
        and field.type not in {_F.TYPE_MESSAGE, _F.TYPE_GROUP}
        and not field.HasField("oneof_index")
        and not field.extendee
    )
    return "implicit" if is_implicit else "explicit"


def is_delimited(field: FieldDescriptorProto, features: FeatureSet) -> bool:
    """Tells whether a message's bytes stand between two tags, and not after their length."""
    by_feature = features.message_encoding == FeatureSet.DELIMITED
    return field.type == _F.TYPE_GROUP or (field.type == _F.TYPE_MESSAGE and by_feature)


def encoding(field: FieldDescriptorProto, features: FeatureSet) -> dict[str, str]:
    """Returns what else is inherited, as if it were options of the field."""
    found: dict[str, str] = {}
    if field.label == _F.LABEL_REPEATED and field.type not in _UNPACKABLE:
        packed = features.repeated_field_encoding == FeatureSet.PACKED
        packed = field.options.packed if field.options.HasField("packed") else packed
        found["packed"] = str(packed).lower()
    if field.type == _F.TYPE_STRING:
        found["utf8_validation"] = FeatureSet.Utf8Validation.Name(features.utf8_validation)
    return found
