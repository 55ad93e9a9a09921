"""Which of buf's rules say the same as which of ours."""

from __future__ import annotations

_TYPE = ("FIELD_SAME_TYPE", "FIELD_WIRE_COMPATIBLE_TYPE", "FIELD_WIRE_JSON_COMPATIBLE_TYPE")
_CARDINALITY = (
    "FIELD_SAME_CARDINALITY",
    "FIELD_WIRE_COMPATIBLE_CARDINALITY",
    "FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY",
)
_REQUIRED = "MESSAGE_SAME_REQUIRED_FIELDS"
_MESSAGE = ("MESSAGE_NO_DELETE", "PACKAGE_MESSAGE_NO_DELETE")
_ENUM = ("ENUM_NO_DELETE", "PACKAGE_ENUM_NO_DELETE")
_SERVICE = ("SERVICE_NO_DELETE", "PACKAGE_SERVICE_NO_DELETE")
_EXTENSION = ("EXTENSION_NO_DELETE", "PACKAGE_EXTENSION_NO_DELETE")
_ONEOF = ("FIELD_SAME_ONEOF", *_CARDINALITY)
_RPC_TYPES = ("RPC_SAME_REQUEST_TYPE", "RPC_SAME_RESPONSE_TYPE")

# A rule of ours to the beginnings of the names of buf's.
_SAME: dict[str, tuple[str, ...]] = {
    "enum-moved": _ENUM,
    "enum-openness-changed": ("ENUM_SAME_TYPE",),
    "enum-removed": _ENUM,
    "enum-renamed": (*_ENUM, *_TYPE),
    "enum-value-moved": ("ENUM_VALUE_",),
    "enum-value-removed": ("ENUM_VALUE_NO_DELETE", "ENUM_VALUE_SAME_NAME"),
    "enum-value-renamed": ("ENUM_VALUE_SAME_NAME",),
    "extension-range-removed": ("EXTENSION_MESSAGE_NO_DELETE",),
    "field-added": (_REQUIRED,),
    "field-cardinality-changed": (*_CARDINALITY, *_TYPE, *_MESSAGE),
    "field-changed-oneof": _ONEOF,
    "field-default-changed": ("FIELD_SAME_DEFAULT",),
    "field-joined-oneof": _ONEOF,
    "field-json-name-changed": ("FIELD_SAME_JSON_NAME",),
    "field-left-oneof": _ONEOF,
    "field-number-reused": ("FIELD_", _REQUIRED, *_MESSAGE, *_EXTENSION),
    "field-presence-changed": _CARDINALITY,
    "field-removed": ("FIELD_NO_DELETE", _REQUIRED, *_MESSAGE, *_EXTENSION),
    "field-renamed": ("FIELD_SAME_NAME", "FIELD_SAME_JSON_NAME", *_TYPE, *_MESSAGE, *_EXTENSION),
    "field-renumbered": ("FIELD_", _REQUIRED),
    "field-required-changed": (*_CARDINALITY, _REQUIRED),
    "field-type-changed": (*_TYPE, *_CARDINALITY),
    "file-removed": ("FILE_NO_DELETE", "PACKAGE_NO_DELETE"),
    "file-renamed": ("FILE_NO_DELETE",),
    "message-moved": _MESSAGE,
    "message-removed": (*_MESSAGE, *_ENUM),
    "message-renamed": (*_MESSAGE, *_ENUM, *_TYPE, *_RPC_TYPES),
    "oneof-removed": ("ONEOF_NO_DELETE",),
    "oneof-renamed": ("ONEOF_NO_DELETE", "FIELD_SAME_ONEOF"),
    "package-changed": ("FILE_SAME_PACKAGE", "PACKAGE_NO_DELETE"),
    "reserved-number-used": ("RESERVED_",),
    "reserved-removed": ("RESERVED_",),
    "rpc-removed": ("RPC_NO_DELETE",),
    "rpc-renamed": ("RPC_NO_DELETE",),
    "rpc-request-changed": ("RPC_SAME_REQUEST_TYPE",),
    "rpc-response-changed": ("RPC_SAME_RESPONSE_TYPE",),
    "rpc-streaming-changed": ("RPC_SAME_CLIENT_STREAMING", "RPC_SAME_SERVER_STREAMING"),
    "service-moved": _SERVICE,
    "service-removed": _SERVICE,
    "service-renamed": _SERVICE,
    "syntax-changed": ("FILE_SAME_SYNTAX",),
    "utf8-validation-changed": ("FIELD_SAME_UTF8_VALIDATION", "FIELD_SAME_JAVA_UTF8_VALIDATION"),
}


def is_same(rule: str, other: str) -> bool:
    """Tells whether a rule of ours and one of buf's may speak of the same.

    Args:
        rule: Ours; one of extensions is as that of fields.
        other: buf's.
    """
    own = _SAME.get(rule) or _SAME.get(rule.replace("extension-", "field-"), ())
    return other.startswith(own)


def is_of_option(name: str, other: str) -> bool:
    """Tells whether a rule of buf's is about an option.

    Args:
        name: The option.
        other: The rule.
    """
    spelled = {"ctype": "CPP_STRING_TYPE"}.get(name, name.upper())
    return other.endswith(f"_SAME_{spelled}")


def speaks_of_many(other: str) -> bool:
    """Tells whether a rule of buf's names a message or enum, and not what of it changed."""
    return other.startswith(("RESERVED_", _REQUIRED))
