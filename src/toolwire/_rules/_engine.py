"""Runs the rules over a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._errors import ValidationError, Violation
from toolwire._messages import DEEPEST, as_message
from toolwire._paths import render
from toolwire._rules._profile import profile_of
from toolwire._rules._rule import LONGEST_SHOWN, Context
from toolwire._rules._table import rules_of
from toolwire._rules._walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolwire._paths import Path, Step
    from toolwire._rules._profile import Profile
    from toolwire._rules._rule import Finding, Rule


def violations(message: object, api: str | None = None) -> list[Violation]:
    """Returns every rule that a message breaks, at any depth.

    Args:
        message: A message of any pool, or a proto-plus wrapper of one.
        api: The API whose rules hold; by default the one that the message's package belongs to.

    Raises:
        TypeError: If it is no message.
        DescriptorError: If no API has the name.
    """
    return list(find(message, api))


def check(message: object, api: str | None = None) -> None:
    """Refuses a message that breaks a rule of severity ``error``.

    Raises:
        ValidationError: If there is one; its ``violations`` are all of them.
        TypeError: If it is no message.
        DescriptorError: If no API has the name.
    """
    errors = [found for found in find(message, api) if found.severity == "error"]
    if errors:
        raise ValidationError(errors)


def find(message: object, api: str | None = None) -> Iterator[Violation]:
    """Yields the violations one by one, for whoever needs only the first few.

    Raises:
        TypeError: If it is no message.
        DescriptorError: If no API has the name.
    """
    plain = as_message(message)
    if plain is None:
        raise TypeError(f"expected a protobuf message, found {type(message).__name__}")
    profile = profile_of(plain.DESCRIPTOR, api)
    for place in walk(plain):
        if place.too_deep:
            yield _too_deep(place.path)
            continue
        context = Context(profile, place.position)
        for rule in rules_of(place.message.DESCRIPTOR):
            for finding in rule.check(place.message, context):
                yield _violation(place.path, rule, finding, profile)


def _violation(path: Path, rule: Rule, finding: Finding, profile: Profile) -> Violation:
    return Violation(
        path=_render(path, *finding.steps),
        rule=rule.id,
        severity=profile.severities.get(rule.id, rule.severity),
        message=finding.message,
        source=finding.source or rule.source,
    )


def _too_deep(path: Path) -> Violation:
    return Violation(
        path=_render(path),
        rule="message.depth",
        severity="error",
        message=f"lies deeper than {DEEPEST} levels of messages: protobuf refuses to read it",
        source="limit of protobuf's binary reader",
    )


def _render(path: Path, *steps: Step) -> str:
    for step in steps:
        path = (path, step)
    return render(path, longest=LONGEST_SHOWN)
