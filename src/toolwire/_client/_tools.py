"""The tools of a request out of what stands for them: messages, Python functions, toolboxes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard, cast

from toolwire._apis import api_of
from toolwire._client._copies import describe, is_dict, is_single, to_message
from toolwire._errors import DeclarationError, JsonError, UsageError
from toolwire._messages import as_message

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._calls import Toolbox


class Tools(NamedTuple):
    """The tools of a request.

    Attributes:
        messages: The tools as they are sent. Python functions and toolboxes make up one of them,
            where the first of these stands.
        boxes: The functions that can be run.
    """

    messages: list[Message]
    boxes: list[Toolbox[Any]]


def to_tools(cls: type[Message], value: object, *, path: str) -> list[Message]:
    """Returns the tools of a request that runs nothing.

    Raises:
        JsonError: If something is no tool, or does not fit.
        UsageError: If two functions have one name.
        DeclarationError: If a function cannot be declared.
    """
    return read_tools(cls, value, path).messages


def read_tools(cls: type[Message], value: object, path: str, **options: Any) -> Tools:
    """Reads tools.

    Args:
        cls: The class of a tool.
        value: Several of them: messages, dicts, Python functions, toolboxes.
        path: Where they stand in the request, for errors.
        **options: Options of the toolbox for the Python functions.

    Raises:
        JsonError: If something is no tool, or does not fit.
        UsageError: If two functions have one name, or an option is out of range.
        DeclarationError: If a function cannot be declared.
    """
    if is_single(value) or not isinstance(value, Iterable):
        hint = "; put it into one" if is_single(value) or _is_code(value) else ""
        raise JsonError(f"expected a list, found {describe(value)}{hint}", path=path)
    messages: list[Message] = []
    code: dict[int, object] = {}
    place = 0
    for index, item in enumerate(cast("Iterable[object]", value)):
        if as_message(item) is not None or is_dict(item) or not _is_code(item):
            messages.append(to_message(cls, item, f"{path}[{index}]"))
        elif not any(item is each or item == each for each in code.values()):
            place = place if code else len(messages)
            code[index] = item
    if not code:
        return Tools(messages, [])
    boxes = _boxes(cls, code, path, options)
    declared = cls()
    for box in boxes:
        declared.MergeFrom(box.tool)
    messages = [each for each in messages if all(each != box.tool for box in boxes)]
    messages.insert(min(place, len(messages)), declared)
    _check_names(messages, path)
    return Tools(messages, boxes)


def _is_code(item: object) -> bool:
    """Tells a function, or a toolbox, from what can only be a message."""
    is_function = callable(item) and not isinstance(item, type)
    return is_function or as_message(getattr(item, "tool", None)) is not None


def _is_box(item: object) -> TypeGuard[Toolbox[Any]]:
    from toolwire._calls import Toolbox  # noqa: PLC0415 - most clients need none

    return isinstance(item, Toolbox)


def _boxes(
    cls: type[Message], code: dict[int, object], path: str, options: dict[str, Any]
) -> list[Toolbox[Any]]:
    from toolwire._calls import Toolbox  # noqa: PLC0415 - most clients need none

    boxes: list[Toolbox[Any]] = []
    functions: dict[int, Callable[..., object]] = {}
    for index, item in code.items():
        if _is_box(item):
            to_message(cls, item.tool, f"{path}[{index}]")  # else of another API
            boxes.append(item)
        elif callable(item):
            functions[index] = item
        else:
            raise JsonError(f"expected a tool, found {describe(item)}", path=f"{path}[{index}]")
    if functions:
        api = api_of(cls.DESCRIPTOR.file.package)
        make: Any = Toolbox
        try:
            boxes.append(make(functions.values(), api=api.name if api else "v1", **options))
        except DeclarationError as error:
            reason, inner, changes = error.reason, error.path, error.changes
        else:
            return boxes
        places = [f"{path}[{index}]" for index in functions]
        head, _, tail = inner.removeprefix("functions[").partition("]")
        raise DeclarationError(reason, path=f"{places[int(head)]}{tail}", changes=changes)
    return boxes


def _check_names(tools: list[Message], path: str) -> None:
    seen: set[str] = set()
    for name in declared_names(tools):
        if name in seen:
            raise UsageError(f"{path}: {name!r} is declared twice")
        seen.add(name)


def declared_names(tools: Iterable[Message]) -> list[str]:
    """Returns the names of all functions that tools declare."""
    found: Iterable[Any] = tools
    return [each.name for tool in found for each in tool.function_declarations]
