"""What a rule is: a name, the messages it is about, and the function that looks at one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from toolwire._paths import quote
from toolwire._rules._schema import short_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from google.protobuf.message import Message

    from toolwire._descriptor_types import MessageType
    from toolwire._errors import Severity
    from toolwire._paths import Step
    from toolwire._rules._profile import Profile

LONGEST_SHOWN = 100
"""How many characters of a value stand in a message."""


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
        position: Where the message stands in its list, from 0; None outside of a list.
    """

    profile: Profile
    position: int | None


Check: TypeAlias = "Callable[[Message, Context], Iterator[Finding]]"


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the table of rules.

    Attributes:
        id: Stable identifier.
        on: Name of the message without its package, or ``*`` for all of them.
        check: Yields what is wrong with one such message.
        source: Where the rule comes from.
        needs: Fields that the message type must have for the rule to say anything.
        severity: What the rule's violations are.
    """

    id: str
    on: str
    check: Check
    source: str
    needs: tuple[str, ...] = ()
    severity: Severity = "error"

    def concerns(self, kind: MessageType) -> bool:
        """Tells whether the rule is about messages of a type."""
        if self.on not in ("*", short_name(kind)):
            return False
        return all(name in kind.fields_by_name for name in self.needs)


def shown(value: str) -> str:
    """Returns a value as a message shows it: quoted, and not at length."""
    return quote(value, longest=LONGEST_SHOWN)
