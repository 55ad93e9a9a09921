"""Runs the calls of a turn with the functions of one toolbox or several."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from toolwire._calls._hooks import check_blocking, refusal, replaced, settled
from toolwire._calls._jobs import Ended, Job, Lane, arun_jobs, run_jobs
from toolwire._calls._respond import part_fields, to_response
from toolwire._calls._result import Outcome, Result, ToolError, error_response
from toolwire._errors import Error, UsageError
from toolwire._json import from_dict, near
from toolwire._messages import DEEPEST
from toolwire._paths import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from toolwire._calls._call import Call
    from toolwire._calls._declared import Entry
    from toolwire._calls._hooks import After, Before

_SHOWN = 60  # characters of a name in an error
_BELOW = DEEPEST - 2  # a part lies in a turn, in a request


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Functions that were given together, as in a toolbox.

    Attributes:
        entries: The functions by name.
        timeout: Seconds that each call may take; None for any time.
        threads: How many blocking ones may run side by side; None for what the crew allows.
        before: Their own hook before any runs.
        after: Their own hook once all have.
    """

    entries: Mapping[str, Entry]
    timeout: float | None
    threads: int | None
    before: Before | None = None
    after: After | None = None


class Crew:
    """Runs what is called of several groups; no two of them have a function of one name."""

    def __init__(
        self,
        groups: Iterable[Group],
        before: Before | None = None,
        after: After | None = None,
        threads: int = 1,
    ) -> None:
        """Puts groups together.

        Args:
            groups: The groups.
            before: Asked before a group's own hook.
            after: Told after a group's own hook.
            threads: How many blocking functions of a group may run side by side that says nothing.
        """
        self._owners = {name: group for group in groups for name in group.entries}
        self._lanes = {
            group: Lane(group.timeout, group.threads or threads) for group in self._owners.values()
        }
        self._before = before
        self._after = after

    def __contains__(self, name: str) -> bool:
        return name in self._owners

    def check_blocking(self) -> None:
        """Refuses async hooks.

        Raises:
            UsageError: If there is one.
        """
        check_blocking("before", self._before)
        check_blocking("after", self._after)
        for group in self._lanes:
            check_blocking("before", group.before)
            check_blocking("after", group.after)

    def run(self, calls: Sequence[Call], deadline: float | None = None) -> list[Outcome]:
        """Runs calls and waits for them. Hand over what came of them to ``told``.

        Args:
            calls: Complete calls.
            deadline: When all must have ended, by the monotonic clock.

        Raises:
            UsageError: If a hook is async, or returns what it must not.
        """
        self.check_blocking()
        plans = [self._plan(call, self._refused(call)) for call in calls]
        return self._outcomes(calls, plans, run_jobs(_jobs(plans), deadline))

    def told(self, outcomes: Iterable[Outcome]) -> list[Outcome]:
        """Tells the hooks, and returns what they make of it.

        Raises:
            UsageError: If a hook is async, or returns what it must not.
        """
        return [self._told(outcome) for outcome in outcomes]

    async def arun(self, calls: Sequence[Call], deadline: float | None = None) -> list[Outcome]:
        """Runs calls, async functions side by side. Hand over what came of them to ``atold``.

        Args:
            calls: Complete calls.
            deadline: When all must have ended, by the monotonic clock.

        Raises:
            UsageError: If a hook returns what it must not.
        """
        plans = [self._plan(call, await self._arefused(call)) for call in calls]
        return self._outcomes(calls, plans, await arun_jobs(_jobs(plans), deadline))

    async def atold(self, outcomes: Iterable[Outcome]) -> list[Outcome]:
        """Tells the hooks, and returns what they make of it.

        Raises:
            UsageError: If a hook returns what it must not.
        """
        return [await self._atold(outcome) for outcome in outcomes]

    def _refused(self, call: Call) -> str | None:
        for hook in self._asked(call):
            reason = refusal(hook(call))
            if reason is not None:
                return reason
        return None

    async def _arefused(self, call: Call) -> str | None:
        for hook in self._asked(call):
            reason = refusal(await settled(hook(call)))
            if reason is not None:
                return reason
        return None

    def _told(self, outcome: Outcome) -> Outcome:
        call = outcome.call
        for hook in self._tells(call):
            outcome = replaced(hook(call, outcome), outcome)
        return outcome

    async def _atold(self, outcome: Outcome) -> Outcome:
        call = outcome.call
        for hook in self._tells(call):
            outcome = replaced(await settled(hook(call, outcome)), outcome)
        return outcome

    def _asked(self, call: Call) -> list[Before]:
        group = self._owners.get(call.name)
        if group is None:
            return []
        return [hook for hook in (self._before, group.before) if hook is not None]

    def _tells(self, call: Call) -> list[After]:
        group = self._owners.get(call.name)
        own = None if group is None else group.after
        return [hook for hook in (own, self._after) if hook is not None]

    def _plan(self, call: Call, reason: str | None) -> Job | ToolError:
        group = self._owners.get(call.name)
        if group is None:
            name = quote(call.name, longest=_SHOWN)
            there = ", ".join(self._owners) or "none"
            hint = near(call.name, self._owners) or f"; there are {there}"
            return ToolError("UnknownFunction", f"no function is named {name}{hint}")
        if reason is not None:
            return ToolError("Refused", reason)
        entry = group.entries[call.name]
        work = partial(entry.call, call.args)
        return Job(call.name, work, entry.function.is_async, self._lanes[group])

    def _outcomes(
        self, calls: Sequence[Call], plans: Sequence[Job | ToolError], ended: Iterable[Ended]
    ) -> list[Outcome]:
        ran = iter(ended)
        return [
            _outcome(call, next(ran), self._owners[call.name].entries[call.name].function.returns)
            if isinstance(plan, Job)
            else _failed(call, plan, 0.0)
            for call, plan in zip(calls, plans, strict=True)
        ]


def _jobs(plans: Iterable[Job | ToolError]) -> list[Job]:
    return [plan for plan in plans if isinstance(plan, Job)]


def _outcome(call: Call, ended: Ended, kind: object) -> Outcome:
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
        response = to_response(value, kind=kind)
        if media:  # checked here, where an error can still go back
            from_dict(type(call.part), part_fields(call, response, media), max_depth=_BELOW)
    except ToolError as error:
        return _failed(call, error, ended.seconds)
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
