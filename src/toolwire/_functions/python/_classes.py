"""Classes whose fields are parameters: pydantic models, dataclasses and TypedDicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from toolwire._functions._document import read
from toolwire._functions._source import Source
from toolwire._functions.python._models import schema_of

if TYPE_CHECKING:
    from toolwire._functions._keywords import Node
    from toolwire._functions._report import Report


def read_class(source: type, report: Report) -> Source:
    """Reads a pydantic model, a dataclass or a TypedDict: its fields are the parameters.

    Raises:
        DeclarationError: If it cannot be described.
        MissingExtraError: If the extra is not installed.
    """
    schema = cast("Node", read(schema_of(source, report)))
    text = schema.pop("description", "") or _own_node(schema).pop("description", "")
    return Source(source.__name__, str(text), schema, owns_titles=True)


def _own_node(schema: Node) -> Node:
    """Returns the schema of the type itself, which stands among the definitions if recursive."""
    ref = schema.get("$ref")
    definitions = schema.get("$defs")
    if isinstance(ref, str) and isinstance(definitions, dict):
        found = definitions.get(ref.rpartition("/")[2])
        if isinstance(found, dict):
            return found
    return schema
