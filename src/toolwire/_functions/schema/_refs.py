"""References: pointers into the document, and the cycles they make."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin

from toolwire._errors import DeclarationError
from toolwire._functions._keywords import ANNOTATIONS, canonical
from toolwire._functions._report import SHOWN, fault
from toolwire._json import near
from toolwire._paths import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolwire._functions._keywords import Json, Node
    from toolwire._paths import Path

_MAPS = frozenset({"properties", "patternProperties", "dependentSchemas"})
_DEFINITIONS = frozenset({"$defs", "definitions", "defs", "components"})
_DATA = frozenset({"enum", "const", "default", "example", "examples"})
_IDS = ("$id", "id")  # the latter in draft 4
_ANCHORS = ("$anchor", "$dynamicAnchor", *_IDS)  # the last ones as "#name"
_AMBIGUOUS = "names several schemas: point at one of them with #/..."


class References:
    """The references of one document, which count from its outermost schema."""

    def __init__(self, document: Json) -> None:
        self._document = document
        self._edges: dict[str, tuple[str, ...]] = {}
        self._cycles: dict[str, tuple[str, ...]] = {}
        self._anchors: dict[str, dict[str, list[Node]]] = {}  # by the address of a resource
        given = _id_of(document)
        self._root = _joined(given, given)  # as every other address is written
        said = document.get("$schema") if isinstance(document, dict) else None
        self._is_draft_4 = isinstance(said, str) and "draft-04" in said

    def look_up(self, ref: str, at: Path) -> Json:
        """Returns what a reference points at.

        Raises:
            DeclarationError: If it points out of the document, or at nothing in it.
        """
        shown = quote(ref, longest=SHOWN)
        if ref in self._refs_of_others:
            raise fault(
                f"{shown} stands below an $id and counts from there: only references from the "
                "outermost schema are followed; leave that $id out",
                (at, "$ref"),
            )
        address, _, fragment = _joined(self._root, ref).partition("#")
        resources = self._resources.get(address, [])
        if not resources:
            raise fault(
                f"{shown} points out of the document: only #/..., anchors and the $id of a schema "
                f"in it are followed{self._meant(ref)}",
                (at, "$ref"),
            )
        if len(resources) > 1 and ref[:1] != "#":  # which counts from the document itself
            raise fault(f"{shown} {_AMBIGUOUS}", (at, "$ref"))
        if fragment and fragment[0] != "/":
            return self._anchor(unquote(fragment), address, ref, at)
        found = resources[0]
        for step in fragment.split("/")[1:]:
            name = _unescaped(step)
            if isinstance(found, dict) and name in found:
                found = found[name]
            elif isinstance(found, list) and name.isdecimal() and int(name[:9]) < len(found):
                found = found[int(name[:9])]
            else:
                hint = near(name, found) if isinstance(found, dict) else ""
                reason = f"{shown} points at nothing{hint or self._meant(ref)}"
                raise fault(reason, (at, "$ref"))
        return found

    def _anchor(self, name: str, address: str, ref: str, at: Path) -> Json:
        if address not in self._anchors:
            self._anchors[address] = _anchors_in(self._resources[address][0])
        anchors = self._anchors[address]
        found = anchors.get(name, [])
        if len(found) == 1:
            return found[0]
        hint = near(name, anchors) or self._meant(ref)
        reason = f"points at nothing{hint}"
        if found:
            reason = _AMBIGUOUS
        raise fault(f"{quote('#' + name, longest=SHOWN)} {reason}", (at, "$ref"))

    def _meant(self, ref: str) -> str:
        """Returns a hint at the definition that a reference most likely means."""
        name = name_of(ref)
        for at in (("$defs",), ("definitions",), ("defs",), ("components", "schemas")):
            found = self._document
            for step in at:
                found = found.get(step) if isinstance(found, dict) else None
            if isinstance(found, dict) and name in found:
                meant = "/".join(("#", *at, name.replace("~", "~0").replace("/", "~1")))
                return f"; did you mean {quote(meant, longest=SHOWN)}?"
        return '; put what it names under "$defs" of the outermost schema, as #/$defs/...'

    @cached_property
    def _resources(self) -> dict[str, list[Json]]:
        """The schemas by their address, the whole document first."""
        found: dict[str, list[Json]] = {self._root: [self._document]}
        for node, address, _ in self._placed():
            if _id_of(node) and node is not self._document:
                found.setdefault(address, []).append(node)
        return found

    @cached_property
    def _refs_of_others(self) -> frozenset[str]:
        """References that mean something else than they do in the outermost schema."""
        return frozenset(
            ref
            for node, _, base in self._placed()
            for ref in _refs_of(node)
            if _joined(base, ref) != _joined(self._root, ref)
        )

    def _placed(self) -> Iterator[tuple[Node, str, str]]:
        """Yields every schema, its address, and the one from which its references count.

        They differ below an ``id``, which is a keyword in draft 4 only.
        """
        waiting: list[tuple[Json, str]] = [(self._document, self._root)]
        while waiting:
            node, base = waiting.pop()
            if isinstance(node, dict):
                address = _joined(base, _id_of(node))
                if "$id" in node or self._is_draft_4 or node is self._document:
                    base = address
                yield node, address, base
                waiting.extend((each, base) for each in _children(node, _MAPS | _DEFINITIONS))

    def cycle(self, ref: str) -> tuple[str, ...]:
        """Returns the way from a reference back to itself, or nothing if there is none."""
        if ref not in self._cycles:
            self._cycles[ref] = self._find_cycle(ref)
        return self._cycles[ref]

    def _find_cycle(self, ref: str) -> tuple[str, ...]:
        came_from: dict[str, str] = {}
        waiting = [ref]
        for here in waiting:  # grows as it is walked
            for target in self._below(here):
                if target == ref:
                    way = [here]
                    while way[-1] != ref:
                        way.append(came_from[way[-1]])
                    return (*reversed(way), ref)
                if target not in came_from:
                    came_from[target] = here
                    waiting.append(target)
        return ()

    def _below(self, ref: str) -> tuple[str, ...]:
        if ref not in self._edges:
            try:
                target = self.look_up(ref, None)
            except DeclarationError:  # whoever comes to it says where it stands
                target = None
            self._edges[ref] = tuple(dict.fromkeys(refs_in(target)))
        return self._edges[ref]


def shown_cycle(cycle: tuple[str, ...]) -> str:
    """Returns a cycle as text."""
    return " -> ".join(quote(name_of(ref), longest=SHOWN) for ref in cycle)


def name_of(ref: str) -> str:
    """Returns the name that a reference's target goes by among the definitions."""
    address, _, fragment = ref.partition("#")
    return _unescaped((fragment or address).rpartition("/")[2]) or "root"


def _unescaped(step: str) -> str:
    """Returns what a step of a JSON pointer in a reference stands for (RFC 6901, section 6)."""
    return unquote(step).replace("~1", "/").replace("~0", "~")


def opened(document: Json) -> list[Node]:
    """Returns the outermost schema, and where it is nothing but a reference what it refers to.

    One that leads nowhere ends the list: whoever converts the document says so.
    """
    references = References(document)
    found: list[Node] = []
    while isinstance(document, dict) and not any(document is each for each in found):
        found.append(document)
        ref = reference_of(document)
        if not ref:
            break
        try:
            document = references.look_up(ref, None)
        except DeclarationError:
            break
    return found


def reference_of(schema: Node) -> str:
    """Returns the reference that a schema is, with annotations beside it; empty for none."""
    node = canonical(schema)
    ref = node.get("$ref")
    return ref if isinstance(ref, str) and not node.keys() - ANNOTATIONS - {"$ref"} else ""


def refs_in(schema: Json) -> Iterator[str]:
    """Yields the references in a schema, those in its definitions left out."""
    for node in _nodes_in(schema, _MAPS):
        yield from _refs_of(node)


def _refs_of(node: Node) -> Iterator[str]:
    """Yields the references of a schema itself."""
    yield from (ref for name in ("$ref", "ref") if isinstance(ref := node.get(name), str))


def _id_of(schema: Json) -> str:
    """Returns the address that a schema gives itself, empty for none."""
    found = schema.get("$id", schema.get("id")) if isinstance(schema, dict) else None
    return found.partition("#")[0] if isinstance(found, str) else ""  # behind it is an anchor


def _joined(base: str, ref: str) -> str:
    """Returns where a reference points that counts from an address."""
    if not ref or ref[0] == "#":
        return base + ref
    try:
        return urljoin(base, ref)
    except ValueError:  # no address
        return ref


def _anchors_in(schema: Json) -> dict[str, list[Node]]:
    """Returns the schemas that have a name of their own, whatever their place."""
    found: dict[str, list[Node]] = {}
    for node in _nodes_in(schema, _MAPS | _DEFINITIONS):
        for keyword in _ANCHORS:
            name = node.get(keyword)
            if isinstance(name, str) and (keyword not in _IDS or name.startswith("#")):
                found.setdefault(name.removeprefix("#"), []).append(node)
    return found


def _nodes_in(schema: Json, maps: frozenset[str]) -> Iterator[Node]:
    """Yields a schema and the schemas in it.

    Args:
        schema: The schema.
        maps: Keywords whose names are the user's own.
    """
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
            waiting.extend(_children(node, maps))


def _children(node: Node, maps: frozenset[str]) -> Iterator[Json]:
    for name, value in node.items():
        if name in maps and isinstance(value, dict):
            yield from value.values()
        elif isinstance(value, list) and name not in _DATA:
            yield from value
        elif name not in _DATA and name not in _DEFINITIONS:
            yield value
