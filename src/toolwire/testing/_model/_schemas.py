"""Schemas of a request as JSON Schema, whichever of the two forms they are declared in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._errors import DeclarationError
from toolwire._functions._to_json_schema import to_json_schema
from toolwire._message_fields import get
from toolwire.testing._model._values import from_value, has
from toolwire.testing._refusal import Refusal

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire.testing._model._values import Json


def parameters(declaration: Message) -> dict[str, Json]:
    """Returns the JSON Schema of a function's parameters; without any, of an empty object."""
    if has(declaration, "parameters_json_schema"):
        given = from_value(get(declaration, "parameters_json_schema"))
        if isinstance(given, dict):
            return given
    if has(declaration, "parameters"):
        return json_schema(get(declaration, "parameters"))
    return {"type": "object"}


def json_schema(schema: Message) -> dict[str, Json]:
    """Translates a ``Schema`` message.

    Raises:
        Refusal: If something in it is no JSON, such as a default that is NaN.
    """
    try:
        return to_json_schema(schema)
    except DeclarationError as error:
        reason = f"a schema of the request: {error}"
    raise Refusal("INVALID_ARGUMENT", reason)
