"""``typing.TypedDict`` for pydantic, which reads it from Python 3.12 on only."""

from __future__ import annotations

import operator
import sys
import types
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin, get_type_hints

_READS_THEM = sys.version_info >= (3, 12)


def is_typed_dict(kind: Any) -> bool:
    """Tells whether a class is a TypedDict, of whichever module."""
    is_dict = isinstance(kind, type) and issubclass(cast("type[object]", kind), dict)
    return is_dict and hasattr(kind, "__total__")


def readable(kind: Any) -> Any:
    """Returns a type in which each ``typing.TypedDict`` is the one of typing_extensions.

    Those inside of a class of the user's are left to pydantic, whose error says what to write.
    """
    return kind if _READS_THEM else _readable(kind, {})


def _readable(kind: Any, done: dict[Any, Any]) -> Any:
    if is_typed_dict(kind):
        if type(kind).__module__ == "typing" and kind not in done:
            done[kind] = kind  # one that contains itself is pydantic's to refuse
            done[kind] = _rebuilt(kind, done)
        return done.get(kind, kind)
    args = get_args(kind)
    made: list[Any] = [_readable(each, done) for each in args]
    if get_origin(kind) is Literal or all(map(operator.is_, made, args)):
        return kind
    return _with_args(kind, tuple(made))


def _with_args(kind: Any, args: tuple[Any, ...]) -> Any:
    """Returns a generic type with other arguments."""
    origin: Any = get_origin(kind)
    if origin is Annotated:
        return Annotated[args]  # pyright: ignore[reportInvalidTypeForm]
    if origin in {Union, types.UnionType}:
        return Union[args]  # noqa: UP007 - of arguments that are known at run time
    return origin[args]


def _rebuilt(kind: Any, done: dict[Any, Any]) -> Any:
    import typing_extensions  # noqa: PLC0415 - of the extra

    extensions: Any = typing_extensions
    wrappers = (extensions.Required, extensions.NotRequired)
    fields: dict[str, Any] = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        wrapper: Any = get_origin(hint)
        inner: Any = get_args(hint)[0] if wrapper in wrappers else hint
        if wrapper not in wrappers:
            wrapper = wrappers[name not in kind.__required_keys__]
        fields[name] = wrapper[_readable(inner, done)]
    made: Any = extensions.TypedDict(kind.__name__, fields)
    made.__doc__ = kind.__doc__
    made.__module__ = kind.__module__
    return made
