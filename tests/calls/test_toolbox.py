"""``functions.Toolbox.run``: what functions and models do wrong goes back as an answer."""

from __future__ import annotations

import asyncio
import contextvars
import copy
import dataclasses
import functools
import logging
import math
import pickle
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from support.apis import module
from support.calling import content, error_of
from support.hangs import Hang
from support.processes import run_python
from toolwire import DeclarationError, Error, UsageError, functions, v1, v1beta1
from toolwire.functions import Call, Outcome, Result, Toolbox

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator


make: Any = Toolbox  # with options that a type checker would not accept
read: Any = functions.calls
respond: Any = functions.respond


def add(a: int, b: int = 10) -> int:
    """Adds two numbers."""
    return a + b


def fails() -> None:
    """Fails."""
    raise LookupError("no such thing")


@pytest.mark.parametrize("api", ["v1", "v1beta1", "gemini"])
def test_a_conversation_goes_round(api: str) -> None:
    box = make([add, fails], api=api)
    assert type(box.tool) is module(api).Tool
    names = [declared.name for declared in box.tool.function_declarations]
    assert names == ["add", "fails"]
    model = content(("add", {"a": 1}), "fails", ("add", {"a": 1, "b": 2}), api=api)
    found = read(model, tools=box)
    reply = respond(found, *box.run(found))
    assert type(reply) is type(model)
    answers = [part.function_response for part in reply.parts]
    assert [answer.name for answer in answers] == ["add", "fails", "add"]
    assert [functions.to_plain(answer.response) for answer in answers] == [
        {"output": 11},
        {"error": {"type": "LookupError", "message": "no such thing"}},
        {"output": 3},
    ]


def test_a_template_function_of_firebase_is_declared() -> None:
    box = Toolbox([add], api="firebase")
    assert [declared.name for declared in box.tool.template_functions] == ["add"]


def test_an_outcome_says_all_of_it() -> None:
    failed, ran = Toolbox([add, fails]).run(content("fails", ("add", {"a": 1})))
    assert isinstance(failed.error, LookupError)
    assert failed.value is None
    assert ran.error is None
    assert (ran.call.name, ran.value, ran.response) == ("add", 11, {"output": 11})
    assert ran.seconds >= 0


class Refused(Exception):
    """As many clients have it: it does not come out of a pickle."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(f"{code} {text}")


def test_an_outcome_pickles_whatever_a_function_did() -> None:
    def refuse() -> None:
        """Refuses."""
        raise Refused(403, "no")

    def lock() -> Result:
        """Gives more than goes back."""
        return Result({"a": lazily})

    @dataclasses.dataclass
    class Lazily:
        done: bool

    lazily = Lazily(True)
    refused, given, ran = Toolbox([refuse, lock, add]).run(
        content("refuse", "lock", ("add", {"a": 1}))
    )
    one, two, three = pickle.loads(pickle.dumps([refused, given, ran]))
    assert (type(one.error), str(one.error)) == (Error, "Refused: 403 no")
    assert (two.value, two.response) == (None, {"a": {"done": True}})
    assert three == ran
    assert [each.response for each in (one, two)] == [refused.response, given.response]
    assert copy.copy(given) is given
    copied = copy.deepcopy(given)
    assert copied == given
    assert copied.value is not given.value


def test_what_is_taken_as_calls() -> None:
    box = Toolbox([add])
    response = v1.GenerateContentResponse(candidates=[{"content": content(("add", {"a": 1}))}])
    found = functions.calls(response)
    sources = (response, response.candidates[0], found, list(found), found[:], found.content)
    for source in sources:
        assert [outcome.value for outcome in box.run(source)] == [11]
    assert box.run([]) == []
    assert box.run(v1.GenerateContentResponse()) == []
    with pytest.raises(UsageError, match=r'expected a Call, found the string "add"$'):
        box.run(["add"])
    with pytest.raises(
        UsageError, match=r"expected what functions.calls returned, a list of calls"
    ):
        box.run("add")


def test_only_declared_functions_run() -> None:
    hidden: list[int] = []
    box = Toolbox([add], before=lambda _: hidden.append(1))
    for name in ("ad", "delete_everything", "", "__init__", "print"):
        (outcome,) = box.run(content(name))
        error = error_of(outcome)
        assert error["type"] == "UnknownFunction"
        assert error["message"].startswith(f'no function is named "{name}"')
    assert error_of(box.run(content("ad"))[0])["message"].endswith('did you mean "add"?')
    assert error_of(box.run(content("x"))[0])["message"].endswith("; there are add")
    assert hidden == []


class Handle:
    def __repr__(self) -> str:
        raise RuntimeError("no repr")


def no_json(kind: str) -> object:
    """Returns what is no JSON."""
    values: dict[str, Callable[[], object]] = {
        "nan": lambda: {"a": [math.nan]},
        "object": Handle,
        "function": lambda: add,
        "generator": lambda: (i for i in [1]),
        "keys": lambda: {(1, 2): 2},
        "big": lambda: 2**53 + 1,
        "circle": circle,
        "media": lambda: Result(1, media=[{"inline_data": {"data": 5}}]),
        "no media": lambda: Result(1, media=5),  # type: ignore[arg-type]
        "named": lambda: Result(1, name="other"),
        "mapping": Nasty,
    }
    return values[kind]()


def circle() -> object:
    value: list[object] = []
    value.append(value)
    return value


class Nasty(dict[str, object]):
    def items(self) -> Any:
        raise RuntimeError("not today")


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("nan", '["a"][0]: expected a finite number'),
        ("object", "expected a JSON value, found a Python Handle"),
        ("function", "expected a JSON value, found a Python function"),
        ("generator", "found an iterator; make a list of it"),
        ("keys", "expected a key that is text, or that text stands for, found a list"),
        ("big", "whole number that a double holds exactly"),
        ("circle", "[0]: a value that holds itself"),
        ("media", "functionResponse.parts[0].inlineData.data: expected"),
        ("no media", "TypeError: 'int' object is not iterable"),
        ("named", "a Result that a function returns belongs to its call"),
        ("mapping", "RuntimeError: not today"),
    ],
)
def test_a_result_that_is_no_json_is_an_answer(kind: str, message: str) -> None:
    model = content(("no_json", {"kind": kind}), ("add", {"a": 1}), api="v1beta1")
    box = Toolbox([no_json, add], api="v1beta1")
    outcomes = box.run(model)
    error = error_of(outcomes[0])
    assert error["type"] == "InvalidResult"
    assert error["message"].startswith("the result cannot go back: ")
    assert message in error["message"]
    reply = functions.respond(model, *outcomes)
    assert functions.to_plain(reply.parts[1].function_response.response) == {"output": 11}


def test_files_of_a_function_go_back() -> None:
    image: Any = {"inline_data": {"mime_type": "image/png", "data": b"\x89PNG"}}

    def draw() -> Result:
        """Draws."""
        return Result("done", media=[v1beta1.Part(**image)])

    model = content("draw", api="v1beta1")
    reply = functions.respond(model, *Toolbox([draw], api="v1beta1").run(model))
    assert reply.parts[0].function_response.parts[0] == v1beta1.FunctionResponsePart(**image)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("options", [{}, {"timeout": 30.0}, {"threads": 2}])
def test_what_stops_a_program_passes(error: type[BaseException], options: dict[str, Any]) -> None:
    def stop() -> None:
        """Stops."""
        raise error

    with pytest.raises(error):
        Toolbox([stop, add], **options).run(content("stop", ("add", {"a": 1})))


@pytest.mark.parametrize("error", [asyncio.CancelledError, GeneratorExit])
@pytest.mark.parametrize("options", [{}, {"timeout": 30.0}, {"threads": 2}])
@pytest.mark.parametrize("is_loop", [False, True])
def test_what_only_ends_the_function_is_answered_for(
    error: type[BaseException], options: dict[str, Any], is_loop: bool
) -> None:
    def stop() -> None:
        """Stops."""
        raise error("why")

    async def astop() -> None:
        """Stops."""
        raise error

    async def waits() -> None:
        """Waits for a task that something else cancels."""
        task = asyncio.ensure_future(asyncio.sleep(60))
        asyncio.get_running_loop().call_soon(task.cancel)
        await task

    box = Toolbox([stop, astop, waits, add], **options)
    model = content("stop", "astop", "waits", ("add", {"a": 1}))
    first, second, third, last = asyncio.run(box.arun(model)) if is_loop else box.run(model)
    name = error.__name__
    assert error_of(first) == {"type": name, "message": "stop was ended from within: why"}
    assert error_of(second) == {"type": name, "message": "astop was ended from within"}
    assert error_of(third)["type"] == "CancelledError"
    assert isinstance(first.error, functions.ToolError)
    assert isinstance(first.error.__cause__, error)
    assert last.error is None


@pytest.mark.parametrize("options", [{}, {"timeout": 30.0}, {"threads": 4}])
def test_a_function_that_ends_its_own_loop_ends_alone(options: dict[str, Any]) -> None:
    async def stops() -> None:
        """Stops the loop."""
        asyncio.get_running_loop().stop()
        await asyncio.sleep(0)

    async def cancels() -> None:
        """Cancels all tasks."""
        for task in asyncio.all_tasks():
            task.cancel()
        await asyncio.sleep(0)

    def hidden() -> Any:
        """Hands out an awaitable."""
        return stops()

    box = Toolbox([stops, cancels, hidden, adouble], **options)
    model = content(("adouble", {"x": 1}), "stops", "cancels", "hidden", ("adouble", {"x": 2}))
    first, stopped, cancelled, later, last = box.run(model)
    assert (first.value, last.value) == (2, 4)
    assert error_of(stopped)["type"] == error_of(later)["type"] == "RuntimeError"
    assert error_of(cancelled) == {
        "type": "CancelledError",
        "message": "cancels was ended from within",
    }


def test_exceptions_of_every_kind_go_back() -> None:
    kinds = [StopIteration, RecursionError, MemoryError, TimeoutError, AssertionError, OSError]

    def fail(kind: int) -> None:
        """Fails."""
        raise kinds[kind]("x")

    calls = [("fail", {"kind": index}) for index in range(len(kinds))]
    for options in ({}, {"timeout": 30.0}, {"threads": 3}):
        outcomes = make([fail], **options).run(content(*calls))
        assert [error_of(outcome)["type"] for outcome in outcomes] == [k.__name__ for k in kinds]


def test_an_exception_that_is_returned_goes_back_as_one_that_is_raised() -> None:
    def fail() -> object:
        return LookupError("x")

    declared = functions.declare({"type": "object"}, name="fail")
    (outcome,) = Toolbox([(declared, fail)]).run(content("fail"))
    assert error_of(outcome) == {"type": "LookupError", "message": "x"}


def test_errors_of_a_toolbox_pickle() -> None:
    (outcome,) = Toolbox([add]).run(content("nope"))
    twin: Any = pickle.loads(pickle.dumps(outcome.error))
    assert (type(twin), str(twin), twin.kind) == (
        functions.ToolError,
        str(outcome.error),
        "UnknownFunction",
    )


def test_a_function_that_hangs_is_too_late_and_the_next_one_runs(hang: Hang) -> None:
    def hangs() -> None:
        """Hangs."""
        hang()

    box = Toolbox([hangs, add], timeout=1)
    late, ran = box.run(content("hangs", ("add", {"a": 1})))
    message = "hangs did not finish within 1 second"
    assert error_of(late) == {"type": "Timeout", "message": message}
    assert isinstance(late.error, Error)
    assert ran.value == 11


def test_a_thread_that_hangs_does_not_keep_the_program_from_ending() -> None:
    code = (
        "import threading\n"
        "from toolwire import functions, v1\n"
        "def hangs() -> None:\n"
        "    '''Hangs.'''\n"
        "    threading.Event().wait()\n"
        "box = functions.Toolbox([hangs], timeout=0.05)\n"
        "content = v1.Content(parts=[{'function_call': {'name': 'hangs'}}])\n"
        "print(box.run(content)[0].error)\n"
    )
    assert run_python("-c", code) == "hangs did not finish within 0.05 seconds\n"


def test_blocking_functions_run_one_after_another_in_the_callers_thread() -> None:
    seen: list[tuple[str, threading.Thread]] = []

    def note(name: str) -> None:
        """Notes."""
        seen.append((name, threading.current_thread()))

    Toolbox([note]).run(content(("note", {"name": "1"}), ("note", {"name": "2"})))
    here = threading.current_thread()
    assert seen == [("1", here), ("2", here)]


@pytest.mark.parametrize("timeout", [None, 30.0])
def test_blocking_functions_run_side_by_side_where_asked_and_answer_in_order(
    timeout: float | None,
) -> None:
    done = [threading.Event() for _ in range(3)]

    def meet(number: int) -> int:
        """Ends after the next one."""
        if number < 2:
            done[number + 1].wait()
        done[number].set()
        return number

    calls = [("meet", {"number": number}) for number in range(3)]
    outcomes = Toolbox([meet], threads=3, timeout=timeout).run(content(*calls))
    assert [outcome.value for outcome in outcomes] == [0, 1, 2]


@pytest.mark.parametrize("timeout", [None, 30.0])
def test_no_more_run_side_by_side_than_allowed(timeout: float | None) -> None:
    pair, lock, running, most = threading.Barrier(2), threading.Lock(), 0, 0

    def work() -> None:
        """Works."""
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        pair.wait()
        with lock:
            running -= 1

    outcomes = Toolbox([work], threads=2, timeout=timeout).run(content(*["work"] * 8))
    assert [outcome.error for outcome in outcomes] == [None] * 8
    assert most == 2


def test_after_an_interrupt_nothing_new_starts() -> None:
    started: list[int] = []
    workers: list[threading.Thread] = []
    both, over = threading.Barrier(2), threading.Event()

    def work(number: int) -> None:
        """Works."""
        started.append(number)
        workers.append(threading.current_thread())
        if number < 2:
            both.wait()
        if number == 0:
            raise KeyboardInterrupt
        over.wait()

    calls = [("work", {"number": number}) for number in range(20)]
    with pytest.raises(KeyboardInterrupt):
        Toolbox([work], threads=2).run(content(*calls))
    over.set()
    for worker in workers:
        worker.join()
    assert sorted(started) == [0, 1]


USER: contextvars.ContextVar[str] = contextvars.ContextVar("USER", default="nobody")


def who() -> str:
    """Says who asks."""
    found = USER.get()
    USER.set("changed")
    return found


async def awho() -> str:
    """Says who asks."""
    return who()


@pytest.mark.parametrize("options", [{}, {"timeout": 30.0}, {"threads": 4}])
def test_context_variables_reach_every_function(options: dict[str, Any]) -> None:
    token = USER.set("alice")
    try:
        outcomes = Toolbox([who, awho], **options).run(content("who", "awho", "who", "awho"))
        assert [outcome.value for outcome in outcomes] == ["alice"] * 4
        assert USER.get() == "alice"
    finally:
        USER.reset(token)


def double(x: int) -> int:
    """Doubles."""
    return 2 * x


async def adouble(x: int) -> int:
    """Doubles."""
    await asyncio.sleep(0)
    return 2 * x


def hidden_async(x: int) -> Any:
    """Doubles, and only returns the coroutine."""
    return adouble(x)


@pytest.mark.parametrize("options", [{}, {"timeout": 30.0}, {"threads": 2}])
def test_async_functions_run_too_even_below_a_loop(options: dict[str, Any]) -> None:
    box = Toolbox([adouble, hidden_async], **options)
    model = content(("adouble", {"x": 2}), ("hidden_async", {"x": 3}))
    assert [outcome.value for outcome in box.run(model)] == [4, 6]

    async def within() -> list[Outcome]:
        return box.run(model)

    assert [outcome.value for outcome in asyncio.run(within())] == [4, 6]


def test_an_async_function_that_hangs_is_cancelled(hang: Hang) -> None:
    ended = threading.Event()

    async def ahangs() -> None:
        """Hangs."""
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def ablocks() -> None:
        """Blocks its loop."""
        hang()

    async def astays() -> None:
        """Does not let itself be cancelled."""
        while True:
            try:  # noqa: SIM105
                await asyncio.Event().wait()
            except asyncio.CancelledError:  # noqa: PERF203
                pass

    box = Toolbox([ahangs, ablocks, astays], timeout=0.1)
    outcomes = box.run(content("ahangs", "ablocks", "astays"))
    assert [error_of(outcome)["type"] for outcome in outcomes] == ["Timeout"] * 3
    ended.wait()


@pytest.mark.parametrize("timeout", [None, 30.0])
@pytest.mark.parametrize("is_loop", [False, True])
def test_the_time_of_a_call_counts_from_its_start_to_what_it_awaits(
    timeout: float | None, is_loop: bool
) -> None:
    def sooner(x: int) -> Any:
        """Takes its time, and then only returns the coroutine."""
        time.sleep(0.02)
        return adouble(x)

    box, model = Toolbox([sooner], timeout=timeout), content(("sooner", {"x": 1}))
    (outcome,) = asyncio.run(box.arun(model)) if is_loop else box.run(model)
    assert outcome.value == 2
    assert outcome.seconds >= 0.02


def test_greenlets_run_no_async_functions_side_by_side() -> None:
    pytest.importorskip("gevent")
    code = (
        "from gevent import monkey; monkey.patch_all()\n"
        "import asyncio\n"
        "from toolwire import UsageError, functions, v1\n"
        "async def one() -> int:\n"
        "    '''Waits.'''\n"
        "    await asyncio.sleep(0.01)\n"
        "    return 1\n"
        "calls = [{'function_call': {'name': 'one'}}]\n"
        "print(functions.Toolbox([one]).run(v1.Content(parts=calls))[0].value)\n"
        "try:\n"
        "    functions.Toolbox([one], threads=2).run(v1.Content(parts=calls * 2))\n"
        "except UsageError as error:\n"
        "    print(error)\n"
    )
    alone, error = run_python("-c", code).splitlines()
    assert alone == "1"
    assert error.startswith("an async function needs a thread of its own, which gevent does not")


def test_functions_in_wrappers_of_any_kind_run() -> None:
    class Wrapped:
        """As decorators make them that are for methods as well."""

        def __init__(self, function: Callable[..., object]) -> None:
            functools.update_wrapper(self, function)
            self._function = function

        def __get__(self, instance: object, owner: object = None) -> object:
            return self if instance is None else functools.partial(self._function, instance)

        def __call__(self, *args: object, **kwargs: object) -> object:
            return self._function(*args, **kwargs)

    class Shop:
        @staticmethod
        @functools.cache
        def static(x: int) -> int:
            """Cached."""
            return x

        @functools.cache  # noqa: B019 - one shop
        def method(self, x: int) -> int:
            """Cached."""
            return x

    @functools.lru_cache(maxsize=1)
    def cached(x: int) -> int:
        """Cached."""
        return x

    box = Toolbox([cached, Shop.static, Shop().method, Wrapped(double), Wrapped(adouble)])
    declared = box.tool.function_declarations
    assert [each.name for each in declared] == ["cached", "static", "method", "double", "adouble"]
    assert {each.parameters.properties["x"].type for each in declared} == {v1.Type.INTEGER}
    model = content(*((each.name, {"x": 3}) for each in declared))
    for outcomes in (box.run(model), asyncio.run(box.arun(model))):
        assert [outcome.value for outcome in outcomes] == [3, 3, 3, 6, 6]


def test_before_refuses_a_call_with_a_reason() -> None:
    asked: list[str] = []

    def before(call: Call) -> str | None:
        asked.append(f"{call.name} {call.args}")
        return "ask the user first" if call.args["a"] == 2 else None

    calls = [("add", {"a": a}) for a in (1, 2, 3)]
    outcomes = Toolbox([add], before=before).run(content(*calls))
    assert [outcome.value for outcome in outcomes] == [11, None, 13]
    assert error_of(outcomes[1]) == {"type": "Refused", "message": "ask the user first"}
    assert asked == ["add {'a': 1}", "add {'a': 2}", "add {'a': 3}"]


@pytest.mark.parametrize("answer", [True, False, 0, ["no"]])
def test_before_answers_none_or_text_and_in_doubt_nothing_runs(answer: Any) -> None:
    ran: list[int] = []

    def note() -> None:
        """Notes."""
        ran.append(1)

    answers: Iterator[Any] = iter([None, answer])
    with pytest.raises(UsageError, match="before: expected None to go on or the reason to"):
        Toolbox([note], before=lambda _: next(answers)).run(content("note", "note"))
    assert ran == []


@pytest.mark.parametrize("name", ["before", "after"])
def test_an_async_hook_is_refused_where_nobody_can_await_it(name: str) -> None:
    ran: list[int] = []

    async def hook(*_: object) -> None: ...

    class Hook:
        async def __call__(self, *_: object) -> None: ...

    def hidden(*_: object) -> object:
        return hook()

    def note() -> None:
        """Notes that it ran."""
        ran.append(1)

    for plain in (hook, functools.partial(hook), Hook()):
        box = make([note], **{name: plain})
        with pytest.raises(UsageError, match=f"{name}: expected a blocking .*; async hooks are f"):
            box.run(content("note"))
    assert ran == []  # not even where it is told of what ran
    box = make([note], **{name: hidden})
    with pytest.raises(UsageError, match=f"{name}: expected .* found an awaitable; async hooks"):
        box.run(content("note"))


def test_a_hook_is_a_function() -> None:
    for name in ("before", "after"):
        with pytest.raises(UsageError, match=f"{name} takes a function, found an int"):
            make([add], **{name: 3})


def nothing(*_: object) -> dict[str, object]:
    return {}


def test_after_sees_every_outcome_and_may_replace_it() -> None:
    seen: list[str] = []

    def after(call: Call, outcome: Outcome) -> Outcome | None:
        seen.append(f"{call.name} {outcome.response}")
        if outcome.error is None:
            return None
        return dataclasses.replace(outcome, response={"error": "something went wrong"})

    model = content(("add", {"a": 1}), "fails", "nope")
    outcomes = Toolbox([add, fails], after=after).run(model)
    assert [outcome.response for outcome in outcomes] == [
        {"output": 11},
        {"error": "something went wrong"},
        {"error": "something went wrong"},
    ]
    assert len(seen) == 3
    box = make([add], after=nothing)
    with pytest.raises(UsageError, match="after: expected None or an Outcome, found a dict"):
        box.run(model)


def test_errors_of_hooks_are_the_programs_own() -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("bug")

    for hook in ({"before": broken}, {"after": broken}):
        with pytest.raises(RuntimeError, match="bug"):
            make([add], **hook).run(content(("add", {"a": 1})))


def test_a_call_in_pieces_does_not_run() -> None:
    piece = v1beta1.Content(parts=[{"function_call": {"name": "add", "will_continue": True}}])
    with pytest.raises(UsageError, match="the call of add is not complete"):
        Toolbox([add], api="v1beta1").run(piece)


def test_outcomes_of_another_turn_are_not_taken_for_an_answer() -> None:
    box = Toolbox([add, fails])
    outcomes = box.run(content(("add", {"a": 1})))
    with pytest.raises(UsageError, match='no result for the call of "fails"; no call for the re'):
        functions.respond(content("fails"), *outcomes)


def test_methods_partials_objects_and_decorated_functions_run() -> None:
    class Shop:
        def __init__(self) -> None:
            self.name = "shop"

        def order(self, count: int) -> str:
            """Orders."""
            return f"{self.name} {count}"

        @classmethod
        def kind(cls) -> str:
            """Tells the kind."""
            return cls.__name__

        @staticmethod
        def fee(amount: float) -> float:
            """Tells the fee."""
            return amount / 10

    def logged(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            logging.getLogger(__name__).debug("called")
            return function(*args, **kwargs)

        return wrapper

    shop = Shop()
    box = Toolbox([shop.order, Shop.kind, shop.fee, logged(add)])
    model = content(
        ("order", {"count": 2}), "kind", ("fee", {"amount": 5}), ("add", {"a": 1, "b": 1})
    )
    assert [outcome.value for outcome in box.run(model)] == ["shop 2", "Shop", 0.5, 2]


def test_a_ready_declaration_goes_with_a_function() -> None:
    ready = v1.FunctionDeclaration(name="plus", description="Adds.")
    box = Toolbox([(ready, add)])
    assert list(box.tool.function_declarations) == [ready]
    ready.name = "changed"
    assert box.run(content(("plus", {"a": 1})))[0].value == 11
    with pytest.raises(
        UsageError, match=r"functions\[0\]: expected a declaration of v1, found a goog"
    ):
        Toolbox([(v1beta1.FunctionDeclaration(name="plus"), add)])


@pytest.mark.parametrize(
    ("items", "fault"),
    [
        ([], "a toolbox needs at least one function"),
        ([add, add], r"functions\[1\]: 'add' is declared already, by functions\[0\]"),
        (["add"], r"functions\[0\]: expected a function, or a declaration and a function, found t"),
        ([add, None], r"functions\[1\]: expected a function, or .*, found null"),
        ([Handle], r"functions\[0\]: expected a function, or .*, found the class Handle"),
        ([(add,)], r"functions\[0\]: expected a function, or .*, found a list"),
        ([(add, "x")], r"functions\[0\]: expected a function, or .*, found a list"),
        (None, "functions: expected a list, found null"),
        (add, "functions: expected a list, found a Python function; put it into one"),
    ],
    ids=[
        *("none", "twice", "a name", "null", "a class", "a single", "no function"),
        *("no list", "a function"),
    ],
)
def test_what_a_toolbox_does_not_hold(items: Any, fault: str) -> None:
    with pytest.raises(UsageError, match=fault):
        Toolbox(items)


def generate(item: str) -> Iterator[str]:
    """Hands out."""
    yield item


async def agenerate(item: str) -> AsyncIterator[str]:
    """Hands out."""
    yield item


class Generates:
    def __call__(self, item: str) -> Iterator[str]:
        """Hands out."""
        yield item


@pytest.mark.parametrize(
    "function",
    [generate, agenerate, functools.partial(generate, "x"), Generates()],
    ids=["plain", "async", "partial", "object"],
)
def test_generators_are_refused_however_they_are_declared(function: Any) -> None:
    ready = v1.FunctionDeclaration(name="hand_out")
    for items in ([(ready, function)], [({"type": "object"}, generate), (ready, function)]):
        with pytest.raises(DeclarationError, match=r"functions\[0\].*: .*generator"):
            Toolbox(items)


def test_a_way_out_that_only_a_declaration_has_is_explained() -> None:
    def anything(item: object) -> str:
        """Takes anything."""
        return str(item)

    with pytest.raises(DeclarationError) as caught:
        Toolbox([anything])
    assert str(caught.value).startswith('functions[0].properties["item"]')
    assert str(caught.value).endswith(
        "untyped=, or use as_json_schema=True: options of functions.declare; in place of anything "
        "give (functions.declare(..., report=True), anything)"
    )
    declared = functions.declare(anything, report=True, untyped="STRING")
    box = Toolbox([(declared, anything)])
    assert box.run(content(("anything", {"item": "x"})))[0].value == "x"


class Find:
    def __call__(self, item: object) -> str:
        """Finds."""
        return str(item)


@pytest.mark.parametrize(
    ("item", "name", "path"),
    [
        (Find(), "Find", '.properties["item"]'),
        (Find().__call__, "__call__", '.properties["item"]'),
        (functools.partial(Find()), "Find", '.properties["item"]'),
        (({"name": "from afar", "inputSchema": {"properties": 1}}, add), "from afar", ""),
        (({"type": "function", "function": {"name": "x", "parameters": 1}}, add), "x", ""),
        ((v1.FunctionDeclaration(name="x", parameters={"required": ["y"]}), add), "add", ""),
        (({"properties": 1}, add), "add", ""),
        (({"title": "look", "properties": 1}, add), "look", ""),
        (generate, "generate", ""),
    ],
    ids=["object", "method", "partial", "mcp", "openai", "ready", "schema", "title", "generator"],
)
def test_an_error_in_a_list_names_the_function(item: Any, name: str, path: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        Toolbox([add, item])
    error = caught.value
    assert error.function == name
    assert error.path.startswith(f"functions[1]{path}")
    assert str(error) == f"{error.path} (function {name!r}): {error.reason}"
    assert pickle.loads(pickle.dumps(error)).function == name
    if not isinstance(item, tuple):
        with pytest.raises(
            DeclarationError, match=rf"^functionDeclarations\[1\].* \(function '{name}'"
        ):
            functions.tool([add, item])


@pytest.mark.parametrize(
    "options",
    [
        *({"timeout": wrong} for wrong in (0, -1, 1e10, math.inf, math.nan, "5", True)),
        *({"threads": wrong} for wrong in (0, -1, 1.5, "2", True)),
    ],
    ids=str,
)
def test_options_out_of_range_are_refused(options: Any) -> None:
    with pytest.raises(UsageError, match=r"^(timeout|threads): expected .*, found "):
        Toolbox([add], **options)


def test_without_the_extra_a_toolbox_says_what_to_install() -> None:
    code = (
        "import sys\n"
        "sys.modules['pydantic'] = None\n"
        "from toolwire import MissingExtraError, functions, v1\n"
        "try:\n"
        "    functions.Toolbox([(v1.FunctionDeclaration(name='f'), lambda: 1)])\n"
        "except MissingExtraError as error:\n"
        "    print(error)\n"
    )
    assert 'pip install "toolwire[functions]"' in run_python("-c", code)


def test_an_import_of_the_functions_loads_no_pydantic() -> None:
    code = (
        "import sys\n"
        "from toolwire import functions, v1\n"
        "content = v1.Content(parts=[{'function_call': {'name': 'f', 'args': {'x': 1}}}])\n"
        "functions.respond(content, {'a': (1, 2)})\n"
        "print('pydantic' in sys.modules)\n"
    )
    assert run_python("-c", code) == "False\n"


def test_a_toolbox_says_what_it_holds() -> None:
    assert repr(Toolbox([add, fails], api="gemini")) == "<Toolbox of gemini: add, fails>"


def test_a_toolbox_runs_one_after_the_other_by_itself() -> None:
    seen: list[object] = []

    def where() -> None:
        """Notes it."""
        seen.append(threading.current_thread())

    for options in ({}, {"threads": None}):
        make([where], **options).run(content("where", "where"))
    assert set(seen) == {threading.current_thread()}


@pytest.mark.parametrize("levels", [101, 50_000])
def test_a_declaration_deeper_than_protobuf_reads_is_refused(levels: int) -> None:
    declared = v1.FunctionDeclaration(name="nothing", description="Nothing.")
    schema = declared.parameters
    for _ in range(levels):
        schema.type = v1.Type.ARRAY
        schema = schema.items
    with pytest.raises(DeclarationError, match="nested deeper than 100 levels") as caught:
        Toolbox([(declared, nothing)])
    assert caught.value.path == "functions[0]"


@pytest.mark.parametrize("name", ["timeout", "threads"])
def test_an_option_that_cannot_be_shown(name: str) -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    options: Any = {name: deep}
    with pytest.raises(UsageError, match=f"{name}: expected .*, found a list"):
        Toolbox([nothing], **options)


def test_a_toolbox_pickles_and_copies_as_its_functions_do() -> None:
    box = make([add, ({"type": "object"}, nothing)], timeout=3, threads=2, after=nothing)
    for twin in (pickle.loads(pickle.dumps(box)), copy.copy(box), copy.deepcopy(box)):
        assert (type(twin), repr(twin), twin.tool) == (Toolbox, repr(box), box.tool)
        assert (twin.group.timeout, twin.group.threads, twin.group.after) == (3, 2, nothing)
    plain: Any = pickle.loads(pickle.dumps(Toolbox(iter([add]), api="gemini")))
    assert plain.run(content(("add", {"a": 1}), api="gemini"))[0].value == 11
    with pytest.raises((AttributeError, pickle.PicklingError), match="local"):
        pickle.dumps(Toolbox([lambda_of(add)]))


def lambda_of(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def local(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    local.__qualname__ = "lambda_of.<locals>.local"
    return local


class Teller:
    @functools.singledispatchmethod
    def tell(self, x: int) -> str:
        """Tells it."""
        return f"{self} {x}"


def test_a_function_that_is_chosen_by_type_has_no_signature() -> None:
    with pytest.raises(DeclarationError, match="a singledispatchmethod has no signature"):
        Toolbox([Teller().tell])
