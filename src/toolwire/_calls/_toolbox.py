"""Python functions that a model may call: declared, called, answered for."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Generic, Literal, TypedDict, TypeVar, cast, overload

from google.protobuf.message import Message

from toolwire._calls._call import Call, Calls
from toolwire._calls._call import calls as calls_of
from toolwire._calls._declared import changes_of, declare_all, tool_of
from toolwire._calls._hooks import refusal, replaced, settled
from toolwire._calls._jobs import Ended, Job, arun_jobs, run_jobs
from toolwire._calls._respond import check_complete, part_fields, to_response
from toolwire._calls._result import Outcome, Result, ToolError, error_response
from toolwire._errors import Error, UsageError
from toolwire._json import from_dict, near
from toolwire._messages import DEEPEST
from toolwire._paths import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from typing_extensions import Unpack

    from toolwire import firebase, gemini, v1, v1beta1
    from toolwire._calls._declared import Item
    from toolwire._calls._hooks import After, Before

T_co = TypeVar("T_co", bound=Message, covariant=True)

_SHOWN = 60  # characters of a name in an error
_BELOW = DEEPEST - 2  # a part lies in a turn, in a request


class Options(TypedDict, total=False):
    """What every overload of a Toolbox takes."""

    timeout: float | None
    threads: int
    before: Before | None
    after: After | None


class Toolbox(Generic[T_co]):
    """Python functions that a model may call.

    Nothing that a function, or a model, does wrong ends the conversation: it goes back as the
    error reply of that one call. Only what is no ``Exception``, such as ``KeyboardInterrupt`` or
    asyncio's ``CancelledError``, passes. A thread cannot be killed: a blocking function that is
    too late is left behind, and runs on without anyone waiting for it.

    Attributes:
        tool: The Tool that declares them, for a request.
        changes: What the declarations do not carry as the functions have it, by place in the list.

    Args:
        functions: The functions, each by itself or as a pair: what declares it (a ready
            declaration, what ``declare`` returned with ``report=True``, a JSON Schema, an MCP
            tool), and the function.
        api: The API of the Tool.
        timeout: Seconds that each call may take; None for any time.
        threads: How many blocking functions may run side by side.
        before: Gets each call of a declared function before any runs, and returns None, or the
            reason why that call must not run.
        after: Gets each call and what came of it once all have run, and returns None, or an
            Outcome in its place.

    Raises:
        UsageError: If an option is out of range, two functions have one name, or there is none.
        DeclarationError: If a function cannot be declared.
        ValidationError: If the Tool breaks a rule of the API, such as that on names.
        DescriptorError: If no API has the name.
        MissingExtraError: If pydantic is not installed.
    """

    @overload
    def __init__(
        self: Toolbox[v1.Tool],
        functions: Iterable[Item],
        *,
        api: Literal["v1"] = ...,
        **options: Unpack[Options],
    ) -> None: ...
    @overload
    def __init__(
        self: Toolbox[v1beta1.Tool],
        functions: Iterable[Item],
        *,
        api: Literal["v1beta1"],
        **options: Unpack[Options],
    ) -> None: ...
    @overload
    def __init__(
        self: Toolbox[gemini.Tool],
        functions: Iterable[Item],
        *,
        api: Literal["gemini"],
        **options: Unpack[Options],
    ) -> None: ...
    @overload
    def __init__(
        self: Toolbox[firebase.Tool],
        functions: Iterable[Item],
        *,
        api: Literal["firebase"],
        **options: Unpack[Options],
    ) -> None: ...
    def __init__(
        self,
        functions: Iterable[Item],
        *,
        api: str = "v1",
        timeout: float | None = None,
        threads: int = 1,
        before: Before | None = None,
        after: After | None = None,
    ) -> None:
        _check_range(timeout, threads)
        self._entries = declare_all(functions, api)
        self.tool: T_co = cast("T_co", tool_of(self._entries.values(), api))
        self.changes = changes_of(self._entries.values())
        self._timeout = timeout
        self._threads = threads
        self._before = before
        self._after = after

    def run(self, calls: object) -> list[Outcome]:
        """Runs the functions that a model's turn calls.

        An async function runs in an event loop of its own. Hooks run in the caller's thread.

        Args:
            calls: What ``functions.calls`` returned or takes, or several calls.

        Returns:
            What came of each call, in their order: give it to ``functions.respond``.

        Raises:
            UsageError: If a call is not complete, or a hook returns what it must not.
            JsonError: If arguments nest deeper than protobuf reads.
        """
        found = self._calls(calls)
        answers = [self._ask(call) for call in found]
        plans = [self._plan(call, refusal(why)) for call, why in zip(found, answers, strict=True)]
        ended = run_jobs(_jobs(plans), self._threads, self._timeout)
        outcomes = _outcomes(found, plans, ended)
        if self._after is None:
            return outcomes
        return [replaced(self._after(each.call, each), each) for each in outcomes]

    async def arun(self, calls: object) -> list[Outcome]:
        """Runs the functions that a model's turn calls, async ones side by side.

        Blocking ones run in threads, ``threads`` at a time. Hooks may be async.

        Args:
            calls: As for ``run``.

        Returns:
            What came of each call, in their order: give it to ``functions.respond``.

        Raises:
            UsageError: As ``run``.
            JsonError: As ``run``.
        """
        found = self._calls(calls)
        answers = [await settled(self._ask(call)) for call in found]
        plans = [self._plan(call, refusal(why)) for call, why in zip(found, answers, strict=True)]
        ended = await arun_jobs(_jobs(plans), self._threads, self._timeout)
        outcomes = _outcomes(found, plans, ended)
        if self._after is None:
            return outcomes
        return [replaced(await settled(self._after(o.call, o)), o) for o in outcomes]

    def _calls(self, given: object) -> Sequence[Call]:
        found: Sequence[Call]
        if isinstance(given, Calls):
            found = cast("Calls[Message]", given)
        elif isinstance(given, (list, tuple)):
            found = [_call(item) for item in cast("Sequence[object]", given)]
        else:
            found = calls_of(given, tools=self.tool)
        check_complete(found)
        return found

    def _ask(self, call: Call) -> object:
        if self._before is None or call.name not in self._entries:
            return None
        return self._before(call)

    def _plan(self, call: Call, reason: str | None) -> Job | ToolError:
        entry = self._entries.get(call.name)
        if entry is None:
            name = quote(call.name, longest=_SHOWN)
            hint = near(call.name, self._entries) or f"; there are {', '.join(self._entries)}"
            return ToolError("UnknownFunction", f"no function is named {name}{hint}")
        if reason is not None:
            return ToolError("Refused", reason)
        work = partial(entry.call, call.args)
        return Job(call.name, work, entry.function.is_async)


def _check_range(timeout: object, threads: object) -> None:
    is_number = isinstance(timeout, (int, float)) and not isinstance(timeout, bool)
    if timeout is not None and not (is_number and 0 < cast("float", timeout) < math.inf):
        raise UsageError(f"timeout: expected seconds above 0 or None, found {timeout!r}")
    if not isinstance(threads, int) or isinstance(threads, bool) or threads < 1:
        raise UsageError(f"threads: expected a number from 1, found {threads!r}")


def _call(item: object) -> Call:
    if not isinstance(item, Call):
        raise UsageError(f"expected a Call, found {type(item).__name__}")
    return item


def _jobs(plans: Iterable[Job | ToolError]) -> list[Job]:
    return [plan for plan in plans if isinstance(plan, Job)]


def _outcomes(
    calls: Sequence[Call], plans: Sequence[Job | ToolError], ended: Iterable[Ended]
) -> list[Outcome]:
    ran = iter(ended)
    return [
        _outcome(call, next(ran) if isinstance(plan, Job) else Ended(None, plan, 0.0))
        for call, plan in zip(calls, plans, strict=True)
    ]


def _outcome(call: Call, ended: Ended) -> Outcome:
    if ended.error is not None:
        return _failed(call, ended.error, ended.seconds)
    value: object = ended.value
    media: tuple[object, ...] = ()
    try:
        if isinstance(value, Result):
            media = _files(value)
            value = value.value
        if isinstance(value, Exception):
            return _failed(call, value, ended.seconds)
        response = to_response(value)
        if media:  # checked here, where an error can still go back
            from_dict(type(call.part), part_fields(call, response, media), max_depth=_BELOW)
    except Exception as error:  # noqa: BLE001 - a value may do anything while it is read
        what = str(error) if isinstance(error, Error) else f"{type(error).__name__}: {error}"
        return _failed(
            call, ToolError("InvalidResult", f"the result cannot go back: {what}"), ended.seconds
        )
    return Outcome(call, response, value, None, media, ended.seconds)


def _files(result: Result) -> tuple[object, ...]:
    if result.name or result.id:
        raise UsageError("a Result that a function returns belongs to its call: name no other")
    return tuple(result.media)


def _failed(call: Call, error: Exception, seconds: float) -> Outcome:
    return Outcome(call, error_response(error), error=error, seconds=seconds)
