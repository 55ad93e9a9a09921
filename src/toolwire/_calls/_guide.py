"""What a declared schema says about numbers: JSON has one kind of them, Python has two.

A place may have several schemas, the branches of a union; they are plain dicts, whether they were
a ``Schema`` message or a JSON Schema document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from toolwire._calls._schema_types import as_list, as_node, type_names
from toolwire._errors import DeclarationError
from toolwire._functions.schema._refs import References
from toolwire._json import to_dict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from google.protobuf.message import Message

    from toolwire._calls._schema_types import Node
    from toolwire._functions._keywords import Json

_UNIONS = ("anyOf", "oneOf", "allOf")
_MOST = 100  # branches at one place: a schema may refer to itself


class Guide:
    """The schemas of one place in the arguments of a call.

    Args:
        nodes: The schemas.
        references: Those of the whole schema.
    """

    __slots__ = ("_nodes", "_references")

    def __init__(self, nodes: Iterable[object], references: References) -> None:
        self._references = references
        self._nodes = list(self._flattened(nodes))

    def is_float(self) -> bool:
        """Tells whether a number here is a float, even one without a fraction."""
        types = {name for node in self._nodes for name in type_names(node)}
        return "number" in types and "integer" not in types

    def key(self, name: str) -> Guide:
        """Returns the guide of an entry of an object."""
        return Guide([_entry(node, name) for node in self._nodes], self._references)

    def item(self, index: int) -> Guide:
        """Returns the guide of an item of a list."""
        return Guide([_item(node, index) for node in self._nodes], self._references)

    def _flattened(self, nodes: Iterable[object]) -> Iterator[Node]:
        """Yields the schemas, and the branches and definitions they lead to, each once."""
        waiting = list(nodes)
        seen: list[Node] = []
        while waiting and len(seen) < _MOST:
            node = waiting.pop()
            if not isinstance(node, dict) or any(node is known for known in seen):
                continue
            known = cast("Node", node)
            seen.append(known)
            yield known
            for union in _UNIONS:
                waiting.extend(as_list(known.get(union)))
            waiting.append(self._definition(known))

    def _definition(self, node: Node) -> object:
        ref = node.get("$ref", node.get("ref"))
        try:
            return self._references.look_up(ref, None) if isinstance(ref, str) else None
        except DeclarationError:  # of a schema that was declared as it is
            return None


def guide_of(declaration: Message) -> Guide | None:
    """Returns the guide of a function's arguments; None where no schema is declared."""
    schema = schema_of(declaration)
    return Guide([schema], References(cast("Json", schema))) if schema else None


def schema_of(declaration: Message) -> Node:
    """Returns the schema of a function's arguments, empty where none is declared."""
    fields = declaration.DESCRIPTOR.fields_by_name
    declared: Mapping[str, object] = to_dict(declaration)
    for name in ("parameters", "parameters_json_schema", "input_schema"):
        field = fields.get(name)
        schema = as_node(declared.get(field.json_name)) if field is not None else None
        if schema:
            return schema
    return {}


def _entry(node: Node, name: str) -> object:
    properties = as_node(node.get("properties"))
    return properties[name] if name in properties else node.get("additionalProperties")


def _item(node: Node, index: int) -> object:
    first = as_list(node.get("prefixItems"))
    return first[index] if index < len(first) else node.get("items")
