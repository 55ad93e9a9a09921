"""Whatever can be declared, read as JSON Schema."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolwire._errors import DeclarationError
from toolwire._functions._back import to_json_schema
from toolwire._functions._document import read
from toolwire._functions._report import fault
from toolwire._functions._typed_dicts import is_typed_dict
from toolwire._json._kinds import is_object
from toolwire._messages import as_message

if TYPE_CHECKING:
    from collections.abc import Mapping

    from google.protobuf.message import Message

    from toolwire._functions._keywords import Json
    from toolwire._functions._report import Report
    from toolwire._paths import Path

_INPUT = ("inputSchema", "input_schema")
_OUTPUT = ("outputSchema", "output_schema")


@dataclass(frozen=True, slots=True)
class Source:
    """What was handed over.

    Attributes:
        name: The name it has by itself; empty if it has none.
        description: What it says of itself.
        parameters: JSON Schema of the parameters; None for none.
        response: JSON Schema of the result; None if it is not told.
        owns_titles: Whether every title in it is the user's own.
        parameters_at: Where the parameters stand in what was handed over.
        response_at: Likewise the result.
    """

    name: str
    description: str
    parameters: Json
    response: Json = None
    owns_titles: bool = False
    parameters_at: Path = None
    response_at: Path = None


def read_source(source: object, report: Report, *, as_json_schema: bool = False) -> Source:
    """Reads a callable, a type, a JSON Schema, or an MCP tool.

    Raises:
        DeclarationError: If it is nothing of the kind, or cannot be converted.
        MissingExtraError: If it takes a package of the extra that is not installed.
    """
    message = as_message(source)
    if message is not None:
        return _read_message(message, as_json_schema=as_json_schema)
    if is_object(source):
        return _read_object(source)
    if not isinstance(source, type) and any(hasattr(source, name) for name in _INPUT):
        names = ("name", "description", *_INPUT, *_OUTPUT)
        return _read_tool({name: getattr(source, name, None) for name in names})
    from toolwire._functions import _python  # noqa: PLC0415 - loads inspect and more

    if isinstance(source, type) and is_described_type(source):
        return _python.read_type(source, report)
    if isinstance(source, type):
        raise DeclarationError(
            f"the class {source.__name__} has no declared fields: expected a function, a pydantic "
            "model, a dataclass, a TypedDict, a JSON Schema or an MCP tool"
        )
    if callable(source):
        return _python.read_callable(source, report)
    raise DeclarationError(
        "expected a function, a pydantic model, a dataclass, a TypedDict, a JSON Schema or an MCP "
        f"tool, found a {type(source).__name__}"
    )


def _read_message(message: Message, *, as_json_schema: bool) -> Source:
    kind = message.DESCRIPTOR.name
    if kind == "Schema" and as_json_schema:
        return Source("", "", to_json_schema(message))
    if kind in {"Schema", "Struct", "Value"}:
        return Source("", "", read(message))
    raise DeclarationError(
        f"expected the Schema of the parameters, found a {kind}: convert() makes one API's "
        "message another's"
    )


def _read_object(source: Mapping[Any, object]) -> Source:
    is_schema = bool({"type", "properties", "$ref"} & source.keys())
    if not is_schema and any(is_object(source.get(name)) for name in ("parameters", "function")):
        raise DeclarationError(
            "expected a JSON Schema or an MCP tool, found a declaration: give its parameters, "
            "with name= and description="
        )
    if any(name in source for name in _INPUT):
        return _read_tool({str(name): value for name, value in source.items()})
    return Source("", "", read(source))


def is_described_type(source: type) -> bool:
    """Tells whether a class declares the names and types of its fields."""
    is_model = hasattr(source, "__pydantic_core_schema__")
    return is_model or is_typed_dict(source) or dataclasses.is_dataclass(source)


def _read_tool(tool: Mapping[str, object]) -> Source:
    """Reads an MCP tool."""
    parts: list[tuple[Json, Path]] = []
    for names in (_INPUT, _OUTPUT):
        name = next((name for name in names if tool.get(name) is not None), names[0])
        parts.append((read(tool.get(name), (None, name)), (None, name)))
    texts: list[str] = []
    for key in ("name", "description"):
        value = tool.get(key)
        if value is not None and not isinstance(value, str):
            raise fault(f"expected text, found a {type(value).__name__}", (None, key))
        texts.append(value or "")
    (parameters, at), (response, response_at) = parts
    return Source(
        texts[0],
        texts[1],
        parameters,
        response,
        parameters_at=at,
        response_at=response_at,
    )
