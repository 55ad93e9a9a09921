"""Python functions that a model may call: declared, called, answered for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Generic, Literal, TypedDict, TypeVar, cast, overload

from google.protobuf.message import Message

from toolwire._calls._call import Call, Calls
from toolwire._calls._call import calls as calls_of
from toolwire._calls._crew import Crew, Group
from toolwire._calls._declared import changes_of, declare_all, tool_of
from toolwire._calls._jobs import Lane
from toolwire._calls._respond import check_complete
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from typing_extensions import Unpack

    from toolwire import firebase, gemini, v1, v1beta1
    from toolwire._calls._declared import Item
    from toolwire._calls._hooks import After, Before
    from toolwire._calls._result import Outcome

T_co = TypeVar("T_co", bound=Message, covariant=True)


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
        group: The functions, for toolwire's own use.

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
        entries = declare_all(functions, api)
        self.tool: T_co = cast("T_co", tool_of(entries.values(), api))
        self.changes = changes_of(entries.values())
        self.group = Group(entries, Lane(timeout, threads), before, after)
        self._crew = Crew((Group(entries, self.group.lane),), before, after)

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
        return self._crew.run(self._calls(calls))

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
        return await self._crew.arun(self._calls(calls))

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
