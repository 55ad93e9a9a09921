"""What a rule is: a name, the messages it is about, and the function that looks at one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from toolwire._annotations import is_required
from toolwire._message_fields import find_field, get, json_name, short_name
from toolwire._paths import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from google.protobuf.message import Message

    from toolwire._descriptor_types import FieldType, MessageType
    from toolwire._findings import Severity
    from toolwire._paths import Step
    from toolwire._rules._profile import Profile

LONGEST_SHOWN = 100
"""How many characters of a value stand in a message."""

_MOST_LISTED = 8

Side: TypeAlias = Literal["request", "response", "either"]
"""Which way a message goes; ``either`` for one that is part of both, looked at by itself."""


class Finding(NamedTuple):
    """What a rule has to say about a message.

    Attributes:
        steps: The way from the message to the faulty field.
        message: What was found, and what would be right.
        source: Where the rule comes from, if not from where the table says.
    """

    steps: tuple[Step, ...]
    message: str
    source: str | None = None


class Context(NamedTuple):
    """What a rule may need to know beside the message.

    Attributes:
        profile: The API whose rules hold.
        field: The field that holds the message; None for the outermost one.
        side: Which way the message goes.
        older: Whether the rules of older pages were asked for.
        within: Type of the request or response that the message is or lies in, if any.
    """

    profile: Profile
    field: FieldType | None = None
    side: Side = "either"
    older: bool = False
    within: MessageType | None = None

    def lies_in(self, name: str) -> bool:
        """Tells whether the message lies in a field of a message of that short name."""
        around = None if self.field is None else self.field.containing_type
        return around is not None and short_name(around) == name


Check: TypeAlias = "Callable[[Message, Context], Iterator[Finding]]"


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the table of rules.

    Attributes:
        id: Stable identifier.
        on: Names of the messages without their package, or ``*`` for all of them.
        check: Yields what is wrong with one such message.
        source: Where the rule comes from.
        needs: Fields that the message type must have for the rule to say anything.
        severity: What the rule's violations are.
        limit: Attribute of the profile without which the rule does not hold, if any.
        side: ``sent`` for what is not in a response, ``received`` for what is nowhere else.
        older: Whether the rule is one of older pages, which holds on request only.
        optional: A field that the schema must not require itself, for else that is told already.
    """

    id: str
    on: str
    check: Check
    source: str
    needs: tuple[str, ...] = ()
    severity: Severity = "error"
    limit: str = ""
    side: Literal["sent", "received"] = "sent"
    older: bool = False
    optional: str = ""

    def concerns(self, kind: MessageType, profile: Profile) -> bool:
        """Tells whether the rule is about messages of a type, in an API.

        A message of no API, say of a user's own, may have the same name: of such ones only what
        their own schema says is checked.
        """
        if not profile.api and (self.on != "*" or self.needs):
            return False
        if self.on != "*" and short_name(kind) not in self.on.split():
            return False
        if self.limit and not getattr(profile, self.limit):
            return False
        optional = find_field(kind, self.optional)
        if optional is not None and is_required(optional):
            return False
        return all(find_field(kind, name) is not None for name in self.needs)

    def severity_in(self, profile: Profile) -> Severity:
        """Returns what the rule's violations are in an API."""
        return profile.severities.get(self.id, self.severity)


def repeated(message: Message, field: str) -> Iterator[Finding]:
    """Yields a finding for each text of a list that stands there twice."""
    seen: set[str] = set()
    for index, value in enumerate(get(message, field)):
        if value in seen:
            fault = f"{shown(value)} stands there twice"
            yield Finding((json_name(message, field), index), fault)
        seen.add(value)


def shown(value: str) -> str:
    """Returns a value as a message shows it: quoted, and not at length."""
    return quote(value, longest=LONGEST_SHOWN)


def listed(values: list[str]) -> str:
    """Returns some values as a message lists them: the first few, quoted."""
    first = ", ".join(shown(value) for value in values[:_MOST_LISTED])
    more = len(values) - _MOST_LISTED
    return first + (f" and {more} more" if more > 0 else "")
