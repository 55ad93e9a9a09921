"""Rules of turns: every call has its response."""

from __future__ import annotations

from typing import Any

import pytest

from support.calls import MODEL
from toolwire import v1
from toolwire._rules import violations
from toolwire._rules._turns import Entry, compare

EXTRA_B = '"b" is an extra response: the turn before has no such call'
USER: dict[str, Any] = {"role": "user", "parts": [{"text": "x"}]}


def calls(*names: str) -> dict[str, Any]:
    return {"role": "model", "parts": [{"function_call": {"name": name}} for name in names]}


def responses(*names: str) -> dict[str, Any]:
    empty: dict[str, Any] = {}
    parts = [{"function_response": {"name": name, "response": empty}} for name in names]
    return {"role": "user", "parts": parts}


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ([USER], {}),
        ([USER, calls("a"), responses("a")], {}),
        ([USER, calls("a", "a"), responses("a", "a"), calls("b"), responses("b")], {}),
        ([USER, calls("a"), responses("a"), USER], {}),
        ([USER, calls("a")], {"contents[1]": 'calls "a" without a turn of responses after it'}),
        (
            [USER, calls("a", "b"), responses("b")],
            {"contents[2]": 'misses the response to "a" of the turn before'},
        ),
        (
            [USER, calls("a"), responses("b")],
            {
                "contents[2].parts[0]": EXTRA_B,
                "contents[2]": 'misses the response to "a" of the turn before',
            },
        ),
        (
            [USER, calls("a", "b"), responses("b", "a")],
            {"contents[2]": 'has its responses in another order than the calls: "a", "b"'},
        ),
        (
            [USER, calls("a", "b"), responses("a"), responses("b")],
            {
                "contents[2]": 'misses the response to "b" of the turn before',
                "contents[3].parts[0]": EXTRA_B,
            },
        ),
    ],
)
def test_turns(turns: list[dict[str, Any]], expected: dict[str, str]) -> None:
    found = violations(v1.GenerateContentRequest(model=MODEL, contents=turns))
    assert {entry.path: entry.message for entry in found} == expected
    for entry in found:
        is_order = "another order" in entry.message
        assert (entry.rule, entry.severity) == (
            ("turns.response-order", "warning") if is_order else ("turns.paired", "error")
        )


def test_parts_of_other_kinds_do_not_matter() -> None:
    call, response = calls("a"), responses("a")
    call["parts"].insert(0, {"text": "thinking", "thought": True})
    response["parts"].append({"text": "there you are"})
    request = v1.GenerateContentRequest(model=MODEL, contents=[USER, call, response])
    assert violations(request) == []


def test_ids_pair_in_any_order() -> None:
    one, two = Entry(0, "f", "1"), Entry(1, "f", "2")
    at = ("contents", 2)
    assert list(compare([one, two], [two, one], at, v1.Content())) == []
    (missing, extra) = sorted(compare([one, two], [two, Entry(0, "f", "3")], at, v1.Content()))
    assert missing.message == 'misses the response to "f" (id "1") of the turn before'
    assert extra.steps == ("contents", 2, "parts", 0)
