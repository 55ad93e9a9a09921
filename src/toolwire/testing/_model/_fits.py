"""Whether a value fits a JSON Schema: the keywords that declared parameters use."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from toolwire.testing._model import _patterns

if TYPE_CHECKING:
    from toolwire.testing._model._values import Json

Schema = dict[str, "Json"]
_MOST_HOPS = 16
_DEEPEST = 60
_PATTERN_STEPS = 2_000_000
_TYPES: dict[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    str: "string",
    list: "array",
    dict: "object",
}


class Checker:
    """Checks values against the schemas of one document.

    Attributes:
        steps: How many more schema nodes it looks at before it calls every value unfit: a
            document whose references fan out can have more nodes than could ever be looked at.
        pattern_steps: The same for the steps of matching patterns.
    """

    def __init__(self, root: Schema, steps: int = 50_000) -> None:
        self.root = root
        self.steps = steps
        self.pattern_steps = _PATTERN_STEPS
        self._nesting = 0

    def fits(self, value: Json, schema: Json) -> bool:
        """Tells whether a value fits a schema of the document."""
        self.steps -= 1
        if self.steps < 0 or self._nesting > _DEEPEST:
            return False
        if not isinstance(schema, dict):
            return schema is not False
        self._nesting += 1
        try:
            return self._fits(value, schema)
        finally:
            self._nesting -= 1

    def _fits(self, value: Json, schema: Schema) -> bool:
        if "$ref" in schema:
            target = self.resolve(schema)
            if not self.fits(value, target):
                return False
        return (
            _fits_type(value, schema)
            and _fits_members(value, schema)
            and self._fits_branches(value, schema)
            and self._fits_kind(value, schema)
        )

    def resolve(self, schema: Json) -> Json:
        """Follows references: the schema at their end, or true if there is none."""
        for _ in range(_MOST_HOPS):
            reference = schema.get("$ref") if isinstance(schema, dict) else None
            if reference is None:
                return schema
            schema = self._target(reference)
        return True

    def _target(self, reference: Json) -> Json:
        found: Json = self.root
        if not isinstance(reference, str) or not reference.startswith("#"):
            return True
        for step in filter(None, reference.removeprefix("#").split("/")):
            key = step.replace("~1", "/").replace("~0", "~")
            if not isinstance(found, dict) or key not in found:
                return True
            found = found[key]
        return found

    def _fits_branches(self, value: Json, schema: Schema) -> bool:
        any_of, one_of, all_of = (list_of(schema, key) for key in ("anyOf", "oneOf", "allOf"))
        if any_of and not any(self.fits(value, branch) for branch in any_of):
            return False
        if one_of and sum(self.fits(value, branch) for branch in one_of) != 1:
            return False
        if "not" in schema and self.fits(value, schema["not"]):
            return False
        return all(self.fits(value, branch) for branch in all_of)

    def _fits_kind(self, value: Json, schema: Schema) -> bool:
        if isinstance(value, str):
            return self._fits_text(value, schema)
        if isinstance(value, list):
            return self._fits_list(value, schema)
        if isinstance(value, dict):
            return self._fits_object(value, schema)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return _fits_number(value, schema)
        return True

    def _fits_text(self, value: str, schema: Schema) -> bool:
        if not _within(len(value), schema, "minLength", "maxLength"):
            return False
        pattern = schema.get("pattern")
        if not isinstance(pattern, str) or not pattern:
            return True
        read = _patterns.read(pattern)
        if read is None:
            return False
        found, self.pattern_steps = read.match(value, self.pattern_steps)
        return found

    def _fits_list(self, value: list[Json], schema: Schema) -> bool:
        if not _within(len(value), schema, "minItems", "maxItems"):
            return False
        if schema.get("uniqueItems") is True and len(set(map(identity, value))) != len(value):
            return False
        heads = list_of(schema, "prefixItems")
        rest = schema.get("items", True)
        return all(
            self.fits(item, heads[index] if index < len(heads) else rest)
            for index, item in enumerate(value)
        )

    def _fits_object(self, value: dict[str, Json], schema: Schema) -> bool:
        if not _within(len(value), schema, "minProperties", "maxProperties"):
            return False
        if any(name not in value for name in list_of(schema, "required") if isinstance(name, str)):
            return False
        known = dict_of(schema, "properties")
        others = schema.get("additionalProperties", True)
        return all(self.fits(item, known.get(name, others)) for name, item in value.items())


def list_of(schema: Schema, key: str) -> list[Json]:
    """Returns the list under a keyword, empty if there is none."""
    found = schema.get(key)
    return found if isinstance(found, list) else []


def dict_of(schema: Schema, key: str) -> dict[str, Json]:
    """Returns the object under a keyword, empty if there is none."""
    found = schema.get(key)
    return found if isinstance(found, dict) else {}


def number_of(schema: Schema, key: str) -> int | float | None:
    """Returns the finite number under a keyword, if there is one."""
    found = schema.get(key)
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        return None
    return found if math.isfinite(found) else None


def types_of(schema: Schema) -> list[str]:
    """Returns the types that a schema allows; none if it does not say."""
    found = schema.get("type")
    names = found if isinstance(found, list) else [found]
    return [name.lower() for name in names if isinstance(name, str)]


def type_of(value: Json) -> str:
    """Returns JSON Schema's name for the type of a value; a whole number is an integer."""
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    return _TYPES[type(value)]


def identity(value: Json) -> object:
    """Returns what is equal for equal JSON values only; true is not 1, and 1 is 1.0."""
    if isinstance(value, list):
        return ("array", *map(identity, value))
    if isinstance(value, dict):
        return ("object", frozenset((key, identity(item)) for key, item in value.items()))
    return ("boolean", value) if isinstance(value, bool) else value


def _fits_type(value: Json, schema: Schema) -> bool:
    allowed = types_of(schema)
    actual = type_of(value)
    return not allowed or actual in allowed or (actual == "integer" and "number" in allowed)


def _fits_members(value: Json, schema: Schema) -> bool:
    if "const" in schema and identity(schema["const"]) != identity(value):
        return False
    members = schema.get("enum")
    return not isinstance(members, list) or identity(value) in map(identity, members)


def _fits_number(value: float, schema: Schema) -> bool:
    low, high = number_of(schema, "minimum"), number_of(schema, "maximum")
    above, below = number_of(schema, "exclusiveMinimum"), number_of(schema, "exclusiveMaximum")
    step = number_of(schema, "multipleOf")
    return (
        (low is None or value >= low)
        and (high is None or value <= high)
        and (above is None or value > above)
        and (below is None or value < below)
        and (not step or (value / step).is_integer())
    )


def _within(size: int, schema: Schema, least: str, most: str) -> bool:
    low, high = number_of(schema, least), number_of(schema, most)
    return (low is None or size >= low) and (high is None or size <= high)
