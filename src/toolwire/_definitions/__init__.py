"""What the schema defines, with its documentation: for people who read it.

``_schema`` finds a definition by the name that somebody typed, ``_comments`` has what the .proto
files say of it, and ``_entries`` holds all that is to be shown; the command line prints it.
"""

from toolwire._definitions._describe import describe
from toolwire._definitions._entries import (
    Definition,
    Enum,
    Field,
    Message,
    Method,
    Oneof,
    Service,
    Value,
)
from toolwire._definitions._schema import Found, find

__all__ = [
    "Definition",
    "Enum",
    "Field",
    "Found",
    "Message",
    "Method",
    "Oneof",
    "Service",
    "Value",
    "describe",
    "find",
]
