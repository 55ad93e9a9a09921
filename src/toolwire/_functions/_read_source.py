"""Whatever can be declared, read as JSON Schema."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING, Any, cast

from toolwire._errors import DeclarationError
from toolwire._functions._document import read
from toolwire._functions._keywords import TYPES
from toolwire._functions._report import SHOWN, fault, guarded, mistyped
from toolwire._functions._source import Source
from toolwire._functions._to_json_schema import to_json_schema
from toolwire._functions.python._typed_dicts import is_typed_dict
from toolwire._functions.schema._refs import name_of as name_of_ref
from toolwire._functions.schema._refs import opened, reference_of
from toolwire._json import near
from toolwire._json._kinds import is_object
from toolwire._messages import as_message
from toolwire._paths import quote
from toolwire._words import with_article

if TYPE_CHECKING:
    from collections.abc import Mapping

    from google.protobuf.message import Message

    from toolwire._functions._keywords import Json, Node
    from toolwire._functions._report import Report
    from toolwire._paths import Path

# Where a tool has its schemas: that of MCP, of Anthropic, of OpenAI, or a declaration as JSON.
_MCP = ("inputSchema", "input_schema")
_INPUT = (*_MCP, "parameters", "parametersJsonSchema", "parameters_json_schema")
_MCP_OUTPUT = ("outputSchema", "output_schema")
_OUTPUT = (*_MCP_OUTPUT, "response", "responseJsonSchema", "response_json_schema")
_BARE = {"name", "description", "type", "strict"}  # of a function that takes nothing
_OF_SCHEMAS = {"properties", "$ref"}
_EXPECTED = (
    "a function, a pydantic model, a dataclass, a TypedDict, a JSON Schema or a tool as "
    "MCP, OpenAI or Anthropic write it"
)

BESIDE = "which stands beside the Tool of the functions and not in it"
"""Where a Tool belongs that was given for a function."""


def read_source(
    source: object, report: Report, *, as_json_schema: bool = False, response: bool = False
) -> Source:
    """Reads a callable, a type, a JSON Schema, or a tool of others.

    Args:
        source: Any of these.
        report: Collects what gets lost.
        as_json_schema: Reads a Schema message as JSON Schema.
        response: Reads what a callable returns, too.

    Raises:
        DeclarationError: If it is nothing of the kind, or cannot be converted.
        MissingExtraError: If it takes a package of the extra that is not installed.
    """
    with guarded():
        return _read_any(source, report, as_json_schema=as_json_schema, response=response)


def name_of(source: object) -> str:
    """Returns the name of what cannot be declared, for an error; empty where none can be told."""
    try:
        message = as_message(source)
        if message is not None:
            found = getattr(message, "name", None)
        elif is_object(source):
            inner = source.get("function", source)
            found = inner.get("name", inner.get("title")) if is_object(inner) else None
        else:
            while isinstance(source, functools.partial):
                source = cast("functools.partial[object]", source).func
            kind = type(source).__name__ if callable(source) else None
            found = getattr(source, "__name__", getattr(source, "name", kind))
    except Exception:  # noqa: BLE001 - of somebody else's code
        return ""
    return found if isinstance(found, str) else ""


def _read_any(source: object, report: Report, *, as_json_schema: bool, response: bool) -> Source:
    message = as_message(source)
    if message is not None:
        return _read_message(message, as_json_schema=as_json_schema)
    if is_object(source):
        return _read_object(source)
    if not isinstance(source, type) and any(hasattr(source, name) for name in _MCP):
        names = ("name", "description", *_MCP, *_MCP_OUTPUT)
        return _read_tool({name: getattr(source, name, None) for name in names})
    from toolwire._functions.python import _classes, _signatures  # noqa: PLC0415 - load inspect

    if isinstance(source, type) and _is_described_type(source):
        return _classes.read_class(source, report)
    if isinstance(source, type):
        raise DeclarationError(
            f"the class {source.__name__} has no declared fields: expected {_EXPECTED}"
        )
    if callable(source):
        return _signatures.read_callable(source, report, response=response)
    raise mistyped(_EXPECTED, source)


def _read_message(message: Message, *, as_json_schema: bool) -> Source:
    kind = message.DESCRIPTOR.name
    if kind == "Schema" and as_json_schema:
        return _read_schema(to_json_schema(message))
    if kind in {"Schema", "Struct", "Value"}:
        return _read_schema(read(message))
    if kind == "Tool":
        raise DeclarationError(f"found a Tool, {BESIDE}")
    found = f"found {with_article(message.DESCRIPTOR.full_name)}"
    if kind in {"FunctionDeclaration", "TemplateFunction"}:
        raise DeclarationError(
            f"{found}, which is a declaration: functions.tool takes those of its api as they are, "
            "toolwire.convert makes one API's another's"
        )
    raise DeclarationError(f"expected the Schema of the parameters, {found}")


def _read_object(source: Mapping[Any, object]) -> Source:
    function = source.get("function")
    if source.get("type", "function") == "function":
        if is_object(function):
            return _read_tool(function, (None, "function"))
        is_bare = "name" in source and source.keys() <= _BARE
        is_schema = bool(_OF_SCHEMAS & source.keys())
        if is_bare or (not is_schema and any(name in source for name in _INPUT)):
            return _read_tool(source)
    if any(name in source for name in _MCP):
        return _read_tool(source)
    schema = read(source)
    if isinstance(schema, dict) and _is_hosted(schema):
        reason = "is no type: a tool that OpenAI or Anthropic has ready is no function"
        raise fault(f"{quote(str(schema['type']), longest=SHOWN)} {reason}", (None, "type"))
    return _read_schema(schema)


def _is_hosted(schema: Node) -> bool:
    """Tells whether what was given for a schema is such a tool, as ``{"type": "web_search"}``."""
    kind = schema.get("type")
    if not isinstance(kind, str) or _OF_SCHEMAS & schema.keys():
        return False
    return kind.lower() not in {*TYPES, "", "type_unspecified", "function"} and not near(
        kind, TYPES
    )


def _read_schema(schema: Json) -> Source:
    """Reads the schema of the parameters: what it says of itself is said of the function.

    One that is nothing but a reference has the name of what it refers to: its title, else that
    of the definition.
    """
    said = opened(schema)
    refs = map(reference_of, said)
    names = [
        *(each.get("title") for each in said),
        *(name_of_ref(ref) for ref in refs if ref.strip("#")),
    ]
    texts = (each.get("description") for each in said)
    name = next(filter(_is_name, names), "")
    return Source(str(name), next((each for each in texts if isinstance(each, str)), ""), schema)


def _is_name(title: Json) -> bool:
    return isinstance(title, str) and title.isascii() and title.isidentifier()


def _is_described_type(source: type) -> bool:
    """Tells whether a class declares the names and types of its fields."""
    is_model = hasattr(source, "__pydantic_core_schema__")
    return is_model or is_typed_dict(source) or dataclasses.is_dataclass(source)


def _read_tool(tool: Mapping[Any, object], at: Path = None) -> Source:
    """Reads a tool that has a name, a description and schemas."""
    parts: list[tuple[Json, Path]] = []
    for names in (_INPUT, _OUTPUT):
        name = next((name for name in names if tool.get(name) is not None), names[0])
        parts.append((read(tool.get(name), (at, name)), (at, name)))
    texts: list[str] = []
    for key in ("name", "description"):
        value = tool.get(key)
        if value is not None and not isinstance(value, str):
            raise mistyped("text", value, (at, key))
        texts.append(value or "")
    (parameters, parameters_at), (response, response_at) = parts
    return Source(
        texts[0],
        texts[1],
        parameters,
        response,
        parameters_at=parameters_at,
        response_at=response_at,
    )
