"""Every rule by an example that breaks it and one that does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.rule_examples import EXAMPLES, OTHERS, Example
from support.samples import SAMPLES
from toolwire import Violation, convert, from_dict, gemini, v1beta1, violations
from toolwire._rules._profile import profile_of
from toolwire._rules._table import DEPTH, RULES
from toolwire._rules._walk import walk

if TYPE_CHECKING:
    from types import ModuleType

    from google.protobuf.message import Message


def found(message: Message, rule: str) -> list[Violation]:
    return [each for each in violations(message, older=True) if each.rule == rule]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.rule)
def test_a_message_that_breaks_it(example: Example) -> None:
    (first, *_) = found(example.bad, example.rule)
    assert (first.path, first.severity) == (example.path, example.severity)
    assert first.source
    assert first.message[0].islower() or first.message[0] == '"'


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.rule)
def test_a_message_that_does_not(example: Example) -> None:
    assert found(example.good, example.rule) == []


def test_every_rule_has_one_example() -> None:
    """Each has a message that breaks it and one that does not, both tried above."""
    assert sorted(example.rule for example in EXAMPLES) == sorted(rule.id for rule in RULES)
    for example in EXAMPLES:
        assert example.good.DESCRIPTOR.full_name
        assert example.good != example.bad


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.rule)
def test_what_does_not_break_it_is_looked_at(example: Example) -> None:
    """The rule is asked about the good message, or about one inside: silence means that it fits."""
    (rule,) = [rule for rule in RULES if rule.id == example.rule]
    kinds = {
        place.message.DESCRIPTOR
        for place in walk(example.good)
        if (profile := profile_of(place.message.DESCRIPTOR) or profile_of(example.good.DESCRIPTOR))
        and (rule is DEPTH or rule.concerns(place.message.DESCRIPTOR, profile))
    }
    assert kinds


@pytest.mark.parametrize(("rule", "message", "severity"), OTHERS)
def test_other_apis(rule: str, message: Message, severity: str | None) -> None:
    assert {each.severity for each in found(message, rule)} == ({severity} if severity else set())


def test_older_pages_are_for_who_asks() -> None:
    for example in EXAMPLES:
        if example.rule.endswith("-older"):
            assert violations(example.bad) == []


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_are_clean(name: str) -> None:
    cls, value = SAMPLES[name]
    errors = [each for each in violations(from_dict(cls, value)) if each.severity == "error"]
    assert errors == []


@pytest.mark.parametrize("api", [v1beta1, gemini], ids=lambda api: api.__name__)
@pytest.mark.parametrize("name", SAMPLES)
def test_samples_of_another_api_are_clean(name: str, api: ModuleType) -> None:
    cls, value = SAMPLES[name]
    if not hasattr(api, cls.__name__):
        return
    converted = convert(from_dict(cls, value), to=getattr(api, cls.__name__))
    errors = {found.rule for found in violations(converted.message) if found.severity == "error"}
    # What an API has not got is lost, and v1's functions need no description.
    assert errors <= {"tool.no-kind", "field.required"}
