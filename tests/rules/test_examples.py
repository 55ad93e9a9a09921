"""Every rule by an example that breaks it and one that does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.rule_examples import EXAMPLES, OTHERS, Example
from support.samples import SAMPLES
from toolwire import Violation, from_dict, violations
from toolwire._rules._table import RULES

if TYPE_CHECKING:
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


def test_every_rule_has_an_example() -> None:
    assert {example.rule for example in EXAMPLES} == {rule.id for rule in RULES}


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
