"""What a program may say before a function runs, and after it has."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeAlias, cast

from toolwire._calls._call import Call
from toolwire._calls._result import Outcome
from toolwire._errors import UsageError
from toolwire._functions.python._callables import routine_of
from toolwire._words import kind_spoken, with_article

if TYPE_CHECKING:
    from collections.abc import Coroutine

Before: TypeAlias = Callable[[Call], "str | Awaitable[str | None] | None"]
After: TypeAlias = Callable[[Call, Outcome], "Outcome | Awaitable[Outcome | None] | None"]
BlockingBefore: TypeAlias = Callable[[Call], "str | None"]
BlockingAfter: TypeAlias = Callable[[Call, Outcome], "Outcome | None"]

_WHERE = "async hooks are for arun and AsyncClient"


def check_hook(name: str, hook: object) -> None:
    """Refuses as a hook what cannot be called.

    Raises:
        UsageError: If it is that.
    """
    if hook is not None and not callable(hook):
        raise UsageError(f"{name} takes a function, found {kind_spoken(hook)}")


def check_blocking(name: str, hook: Callable[..., object] | None) -> None:
    """Refuses an async hook where nothing awaits it, before anything is sent or run.

    Raises:
        UsageError: If it is one.
    """
    if hook is not None and inspect.iscoroutinefunction(routine_of(hook)):
        raise UsageError(f"{name}: expected a blocking function, found an async one; {_WHERE}")


def check_noted(name: str, answer: object) -> None:
    """Refuses what a hook answered that it has not done, but would have to be awaited for.

    Raises:
        UsageError: If it is that.
    """
    if inspect.isawaitable(answer):
        raise UsageError(f"{name}: expected a blocking function, found {_found(answer)}")


def refusal(answer: object) -> str | None:
    """Returns why a call must not run, as ``before`` answered; None to go on.

    Raises:
        UsageError: If it is anything else: in doubt nothing runs.
    """
    if answer is None or isinstance(answer, str):
        return answer
    raise UsageError(
        f"before: expected None to go on or the reason to refuse, found {_found(answer)}"
    )


def replaced(answer: object, outcome: Outcome) -> Outcome:
    """Returns the outcome that ``after`` answered with, the one it was given for None.

    Raises:
        UsageError: If it is anything else.
    """
    if answer is None:
        return outcome
    if isinstance(answer, Outcome):
        return answer
    raise UsageError(f"after: expected None or an Outcome, found {_found(answer)}")


async def settled(answer: object) -> object:
    """Returns what a hook answered, awaited where it must be."""
    return await cast("Awaitable[object]", answer) if inspect.isawaitable(answer) else answer


def _found(answer: object) -> str:
    if inspect.isawaitable(answer):
        if inspect.iscoroutine(answer):
            cast("Coroutine[object, object, object]", answer).close()
        return f"an awaitable; {_WHERE}"
    return with_article(type(answer).__name__)
