"""A value for a JSON Schema: deterministic, and valid as far as a valid one can be found."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from toolwire.testing._model._fits import Checker, dict_of, identity, list_of, number_of, types_of
from toolwire.testing._model._hints import Hints, is_place
from toolwire.testing._model._merge import merged
from toolwire.testing._model._strings import texts

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from toolwire.testing._model._fits import Schema
    from toolwire.testing._model._values import Json

# One level of an object costs three levels of messages in a Struct, and protobuf reads 100.
_DEEPEST = 24
# From here on, what may be left out is, so that a schema that contains itself comes to an end.
_OPTIONAL_DEPTH = 4
_MOST_NESTED = 40
# After so many values what may be left out is, and after twice as many everything.
_MOST_VALUES = 2000
_MOST_MEMBERS = 50
_MOST_ITEMS = 100
_EXACT = 2**53


class Maker:
    """Makes values for the schemas of one document.

    Attributes:
        turn: From 0; another one gives other values, where the schema leaves a choice.
    """

    def __init__(self, root: Schema, hints: Hints | None = None, turn: int = 0) -> None:
        self.turn = turn
        self._root = root
        self._hints = hints or Hints()
        self._checker = Checker(root)
        self._values = _MOST_VALUES
        self._nesting = 0
        self._places = 0
        self._places_made = 0

    def make(self) -> dict[str, Json]:
        """Returns an object for the whole document."""
        self._places = max(1, sum(map(is_place, dict_of(self._root, "properties"))))
        made = self._make({"type": "object", **self._root}, "value", 0, self.turn)
        return made if isinstance(made, dict) else {}

    def make_any(self) -> Json:
        """Returns a value of any type for the whole document."""
        return self._make(self._root, "value", 0, self.turn)

    def _make(
        self, schema: Json, name: str, depth: int, turn: int, taken: Container[object] = ()
    ) -> Json:
        self._values -= 1
        schema = self._checker.resolve(schema)
        if not isinstance(schema, dict):
            schema = {"type": "null"} if schema is False else {"type": "string"}
        if self._nesting > _MOST_NESTED or self._values < -_MOST_VALUES:
            return None
        self._nesting += 1
        try:
            whole = merged(schema, self._checker)
            return self._best(whole, self._candidates(whole, name, depth, turn), taken)
        finally:
            self._nesting -= 1

    def _best(self, schema: Schema, candidates: Iterable[Json], taken: Container[object]) -> Json:
        """Returns the first candidate that fits and is not taken, else the first of all."""
        best: Json = None
        is_first = True
        for candidate in candidates:
            if self._checker.fits(candidate, schema) and not (
                taken and identity(candidate) in taken
            ):
                return candidate
            if is_first:
                best, is_first = candidate, False
        return best

    def _candidates(self, schema: Schema, name: str, depth: int, turn: int) -> Iterator[Json]:
        members = list_of(schema, "enum")
        mentioned = self._hints.of_enum(members)
        yield from mentioned[turn % len(mentioned) :] if mentioned else ()
        if turn == 0:
            yield from (schema[key] for key in ("default", "example") if key in schema)
            yield from list_of(schema, "examples")
        if "const" in schema:
            yield schema["const"]
        if members:
            start = turn % len(members)
            yield from [*members[start:], *members[:start]][:_MOST_MEMBERS]
        yield from self._of_branches(schema, name, depth, turn)
        for kind in self._kinds(schema, depth):
            yield from self._of_kind(kind, schema, name, depth, turn)

    def _of_branches(self, schema: Schema, name: str, depth: int, turn: int) -> Iterator[Json]:
        for key in ("anyOf", "oneOf"):
            branches = list_of(schema, key)
            if not branches or self._values < 0:
                continue
            others: Schema = {k: v for k, v in schema.items() if k != key}
            ordered = sorted(branches, key=self._cost) if self._is_late(depth) else branches
            for branch in ordered:
                target = self._checker.resolve(branch)
                if isinstance(target, dict):
                    parts: list[Json] = [others, target]
                    if key == "oneOf":
                        rest = [other for other in branches if other is not branch]
                        parts.append({"not": {"anyOf": rest}} if rest else True)
                    yield self._make({"allOf": parts}, name, depth, turn)

    def _cost(self, branch: Json) -> int:
        """Orders branches so that those that end a recursion come first."""
        target = self._checker.resolve(branch)
        kinds = types_of(target) if isinstance(target, dict) else []
        return 0 if "null" in kinds else 1 if kinds and kinds[0] not in ("object", "array") else 2

    def _kinds(self, schema: Schema, depth: int) -> list[str]:
        kinds = types_of(schema)
        if kinds:
            late = self._is_late(depth)
            return sorted(kinds, key=lambda kind: (kind == "null") != late)
        if any(key in schema for key in ("properties", "required", "minProperties")):
            return ["object"]
        if any(key in schema for key in ("items", "prefixItems", "minItems")):
            return ["array"]
        if any(key in schema for key in ("minimum", "maximum", "multipleOf")):
            return ["number"]
        return ["string", "integer", "boolean", "object", "array", "null"]

    def _is_late(self, depth: int) -> bool:
        return depth >= _OPTIONAL_DEPTH or self._values < 0

    def _of_kind(
        self, kind: str, schema: Schema, name: str, depth: int, turn: int
    ) -> Iterator[Json]:
        match kind:
            case "string":
                yield from texts(schema, name, self._hints, self._nth(name, turn), turn)
            case "integer" | "number":
                yield from _numbers(schema, turn, whole=kind == "integer")
            case "boolean":
                yield from (turn % 2 == 0, turn % 2 != 0)
            case "array":
                made = self._array(schema, name, depth, turn)
                yield from (made, [], made * 2)  # two more sizes, where this one is forbidden
            case "object":
                yield self._object(schema, depth, turn)
            case _:
                yield None

    def _nth(self, name: str, turn: int) -> int:
        """Chooses among the prompt's words: several places of a function take one after another."""
        if not is_place(name):
            return turn
        nth = turn * self._places + self._places_made
        self._places_made += 1
        return nth

    def _array(self, schema: Schema, name: str, depth: int, turn: int) -> list[Json]:
        heads = list_of(schema, "prefixItems")
        least = int(number_of(schema, "minItems") or 0)
        most = number_of(schema, "maxItems")
        wanted = max(least, 0 if self._is_late(depth) else max(1, len(heads)))
        wanted = min(wanted, _MOST_ITEMS if most is None else int(most))
        if depth >= _DEEPEST:
            return []
        rest = schema.get("items", True)
        branches = list_of(rest, "anyOf") if isinstance(rest, dict) else []
        if len(branches) == least == most:  # what a tuple of several types is declared as
            heads = heads or branches
        made: list[Json] = []
        taken: set[object] = set()
        for index in range(wanted):
            item = heads[index] if index < len(heads) else rest
            if self._values < 0 and index >= least:
                break
            value = self._make(item, _singular(name), depth + 1, turn + index, taken)
            fits = self._checker.fits(value, item) and not (taken and identity(value) in taken)
            if index >= least and not fits:
                break
            made.append(value)
            if schema.get("uniqueItems") is True:
                taken.add(identity(value))
        return made

    def _object(self, schema: Schema, depth: int, turn: int) -> dict[str, Json]:
        known = dict_of(schema, "properties")
        required = [name for name in list_of(schema, "required") if isinstance(name, str)]
        needed = dict.fromkeys(required)
        optional = [name for name in known if name not in needed]
        others = schema.get("additionalProperties", True)
        least = int(number_of(schema, "minProperties") or 0)
        most = number_of(schema, "maxProperties")
        made: dict[str, Json] = {}
        if depth >= _DEEPEST:
            return made
        for name in needed:
            made[name] = self._make(known.get(name, others), name, depth + 1, turn)
        wanted = least if self._is_late(depth) else len(needed) + len(optional)
        wanted = wanted if most is None else min(wanted, int(most))
        for name in optional:
            if len(made) >= wanted:
                break
            value = self._make(known[name], name, depth + 1, turn)
            if self._checker.fits(value, known[name]):
                made[name] = value
        for index in range(min(least, _MOST_ITEMS)):
            name = f"extra{index + 1}"
            if len(made) >= least or others is False:
                break
            made.setdefault(name, self._make(others, name, depth + 1, turn))
        return made


def _singular(name: str) -> str:
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name


def _numbers(schema: Schema, turn: int, *, whole: bool) -> Iterator[Json]:
    low, high = number_of(schema, "minimum"), number_of(schema, "maximum")
    above, below = number_of(schema, "exclusiveMinimum"), number_of(schema, "exclusiveMaximum")
    step = number_of(schema, "multipleOf")
    for edge in (low, above, 1 if high is None and below is None else None, high, below, 0):
        if edge is None:
            continue
        for offset in (turn + 1, turn, 0, 0.5, -0.5, -1, step or 0.25):
            yield from _rounded(edge + offset, step, whole=whole)
        if low is not None and high is not None:
            yield from _rounded(low + (high - low) * (turn % 3 + 1) / 4, step, whole=whole)
        if above is not None and below is not None:
            yield from _rounded(above + (below - above) / 2, step, whole=whole)


def _rounded(value: float, step: float | None, *, whole: bool) -> Iterator[Json]:
    """Yields the numbers nearest to one that are multiples of a step, and whole if they must be."""
    options = [value]
    if step:
        options = [math.floor(value / step) * step, math.ceil(value / step) * step]
    for option in options:
        if not math.isfinite(option):
            continue
        if whole:
            yield from (math.ceil(option), math.floor(option))
        else:
            yield int(option) if float(option).is_integer() and abs(option) <= _EXACT else option
