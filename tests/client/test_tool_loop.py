"""``run_tools``: functions run in a conversation, by both clients, against a local server."""

from __future__ import annotations

import asyncio
import contextvars
import functools as ft
import pickle
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import toolwire
from support.apis import SERVED, module
from support.faults import plain
from support.grpc_servers import Context, Server, chunk
from support.hangs import Hang
from toolwire import functions, v1
from toolwire.client import AsyncClient, Client, ToolLoopError, Transcript
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
    return f"{item} at last"


def fails(item: str) -> str:
    """Does not work."""
    raise LookupError(f"no {item}")


async def later(item: str) -> str:
    """Does not block."""
    await asyncio.sleep(0.01)
    return f"{item} later"


FIVE = [stock, price, slow, fails, later]


def meeting() -> list[Callable[..., object]]:
    """The five, of which none but the failing one ends before the others have begun."""
    threads = threading.Barrier(3)
    later_began = threading.Event()

    @ft.wraps(stock)
    def stock_meets(item: str) -> int:
        threads.wait()
        return stock(item)

    @ft.wraps(price)
    def price_meets(item: str) -> float:
        threads.wait()
        return price(item)

    @ft.wraps(slow)
    def slow_waits(item: str) -> str:
        threads.wait()
        later_began.wait()
        return slow(item)

    @ft.wraps(later)
    async def later_begins(item: str) -> str:
        later_began.set()
        return await later(item)

    return [stock_meets, price_meets, slow_waits, fails, later_begins]


def hanging(hang: Hang) -> list[Callable[..., object]]:
    """The five, of which the slow one never ends."""

    @ft.wraps(slow)
    def slow_hangs(item: str) -> str:
        hang()
        return item

    return [slow_hangs if function is slow else function for function in FIVE]


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
    transcripts = [
        Both(local, kind).run_tools(MODEL, PROMPT, tools=meeting()) for kind in ("sync", "async")
    ]
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
        assert (len(last.calls), last.outcomes) == (0, ())
        assert not run.pending
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


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("kind", ["sync", "async"])
def test_the_turn_of_the_model_goes_back_as_it_came(
    server: Server, kind: str, streamed: bool
) -> None:
    """Signatures, empty parts that carry one, fields of the future: nothing is added or lost."""
    turn = v1.Content(
        role="model",
        parts=[
            {"text": "", "thought_signature": b"\x00\xff"},
            {"function_call": {"name": "stock", "args": {"item": "tea"}}},
            {"function_call": {"name": "stock"}, "thought_signature": b"\xfe"},
        ],
    )
    turn.parts[1].MergeFromString(b"\xf2\x3f\x01x")

    def answer(request: Any, _context: Context) -> bytes:
        if len(request.contents) > 1:
            return chunk()
        return v1.GenerateContentResponse(candidates=[{"content": turn}]).SerializeToString()

    server.generate = answer
    server.stream = lambda request, context: [answer(request, context)]
    seen: list[Any] = []
    given: dict[str, Any] = {"tools": [stock], **({"on_chunk": seen.append} if streamed else {})}
    place: dict[str, Any] = plain(server.target)

    async def run() -> None:
        async with AsyncClient(api="v1", **place) as client:
            await client.run_tools(MODEL, "Hello", **given)

    if kind == "async":
        asyncio.run(run())
    else:
        with Client(api="v1", **place) as client:
            client.run_tools(MODEL, "Hello", **given)
    assert bool(seen) is streamed
    sent = server.last().request.contents[1]
    assert sent.SerializeToString(deterministic=True) == turn.SerializeToString(deterministic=True)


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
    reply = functions.respond(run.pending, 1, 2)
    assert both.run_tools(MODEL, [*run.contents, reply], tools=[]).text
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


def test_a_function_that_the_request_declares_already(both: Both) -> None:
    ready = v1.Tool(function_declarations=[{"name": "stock"}])
    request = v1.GenerateContentRequest(
        model=MODEL, contents=[{"role": "user", "parts": [{"text": PROMPT}]}], tools=[ready]
    )
    with pytest.raises(toolwire.UsageError) as caught:
        both.run_tools(request, tools=[price, stock])
    said = "tools: 'stock' is declared twice, by the request's tools[0] and tools[1]"
    assert str(caught.value) == said


def test_a_late_function_is_answered_for(both: Both, hang: Hang) -> None:
    late = hanging(hang)[2]
    others = functions.Toolbox([function for function in FIVE if function is not slow])
    run = both.run_tools(MODEL, PROMPT, tools=[late, others], tool_timeout=0.2)
    errors = {outcome.call.name: outcome.error for outcome in run.turns[0].outcomes}
    assert [name for name, each in errors.items() if isinstance(each, functions.ToolError)] == [
        "slow"
    ]
    assert "did not finish within 0.2 seconds" in run.text


def test_the_time_for_all(both: Both, hang: Hang) -> None:
    both.run_tools(MODEL, "Use stock.", tools=FIVE, timeout=20)
    with pytest.raises(ToolLoopError, match="the time of 2 seconds was up after 1 turn") as caught:
        both.run_tools(MODEL, PROMPT, tools=hanging(hang), timeout=2, threads=1)
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
    together = threading.Barrier(2)
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


@pytest.mark.parametrize("options", [{}, {"threads": 1}], ids=["the loop's", "its own"])
def test_functions_of_a_toolbox_run_side_by_side_unless_it_says_else(
    both: Both, options: dict[str, Any]
) -> None:
    guard = threading.Lock()
    running: list[str] = []
    most: list[int] = []
    together = threading.Barrier(2)

    def work(name: str) -> None:
        with guard:
            running.append(name)
            most.append(len(running))
        if not options:
            together.wait()
        with guard:
            running.remove(name)

    def one(item: str) -> None:
        """Works."""
        work(item)

    def two(item: str) -> None:
        """Works."""
        work(item)

    box = functions.Toolbox([one, two], **options)
    run = both.run_tools(MODEL, "Use one and two.", tools=[box], threads=2)
    assert responses(run.contents[2]) == [{"output": None}] * 2
    assert max(most) == (1 if options else 2)


@pytest.mark.parametrize("api", SERVED)
def test_a_declaration_and_its_function(both: Both, api: str) -> None:
    schema = {"type": "object", "properties": {"item": {"type": "string"}}, "required": ["item"]}
    mcp = {"name": "far", "description": "Far away.", "inputSchema": schema}

    def far(**arguments: object) -> object:
        return arguments

    pair = (mcp, far)
    run = both.run_tools(MODEL, "Use far and stock.", tools=[pair, stock], api=api)
    assert responses(run.contents[2]) == [{"item": "item"}, {"output": 4}]
    response = both("generate_content", MODEL, "Use far.", tools=[pair], api=api)
    assert response.candidates[0].content.parts[0].function_call.name == "far"


@pytest.mark.parametrize("api", SERVED)
def test_a_ready_request(both: Both, api: str) -> None:
    make: Any = functions.Toolbox
    declared = make([stock], api=api)
    request = module(api).GenerateContentRequest(
        model=f"{'publishers/google/' if api != 'gemini' else ''}models/{MODEL}",
        contents=[{"role": "user", "parts": [{"text": "Use stock and price."}]}],
        tools=[declared.tool],
        generation_config={"temperature": 0.5},
    )
    before = request.SerializeToString(deterministic=True)
    expected = ["stock", "price"]
    for given in (request, toolwire.to_dict(request)):
        run = both.run_tools(given, tools=[declared, price], api=api)
        assert [call.name for call in run.turns[0].calls] == expected
        assert not run.pending
        assert run.contents[0] == request.contents[0]
    assert request.SerializeToString(deterministic=True) == before
    run = both.run_tools(request, tools=[], api=api)  # what it declares itself is nobody's to run
    assert [call.name for call in run.pending] == ["stock"]


def test_a_ready_request_takes_no_other_fields(both: Both) -> None:
    request = v1.GenerateContentRequest(model=f"publishers/google/models/{MODEL}")
    with pytest.raises(toolwire.UsageError, match="takes no other fields: found labels"):
        both.run_tools(request, tools=[stock], labels={"a": "b"})
    with pytest.raises(toolwire.UsageError, match="takes no other fields: found contents"):
        both.run_tools(request, "Hello", tools=[stock])


def test_it_goes_on_after_the_last_turn_that_is_allowed(both: Both) -> None:
    box = functions.Toolbox([stock, price])
    with pytest.raises(ToolLoopError) as caught:
        both.run_tools(MODEL, "Use stock and price.", tools=[box], max_turns=1)
    left = caught.value.transcript
    reply = functions.respond(left.pending, *box.run(left.pending))
    run = both.run_tools(MODEL, [*left.contents, reply], tools=[box])
    assert responses(run.contents[2]) == [{"output": 4}, {"output": 2.5}]
    assert "stock returned 4" in run.text


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
    with pytest.raises(toolwire.NotFound) as caught:
        both.run_tools("missing-model", "Hello", tools=[stock])
    found: Any = caught.value.transcript
    assert [part.text for turn in found.contents for part in turn.parts] == ["Hello"]
    for name in ("response", "text"):
        with pytest.raises(toolwire.UsageError, match="there is no response"):
            getattr(found, name)


def hook_fails(_: functions.Call) -> str:
    raise ZeroDivisionError


def unclear(*items: str) -> None:
    """Takes any number, which no declaration says."""


def number(_: functions.Call) -> int:
    return 3


class Broken:
    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"max_turns": 0}, toolwire.UsageError, "max_turns"),
    ({"max_turns": True}, toolwire.UsageError, "max_turns"),
    ({"threads": 0}, toolwire.UsageError, "threads"),
    ({"tool_timeout": -1}, toolwire.UsageError, "tool_timeout"),
    ({"tool_timeout": "x", "tools": []}, toolwire.UsageError, "tool_timeout"),
    ({"timeout": 0}, toolwire.UsageError, "timeout"),
    ({"before": 3}, toolwire.UsageError, "before takes a function"),
    ({"on_chunk": 3}, toolwire.UsageError, "on_chunk takes a function"),
    ({"turns": 3}, toolwire.UsageError, "turns"),
    ({"max_turn": 3}, toolwire.UsageError, "no 'max_turn'; did you mean \"max_turns\"?"),
    ({"temperature": 1}, toolwire.UsageError, "it is a field of generation_config"),
    ({"tools": [({"type": "object"}, unclear, 1)]}, toolwire.JsonError, "tools[0]"),
    ({"tools": [({"type": "object"}, 1)]}, toolwire.JsonError, "tools[0]"),
    ({"tools": [v1.Content()]}, toolwire.JsonError, "tools[0]"),
    ({"tools": [Broken()]}, toolwire.JsonError, "tools[0]: expected"),
    ({"tools": stock}, toolwire.JsonError, "put it into one"),
    (
        {"tools": [{"google_search": {}}, stock, functions.Toolbox([stock])]},
        toolwire.UsageError,
        "tools: 'stock' is declared twice, by tools[1] and tools[2]",
    ),
    (
        {"tools": [{"google_search": {}}, stock, ft.partial(stock, "x")]},
        toolwire.UsageError,
        "tools[2]: 'stock' is declared already, by tools[1]",
    ),
    (
        {"tools": [{"function_declarations": [{"name": "stock"}]}, stock]},
        toolwire.UsageError,
        "tools: 'stock' is declared twice, by tools[0] and tools[1]",
    ),
    (
        {"tools": [stock, unclear]},
        toolwire.DeclarationError,
        "tools[1].properties[\"items\"] (function 'unclear'): *items cannot be declared",
    ),
    (
        {"tools": [functions.Toolbox([stock], api="gemini")]},
        toolwire.JsonError,
        (
            "tools[0]: expected a Toolbox with a google.cloud.aiplatform.v1.Tool, found one with a "
            "google.ai.generativelanguage.v1beta.Tool; make the box with Toolbox(..., api='v1')"
        ),
    ),
    ({"before": hook_fails}, ZeroDivisionError, ""),
    ({"before": number}, toolwire.UsageError, "before"),
    (
        {"max_iterations": 3},
        toolwire.UsageError,
        (
            "run_tools takes no 'max_iterations'; beside fields of the request it takes max_turns, "
            "tool_timeout, threads, before, after, on_chunk, timeout, retries and metadata"
        ),
    ),
    ({"temperature": 0}, toolwire.UsageError, "it is a field of generation_config"),
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
