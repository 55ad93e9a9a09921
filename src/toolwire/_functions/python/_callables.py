"""The function inside of a callable, and what its annotations say."""

from __future__ import annotations

import functools
import inspect
import types
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Optional,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from toolwire._functions._report import SHOWN, fault, words_of
from toolwire._paths import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolwire._paths import Path

_ABSENT: object = inspect.Parameter.empty
_UNIONS = {Union, types.UnionType}
_STANDS_FOR = {"TypeAliasType": "__value__", "NewType": "__supertype__"}


def unbound(source: object) -> tuple[Any, set[str]]:
    """Returns what partials are made of, and the names of the arguments that they have set."""
    given: set[str] = set()
    target: Any = source
    while isinstance(target, functools.partial):
        part = cast("functools.partial[object]", target)
        given |= set(part.keywords)
        target = part.func
    return target, given


def routine_of(source: object) -> Any:
    """Returns the function that runs when something is called."""
    target, _ = unbound(source)
    return target if inspect.isroutine(target) else type(target).__call__


def refuse_generator(function: Any) -> None:
    """Refuses what has no result of a call, but hands out several.

    Raises:
        DeclarationError: If the function is of that kind.
    """
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise fault("a generator hands out its values one by one: let it return a list", None)


def hints_of(function: Any, names: Iterable[str]) -> dict[str, Any]:
    """Returns annotations of a function, postponed ones resolved where it was written.

    Those that nobody asks for may name what exists for type checkers only. A parameter whose
    default is None takes None, whether its annotation says so or not.

    Raises:
        DeclarationError: If one cannot be read.
    """
    plain = getattr(function, "__func__", function)
    scope: dict[str, Any] = getattr(inspect.unwrap(plain), "__globals__", {})
    told = _told_by(plain)
    is_inner = "<locals>" in getattr(plain, "__qualname__", "")
    hints = {
        name: _hint(name, told[name].annotation, scope, is_inner=is_inner)
        for name in names
        if name in told
    }
    return {name: _taking_none(hint, told[name].default) for name, hint in hints.items()}


def behind(kind: Any) -> Any:
    """Returns the type that an alias or a NewType stands for."""
    attribute = _STANDS_FOR.get(type(kind).__name__)
    return kind if attribute is None else behind(getattr(kind, attribute))


def own_metadata(kind: object) -> tuple[Any, ...]:
    """Returns what is annotated to a type itself."""
    return get_args(kind)[1:] if get_origin(kind) is Annotated else ()


def metadata_of(kind: object) -> tuple[Any, ...]:
    """Returns what is annotated to a type, what it stands for, or the one that may be None."""
    kind = behind(kind)
    if get_origin(kind) in _UNIONS:
        inner = [each for each in get_args(kind) if each is not type(None)]
        return metadata_of(inner[0]) if len(inner) == 1 else ()
    own = own_metadata(kind)
    return (*metadata_of(get_args(kind)[0]), *own) if own else ()


def text_of(kind: object) -> str:
    """Returns what an annotation says: a Field's description, a Doc, or plain text."""
    found = ""
    for entry in metadata_of(kind):
        for attribute in ("description", "documentation"):  # of a Field, of a Doc
            text = entry if isinstance(entry, str) else getattr(entry, attribute, None)
            if isinstance(text, str) and text:
                found = text
    return found


def is_field(value: Any) -> bool:
    """Tells whether a value is what pydantic's ``Field()`` returns, without pydantic."""
    return type(value).__name__ == "FieldInfo" and hasattr(value, "is_required")


def place_of(name: str) -> Path:
    """Returns the path of a parameter, or of the result under the name ``return``."""
    return (None, "response") if name == "return" else ((None, "properties"), (name,))


def _told_by(function: Any) -> dict[str, inspect.Parameter]:
    """Returns the parameters that have an annotation, and the result under the name ``return``."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # whoever asks for its parameters says so
        return {}
    told = {name: each for name, each in signature.parameters.items() if _is_told(each.annotation)}
    result = signature.return_annotation
    if _is_told(result):
        kind = inspect.Parameter.KEYWORD_ONLY
        told["return"] = inspect.Parameter("result", kind, annotation=result)
    return told


def _is_told(annotation: object) -> bool:
    return annotation is not _ABSENT


def _taking_none(hint: Any, default: Any) -> Any:
    """Returns an annotation that None fits if it is the default."""
    if _takes_none(hint):
        return hint
    if default is None or (is_field(default) and default.default is None):
        return Optional[hint]  # noqa: UP045 - of a type that is known at run time
    metadata = own_metadata(hint)
    if default is _ABSENT and any(is_field(each) and each.default is None for each in metadata):
        args: Any = (Optional[get_args(hint)[0]], *metadata)  # noqa: UP045 - likewise
        return Annotated[args]
    return hint


def _takes_none(kind: Any) -> bool:
    if get_origin(kind) is Annotated:
        return _takes_none(get_args(kind)[0])
    if get_origin(kind) in _UNIONS:
        return any(map(_takes_none, get_args(kind)))
    return any(kind is each for each in (Any, object, type(None)))


def _hint(name: str, annotation: Any, scope: dict[str, Any], *, is_inner: bool) -> Any:
    def holder() -> None: ...

    holder.__annotations__ = {name: annotation}
    try:
        return get_type_hints(holder, scope, include_extras=True)[name]
    except NameError as error:
        missing = quote(str(error.name), longest=SHOWN)
        reason = (
            f"its annotation names {missing}, which its module does not have at run time: "
            "import it there, outside of `if TYPE_CHECKING:`"
        )
        if is_inner:
            reason += ", or move the class out of the function, where annotations are postponed"
    except Exception as error:  # noqa: BLE001 - an annotation is an expression of anybody's
        reason = f"its annotation cannot be read: {words_of(error)}"
    raise fault(reason, place_of(name))
