"""The arguments of a call, checked and turned into the function's own types by pydantic."""

from __future__ import annotations

import functools
import inspect
import json
import typing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from toolwire._calls._result import ToolError
from toolwire._functions._extras import require
from toolwire._functions._typed_dicts import readable
from toolwire._json._faults import found
from toolwire._json._kinds import is_list, is_object
from toolwire._paths import render

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic import TypeAdapter, ValidationError
    from pydantic_core import ErrorDetails

    from toolwire._paths import Path

_MOST = 8  # faults in one message
_SHOWN = 40  # characters of a key in a path


@dataclass(frozen=True, slots=True)
class Function:
    """A Python function that calls may reach.

    Attributes:
        function: What is called.
        is_async: Whether it makes an awaitable.
    """

    function: Callable[..., object]
    is_async: bool
    _signature: inspect.Signature
    _check: TypeAdapter[inspect.BoundArguments]

    def call(self, arguments: Mapping[str, object]) -> object:
        """Calls the function.

        Raises:
            ToolError: If the arguments are not what it takes: the message says where.
            Exception: Whatever the function raises.
        """
        from pydantic import ValidationError  # noqa: PLC0415 - loaded with the first toolbox

        try:
            bound = self._check.validate_json(json.dumps(arguments))
        except ValidationError as error:
            reason = _explain(error, arguments)
        else:
            checked = inspect.BoundArguments(self._signature, bound.arguments)
            return self.function(*checked.args, **checked.kwargs)
        raise ToolError("InvalidArguments", reason)


def function_of(function: Callable[..., object]) -> Function:
    """Prepares a function to be called with arguments out of JSON.

    Raises:
        MissingExtraError: If pydantic is not installed.
        Exception: Whatever pydantic raises for a type it cannot check.
    """
    require("pydantic")
    from pydantic import TypeAdapter  # noqa: PLC0415 - loaded with the first toolbox

    inner, given = _unbound(function)
    hints = _hints(inner)
    signature = inspect.signature(function)
    first = next(iter(signature.parameters.values()), None)
    if first and first.name in {"self", "cls"} and first.annotation is first.empty:
        raise TypeError("it is a method without its object: give a bound one")
    parameters = [
        parameter.replace(annotation=hints.get(name, Any))
        for name, parameter in signature.parameters.items()
        if name not in given
    ]
    named = inspect.Signature(
        [
            p.replace(kind=p.POSITIONAL_OR_KEYWORD) if p.kind == p.POSITIONAL_ONLY else p
            for p in parameters
        ]
    )

    def collect(*args: object, **kwargs: object) -> inspect.BoundArguments:
        return named.bind(*args, **kwargs)

    collect.__signature__ = named  # type: ignore[attr-defined]
    collect.__annotations__ = {p.name: p.annotation for p in parameters}
    is_async = inspect.iscoroutinefunction(inner)
    check: TypeAdapter[inspect.BoundArguments] = TypeAdapter(cast("Any", collect))
    return Function(function, is_async, inspect.Signature(parameters), check)


def _hints(function: Any) -> dict[str, Any]:
    """Returns the annotations of a function's parameters, postponed ones resolved."""

    def only() -> None: ...

    annotations: dict[str, Any] = dict(function.__annotations__)
    annotations.pop("return", None)  # nobody checks it, and its name may exist for checkers only
    only.__annotations__ = annotations
    names: dict[str, Any] = getattr(inspect.unwrap(function), "__globals__", {})
    hints = typing.get_type_hints(only, names, include_extras=True)
    return {name: readable(hint) for name, hint in hints.items()}  # as when it was declared


def _unbound(function: Callable[..., object]) -> tuple[Any, set[str]]:
    """Returns the function inside partials and objects, and the names that partials have set."""
    given: set[str] = set()
    inner: Any = function
    while isinstance(inner, functools.partial):
        given |= set(inner.keywords)
        inner = cast("Any", inner).func
    return inner if inspect.isroutine(inner) else inner.__call__, given


def _explain(error: ValidationError, arguments: Mapping[str, object]) -> str:
    faults = error.errors(include_url=False, include_context=False)
    shown = [_fault(fault, arguments) for fault in faults[:_MOST]]
    if len(faults) > _MOST:
        shown.append(f"and {len(faults) - _MOST} more")
    return "; ".join(shown)


def _fault(fault: ErrorDetails, arguments: Mapping[str, object]) -> str:
    is_missing = fault["type"] in ("missing", "missing_argument")
    at = _path(fault["loc"], arguments, is_missing=is_missing)
    text = fault["msg"][:1].lower() + fault["msg"][1:]
    what = "" if is_missing else f", found {found(fault['input'], at)}"
    place = render(at, longest=_SHOWN)
    return f"{place}: {text}{what}" if place else f"{text}{what}"


def _path(
    steps: tuple[int | str, ...], arguments: Mapping[str, object], *, is_missing: bool
) -> Path:
    """Returns where a fault is in the arguments; pydantic also names branches of unions."""
    at: Path = None
    value: object = arguments
    for index, step in enumerate(steps):
        is_last = is_missing and index == len(steps) - 1
        if is_object(value) and isinstance(step, str) and (step in value or is_last):
            value = value.get(step)
        elif is_list(value) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            continue
        at = (at, step)
    return at
