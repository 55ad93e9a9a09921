"""The tools of a request out of what stands for them: messages, Python functions, toolboxes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard, cast

from toolwire._apis import api_of
from toolwire._client.requests._copies import describe, is_dict, is_single, to_message
from toolwire._errors import DeclarationError, JsonError, UsageError
from toolwire._messages import as_message, attribute

if TYPE_CHECKING:
    from collections.abc import Sequence

    from google.protobuf.message import Message

    from toolwire._calls import Toolbox
    from toolwire._calls._declared import Item

_PAIR = 2  # a declaration and its function


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


def read_tools(
    cls: type[Message], value: object, path: str, first: Sequence[Message] = (), **options: Any
) -> Tools:
    """Reads tools.

    Args:
        cls: The class of a tool.
        value: Several of them: messages, dicts, toolboxes, and Python functions, each by itself or
            paired with what declares it.
        path: Where they stand in the request, for errors.
        first: Ready ones that go ahead of these.
        **options: Options of the toolbox for the Python functions.

    Raises:
        JsonError: If something is no tool, or does not fit.
        UsageError: If two functions have one name, or an option is out of range.
        DeclarationError: If a function cannot be declared.
    """
    if is_single(value) or not isinstance(value, Iterable):
        hint = "; put it into one" if is_single(value) or _is_code(value) else ""
        raise JsonError(f"expected a list, found {describe(value)}{hint}", path=path)
    messages: dict[int, Message] = {}
    code: dict[int, object] = {}
    place = 0
    for index, item in enumerate((*first, *cast("Iterable[object]", value)), -len(first)):
        if as_message(item) is not None or is_dict(item) or not _is_code(item):
            messages[index] = to_message(cls, item, f"{path}[{index}]")
        elif not any(item is each or item == each for each in code.values()):
            place = place if code else len(messages)
            code[index] = item
    if not code:
        return Tools([*messages.values()], [])
    boxes, names = _boxes(cls, code, path, options)
    declared = cls()
    for box in boxes:
        declared.MergeFrom(box.tool)
    others = {i: each for i, each in messages.items() if all(each != box.tool for box in boxes)}
    names += [(name, index) for index, each in others.items() for name in declared_names([each])]
    _check_names(names, path, len(first))
    tools = [*others.values()]
    tools.insert(min(place, len(tools)), declared)
    return Tools(tools, boxes)


def _is_code(item: object) -> bool:
    """Tells a function, paired or not, or a toolbox, from what can only be a message."""
    return _is_function(item) or as_message(attribute(item, "tool")) is not None


def _is_function(item: object) -> TypeGuard[Item]:
    if isinstance(item, tuple):
        pair = cast("tuple[object, ...]", item)
        item = pair[1] if len(pair) == _PAIR else None
    return callable(item) and not isinstance(item, type)


def _is_box(item: object) -> TypeGuard[Toolbox[Any]]:
    from toolwire._calls import Toolbox  # noqa: PLC0415 - most clients need none

    return isinstance(item, Toolbox)


def _boxes(
    cls: type[Message], code: dict[int, object], path: str, options: dict[str, Any]
) -> tuple[list[Toolbox[Any]], list[tuple[str, int]]]:
    """Returns the toolboxes, and which function stands where."""
    from toolwire._calls import Toolbox  # noqa: PLC0415 - most clients need none

    boxes: list[Toolbox[Any]] = []
    names: list[tuple[str, int]] = []
    functions: dict[int, Item] = {}
    for index, item in code.items():
        if _is_box(item):
            _check_api(cls, item.tool, f"{path}[{index}]")
            boxes.append(item)
            names += [(name, index) for name in item.group.entries]
        elif _is_function(item):
            functions[index] = item
        else:
            raise JsonError(f"expected a tool, found {describe(item)}", path=f"{path}[{index}]")
    if functions:
        make: Any = Toolbox
        places = [f"{path}[{index}]" for index in functions]
        try:
            box = make(functions.values(), api=_api_name(cls), **options)
        except DeclarationError as error:
            inner, reason = _moved(error.path, places), error.reason
            rest: dict[str, Any] = {"changes": error.changes, "function": error.function}
            raise DeclarationError(reason, path=inner, **rest) from None
        except UsageError as error:
            raise UsageError(_moved(str(error), places)) from None
        boxes.append(box)
        names += zip(box.group.entries, functions, strict=True)
    return boxes, names


def _moved(text: str, places: Sequence[str]) -> str:
    """Returns what a toolbox says of its functions, as they stand among the tools."""
    return re.sub(r"functions\[(\d+)\]", lambda at: places[int(at[1])], text)


def _api_name(cls: type[Message]) -> str:
    api = api_of(cls.DESCRIPTOR.file.package)
    return api.name if api else "v1"


def _check_api(cls: type[Message], tool: Message, path: str) -> None:
    if not isinstance(tool, cls):
        wanted = cls.DESCRIPTOR.full_name
        hint = f"; make the box with Toolbox(..., api={_api_name(cls)!r})"
        reason = f"expected a Toolbox with a {wanted}, found one with {describe(tool)}{hint}"
        raise JsonError(reason, path=path)


def _check_names(names: Iterable[tuple[str, int]], path: str, ahead: int) -> None:
    seen: dict[str, int] = {}
    for name, index in sorted(names, key=itemgetter(1)):
        if name in seen:
            places = dict.fromkeys(
                f"{path}[{each}]" if each >= 0 else f"the request's {path}[{each + ahead}]"
                for each in (seen[name], index)
            )
            raise UsageError(f"{path}: {name!r} is declared twice, by {' and '.join(places)}")
        seen[name] = index


def declared_names(tools: Iterable[Message]) -> list[str]:
    """Returns the names of all functions that tools declare."""
    found: Iterable[Any] = tools
    return [each.name for tool in found for each in tool.function_declarations]
