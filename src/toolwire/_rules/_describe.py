"""The rules as a list for people: what breaks each, and what it is in which API."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolwire._apis import APIS
from toolwire._rules._methods import side_of
from toolwire._rules._profile import find_profile
from toolwire._rules._ranges import Range
from toolwire._rules._table import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolwire._apis import Api
    from toolwire._descriptor_types import MessageType
    from toolwire._findings import Severity
    from toolwire._rules._rule import Rule

_DOC = re.compile(r"Yields (?:a finding for )?(.*?)\.\s*(?:\n|$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Described:
    """A rule in words.

    Attributes:
        id: Its stable identifier.
        breaks: What breaks it.
        severities: What a violation is, by API; an API without such a field is left out.
        older: Whether it holds on request only.
        source: Where it comes from.
    """

    id: str
    breaks: str
    severities: Mapping[str, Severity]
    older: bool
    source: str


def described() -> list[Described]:
    """Returns every rule in words, in the order of the table."""
    return [
        Described(rule.id, _breaks(rule), _severities(rule), rule.older, rule.source)
        for rule in RULES
    ]


def _breaks(rule: Rule) -> str:
    if isinstance(rule.check, Range):
        return f"{rule.check.field} that is not {rule.check.words()}"
    found = _DOC.match(rule.check.__doc__ or "")
    return found[1] if found else ""


def _severities(rule: Rule) -> dict[str, Severity]:
    return {
        api.name: rule.severity_in(find_profile(api.name))
        for api in APIS.values()
        if _holds_in(rule, api)
    }


def _holds_in(rule: Rule, api: Api) -> bool:
    profile = find_profile(api.name)
    return any(
        rule.concerns(kind, profile)
        and (rule.side == "sent" or side_of(kind, profile) == "response")
        for kind in _kinds(api)
    )


def _kinds(api: Api) -> Iterator[MessageType]:
    """Yields the types of an API's messages and of those of other packages that lie in them."""
    waiting: list[MessageType] = [
        kind for file in api.files() for kind in file.message_types_by_name.values()
    ]
    seen: set[str] = set()
    while waiting:
        kind = waiting.pop()
        if kind.full_name not in seen:
            seen.add(kind.full_name)
            waiting += kind.nested_types
            waiting += [each.message_type for each in kind.fields if each.message_type is not None]
            yield kind
