"""Responses of any API that generates content."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._errors import ConversionError
from toolwire._given import given, hint_to_join, place
from toolwire._message_fields import short_name
from toolwire._rpc import CANDIDATE, RESPONSE, TURN
from toolwire._words import with_article

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._paths import Path


def response(value: object, at: Path = None) -> Message:
    """Returns the plain message of a response.

    Raises:
        ConversionError: If it is no response, or nests too deeply.
    """
    return _of_kind(value, (RESPONSE,), f"a {RESPONSE}", at)


def spoken(value: object) -> Message:
    """Returns the plain message of a response, a candidate or a turn.

    Raises:
        ConversionError: If it is none of these, or nests too deeply.
    """
    what = f"a {RESPONSE}, {CANDIDATE} or {TURN}"
    return _of_kind(value, (RESPONSE, CANDIDATE, TURN), what, None, hint_to_join(value))


def _of_kind(value: object, kinds: tuple[str, ...], what: str, at: Path, hint: str = "") -> Message:
    message = given(value, what, at, hint)
    if short_name(message.DESCRIPTOR) not in kinds:
        found = with_article(message.DESCRIPTOR.full_name)
        raise ConversionError(f"expected {what}, found {found}", path=place(at))
    return message
