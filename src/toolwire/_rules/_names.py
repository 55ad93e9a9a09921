"""Names of functions and parameters: the published forms, and what is wrong with a name."""

from __future__ import annotations

import re
from dataclasses import dataclass

from toolwire._paths import quote


@dataclass(frozen=True, slots=True)
class NameRule:
    """The published form of a name.

    Attributes:
        first: Characters that the name may start with, as a regular expression.
        rest: Characters that may follow, likewise.
        longest: Most characters in all.
        words: The same in words.
    """

    first: re.Pattern[str]
    rest: re.Pattern[str]
    longest: int
    words: str


_FIRST = re.compile(r"[A-Za-z_]")
_REST = re.compile(r"[A-Za-z0-9_.:-]")
_OLDEST = re.compile(r"[A-Za-z0-9_-]")

# Newest published text on FunctionDeclaration.name.
VERTEX_NAME = NameRule(
    first=_FIRST,
    rest=_REST,
    longest=128,
    words="a letter or underscore first, then letters, digits, or any of _ . : -",
)
GEMINI_NAME = NameRule(
    first=_REST, rest=_REST, longest=128, words="letters, digits, or any of _ . : -"
)

_OLDER_WORDS = "a letter or underscore first, then letters, digits, or any of _ . -"

# Older pages; whoever must run against older servers asks for them.
OLDER_NAMES = (
    NameRule(_FIRST, re.compile(r"[A-Za-z0-9_.-]"), 64, _OLDER_WORDS),
    NameRule(_OLDEST, _OLDEST, 63, "letters, digits, _ and -"),
)

# The comment on FunctionDeclaration.parameters.
VERTEX_PARAMETER = NameRule(
    first=_FIRST,
    rest=re.compile(r"[A-Za-z0-9_]"),
    longest=64,
    words="a letter or underscore first, then letters, digits, or underscores",
)


def fault_of(name: str, rule: NameRule) -> str:
    """Says what is wrong with a name; nothing if it is right."""
    if not name:
        return f"is empty: allowed are {rule.words}"
    if len(name) > rule.longest:
        return f"has {len(name)} characters: at most {rule.longest} are allowed"
    if not rule.first.match(name):
        return f"starts with {quote(name[0])}: allowed are {rule.words}"
    wrong = next((character for character in name if not rule.rest.match(character)), None)
    return f"contains {quote(wrong)}: allowed are {rule.words}" if wrong else ""
