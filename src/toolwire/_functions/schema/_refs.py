"""References: pointers into the document, and the cycles they make."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import unquote

from toolwire._functions._report import SHOWN, fault
from toolwire._json import near
from toolwire._paths import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolwire._functions._keywords import Json, Node
    from toolwire._paths import Path

_BRACKETS = re.compile(r"[^a-zA-Z0-9.\-_]")
_MAPS = frozenset({"properties", "patternProperties", "dependentSchemas"})
_DEFINITIONS = frozenset({"$defs", "definitions", "defs", "components"})
_DATA = frozenset({"enum", "const", "default", "example", "examples"})
_ANCHORS = ("$anchor", "$dynamicAnchor", "$id")  # the last one in drafts 6 and 7, as "#name"


class References:
    """The references of one document."""

    def __init__(self, document: Json) -> None:
        self._document = document
        self._edges: dict[str, tuple[str, ...]] = {}
        self._cycles: dict[str, tuple[str, ...]] = {}
        self._root_id = _id_of(document)

    def look_up(self, ref: str, at: Path) -> Json:
        """Returns what a reference points at.

        Raises:
            DeclarationError: If it points out of the document, or at nothing in it.
        """
        pointer = ref.removeprefix(self._root_id)
        if pointer and not pointer.startswith("#"):
            raise fault(
                f"{quote(ref, longest=SHOWN)} points out of the document: "
                "only #/... and anchors are followed",
                (at, "$ref"),
            )
        if ref in self._refs_of_others:
            raise fault(
                f"{quote(ref, longest=SHOWN)} stands below an $id and counts from there: only "
                "references from the outermost schema are followed",
                (at, "$ref"),
            )
        if pointer[1:] and pointer[1] != "/":
            return self._anchor(pointer[1:], at)
        found = self._document
        for step in pointer.split("/")[1:]:
            name = unescaped(step)
            if isinstance(found, dict) and name in found:
                found = found[name]
            elif isinstance(found, list) and name.isdecimal() and int(name[:9]) < len(found):
                found = found[int(name[:9])]
            else:
                hint = near(name, found) if isinstance(found, dict) else ""
                raise fault(f"{quote(ref, longest=SHOWN)} points at nothing{hint}", (at, "$ref"))
        return found

    def _anchor(self, name: str, at: Path) -> Json:
        found = self._anchors.get(unquote(name), [])
        if len(found) == 1:
            return found[0]
        hint = near(name, self._anchors)
        reason = "names several schemas" if found else f"points at nothing{hint}"
        raise fault(f"{quote('#' + name, longest=SHOWN)} {reason}", (at, "$ref"))

    @cached_property
    def _anchors(self) -> dict[str, list[Node]]:
        """The schemas that have a name of their own, whatever their place."""
        found: dict[str, list[Node]] = {}
        for node in _nodes_in(self._document):
            for keyword in _ANCHORS:
                name = node.get(keyword)
                if isinstance(name, str) and (keyword != "$id" or name.startswith("#")):
                    found.setdefault(name.removeprefix("#"), []).append(node)
        return found

    @cached_property
    def _refs_of_others(self) -> frozenset[str]:
        """References that do not count from the outermost schema."""
        others = (node for node in _nodes_in(self._document) if node is not self._document)
        return frozenset(
            ref
            for node in others
            if _id_of(node)
            for ref in refs_in(node, _MAPS | _DEFINITIONS)
            if ref.startswith("#")
        )

    def cycle(self, ref: str, at: Path) -> tuple[str, ...]:
        """Returns the way from a reference back to itself, or nothing if there is none.

        Raises:
            DeclarationError: If a reference on the way points at nothing.
        """
        if ref not in self._cycles:
            self._cycles[ref] = self._find_cycle(ref, at)
        return self._cycles[ref]

    def _find_cycle(self, ref: str, at: Path) -> tuple[str, ...]:
        came_from: dict[str, str] = {}
        waiting = [ref]
        for here in waiting:  # grows as it is walked
            for target in self._below(here, at):
                if target == ref:
                    way = [here]
                    while way[-1] != ref:
                        way.append(came_from[way[-1]])
                    return (*reversed(way), ref)
                if target not in came_from:
                    came_from[target] = here
                    waiting.append(target)
        return ()

    def _below(self, ref: str, at: Path) -> tuple[str, ...]:
        if ref not in self._edges:
            self._edges[ref] = tuple(dict.fromkeys(refs_in(self.look_up(ref, at))))
        return self._edges[ref]


def shown_cycle(cycle: tuple[str, ...]) -> str:
    """Returns a cycle as text."""
    return " -> ".join(quote(name_of(ref), longest=SHOWN) for ref in cycle)


def name_of(ref: str) -> str:
    """Returns the name that a reference's target goes by among the definitions."""
    return unescaped(ref.rpartition("/")[2]).strip("#") or "root"


def is_name_of(title: Json, name: str) -> bool:
    """Tells whether a title is a definition's name, which pydantic writes without brackets."""
    return isinstance(title, str) and name in {title, _BRACKETS.sub("_", title)}


def unescaped(step: str) -> str:
    """Returns what a step of a JSON pointer in a reference stands for (RFC 6901, section 6)."""
    return unquote(step).replace("~1", "/").replace("~0", "~")


def _id_of(schema: Json) -> str:
    """Returns the address a schema gives itself, from which references below it count."""
    found = schema.get("$id") if isinstance(schema, dict) else None
    return found.removesuffix("#") if isinstance(found, str) and found[:1] != "#" else ""


def refs_in(schema: Json, maps: frozenset[str] = _MAPS) -> Iterator[str]:
    """Yields the references in a schema, those in its definitions left out."""
    for node in _nodes_in(schema, maps):
        yield from (ref for name in ("$ref", "ref") if isinstance(ref := node.get(name), str))


def _nodes_in(schema: Json, maps: frozenset[str] = _MAPS | _DEFINITIONS) -> Iterator[Node]:
    """Yields a schema and the schemas in it.

    Args:
        schema: The schema.
        maps: Keywords whose names are the user's own.
    """
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, dict):
            continue
        yield node
        for name, value in node.items():
            if name in maps and isinstance(value, dict):
                waiting.extend(value.values())
            elif isinstance(value, list) and name not in _DATA:
                waiting.extend(value)
            elif name not in _DATA and name not in _DEFINITIONS:
                waiting.append(value)
