"""Responses of any API that generates content."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._errors import ConversionError
from toolwire._given import given, place
from toolwire._rules._schema import short_name

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._paths import Path

_NAME = "GenerateContentResponse"


def response(value: object, at: Path = None) -> Message:
    """Returns the plain message of a response.

    Raises:
        ConversionError: If it is no response, or nests too deeply.
    """
    message = given(value, f"a {_NAME}", at)
    if short_name(message.DESCRIPTOR) != _NAME:
        raise ConversionError(
            f"expected a {_NAME}, found a {message.DESCRIPTOR.full_name}", path=place(at)
        )
    return message
