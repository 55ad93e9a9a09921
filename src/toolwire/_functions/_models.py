"""JSON Schema of Python types, by pydantic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from toolwire._errors import DeclarationError
from toolwire._functions._extras import require
from toolwire._functions._refs import is_name_of
from toolwire._functions._typed_dicts import readable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import TypeAdapter
    from pydantic.json_schema import GenerateJsonSchema

    from toolwire._functions._keywords import Node
    from toolwire._functions._report import Report


class Schemas(NamedTuple):
    """Schemas of several types.

    Attributes:
        by_name: Each schema.
        definitions: What they refer to, as ``#/$defs/...``.
    """

    by_name: Mapping[str, Node]
    definitions: Node


def schema_of(kind: object, report: Report) -> Node:
    """Returns the JSON Schema of a type.

    Raises:
        DeclarationError: If pydantic has no schema for it.
        MissingExtraError: If pydantic is not installed.
    """
    adapter = adapter_of(kind)
    with _Reading(""):
        found: Node = adapter.json_schema(schema_generator=_generator(report))
    _take_out_titles({str(getattr(kind, "__name__", "")): found})
    _take_out_titles(cast("dict[str, Any]", found.get("$defs", {})))
    return found


def schemas_of(kinds: Mapping[str, object], report: Report) -> Schemas:
    """Returns the JSON Schemas of types, by name.

    Raises:
        DeclarationError: If pydantic has no schema for one of them.
        MissingExtraError: If pydantic is not installed.
    """
    pydantic = require("pydantic")
    inputs: list[Any] = [
        (name, "validation", adapter_of(kind, name)) for name, kind in kinds.items()
    ]
    with _Reading(""):
        generator = _generator(report)
        found, rest = pydantic.TypeAdapter.json_schemas(inputs, schema_generator=generator)
    definitions: Node = rest.get("$defs", {})
    _take_out_titles(cast("dict[str, Any]", definitions))
    return Schemas({name: found[name, mode] for name, mode, _ in inputs}, definitions)


def adapter_of(kind: object, name: str = "") -> TypeAdapter[Any]:
    """Returns what checks and describes values of a type.

    Args:
        kind: The type.
        name: The parameter that has it, for the path of an error.

    Raises:
        DeclarationError: If pydantic cannot handle it.
        MissingExtraError: If pydantic is not installed.
    """
    pydantic = require("pydantic")
    with _Reading(name):
        adapter: TypeAdapter[Any] = pydantic.TypeAdapter(readable(kind))
    return adapter


def _generator(report: Report) -> type[GenerateJsonSchema]:
    """Returns a generator that makes up no titles, and reports where it would warn."""
    from pydantic.json_schema import GenerateJsonSchema  # noqa: PLC0415 - an extra

    class Generator(GenerateJsonSchema):
        def emit_warning(self, kind: str, detail: str) -> None:
            report.dropped(None, f"pydantic says: {detail} ({kind})")

        def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
            return False

    return Generator


def _take_out_titles(nodes: Mapping[str, Any]) -> None:
    """Takes out the titles that are the names of the classes."""
    for name, node in nodes.items():
        if is_name_of(node.get("title"), name):
            del node["title"]


class _Reading:
    """Turns whatever pydantic raises over a type into our error."""

    def __init__(self, name: str) -> None:
        self._path = f'properties["{name}"]' if name else ""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception):
            text = str(error).partition("\n")[0] or type(error).__name__
            raise DeclarationError(
                f"pydantic cannot describe it: {text}", path=self._path
            ) from error
