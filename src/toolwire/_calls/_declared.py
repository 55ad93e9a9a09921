"""The functions of a toolbox and the Tool that declares them."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

from toolwire._apis import find_api
from toolwire._calls._arguments import Function, function_of
from toolwire._calls._guide import schema_of
from toolwire._calls._schema_types import as_list, as_node
from toolwire._errors import DeclarationError, MissingExtraError, UsageError
from toolwire._findings import Change
from toolwire._functions._declare import declare, missing_description, tool
from toolwire._functions._read_source import name_of
from toolwire._functions._report import Declared, guarded
from toolwire._functions.python._callables import refuse_generator, routine_of
from toolwire._json import from_binary
from toolwire._json._faults import found
from toolwire._json._kinds import is_object
from toolwire._message_fields import get
from toolwire._messages import DEEPEST, as_message, fits
from toolwire._rules import validate
from toolwire._words import with_article

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import CodeType

    from google.protobuf.message import Message


class Called(Protocol):
    """What can be called, for type checkers: mypy takes a ``Callable`` here for less."""

    def __call__(self, *args: Any, **kwargs: Any) -> object:
        """Takes anything: its own arguments are nobody's business here."""


class Defined(Protocol):
    """A function without its signature: what mypy makes of the items of ``[weather, price]``."""

    @property
    def __code__(self) -> CodeType: ...


Item: TypeAlias = "Called | Defined | tuple[object, Called | Defined]"


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


def listed(items: Iterable[Item]) -> list[Item]:
    """Returns the functions of a toolbox.

    Raises:
        UsageError: If it is no list.
    """
    if isinstance(cast("object", items), Iterable):
        return [*items]
    hint = "; put it into one" if callable(items) else ""
    raise UsageError(f"functions: expected a list, found {found(items, None)}{hint}")


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
            first = f"functions[{[*entries].index(name)}]"
            raise UsageError(f"functions[{position}]: {name!r} is declared already, by {first}")
        entries[name] = Entry(declared, _function(function, declared, source, position))
        missing = missing_description(declared.message)
        if missing:
            reason = _pointed(missing, function)
            raise DeclarationError(reason, path=_place(position, "description"))
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


def _declare(
    source: object, function: Callable[..., object], api: str, position: int
) -> Declared[Message]:
    if isinstance(source, Declared):
        known = cast("Declared[Message]", source)
        return Declared(_copied(known.message, api, position), known.changes, known.names)
    message = as_message(source)
    if message is not None:
        return Declared(_copied(message, api, position), ())
    # A schema has no name of its own, as an MCP tool has.
    with guarded(((None, "functions"), position)):
        is_schema = is_object(source) and not {"name", "function"} & source.keys()
    name = getattr(function, "__name__", None) if is_schema else None
    try:
        return cast("Declared[Message]", declare(source, api=api, name=name, report=True))
    except DeclarationError as error:
        path, reason, changes = error.path, _pointed(error.reason, function), error.changes
    called = name_of(source) or name_of(function)
    raise DeclarationError(reason, path=_place(position, path), changes=changes, function=called)


def _pointed(reason: str, function: Callable[..., object]) -> str:
    """Returns a reason that tells where the options go that it speaks of."""
    options = inspect.signature(declare).parameters.values()
    if any(each.kind is each.KEYWORD_ONLY and f"{each.name}=" in reason for each in options):
        name = name_of(function)
        pair = f"(functions.declare(..., report=True), {name})"
        return f"{reason}: options of functions.declare; in place of {name} give {pair}"
    return reason


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
        reason = f"expected a declaration of {api}, found {with_article(given)}"
        raise UsageError(f"functions[{position}]: {reason}")
    if not fits(declaration, DEEPEST):
        reason = f"nested deeper than {DEEPEST} levels of messages"
        raise DeclarationError(reason, path=_place(position, ""))
    return from_binary(cls, declaration.SerializeToString())


def _source(item: object, position: int) -> tuple[object, Callable[..., object]]:
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


def _function(
    function: Callable[..., object], declared: Declared[Message], source: object, position: int
) -> Function:
    schema = schema_of(declared.message)
    if declared.names:
        required = [str(name) for name in as_list(schema.get("required"))]
        schema = schema | {
            "properties": declared.original(as_node(schema.get("properties"))),
            "required": [declared.names.get(name, name) for name in required],
        }
    try:
        refuse_generator(routine_of(function))
        return function_of(function, schema, source)
    except MissingExtraError:
        raise
    except DeclarationError as error:
        path, reason = error.path, error.reason
    except Exception as error:
        text = str(error).partition("\n")[0]
        reason = f"its arguments cannot be checked: {text}"
        path = _place(position, "")
        raise DeclarationError(reason, path=path, function=name_of(function)) from error
    raise DeclarationError(reason, path=_place(position, path), function=name_of(function))


def _place(position: int, path: str) -> str:
    dot = "" if not path or path.startswith("[") else "."
    return f"functions[{position}]{dot}{path}"
