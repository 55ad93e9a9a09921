"""ProtoJSON for every protobuf message: the functions that ``toolwire`` re-exports."""

from toolwire._json._api import (
    from_binary,
    from_dict,
    from_json,
    to_dict,
    to_json,
    to_json_bytes,
)
from toolwire._json._faults import near as near
from toolwire._json._native import JSON_CODEC
from toolwire._json._unknown import UnknownFields

__all__ = [
    "JSON_CODEC",
    "UnknownFields",
    "from_binary",
    "from_dict",
    "from_json",
    "to_dict",
    "to_json",
    "to_json_bytes",
]
