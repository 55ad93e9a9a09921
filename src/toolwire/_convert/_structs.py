"""JSON Schemas, which one API holds as a message, another as a Value or as a Struct."""

from __future__ import annotations

from typing import Any

from toolwire._convert._lost import Lost
from toolwire._errors import DeclarationError, JsonError
from toolwire._functions._to_json_schema import to_json_schema
from toolwire._json import from_dict
from toolwire._message_fields import short_name
from toolwire._words import with_article

_VALUE = "google.protobuf.Value"
_STRUCT = "google.protobuf.Struct"


def reshape(source: Any, target: Any) -> None:
    """Fills a message with what one of another type says.

    Raises:
        Lost: If the one cannot become the other.
    """
    found, wanted = source.DESCRIPTOR.full_name, target.DESCRIPTOR.full_name
    if found == _STRUCT and wanted == _VALUE:
        target.struct_value.MergeFromString(source.SerializeToString())
    elif found == _VALUE and wanted == _STRUCT:
        if source.WhichOneof("kind") != "struct_value":
            raise Lost("only an object fits there")
        target.MergeFromString(source.struct_value.SerializeToString())
    elif short_name(source.DESCRIPTOR) == "Schema" and wanted == _STRUCT:
        target.CopyFrom(_json_schema(source, type(target)))
    else:
        raise Lost(f"the other API has {with_article(short_name(target.DESCRIPTOR))} there")


def _json_schema(schema: Any, struct: Any) -> Any:
    try:
        return from_dict(struct, to_json_schema(schema))
    except (DeclarationError, JsonError) as error:
        place = f"{error.path}: " if error.path else ""
        reason = f"has no JSON Schema: {place}{error.reason}"
    raise Lost(reason)
