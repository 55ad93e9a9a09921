"""What calls, results and conversations are in a console: a line each."""

from __future__ import annotations

from typing import Any

import pytest

from support.calling import content
from toolwire import functions, v1
from toolwire.client import Transcript, Turn
from toolwire.functions import Call, Calls, Outcome, Result, ToolError
from toolwire.testing import LocalServer

LONGEST = 250  # characters of a line that a console shows without breaking it twice


def weather(city: str, days: int = 1) -> dict[str, object]:
    """Tells the weather of a city."""
    return {"city": city, "days": days, "sky": "clear"}


def fails() -> None:
    """Fails."""
    raise LookupError("password is hunter2")


def test_a_conversation_and_all_in_it() -> None:
    with LocalServer() as server, server.client() as client:
        run = client.run_tools("m", "Weather in Lisbon?", tools=[weather])
    said = """'weather returned {"city": "Lisbon", "days": 1, "sky": "clear...'"""
    assert repr(run) == f"<Transcript of 2 turns: weather; {said}>"
    asked, answered = run.turns
    assert repr(asked) == "<Turn: weather(city='Lisbon', days=1)>"
    assert repr(answered) == f"<Turn: {said}>"
    assert repr(asked.calls) == "<Calls weather(city='Lisbon', days=1), finish_reason=STOP>"
    assert repr(asked.calls[0]) == "<Call weather(city='Lisbon', days=1)>"
    assert repr(list(asked.outcomes)) == (
        "[<Outcome of weather: city='Lisbon', days=1, sky='clear'>]"
    )


def test_a_conversation_that_is_not_at_its_end() -> None:
    assert repr(Transcript[Any, Any]([])) == "<Transcript of 0 turns>"
    blocked = v1.GenerateContentResponse(prompt_feedback={"block_reason": "SAFETY"})
    turn = Turn(blocked, functions.calls(blocked))
    assert repr(turn) == "<Turn: SAFETY>"
    assert repr(Transcript[Any, Any]([], [turn])) == "<Transcript of 1 turn: SAFETY>"
    calling: v1.Content = content("weather", "fails")
    response = v1.GenerateContentResponse(candidates=[{"content": calling}])
    left = Transcript[Any, Any]([calling], [Turn(response, functions.calls(calling))])
    assert repr(left) == "<Transcript of 1 turn: weather, fails; 2 pending>"


def test_results_and_errors() -> None:
    run = functions.Toolbox([fails, weather]).run(content("fails", "nope"))
    assert [repr(each) for each in run] == [
        "<Outcome of fails: LookupError>",
        "<Outcome of nope: UnknownFunction>",
    ]
    assert repr(run[1].error).startswith("ToolError('UnknownFunction', 'no function is named ")
    assert repr(ToolError("Timeout", "too late")) == "ToolError('Timeout', 'too late')"
    assert [repr(Result(12)), repr(Result("x", media=[v1.Part()], name="f", id="a b"))] == [
        "<Result 12>",
        """<Result 'x', 1 file, name=f, id="a b">""",
    ]


class Hostile:
    def __repr__(self) -> str:
        raise RuntimeError("no")

    __str__ = __repr__


class Text(str):
    __slots__ = ()

    def __repr__(self) -> str:
        raise RuntimeError("no")


LONG = "x" * 100_000
ITSELF: dict[str, object] = {}
ITSELF["itself"] = ITSELF
VALUES: list[Any] = [Hostile(), Text("x"), LONG, 10**10_000, [LONG] * 1000, b"x" * 1000, ITSELF]
make: Any = Call


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_no_value_runs_away_or_raises(value: Any) -> None:
    part = v1.Part()
    calls = [
        make("f", {"a": value, LONG: value}, "1", 0, part),
        make("f", dict.fromkeys(map(str, range(1000)), value), LONG, 0, part),
        make(value, value, value, 0, part),
        make("two\nlines", {"a\nb": "c\nd", "k": "\x1b[31m"}, "e\nf", 0, part),
        make("two\x85lines", {"a\u2028b": "c\u2028d", "\x9b31m": ""}, "\u202ee", 0, part),
        make("f", {Text("k"): value}, "", 0, part),
    ]
    shown: list[object] = [
        *calls,
        Calls[v1.Content](calls * 100, None),
        Result(value),
        make_result(value),
    ]
    shown += [Outcome(call, {"output": value}, value) for call in calls]
    shown += [
        Outcome(calls[0], value, value, media=value),
        Turn(part, Calls[v1.Content](calls, None)),
    ]
    for text in map(repr, shown):
        assert len(text) <= LONGEST
        assert text.isprintable()


def make_result(value: Any) -> Result:
    return Result(value, media=value, name=value, id=value)


def test_what_is_named_like_a_secret_is_not_shown() -> None:
    args = {"api_key": "hunter2", "password": 42, "city": "Lisbon"}
    turn: v1.Content = content(("f", args))
    (call,) = functions.calls(turn)
    outcome = Outcome(call, {"token": "hunter2"})
    assert repr(call) == "<Call f(api_key=..., city='Lisbon', password=...)>"
    assert repr(outcome) == "<Outcome of f: token=...>"
