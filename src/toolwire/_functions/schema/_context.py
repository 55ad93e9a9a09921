"""What the walk over a schema knows: the API's Schema, the document, options, and its budget."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from toolwire._functions._keywords import PLAIN, TYPES, Json, Node, canonical, unspelled
from toolwire._functions._report import SHOWN, Report, fault
from toolwire._functions.schema._said import joined
from toolwire._json import near
from toolwire._message_fields import enum_names
from toolwire._messages import DEEPEST
from toolwire._paths import quote

if TYPE_CHECKING:
    from toolwire._descriptor_types import MessageType
    from toolwire._functions.schema._refs import References
    from toolwire._paths import Path, Step
    from toolwire._rules._profile import Profile

MOST_NODES = 20_000
"""How many nodes a schema may have once its references are resolved in place."""

MOST_LEVELS = DEEPEST - 12
"""Levels of messages below the outermost Schema: requests and their batches lie above it."""

_MOST_STEPS = 150  # down a schema, those included that cost no message, such as a nested allOf
_NOT_FOLLOWED = ("$dynamicRef", "$recursiveRef")
_COUNT = re.compile(r"[0-9]{1,19}")


class Place(NamedTuple):
    """Where the walk is.

    Attributes:
        path: The way there, in the document's keywords.
        level: Levels of messages below the outermost Schema.
        steps: Steps of the walk so far.
        name: Name of the property, or of the definition, that the schema stands under.
        followed: References that were followed on the way, those that lead back to themselves.
    """

    path: Path = None
    level: int = 0
    steps: int = 0
    name: str | None = None
    followed: tuple[str, ...] = ()

    def below(self, *path: Step, levels: int, name: str | None = None) -> Place:
        """Returns a place further down."""
        here = self.path
        for step in path:
            here = (here, step)
        return Place(here, self.level + levels, self.steps + 1, name, self.followed)


@dataclass(slots=True)
class Context:
    """One walk.

    Attributes:
        profile: The API.
        kind: Descriptor of its Schema.
        references: The references of the document.
        report: Collects what gets lost.
        untyped: Type of a node that may hold anything; None refuses such a node.
        titles: Whether titles that tools make are kept.
        refs: Whether references are carried instead of resolved.
        object_root: Whether the outermost schema describes arguments, which are an object.
        definitions: References that were carried, by the name of their definition.
    """

    profile: Profile
    kind: MessageType
    references: References
    report: Report
    untyped: str | None = None
    titles: bool = False
    refs: bool = False
    object_root: bool = False
    definitions: dict[str, str] = field(default_factory=dict[str, str])
    _nodes: int = 0

    @property
    def api(self) -> str:
        """Name of the API."""
        return self.profile.api

    def has(self, name: str) -> bool:
        """Tells whether the API's Schema has a field."""
        return name in self.kind.fields_by_name

    def has_presence(self, name: str) -> bool:
        """Tells whether zero in a field of the API's Schema differs from none."""
        return self.kind.fields_by_name[name].has_presence

    def has_null(self) -> bool:
        """Tells whether the API has a type of its own for null."""
        return "NULL" in enum_names(self.kind.fields_by_name["type"]).values()

    def enter(self, place: Place) -> None:
        """Counts a node.

        Raises:
            DeclarationError: If there are too many, or it lies too deep.
        """
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise fault(f"resolves to more than {MOST_NODES} nodes", place.path)
        if place.level > MOST_LEVELS or place.steps > _MOST_STEPS:
            raise fault(f"nested deeper than {MOST_LEVELS} levels of messages", place.path)

    def spelled(self, raw: Json, at: Path) -> Node:
        """Returns a schema object in canonical spelling, its type as JSON Schema writes it.

        Raises:
            DeclarationError: If it is no object, the type is none, or it refers to another in a way
                that is not followed.
        """
        if not isinstance(raw, dict):
            raise fault(f"expected a schema, found {described(raw)}", at)
        node = canonical(raw)
        for name in _NOT_FOLLOWED:
            if name in node:
                raise fault("is not followed: write a $ref", (at, name))
        if "type" in node:
            self._read_type(node, at)
        for name, keyword in PLAIN.items():
            value = node.get(name)
            if keyword.kind == "count" and isinstance(value, str) and _COUNT.fullmatch(value):
                node[name] = int(value)  # as ProtoJSON writes it
        return node

    def _read_type(self, node: Node, at: Path) -> None:
        """Writes the type as JSON Schema does, and takes it out where it stands for none."""
        given = node["type"]
        here: Path = (at, "type")
        if isinstance(given, list):
            names = [self._type_name(each, (here, i)) for i, each in enumerate(given)]
            kept = list(dict.fromkeys(name for name in names if name))
            node["type"] = kept[0] if len(kept) == 1 else [*kept]
        else:
            node["type"] = self._type_name(given, here)
        if not node["type"]:
            del node["type"]
        elif isinstance(given, int) or (isinstance(given, str) and given.isupper()):
            members, kind = node.get("enum"), str(node["type"])
            if isinstance(members, list):  # a Schema spells them all as text
                node["enum"] = [unspelled(member, kind) for member in members]

    def _type_name(self, given: Json, at: Path) -> str:
        """Returns the type in lower case; empty for the one that stands for none."""
        name = given
        if isinstance(given, int) and not isinstance(given, bool):
            name = enum_names(self.kind.fields_by_name["type"]).get(given)
        if not isinstance(name, str):
            raise fault(f"expected the name of a type, found {described(given)}", at)
        lower = name.lower()
        if lower in TYPES:
            return lower
        if lower in {"", "type_unspecified"}:
            return ""
        raise fault(
            f"no type is named {quote(name, longest=SHOWN)}{near(name, TYPES)}; "
            f"there are {', '.join(TYPES)}",
            at,
        )


def described(value: Json) -> str:
    """Says what a JSON value is, in a few words."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return "a number"
        case str():
            return f"the text {quote(value, longest=SHOWN)}"
        case list():
            return "a list"
        case _:
            return "an object"


def say(node: Node, text: str) -> None:
    """Adds a sentence to the description of a node."""
    node["description"] = joined(str(node.get("description", "")), text)
