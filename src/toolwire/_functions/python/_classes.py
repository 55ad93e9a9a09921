"""Classes whose fields are parameters: pydantic models, dataclasses and TypedDicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from toolwire._functions._document import read
from toolwire._functions._source import Source
from toolwire._functions.python._models import schema_of
from toolwire._functions.schema._refs import opened

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
    nodes = opened(schema)  # that of a class which contains itself stands among the definitions
    texts = [node.pop("description", "") for node in nodes]
    return Source(source.__name__, str(next(filter(None, texts), "")), schema, owns_titles=True)
