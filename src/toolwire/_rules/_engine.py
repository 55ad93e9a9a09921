"""Runs the rules over a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._errors import UsageError, ValidationError
from toolwire._findings import Violation
from toolwire._json._kinds import is_object
from toolwire._message_fields import MissingField
from toolwire._messages import as_message
from toolwire._paths import render
from toolwire._rules._methods import side_of
from toolwire._rules._profile import UNKNOWN, find_profile, profile_of
from toolwire._rules._rule import LONGEST_SHOWN, Context
from toolwire._rules._table import DEPTH, rules_of
from toolwire._rules._walk import walk
from toolwire._words import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolwire._paths import Path, Step
    from toolwire._rules._profile import Profile
    from toolwire._rules._rule import Finding, Rule
    from toolwire._rules._walk import Place


def violations(message: object, api: str | None = None, *, older: bool = False) -> list[Violation]:
    """Returns every rule that a message breaks, at any depth.

    A whole request is checked more closely than its parts by themselves: whether calls are
    declared and answered, for example. In a response, only what a server would not send is found.

    Args:
        message: A message of any pool, or a proto-plus wrapper of one. Messages of APIs inside
            a message of a user's own are checked, too.
        api: The API whose rules hold, such as ``v1``; by default that of each message's package.
        older: Whether to warn of what only older pages refuse, for older servers.

    Raises:
        UsageError: If it is no message.
        DescriptorError: If no API has the name.
    """
    return list(find(message, api, older=older))


def validate(message: object, api: str | None = None) -> None:
    """Refuses a message that breaks a rule of severity ``error``.

    Args:
        message: As for ``violations``.
        api: As for ``violations``.

    Raises:
        ValidationError: If there is one; its ``violations`` are all of that severity.
        UsageError: If it is no message.
        DescriptorError: If no API has the name.
    """
    errors = [found for found in find(message, api) if found.severity == "error"]
    if errors:
        raise ValidationError(errors)


def find(message: object, api: str | None = None, *, older: bool = False) -> Iterator[Violation]:
    """Yields the violations one by one, for whoever needs only the first few.

    Raises:
        UsageError: If it is no message.
        DescriptorError: If no API has the name.
    """
    plain = as_message(message)
    if plain is None:
        hint = "; toolwire.from_dict makes one of it" if is_object(message) else ""
        raise UsageError(f"expected a protobuf message, found {kind_of(message)}{hint}")
    asked = None if api is None else find_profile(api)
    for place in walk(plain):
        context = _context(place, asked, older=older)
        rules = (DEPTH,) if place.too_deep else rules_of(place.message.DESCRIPTOR, context.profile)
        for rule in rules:
            if not _holds(rule, context):
                continue
            try:
                for finding in rule.check(place.message, context):
                    yield _violation(place.path, rule, finding, context.profile)
            except MissingField:
                continue  # there is nothing to say about what an older or newer schema has not


def _context(place: Place, asked: Profile | None, *, older: bool) -> Context:
    """Returns the API and the direction of a message: its own, else those of what is around it."""
    profile = asked
    for outer in place.outwards():
        own = asked or profile_of(outer.message.DESCRIPTOR)
        if own is not None:
            profile = profile or own
            side = side_of(outer.message.DESCRIPTOR, own)
            if side != "either":
                within = outer.message.DESCRIPTOR
                return Context(profile, place.field, side, older, within)
    return Context(profile or UNKNOWN, place.field, "either", older)


def _holds(rule: Rule, context: Context) -> bool:
    if rule.older and not context.older:
        return False
    return (rule.side == "received") == (context.side == "response") or rule is DEPTH


def _violation(path: Path, rule: Rule, finding: Finding, profile: Profile) -> Violation:
    return Violation(
        path=_render(path, *finding.steps),
        rule=rule.id,
        severity=rule.severity_in(profile),
        message=finding.message,
        source=finding.source or rule.source,
    )


def _render(path: Path, *steps: Step) -> str:
    for step in steps:
        path = (path, step)
    return render(path, longest=LONGEST_SHOWN)
