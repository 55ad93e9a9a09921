"""Guesses of what JSON is, where nobody says it: which message, or a tool of others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from toolwire import JsonError
from toolwire._apis import api_of, find_api
from toolwire._json._kinds import is_list, is_object

if TYPE_CHECKING:
    from collections.abc import Sequence

    from google.protobuf.message import Message

# Where several know as many keys, the first one is meant.
_NAMES = (
    "Tool",
    "FunctionDeclaration",
    "TemplateFunction",
    "Content",
    "Part",
    "GenerateContentRequest",
    "GenerateContentResponse",
    "Schema",
)


def guess_message(data: bytes, api: str = "v1") -> type[Message]:
    """Returns the class of an API that knows most of the keys in a JSON object.

    Args:
        data: The JSON.
        api: Name of the API.

    Raises:
        JsonError: If it is a tool as others write it, or a list of these.
    """
    found = _parsed(data)
    cls = _nearest(found, api)
    if _is_of_others(found, cls):
        raise JsonError(
            "this is a tool as MCP, OpenAI or Anthropic write it, and no message: "
            "toolwire declare makes one of it"
        )
    return cls


def looks_like(data: bytes, cls: type[Message]) -> str:
    """Returns the name of a message that knows more keys of an object than a class; else ``""``."""
    api = api_of(cls.DESCRIPTOR.file.package)
    found = _parsed(data)
    other = _nearest(found, api.name if api is not None else "v1")
    is_better = _known(found, other) > _known(found, cls)
    return other.DESCRIPTOR.name if is_better else ""


def listed(given: object) -> Sequence[object] | None:
    """Returns the tools in a list, or in what MCP answers to whoever asks for them; else None."""
    if is_object(given) and is_object(given.get("result")):  # as JSON-RPC has it on the wire
        given = given["result"]
    if is_object(given) and is_list(given.get("tools")):
        given = given["tools"]
    return given if is_list(given) else None


def is_tool_of_others(item: object) -> bool:
    """Tells a tool as MCP, OpenAI and Anthropic write it from a message of the API's."""
    if not is_object(item):
        return hasattr(item, "inputSchema")
    return item.get("type") == "function" or not {"inputSchema", "input_schema"}.isdisjoint(item)


def _is_of_others(found: object, cls: type[Message]) -> bool:
    """Tells whether JSON that is nearest to a class of messages is a tool of others, or several."""
    tools = listed(found) if _known(found, cls) <= 1 else None  # a request has tools, too
    first = next(iter(tools), None) if tools else found
    return is_object(first) and is_tool_of_others(first) and not set(first) <= _spellings(cls)


def _nearest(found: object, api: str) -> type[Message]:
    module = find_api(api).load()
    classes = [cast("type[Message]", vars(module)[name]) for name in _NAMES if name in vars(module)]
    return max(classes, key=lambda cls: _known(found, cls))


def _known(found: object, cls: type[Message]) -> int:
    """Returns how many keys of an object a message knows."""
    return len(set(found) & _spellings(cls)) if is_object(found) else 0


def _parsed(data: bytes) -> object:
    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError):  # whoever reads it says what is wrong
        return None
    return found


def _spellings(cls: type[Message]) -> set[str]:
    return {name for field in cls.DESCRIPTOR.fields for name in (field.name, field.json_name)}
