"""Python functions that a model may call: declared, called, answered for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Literal, TypedDict, TypeVar, cast, overload

from google.protobuf.message import Message

from toolwire._calls._crew import Crew, Group
from toolwire._calls._declared import changes_of, declare_all, listed, tool_of
from toolwire._calls._hooks import check_hook
from toolwire._calls._jobs import check_seconds, check_threads
from toolwire._calls._respond import check_complete, read_calls

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from typing_extensions import Unpack

    from toolwire import firebase, gemini, v1, v1beta1
    from toolwire._calls._call import Call
    from toolwire._calls._declared import Item
    from toolwire._calls._hooks import After, Before
    from toolwire._calls._result import Outcome

T_co = TypeVar("T_co", bound=Message, covariant=True)


class Options(TypedDict, total=False):
    """What every overload of a Toolbox takes."""

    timeout: float | None
    threads: int | None
    before: Before | None
    after: After | None


class Toolbox(Generic[T_co]):
    """Python functions that a model may call.

    Nothing that a function, or a model, does wrong ends the conversation: it goes back as the
    error reply of that one call. Only what is no ``Exception``, such as ``KeyboardInterrupt`` or
    ``SystemExit``, passes; a function that raises ``CancelledError`` without being cancelled is
    answered for. A thread cannot be killed: a blocking function that is too late is left behind,
    and runs on without anyone waiting for it.

    Attributes:
        tool: The Tool that declares them, for a request.
        changes: What the declarations do not carry as the functions have it, by place in the list.
        group: The functions, for toolwire's own use.

    Args:
        functions: The functions, each by itself or as a pair: what declares it (a ready
            declaration, what ``declare`` returned with ``report=True``, a JSON Schema, an MCP
            tool, a model), and the function. The declaration is held against arguments that the
            function does not annotate.
        api: The API of the Tool.
        timeout: Seconds that each call may take; None for any time.
        threads: How many blocking functions may run side by side in one run. By itself a toolbox
            runs one after the other; ``run_tools`` as many as its own ``threads`` says.
        before: Gets each call of a declared function before any runs, and returns None, or the
            reason why that call must not run.
        after: Gets each call and what came of it once all have run, and returns None, or an
            Outcome in its place.

    Raises:
        UsageError: If an option is out of range, two functions have one name, or there is none.
        DeclarationError: If a function cannot be declared, or is a generator.
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
        threads: int | None = None,
        before: Before | None = None,
        after: After | None = None,
    ) -> None:
        check_seconds("timeout", timeout)
        if threads is not None:
            check_threads("threads", threads)
        check_hook("before", before)
        check_hook("after", after)
        self._functions = listed(functions)
        entries = declare_all(self._functions, api)
        self.tool: T_co = cast("T_co", tool_of(entries.values(), api))
        self.changes = changes_of(entries.values())
        self.group = Group(entries, timeout, threads, before, after)
        # Its hooks are the crew's, since they are told of calls of what is not declared, too.
        self._crew = Crew((Group(entries, timeout, threads),), before, after)
        self._api = api
        given = {"api": api, "timeout": timeout, "threads": threads}
        self._options: dict[str, Any] = {**given, "before": before, "after": after}

    def run(self, calls: object) -> list[Outcome]:
        """Runs the functions that a model's turn calls.

        An async function runs in an event loop of its own. Hooks run in the caller's thread.

        Args:
            calls: What ``functions.calls`` returned or takes, or several calls.

        Returns:
            What came of each call, in their order: give it to ``functions.respond``.

        Raises:
            UsageError: If a call is not complete, or a hook is async or returns what it must not.
            JsonError: If arguments nest deeper than protobuf reads.
        """
        return self._crew.told(self._crew.run(self._complete(calls)))

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
        return await self._crew.atold(await self._crew.arun(self._complete(calls)))

    def __reduce__(self) -> tuple[object, ...]:
        made: Any = type(self)
        return partial(made, **self._options), (self._functions,)  # declared anew there

    def __repr__(self) -> str:
        return f"<Toolbox of {self._api}: {', '.join(self.group.entries)}>"

    def _complete(self, given: object) -> Sequence[Call]:
        found = read_calls(given, self.tool)
        check_complete(found)
        return found
