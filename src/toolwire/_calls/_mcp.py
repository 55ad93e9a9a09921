"""What an MCP server answered (a ``CallToolResult``), as a function's result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._calls._result import ToolError
from toolwire._calls._schema_types import as_list, as_node

if TYPE_CHECKING:
    from toolwire._calls._schema_types import Node

_NEEDED = {"content", "isError"}  # only MCP has both
_KNOWN = {*_NEEDED, "structuredContent", "_meta", "meta"}


def opened(result: object) -> object:
    """Returns what a tool of an MCP server answered: structured content, else text.

    Args:
        result: Plain JSON. Anything else than such an answer comes back as it is.

    Returns:
        The structured content where there is some, else the text. Where there is more, such as an
        image, a list of that and the others, without their fields that are null.

    Raises:
        ToolError: If the answer says that the tool has failed.
    """
    told = _told(as_node(result))
    content = [as_node(item) for item in as_list(told.get("content"))]
    is_mcp = _NEEDED <= told.keys() <= _KNOWN and isinstance(told["content"], list)
    if not (is_mcp and isinstance(told["isError"], bool) and all(map(_is_item, content))):
        return result
    texts = [str(item["text"]) for item in content if item["type"] == "text"]
    others = [_told(item) for item in content if item["type"] != "text"]
    if told["isError"]:
        raise ToolError("ToolFailed", "\n".join(texts) or "the tool gave no reason in words")
    said = told.get("structuredContent", "\n".join(texts))
    return [*([said] if said else []), *others] if others else said


def _is_item(item: Node) -> bool:
    kind = item.get("type")
    return isinstance(item.get("text") if kind == "text" else kind, str)


def _told(node: Node) -> Node:
    return {name: value for name, value in node.items() if value is not None}
