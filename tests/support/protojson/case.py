"""One case of the table: what a rule of the specification says of one JSON text or message."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from support.kinds import Kinds

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from support.differences import Row


class Rule(enum.Enum):
    """Where a rule stands: a section of the ProtoJSON page, or what that page refers to."""

    TYPES = 'ProtoJSON, "Representation of each type"'
    WELL_KNOWN = 'ProtoJSON, "Well-Known Types"'
    NAMES = 'ProtoJSON, "Field names as JSON keys"'
    PRESENCE = 'ProtoJSON, "Presence and default-values"'
    NULL = 'ProtoJSON, "Null values"'
    DUPLICATES = 'ProtoJSON, "Duplicate values"'
    RANGE = 'ProtoJSON, "Out of range numeric values"'
    ANY = 'ProtoJSON, "Any"'
    TIMES = 'ProtoJSON, "RFC 3339 Clarifications"'
    OPTIONS = 'ProtoJSON, "JSON Options"'
    TEXT = "RFC 8259"
    BASE64 = "RFC 4648"
    ANY_PROTO = "any.proto"
    DESCRIPTOR_PROTO = "descriptor.proto"
    DURATION_PROTO = "duration.proto"
    FIELD_MASK_PROTO = "field_mask.proto"
    STRUCT_PROTO = "struct.proto"
    TIMESTAMP_PROTO = "timestamp.proto"
    LANGUAGE = "the language guides: required fields, closed enums, UTF-8, nesting limits"


@dataclass(frozen=True, kw_only=True)
class Case:
    """What all cases have.

    Attributes:
        name: What is tried.
        rule: Where the rule stands.
        differs: The row of docs/json.md by which json_format does otherwise.
    """

    name: str
    rule: Rule
    differs: Row | None = None

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, kw_only=True)
class Reads(Case):
    """A text that is read.

    Attributes:
        cls: The class of the message.
        text: The JSON.
        message: What it is read as.
        written: What that is written as.
        lenient: Whether what is unknown is passed over.
    """

    cls: type[Message]
    text: str | bytes
    message: Message
    written: str
    lenient: bool = False


@dataclass(frozen=True, kw_only=True)
class Refuses(Case):
    """A text that is refused.

    Attributes:
        cls: The class of the message.
        text: The JSON.
        path: Where the fault is.
        reason: Part of what the error says.
        lenient: Whether what is unknown is passed over.
    """

    cls: type[Message]
    text: str | bytes
    path: str
    reason: str
    lenient: bool = False


@dataclass(frozen=True, kw_only=True)
class Writes(Case):
    """A message that is written.

    Attributes:
        message: The message.
        written: Its JSON.
        options: Options of ``to_json``.
    """

    message: Message
    written: str
    options: dict[str, bool] = field(default_factory=dict[str, bool])


@dataclass(frozen=True, kw_only=True)
class CannotWrite(Case):
    """A message that has no JSON.

    Attributes:
        message: The message.
        path: Where the fault is.
        reason: Part of what the error says.
    """

    message: Message
    path: str
    reason: str


def reads(
    rule: Rule,
    text: str,
    message: Message,
    written: str | None = None,
    *,
    name: str | None = None,
    lenient: bool = False,
    differs: Row | None = None,
) -> Reads:
    """Returns the case of a text, which is also what is written where nothing else is said."""
    cls = type(message)
    return Reads(
        name=f"{cls.DESCRIPTOR.name} {name or text}",
        rule=rule,
        differs=differs,
        cls=cls,
        text=text,
        message=message,
        written=text if written is None else written,
        lenient=lenient,
    )


def refuses(
    rule: Rule,
    text: str | bytes,
    path: str,
    reason: str,
    *,
    cls: type[Message] = Kinds,
    name: str | None = None,
    lenient: bool = False,
    differs: Row | None = None,
) -> Refuses:
    """Returns the case of a text that is refused."""
    return Refuses(
        name=f"{cls.DESCRIPTOR.name} {name or text!r}",
        rule=rule,
        differs=differs,
        cls=cls,
        text=text,
        path=path,
        reason=reason,
        lenient=lenient,
    )


def value(
    rule: Rule,
    field_name: str,
    text: str,
    is_: Any,
    written: str | None = None,
    *,
    name: str | None = None,
    differs: Row | None = None,
) -> Reads:
    """Returns the case of a value of one field of ``Kinds``."""
    key = Kinds.DESCRIPTOR.fields_by_name[field_name].json_name
    return reads(
        rule,
        f'{{"{key}":{text}}}',
        Kinds(**{field_name: is_}),
        f'{{"{key}":{text if written is None else written}}}',
        name=f"{field_name}: {name or text}",
        differs=differs,
    )


def no_value(
    rule: Rule,
    field_name: str,
    text: str,
    reason: str,
    *,
    below: str = "",
    name: str | None = None,
    differs: Row | None = None,
) -> Refuses:
    """Returns the case of what is no value of a field of ``Kinds``."""
    key = Kinds.DESCRIPTOR.fields_by_name[field_name].json_name
    return refuses(
        rule,
        f'{{"{key}":{text}}}',
        f"{key}{below}",
        reason,
        name=f"{field_name}: {name or text}",
        differs=differs,
    )


def writes(
    rule: Rule,
    name: str,
    message: Message,
    written: str,
    *,
    differs: Row | None = None,
    **options: bool,
) -> Writes:
    """Returns the case of a message that is written."""
    return Writes(
        name=f"{message.DESCRIPTOR.name} {name}",
        rule=rule,
        differs=differs,
        message=message,
        written=written,
        options=options,
    )


def cannot_write(
    rule: Rule,
    name: str,
    message: Message,
    path: str,
    reason: str,
    *,
    differs: Row | None = None,
) -> CannotWrite:
    """Returns the case of a message that has no JSON."""
    return CannotWrite(
        name=f"{message.DESCRIPTOR.name} {name}",
        rule=rule,
        differs=differs,
        message=message,
        path=path,
        reason=reason,
    )
