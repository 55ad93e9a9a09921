"""The arguments of a call, checked and turned into the function's own types by pydantic."""

from __future__ import annotations

import functools
import inspect
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from toolwire._calls._result import ToolError
from toolwire._calls._schema_types import as_list, as_node, declared_hints, is_open, is_told
from toolwire._errors import DeclarationError
from toolwire._functions._extras import require
from toolwire._functions._located import located
from toolwire._functions._report import fault
from toolwire._functions.python._callables import hints_of, routine_of, unbound
from toolwire._functions.python._models import CONFIG
from toolwire._functions.python._typed_dicts import readable
from toolwire._json._faults import found
from toolwire._paths import quote, render

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pydantic import TypeAdapter, ValidationError
    from pydantic_core import ErrorDetails

    from toolwire._calls._schema_types import Node

_MOST = 8  # faults in one message
_SHOWN = 40  # characters of a key in a path
_MANY = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


@dataclass(frozen=True, slots=True)
class Function:
    """A Python function that calls may reach.

    Attributes:
        function: What is called.
        is_async: Whether it makes an awaitable.
        whole: The one parameter that takes all arguments as one object; empty if there is none.
        returns: How it annotates what it returns; None where that cannot be told.
    """

    function: Callable[..., object]
    is_async: bool
    whole: str
    returns: object
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
            given = {self.whole: arguments} if self.whole else arguments
            bound = self._check.validate_json(json.dumps(given))
        except ValidationError as error:
            reason = _explain(error, arguments, 1 if self.whole else 0)
        else:
            checked = inspect.BoundArguments(self._signature, bound.arguments)
            return self.function(*checked.args, **checked.kwargs)
        raise ToolError("InvalidArguments", reason)


def function_of(function: Callable[..., object], schema: Node, source: object = None) -> Function:
    """Prepares a function to be called with arguments out of JSON.

    Args:
        function: The function.
        schema: What is declared of its arguments, under its own names for them. It counts where
            the function itself does not say of what type they are.
        source: What declared it. A function whose only parameter is of that class gets all
            arguments as one object of it.

    Raises:
        MissingExtraError: If pydantic is not installed.
        DeclarationError: If the function does not take what the schema requires, or requires
            what the schema does not name.
        Exception: Whatever pydantic raises for a type it cannot check.
    """
    require("pydantic")
    from pydantic import TypeAdapter  # noqa: PLC0415 - loaded with the first toolbox

    from toolwire._functions.python._checks import mend  # noqa: PLC0415 - imports pydantic

    _, given = unbound(function)
    inner = routine_of(function)
    signature = inspect.signature(function)
    # As when it was declared.
    told = hints_of(inner, signature.parameters)
    hints = {name: readable(hint) for name, hint in told.items() if is_told(hint)}
    first = next(iter(signature.parameters.values()), None)
    if first and first.name in {"self", "cls"} and first.annotation is first.empty:
        raise TypeError(_why_unbound(inner))
    hints = declared_hints(schema, signature.parameters) | hints
    parameters = [
        _apart(parameter, schema).replace(annotation=hints.get(name, Any))
        for name, parameter in signature.parameters.items()
        if name not in given
    ]
    whole = _whole(parameters, told, source)
    if not whole:
        _check_fits(parameters, schema)
    named = inspect.Signature(
        [
            p if p.kind is p.VAR_KEYWORD else p.replace(kind=p.KEYWORD_ONLY)
            for p in parameters
            if p.kind is not p.VAR_POSITIONAL
        ]
    )

    def collect(*args: object, **kwargs: object) -> inspect.BoundArguments:
        return named.bind(*args, **kwargs)

    collect.__signature__ = named  # type: ignore[attr-defined]
    collect.__annotations__ = {p.name: p.annotation for p in named.parameters.values()}
    is_async = inspect.iscoroutinefunction(inner)
    check: TypeAdapter[inspect.BoundArguments] = TypeAdapter(cast("Any", collect), config=CONFIG)
    mend(check, CONFIG)
    returns = _returned_by(inner)
    return Function(function, is_async, whole, returns, inspect.Signature(parameters), check)


def _why_unbound(function: Any) -> str:
    """Says what is wrong with a function that still asks for its object."""
    owner: object = getattr(getattr(function, "register", None), "__self__", None)
    if isinstance(owner, functools.singledispatchmethod):
        return "a singledispatchmethod has no signature of its own: give a function that calls it"
    return "it is a method without its object: give a bound one"


def _returned_by(function: Any) -> object:
    """Returns the annotation of the result, which is nobody's business unless it is declared."""
    try:
        return hints_of(function, ["return"]).get("return")
    except DeclarationError:
        return None


def _apart(parameter: inspect.Parameter, schema: Node) -> inspect.Parameter:
    """Returns ``**kwargs`` under a name that no argument has: one may be called just that."""
    taken = {*as_node(schema.get("properties")), *as_list(schema.get("required"))}
    name = parameter.name
    while parameter.kind is parameter.VAR_KEYWORD and name in taken:
        name += "_"
    return parameter.replace(name=name)


def _whole(
    parameters: Sequence[inspect.Parameter], told: Mapping[str, object], source: object
) -> str:
    """Returns the parameter for all arguments as one object; nothing if each has its own."""
    name = parameters[0].name if len(parameters) == 1 else ""
    return name if isinstance(source, type) and told.get(name) is source else ""


def _check_fits(parameters: Sequence[inspect.Parameter], schema: Node) -> None:
    """Refuses a function that no call can reach which is as declared.

    Raises:
        DeclarationError: If it is one.
    """
    names = {each.name for each in parameters if each.kind is not each.VAR_POSITIONAL}
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)
    for name in as_list(schema.get("required")):
        if not (takes_any or name in names):
            shown = quote(str(name), longest=_SHOWN)
            raise fault(f"requires {shown}, which the function does not take", None)
    declared = as_node(schema.get("properties"))
    for parameter in parameters:
        needs = parameter.default is parameter.empty and parameter.kind not in _MANY
        if needs and not (is_open(schema) or parameter.name in declared):
            raise fault(f'does not name "{parameter.name}", which the function requires', None)


def _explain(error: ValidationError, arguments: Mapping[str, object], above: int) -> str:
    details = error.errors(include_url=False, include_context=False)
    shown = [_shown(each, arguments, above) for each in details[:_MOST]]
    if len(details) > _MOST:
        shown.append(f"and {len(details) - _MOST} more")
    return "; ".join(shown)


def _shown(detail: ErrorDetails, arguments: Mapping[str, object], above: int) -> str:
    is_missing = detail["type"] in ("missing", "missing_keyword_only_argument")
    at = located(detail["loc"][above:], arguments, is_missing=is_missing)
    text = detail["msg"].replace(" keyword only", "")  # all are
    text = text if text[1:2].isupper() else text[:1].lower() + text[1:]  # of an acronym
    what = "" if is_missing else f", found {found(detail['input'], at)}"
    place = render(at, longest=_SHOWN)
    return f"{place}: {text}{what}" if place else f"{text}{what}"
