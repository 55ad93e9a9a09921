"""References: pointers into the document, and the cycles they make."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from toolwire._functions._report import SHOWN, fault
from toolwire._json import near
from toolwire._paths import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolwire._functions._keywords import Json
    from toolwire._paths import Path

_BRACKETS = re.compile(r"[^a-zA-Z0-9.\-_]")
_MAPS = frozenset({"properties", "patternProperties", "dependentSchemas"})
_DEFINITIONS = frozenset({"$defs", "definitions", "defs"})
_DATA = frozenset({"enum", "const", "default", "example", "examples"})


class References:
    """The references of one document."""

    def __init__(self, document: Json) -> None:
        self._document = document
        self._edges: dict[str, tuple[str, ...]] = {}
        self._cycles: dict[str, tuple[str, ...]] = {}

    def look_up(self, ref: str, at: Path) -> Json:
        """Returns what a reference points at.

        Raises:
            DeclarationError: If it points out of the document, or at nothing in it.
        """
        if ref != "#" and not ref.startswith("#/"):
            raise fault(
                f"{quote(ref, longest=SHOWN)} points out of the document: only #/... is followed",
                (at, "$ref"),
            )
        found = self._document
        for step in ref.split("/")[1:]:
            name = _unescaped(step)
            if isinstance(found, dict) and name in found:
                found = found[name]
            elif isinstance(found, list) and name.isdecimal() and int(name[:9]) < len(found):
                found = found[int(name[:9])]
            else:
                hint = near(name, found) if isinstance(found, dict) else ""
                raise fault(f"{quote(ref, longest=SHOWN)} points at nothing{hint}", (at, "$ref"))
        return found

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
            self._edges[ref] = tuple(dict.fromkeys(_refs_in(self.look_up(ref, at))))
        return self._edges[ref]


def shown_cycle(cycle: tuple[str, ...]) -> str:
    """Returns a cycle as text."""
    return " -> ".join(quote(name_of(ref), longest=SHOWN) for ref in cycle)


def name_of(ref: str) -> str:
    """Returns the name that a reference's target goes by among the definitions."""
    return _unescaped(ref.rpartition("/")[2]).strip("#") or "root"


def is_name_of(title: Json, name: str) -> bool:
    """Tells whether a title is a definition's name, which pydantic writes without brackets."""
    return isinstance(title, str) and name in {title, _BRACKETS.sub("_", title)}


def _unescaped(step: str) -> str:
    return unquote(step).replace("~1", "/").replace("~0", "~")


def _refs_in(schema: Json) -> Iterator[str]:
    """Yields the references in a schema, those in its definitions left out."""
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, dict):
            continue
        for name, value in node.items():
            if name in {"$ref", "ref"} and isinstance(value, str):
                yield value
            elif name in _MAPS and isinstance(value, dict):
                waiting.extend(value.values())
            elif isinstance(value, list) and name not in _DATA:
                waiting.extend(value)
            elif name not in _DATA and name not in _DEFINITIONS:
                waiting.append(value)
