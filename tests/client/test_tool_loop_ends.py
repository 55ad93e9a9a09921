"""``run_tools`` that ends early, or meets what a model and a function should not do."""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
import pytest

import toolwire
from toolwire import functions, v1
from toolwire.client import AsyncClient, Client, ToolLoopError, Transcript
from toolwire.testing import LocalServer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from support.grpc_servers import Context, Server

TESTS = Path(__file__).parent.parent


def turn(*parts: dict[str, Any]) -> bytes:
    """Returns an encoded response of a model."""
    content = {"role": "model", "parts": parts}
    return v1.GenerateContentResponse(candidates=[{"content": content}]).SerializeToString()


def asks(name: str, **args: object) -> dict[str, Any]:
    return {"function_call": {"name": name, "args": args}}


DONE = turn({"text": "done"})
GONE = b""


def script(server: Server, *turns: bytes) -> None:
    """Lets the server answer with turns, one after the other, or break off in place of one."""
    left = iter(turns)

    def generate(_: Any, context: Context) -> bytes:
        found = next(left)
        if not found:
            context.abort(grpc.StatusCode.UNAVAILABLE, "gone")
        return found

    def stream(request: Any, context: Context) -> Iterator[bytes]:
        yield turn({"text": "Well. "})
        yield generate(request, context)

    server.generate = generate
    server.stream = stream


class Runs:
    """Runs tools by one kind of client, against a server of the test."""

    def __init__(self, server: Server, kind: str) -> None:
        self.server = server
        self.is_async = kind == "async"

    def __call__(self, *tools: Any, **options: Any) -> Transcript[Any, Any]:
        contents = options.pop("contents", "Hello")
        if not self.is_async:
            with Client(**self._where()) as client:
                run: Transcript[Any, Any] = client.run_tools("m", contents, tools=tools, **options)
                return run
        return asyncio.run(self.wait(contents, tools, options))

    async def wait(self, contents: Any, tools: Any, options: Any) -> Transcript[Any, Any]:
        async with AsyncClient(**self._where()) as client:
            run: Transcript[Any, Any] = await client.run_tools(
                "m", contents, tools=tools, **options
            )
            return run

    def _where(self) -> dict[str, Any]:
        where = {"api_endpoint": self.server.target, "project": "p", "location": "l"}
        return {**where, "insecure": True, "retries": 0}


@pytest.fixture(params=["sync", "async"])
def runs(server: Server, request: pytest.FixtureRequest) -> Runs:
    return Runs(server, str(request.param))


def answers(run: Transcript[Any, Any], index: int = 2) -> list[Any]:
    parts: Iterable[Any] = run.contents[index].parts
    return [functions.to_plain(part.function_response.response) for part in parts]


def add(a: int, b: int = 0) -> int:
    """Adds."""
    return a + b


async def aadd(a: int, b: int = 0) -> int:
    """Adds."""
    await asyncio.sleep(0)
    return a + b


@pytest.mark.parametrize("streams", [False, True])
def test_a_call_that_fails_later_keeps_what_was_said(runs: Runs, streams: bool) -> None:
    chunks: list[object] = []
    options: dict[str, Any] = {"on_chunk": chunks.append} if streams else {}
    script(runs.server, turn(asks("add", a=1)), turn(asks("add", a=2)), GONE)
    with pytest.raises(toolwire.Unavailable, match="gone") as caught:
        runs(add, **options)
    found = caught.value.transcript
    assert found is not None
    assert [each.calls[0].args for each in found.turns] == [{"a": 1}, {"a": 2}]
    assert [answers(found, index) for index in (2, 4)] == [[{"output": 1}], [{"output": 2}]]
    assert not found.pending
    assert pickle.loads(pickle.dumps(caught.value)).transcript.contents == found.contents
    script(runs.server, DONE)
    assert runs(add, contents=found.contents).text == "done"  # it goes on from there
    assert len(chunks) == (5 if streams else 0)


def test_chunks_that_do_not_join_keep_what_was_said(runs: Runs) -> None:
    deep = {"json_path": "$.a" + ".a" * 32, "number_value": 1}
    chunks: list[object] = []
    bad = turn({"function_call": {"name": "add", "partial_args": [deep]}})
    script(runs.server, turn(asks("add", a=1)), bad)
    with pytest.raises(toolwire.ConversionError, match="leads deeper than 100") as caught:
        runs(add, on_chunk=chunks.append)
    assert caught.value.path.endswith("functionCall.partialArgs[0].jsonPath")
    found: Any = vars(caught.value)["transcript"]
    assert answers(found) == [{"output": 1}]


NOTHING: list[tuple[dict[str, Any] | None, str]] = [
    ({"role": "model"}, "STOP"),
    ({"role": "model"}, "MALFORMED_FUNCTION_CALL"),
    ({"role": "model", "parts": [{}]}, "STOP"),
    ({"role": "model", "parts": [{"text": ""}]}, "STOP"),
    ({"role": "model", "parts": [{"text": "", "thought": True}]}, "STOP"),
    ({}, "MAX_TOKENS"),
    (None, "SAFETY"),
]


@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize(("content", "reason"), NOTHING)
def test_a_turn_that_says_nothing_is_not_sent_again(
    runs: Runs, content: Any, reason: str, streams: bool
) -> None:
    candidate: dict[str, Any] = {"content": content, "finish_reason": reason, "finish_message": "m"}
    empty = v1.GenerateContentResponse(
        candidates=[{name: each for name, each in candidate.items() if each is not None}]
    )
    answers_given = iter([turn(asks("add", a=1)), empty.SerializeToString()])
    runs.server.generate = lambda _request, _context: next(answers_given)
    runs.server.stream = lambda _request, _context: [next(answers_given)]
    chunks: list[object] = []
    run = runs(add, on_chunk=chunks.append if streams else None)
    assert [content.role for content in run.contents] == ["user", "model", "user"]
    assert run.response == run.turns[1].response == empty
    assert not run.pending
    if reason == "STOP":
        assert run.text == ""
    else:
        with pytest.raises(toolwire.AnswerError, match=reason):
            _ = run.text
    with LocalServer() as local, local.client() as client:  # it takes what a server would
        more = client.run_tools("gemini-2.5-flash", [*run.contents, "And 2?"], tools=[add])
    assert more.contents[:3] == run.contents


def test_a_turn_with_no_more_than_a_signature_is_sent_again(runs: Runs) -> None:
    parts: list[dict[str, Any]] = [{"text": ""}, {"text": "", "thought_signature": b"\x00\xff"}]
    script(runs.server, turn(*parts))
    run = runs(add)
    assert run.contents[-1] == run.response.candidates[0].content
    script(runs.server, DONE)
    runs(add, contents=[*run.contents, "And 2?"])
    assert runs.server.last().request.contents[1] == v1.Content(role="model", parts=parts)


def test_an_error_of_another_call_has_no_transcript(runs: Runs) -> None:
    script(runs.server, GONE)
    with (
        Client(api_endpoint=runs.server.target, insecure=True, project="p", location="l") as client,
        pytest.raises(toolwire.Unavailable) as caught,
    ):
        client.generate_content("m", "Hello", retries=0)
    assert caught.value.transcript is None


def test_what_a_hook_raises_keeps_what_was_said(runs: Runs) -> None:
    class Fixed(Exception):
        def __setattr__(self, name: str, value: object) -> None:
            raise TypeError(name)

    def before(call: functions.Call) -> None:
        if call.args["a"] == 2:
            raise Fixed

    ran: list[int] = []

    def note(a: int) -> None:
        """Notes it."""
        ran.append(a)

    script(runs.server, turn(asks("note", a=1), asks("note", a=2), asks("note", a=3)))
    with pytest.raises(Fixed) as caught:
        runs(note, before=before)
    found: Any = vars(caught.value)["transcript"]
    assert [call.args["a"] for call in found.pending] == [1, 2, 3]
    assert ran == []  # one veto that fails, and nothing of the turn runs


def test_what_an_after_hook_raises_keeps_what_came_of_the_calls(runs: Runs) -> None:
    def after(call: functions.Call, _: functions.Outcome) -> None:
        if call.args["a"] == 2:
            raise ZeroDivisionError

    script(runs.server, turn(asks("add", a=1), asks("add", a=2)))
    with pytest.raises(ZeroDivisionError) as caught:
        runs(add, after=after)
    found: Any = vars(caught.value)["transcript"]
    assert [outcome.value for outcome in found.turns[0].outcomes] == [1, 2]
    assert [call.args["a"] for call in found.pending] == [1, 2]
    reply = functions.respond(found.pending, *found.turns[0].outcomes)
    script(runs.server, DONE)
    assert runs(add, contents=[*found.contents, reply]).text == "done"


def test_a_run_that_is_cancelled_keeps_what_was_said(server: Server) -> None:
    started = asyncio.Event()

    async def hangs() -> None:
        """Hangs."""
        started.set()
        await asyncio.sleep(60)

    async def run() -> Any:
        with pytest.raises(asyncio.CancelledError) as caught:
            await Runs(server, "async").wait("Hello", [hangs], {})
        return vars(caught.value)["transcript"]  # Python 3.10 has it in this task alone

    async def main() -> None:
        task = asyncio.ensure_future(run())
        await asyncio.wait_for(started.wait(), 30)
        task.cancel()
        assert [call.name for call in (await task).pending] == ["hangs"]

    script(server, turn(asks("hangs")), DONE)
    asyncio.run(main())


INTERRUPTED = """
import asyncio, os, signal, sys, time
from toolwire import AsyncClient, Client

def hangs(item: str) -> str:
    "Hangs."
    os.write(1, b"started\\n")  # at once, beside other threads
    time.sleep(60)
    return item

async def ahangs(item: str) -> str:
    "Hangs."
    os.write(1, b"started\\n")  # at once, beside other threads
    await asyncio.sleep(60)
    return item

signal.signal(signal.SIGWINCH, lambda *_: None)
kind, name, target = sys.argv[1:]
where = dict(api_endpoint=target, insecure=True, project="p", location="l")
tools = [{"hangs": hangs, "ahangs": ahangs}[name]]

async def main():
    async with AsyncClient(**where) as client:
        try:
            await client.run_tools("m", "Hello", tools=tools)
        except asyncio.CancelledError as error:
            print([call.name for call in error.transcript.pending])
            raise

try:
    if kind == "async":
        asyncio.run(main())
    else:
        with Client(**where) as client:
            client.run_tools("m", "Hello", tools=tools)
except KeyboardInterrupt as error:
    if kind == "sync":
        print([call.name for call in error.transcript.pending])
    print("interrupted")
"""


def interrupted(program: subprocess.Popen[str]) -> tuple[str, str]:
    """Interrupts a program, and returns what it has to say."""
    program.send_signal(signal.SIGINT)
    for _ in range(40):  # the functions would take longer
        with contextlib.suppress(subprocess.TimeoutExpired):
            return program.communicate(timeout=1)
        # Python does not notice a signal that comes just before it waits, but with the next one;
        # this one does no harm at any time.
        program.send_signal(signal.SIGWINCH)
    program.kill()
    return program.communicate()


@pytest.mark.parametrize("name", ["hangs", "ahangs"])
@pytest.mark.parametrize("kind", ["sync", "async"])
def test_an_interrupt_ends_it_at_once(server: Server, kind: str, name: str) -> None:
    script(server, turn(asks(name, item="x"), asks(name, item="y")), DONE)
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(INTERRUPTED)]
    with subprocess.Popen(
        [*command, kind, name, server.target],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout is not None
        assert [program.stdout.readline() for _ in range(2)] == ["started\n"] * 2
        out, err = interrupted(program)
    assert out.splitlines() == [f"['{name}', '{name}']", "interrupted"], err
    assert program.returncode == 0


@pytest.mark.parametrize("name", ["before", "after", "on_chunk"])
def test_async_hooks_are_refused_before_anything_is_sent(server: Server, name: str) -> None:
    async def hook(*_: object) -> None: ...

    def hidden(*_: object) -> object:
        return hook()

    script(server, turn(asks("add", a=1)), DONE)
    with pytest.raises(toolwire.UsageError, match=f"{name}: .*for arun and AsyncClient"):
        Runs(server, "sync")(add, **{name: hook})
    assert server.seen == []
    with pytest.raises(toolwire.UsageError, match=f"{name}: .*found an awaitable"):
        Runs(server, "sync")(add, **{name: hidden})


def test_a_turn_with_everything_wrong_is_answered_in_order(runs: Runs) -> None:
    def gives_up() -> None:
        """Gives up."""
        raise asyncio.CancelledError

    def items() -> object:
        """Hands out."""
        return (each for each in "ab")

    signed = {**asks("add", a=1), "thought_signature": b"\x00\xff signed"}
    wrong: list[dict[str, Any]] = [
        *(signed, asks("add", a=2), asks("nope"), asks("add", a="x"), asks("add")),
        *({"function_call": {"name": "gives_up"}}, asks("items"), asks("aadd", a=2**53)),
    ]
    script(runs.server, turn(*wrong), DONE)
    box = functions.Toolbox([gives_up, ({"type": "object"}, items)])
    run = runs(add, aadd, box)
    found = answers(run)
    kinds = [each["error"]["type"] if "error" in each else each["output"] for each in found]
    assert kinds == [
        *(1, 2, "UnknownFunction", "InvalidArguments", "InvalidArguments"),
        *("CancelledError", "InvalidResult", 2**53),
    ]
    sent = runs.server.last().request.contents
    assert sent[1] == run.turns[0].response.candidates[0].content
    assert sent[1].parts[0].thought_signature == b"\x00\xff signed"
    assert [part.function_response.name for part in sent[2].parts] == [
        each["function_call"]["name"] for each in wrong
    ]


def test_arguments_in_pieces_are_put_together_and_run(runs: Runs) -> None:
    def pieces(request: Any, _: Context) -> Iterator[bytes]:
        if len(request.contents) > 1:
            yield DONE
            return
        begun = {"name": "add", "will_continue": True}
        yield turn({"function_call": begun})
        for name, number in (("a", 1), ("b", 2)):
            given = {"json_path": f"$.{name}", "number_value": number}
            yield turn({"function_call": {"partial_args": [given], "will_continue": True}})
        yield turn({"function_call": {}})

    runs.server.stream = pieces
    chunks: list[object] = []
    run = runs(add, on_chunk=chunks.append)
    assert answers(run) == [{"output": 3}]
    assert (len(chunks), run.text) == (5, "done")


@pytest.mark.parametrize("function", [add, aadd])
def test_a_thousand_calls_in_a_turn(runs: Runs, function: Any) -> None:
    script(runs.server, turn(*(asks(function.__name__, a=n) for n in range(1000))), DONE)
    assert answers(runs(function)) == [{"output": n} for n in range(1000)]


def test_a_function_may_run_tools_itself(runs: Runs) -> None:
    async def ask(question: str) -> str:
        """Asks another model."""
        run = await Runs(runs.server, "async").wait(question, [add], {})
        return run.text

    inner = turn({"text": "inner"})
    script(runs.server, turn(asks("ask", question="?")), turn(asks("add", a=1)), inner, DONE)
    run = runs(ask)
    assert (answers(run), run.text) == ([{"output": "inner"}], "done")
    assert len(run.turns) == 2


def test_any_ends_with_the_turns(runs: Runs) -> None:
    script(runs.server, *[turn(asks("add", a=1))] * 3)
    config = {"function_calling_config": {"mode": "ANY"}}
    with pytest.raises(ToolLoopError, match="still calls functions in turn 3: add") as caught:
        runs(add, tool_config=config, max_turns=3)
    modes = [each.request.tool_config.function_calling_config.mode for each in runs.server.seen]
    assert [v1.FunctionCallingConfig.Mode.Name(mode) for mode in modes] == ["ANY", "AUTO", "AUTO"]
    assert len(caught.value.transcript.turns) == 3
