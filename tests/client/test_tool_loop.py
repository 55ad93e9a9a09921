"""``run_tools``: functions run in a conversation, by both clients, against a local server."""

from __future__ import annotations

import asyncio
import contextvars
import pickle
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

import toolwire
from support.apis import SERVED, module
from toolwire import functions, v1
from toolwire.client import ToolLoopError, Transcript
from toolwire.testing import LocalServer

MODEL = "gemini-2.5-flash"
PROMPT = "Use stock, price, slow, fails and later for tea."


def stock(item: str) -> int:
    """Counts what is there."""
    return len(item)


def price(item: str) -> float:  # noqa: ARG001 - the model needs something to give
    """Tells the price."""
    return 2.5


def slow(item: str) -> str:
    """Takes its time."""
    time.sleep(0.4)
    return f"{item} at last"


def fails(item: str) -> str:
    """Does not work."""
    raise LookupError(f"no {item}")


async def later(item: str) -> str:
    """Does not block."""
    await asyncio.sleep(0.1)
    return f"{item} later"


FIVE = [stock, price, slow, fails, later]


@pytest.fixture(scope="module")
def local() -> Iterator[LocalServer]:
    with LocalServer() as server:
        yield server


class Both:
    """A client of either kind, with the same plain methods."""

    def __init__(self, local: LocalServer, kind: str) -> None:
        self.is_async = kind == "async"
        self._make: Any = local.async_client if self.is_async else local.client

    def run_tools(self, *given: Any, api: str = "v1", **options: Any) -> Transcript[Any, Any]:
        run: Transcript[Any, Any] = self("run_tools", *given, api=api, **options)
        return run

    def __call__(self, name: str, *given: Any, api: str = "v1", **options: Any) -> Any:
        if self.is_async:
            return asyncio.run(self._call(name, given, api, options))
        with self._make(api=api, retries=0) as client:
            return getattr(client, name)(*given, **options)

    async def _call(self, name: str, given: Any, api: str, options: Any) -> Any:
        async with self._make(api=api, retries=0) as client:
            return await getattr(client, name)(*given, **options)


@pytest.fixture(params=["sync", "async"])
def both(local: LocalServer, request: pytest.FixtureRequest) -> Both:
    return Both(local, str(request.param))


def responses(turn: Any) -> list[Any]:
    return [functions.to_plain(part.function_response.response) for part in turn.parts]


def test_five_calls_side_by_side_one_failing_one_slow(local: LocalServer) -> None:
    transcripts: list[Transcript[Any, Any]] = []
    for kind in ("sync", "async"):
        both = Both(local, kind)
        both.run_tools(MODEL, "Use stock.", tools=FIVE)  # pydantic is loaded now
        started = time.monotonic()
        transcripts.append(both.run_tools(MODEL, PROMPT, tools=FIVE))
        assert time.monotonic() - started < 1.5
    ours, theirs = transcripts
    assert ours.contents == theirs.contents
    assert ours.usage == theirs.usage
    assert ours.text == theirs.text
    for run in transcripts:
        question, called, answered, said = run.contents
        assert [part.function_call.name for part in called.parts] == [f.__name__ for f in FIVE]
        names = [part.function_response.name for part in answered.parts]
        assert names == [f.__name__ for f in FIVE]
        assert responses(answered) == [
            {"output": 4},
            {"output": 2.5},
            {"output": "item at last"},
            {"error": {"type": "LookupError", "message": "no item"}},
            {"output": "item later"},
        ]
        assert (question.role, answered.role) == ("user", "user")
        assert called is run.turns[0].response.candidates[0].content
        assert said is run.response.candidates[0].content
        assert all(part.thought_signature for part in called.parts)
        first, last = run.turns
        assert [outcome.call for outcome in first.outcomes] == list(first.calls)
        assert isinstance(first.outcomes[3].error, LookupError)
        assert first.outcomes[2].seconds >= 0.4
        assert (len(last.calls), last.outcomes) == (0, ())
        assert run.pending == ()
        assert "stock returned 4" in run.text
        counts = [turn.response.usage_metadata.total_token_count for turn in run.turns]
        assert run.usage["total_token_count"] == sum(counts)


@pytest.mark.parametrize("api", SERVED)
def test_every_api_and_streams(both: Both, api: str) -> None:
    chunks: list[Any] = []
    options: dict[str, Any] = {"tools": [stock, {"google_search": {}}], "api": api}
    whole = both.run_tools(MODEL, "Use stock.", **options)
    joined = both.run_tools(MODEL, "Use stock.", on_chunk=chunks.append, **options)
    assert joined.contents == whole.contents
    assert len(chunks) > len(joined.turns)
    assert type(joined.response) is module(api).GenerateContentResponse
    assert type(whole.contents[2]) is module(api).Content
    assert "stock returned 4" in joined.text


def test_the_history_goes_on(both: Both) -> None:
    first = both.run_tools(MODEL, "Use stock.", tools=[stock])
    second = both.run_tools(MODEL, [*first.contents, "And the price?"], tools=[stock, price])
    assert second.contents[: len(first.contents)] == first.contents
    assert [call.name for turn in second.turns for call in turn.calls] == ["price"]


def test_tools_of_all_kinds_are_one_request(both: Both) -> None:
    box = functions.Toolbox([price])
    declared = functions.tool([fails])
    tools: list[Any] = [stock, {"google_search": {}}, box, stock, box, declared, box.tool]
    run = both.run_tools(MODEL, "Use stock and price.", tools=tools)
    assert [call.name for call in run.turns[0].calls] == ["stock", "price"]
    assert "price returned 2.5" in run.text
    request: dict[str, Any] = {"tools": tools}
    for name in ("generate_content", "count_tokens"):
        both(name, MODEL, "Use stock.", **request)
    response: object = both("generate_content", MODEL, "Use price.", **request)
    assert [call.name for call in functions.calls(response)] == ["price"]


def test_what_only_a_message_declares_is_left_to_the_caller(both: Both) -> None:
    ran: list[str] = []

    def mine(item: str) -> None:
        """Runs here."""
        ran.append(item)

    run = both.run_tools(MODEL, "Use mine and fails.", tools=[mine, functions.tool([fails])])
    assert [call.name for call in run.pending] == ["mine", "fails"]
    assert ran == []
    assert len(run.turns) == 1


def test_any_is_no_endless_loop(both: Both) -> None:
    config = {"mode": "ANY", "allowed_function_names": ["price"]}
    given = v1.ToolConfig(function_calling_config=config)
    run = both.run_tools(MODEL, "Hello", tools=FIVE, tool_config=given)
    assert [call.name for turn in run.turns for call in turn.calls] == ["price"]
    assert given == v1.ToolConfig(function_calling_config=config)


def test_the_limit_of_turns(both: Both) -> None:
    ran: list[str] = []

    def note(item: str) -> None:
        """Notes it."""
        ran.append(item)

    with pytest.raises(ToolLoopError, match="still calls functions in turn 1: note") as caught:
        both.run_tools(MODEL, "Use note.", tools=[note], max_turns=1)
    transcript = pickle.loads(pickle.dumps(caught.value)).transcript
    assert [call.name for call in transcript.pending] == ["note"]
    assert len(transcript.contents) == 2
    assert ran == []
    assert both.run_tools(MODEL, "Use note.", tools=[note], max_turns=2).text
    assert ran == ["item"]


def test_a_late_function_is_answered_for(both: Both) -> None:
    run = both.run_tools(MODEL, PROMPT, tools=FIVE, tool_timeout=0.2)
    errors = [outcome.error for outcome in run.turns[0].outcomes]
    assert [isinstance(error, functions.ToolError) for error in errors] == [
        name == "slow" for name in ("stock", "price", "slow", "fails", "later")
    ]
    assert "did not finish within 0.2 seconds" in run.text


def test_the_time_for_all(both: Both) -> None:
    both.run_tools(MODEL, "Use stock.", tools=FIVE, timeout=20)
    started = time.monotonic()
    with pytest.raises(ToolLoopError, match=r"the time of 0\.3 seconds was up in turn 2") as caught:
        both.run_tools(MODEL, PROMPT, tools=FIVE, timeout=0.3, threads=1)
    assert time.monotonic() - started < 1
    error = caught.value.transcript.turns[0].outcomes[2].error
    assert isinstance(error, functions.ToolError)
    assert error.kind == "Timeout"
    not_started = caught.value.transcript.turns[0].outcomes[3].error
    assert "was not started" in str(not_started)


def test_hooks_see_and_veto_calls(both: Both) -> None:
    seen: list[Any] = []

    def before(call: functions.Call) -> str | None:
        seen.append(call.name)
        return "not today" if call.name == "price" else None

    def after(call: functions.Call, outcome: functions.Outcome) -> None:
        seen.append((call.name, outcome.response))

    box = functions.Toolbox([stock], before=lambda call: "never" if call.args else None)
    run = both.run_tools(
        MODEL, "Use price and stock.", tools=[price, box], before=before, after=after
    )
    refused = [
        {"error": {"type": "Refused", "message": "not today"}},
        {"error": {"type": "Refused", "message": "never"}},
    ]
    assert responses(run.contents[2]) == refused
    assert seen == ["price", "stock", ("price", refused[0]), ("stock", refused[1])]


def test_functions_of_several_toolboxes_run_side_by_side(both: Both) -> None:
    together = threading.Barrier(2, timeout=10)
    name: contextvars.ContextVar[str] = contextvars.ContextVar("name", default="")

    def one(item: str) -> str:
        """Waits for the other."""
        together.wait()
        return f"{item} {name.get()}"

    def two(item: str) -> str:
        """Waits for the other."""
        together.wait()
        return f"{item} {name.get()}"

    name.set("mine")
    boxes = [functions.Toolbox([one]), functions.Toolbox([two])]
    run = both.run_tools(MODEL, "Use one and two.", tools=boxes)
    assert responses(run.contents[2]) == [{"output": "item mine"}, {"output": "item mine"}]


def test_what_the_model_does_wrong_is_answered_for(both: Both) -> None:
    def picky(item: int) -> int:
        """Takes a number."""
        return item

    schema = {"type": "object", "properties": {"item": {"type": "string"}}, "required": ["item"]}
    box = functions.Toolbox([(schema, picky)])
    run = both.run_tools(MODEL, "Use picky.", tools=[box])
    (outcome,) = run.turns[0].outcomes
    assert isinstance(outcome.error, functions.ToolError)
    assert outcome.error.kind == "InvalidArguments"
    assert "Traceback" not in str(run.contents)


def test_without_functions_it_is_one_call(both: Both) -> None:
    run = both.run_tools(MODEL, "Hello", tools=[], system_instruction="Be brief.")
    assert len(run.turns) == 1
    assert run.text


def test_a_call_that_fails_is_the_calls_own_error(both: Both) -> None:
    with pytest.raises(toolwire.NotFound):
        both.run_tools("missing-model", "Hello", tools=[stock])


def hook_fails(_: functions.Call) -> str:
    raise ZeroDivisionError


def unclear(*items: str) -> None:
    """Takes any number, which no declaration says."""


def number(_: functions.Call) -> int:
    return 3


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"max_turns": 0}, toolwire.UsageError, "max_turns"),
    ({"max_turns": True}, toolwire.UsageError, "max_turns"),
    ({"threads": 0}, toolwire.UsageError, "threads"),
    ({"tool_timeout": -1}, toolwire.UsageError, "timeout"),
    ({"timeout": 0}, toolwire.UsageError, "timeout"),
    ({"before": 3}, toolwire.UsageError, "before takes a function"),
    ({"on_chunk": 3}, toolwire.UsageError, "on_chunk takes a function"),
    ({"turns": 3}, toolwire.UsageError, "turns"),
    ({"tools": [v1.Content()]}, toolwire.JsonError, "tools[0]"),
    ({"tools": stock}, toolwire.JsonError, "put it into one"),
    ({"tools": [stock, functions.Toolbox([stock])]}, toolwire.UsageError, "declared twice"),
    ({"tools": [unclear]}, toolwire.DeclarationError, "tools[0]"),
    ({"tools": [functions.Toolbox([stock], api="gemini")]}, toolwire.JsonError, "tools[0]"),
    ({"before": hook_fails}, ZeroDivisionError, ""),
    ({"before": number}, toolwire.UsageError, "before"),
]


@pytest.mark.parametrize(("options", "error", "said"), WRONG, ids=lambda _: "")
def test_wrong_use(both: Both, options: dict[str, Any], error: type[Exception], said: str) -> None:
    options = {"tools": [stock], **options}
    with pytest.raises(error) as caught:
        both.run_tools(MODEL, "Use stock.", **options)
    assert said in str(caught.value)


def test_async_hooks(local: LocalServer) -> None:
    seen: list[object] = []

    async def before(call: functions.Call) -> None:
        await asyncio.sleep(0)
        seen.append(call.name)

    async def on_chunk(chunk: v1.GenerateContentResponse) -> None:
        await asyncio.sleep(0)
        seen.append(chunk)

    run = Both(local, "async").run_tools(
        MODEL, "Use stock.", tools=[stock], before=before, on_chunk=on_chunk
    )
    assert "stock" in seen
    assert len(seen) > len(run.turns)


def test_cancelling_ends_functions(local: LocalServer) -> None:
    ended: list[str] = []
    started = asyncio.Event()

    async def hang(item: str) -> None:
        """Hangs."""
        started.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(item)

    async def main() -> None:
        async with local.async_client() as client:
            task = asyncio.ensure_future(client.run_tools(MODEL, "Use hang.", tools=[hang]))
            await asyncio.wait_for(started.wait(), 20)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(main())
    assert ended == ["item"]
