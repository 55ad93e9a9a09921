"""The functions of a toolbox and the Tool that declares them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, cast

from toolwire._apis import find_api
from toolwire._calls._arguments import Function, function_of
from toolwire._errors import Change, DeclarationError, MissingExtraError, UsageError
from toolwire._functions._declare import declare, tool
from toolwire._functions._report import Declared
from toolwire._json import from_binary
from toolwire._json._faults import found
from toolwire._json._kinds import is_object
from toolwire._messages import as_message
from toolwire._rules import validate
from toolwire._rules._schema import get

if TYPE_CHECKING:
    from google.protobuf.message import Message

Python: TypeAlias = Callable[..., object]
Item: TypeAlias = "Python | tuple[object, Python]"


@dataclass(frozen=True, slots=True)
class Entry:
    """A function and its declaration.

    Attributes:
        declared: The declaration.
        function: The function.
    """

    declared: Declared[Message]
    function: Function

    def call(self, arguments: Mapping[str, object]) -> object:
        """Calls the function.

        Raises:
            ToolError: If the arguments are not what it takes.
            Exception: Whatever the function raises.
        """
        own = self.declared.original(arguments)
        return self.function.call(copy.deepcopy(own))  # the call keeps what was received


def declare_all(items: Iterable[Item], api: str) -> dict[str, Entry]:
    """Declares functions, in order.

    Raises:
        UsageError: If there is none, two have one name, or something is no function.
        DeclarationError: If a function cannot be declared, or its arguments not be checked.
        DescriptorError: If no API has the name.
        MissingExtraError: If pydantic is not installed.
    """
    entries: dict[str, Entry] = {}
    for position, item in enumerate(items):
        source, function = _source(item, position)
        declared = _declare(source, function, api, position)
        name: str = get(declared.message, "name")
        if name in entries:
            raise UsageError(f"functions[{position}]: {name!r} is declared already")
        entries[name] = Entry(declared, _function(function, position))
    if not entries:
        raise UsageError("a toolbox needs at least one function")
    return entries


def tool_of(entries: Iterable[Entry], api: str) -> Message:
    """Returns the Tool that declares functions.

    Raises:
        DeclarationError: If there are too many.
        ValidationError: If it breaks a rule of the API, such as that on names.
    """
    made = cast("Message", tool([entry.declared.message for entry in entries], api=api))
    validate(made)
    return made


def changes_of(entries: Iterable[Entry]) -> list[Change]:
    """Returns what the declarations do not carry as it was, by place in the list."""
    return [
        Change(_place(position, change.path), change.action, change.message)
        for position, entry in enumerate(entries)
        for change in entry.declared.changes
    ]


def _declare(source: object, function: Python, api: str, position: int) -> Declared[Message]:
    if isinstance(source, Declared):
        known = cast("Declared[Message]", source)
        return Declared(_copied(known.message, api, position), known.changes, known.names)
    message = as_message(source)
    if message is not None:
        return Declared(_copied(message, api, position), ())
    # A schema has no name of its own, as an MCP tool has.
    is_schema = is_object(source) and "name" not in source
    name = getattr(function, "__name__", None) if is_schema else None
    try:
        return cast("Declared[Message]", declare(source, api=api, name=name, report=True))
    except DeclarationError as error:
        path, reason, changes = error.path, error.reason, error.changes
    raise DeclarationError(reason, path=_place(position, path), changes=changes)


def _copied(declaration: Message, api: str, position: int) -> Message:
    """Returns a ready declaration in our class.

    Raises:
        UsageError: If it is that of another API, which the wire would not tell apart.
    """
    module = find_api(api).load()
    name = declaration.DESCRIPTOR.name
    cls: type[Message] = getattr(module, name, module.Tool)
    wanted, given = cls.DESCRIPTOR.full_name, declaration.DESCRIPTOR.full_name
    if given != wanted or name not in ("FunctionDeclaration", "TemplateFunction"):
        raise UsageError(f"functions[{position}]: expected a declaration of {api}, found a {given}")
    return from_binary(cls, declaration.SerializeToString())


def _source(item: object, position: int) -> tuple[object, Python]:
    """Returns what declares a function, and the function."""
    source, function = cast("tuple[object, object]", item) if _is_pair(item) else (item, item)
    if callable(function) and not isinstance(function, type):
        return source, function
    what = f"the class {function.__name__}" if isinstance(function, type) else found(item, None)
    raise UsageError(
        f"functions[{position}]: expected a function, or a declaration and a function, found {what}"
    )


def _is_pair(item: object) -> bool:
    return isinstance(item, tuple) and len(cast("tuple[object, ...]", item)) == 2  # noqa: PLR2004


def _function(function: Python, position: int) -> Function:
    try:
        return function_of(function)
    except MissingExtraError:
        raise
    except Exception as error:
        text = str(error).partition("\n")[0]
        reason = f"its arguments cannot be checked: {text}"
        raise DeclarationError(reason, path=_place(position, "")) from error


def _place(position: int, path: str) -> str:
    dot = "" if not path or path.startswith("[") else "."
    return f"functions[{position}]{dot}{path}"
