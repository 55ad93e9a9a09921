"""Protobuf's text format, with errors that do not show what stands in the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from google.protobuf import text_format

from toolwire import Error
from toolwire._messages import DEEPEST, fits

if TYPE_CHECKING:
    from google.protobuf.descriptor_pool import DescriptorPool
    from google.protobuf.message import Message

# Protobuf's messages: place, the line (which may hold a secret), what is wrong.
_MESSAGE = re.compile(r"(?:(?P<line>\d+):(?P<column>\d+) : )?(?:'.*': )?(?P<reason>.*)", re.DOTALL)
# The reasons that name what the schema has or wants, up to where they show what was found.
_HARMLESS = re.compile(
    r"(?:Message type|Enum type|Field|Extension) [^\n]{,200}"
    r'|Expected (?:"[^"]*"(?: or "[^"]*")?|[a-z ]+?)(?=[,.]| but|$)'
)


def parse(cls: type[Message], data: bytes, *, ignore_unknown: bool) -> Message:
    """Reads a message from text format.

    Args:
        cls: Its class.
        data: The text, in UTF-8.
        ignore_unknown: Whether to skip unknown fields.

    Raises:
        Error: If the data is no text format, or does not fit the message.
    """
    message = cls()
    try:
        text_format.Parse(
            data.decode(),
            message,
            allow_unknown_field=ignore_unknown,
            descriptor_pool=_pool(message),
        )
    except UnicodeDecodeError as error:
        reason = f"not UTF-8: byte 0x{data[error.start]:02x} (byte {error.start})"
    except text_format.ParseError as error:
        reason = _reason(str(error))
    except RecursionError:
        reason = "nested too deeply"
    else:
        if fits(message, DEEPEST):
            return message
        reason = f"nested more than {DEEPEST} levels"
    raise Error(f"not the text format of {cls.DESCRIPTOR.full_name}: {reason}")


def write(message: Message) -> bytes:
    """Returns a message in text format."""
    text = text_format.MessageToString(message, as_utf8=True, descriptor_pool=_pool(message))
    return text.encode()


def _pool(message: Message) -> DescriptorPool:
    return cast("DescriptorPool", message.DESCRIPTOR.file.pool)


def _reason(text: str) -> str:
    said = _MESSAGE.match(text)
    if said is None:
        return "bad syntax or value"
    harmless = _HARMLESS.match(said["reason"])
    reason = harmless[0].rstrip(". ") if harmless else "bad syntax or value"
    place = f" (line {said['line']}, column {said['column']})" if said["line"] else ""
    return reason[:1].lower() + reason[1:] + place
