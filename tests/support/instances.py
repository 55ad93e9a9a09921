"""Values for a JSON Schema: some that fit it, and many that fit it nearly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

if TYPE_CHECKING:
    from random import Random

Json = Any

ANYTHING: list[Json] = [
    None, True, False, 0, 1, 2, -1, 3, 20, 21, 50, 99, 100, 0.5, 1.5, -90, 1023, 1024, 65536, 1e9,
    "", "a", "ab", "A", "AB", "c", "cat", "dog", "text", "12345", "yes", [], [1], ["a"], [1, 2],
    ["a", 1], [0.5, 1, 2], {}, {"a": 1}, {"a": "x"}, {"a": "x", "b": "y"}, {"kind": "cat"},
]  # fmt: skip
_KINDS = ["string", "integer", "number", "boolean", "array", "object", "null"]


def is_object(value: Json) -> TypeGuard[dict[str, Json]]:
    """Tells whether a value is a JSON object."""
    return isinstance(value, dict)


class Instances:
    """Draws values for the schemas of one document."""

    def __init__(self, document: Json, random: Random) -> None:
        self._document = document
        self._random = random

    def draw(self) -> Json:
        """Returns a value for the whole document."""
        return self._value(self._document, 6)

    def _value(self, schema: Json, depth: int) -> Json:  # noqa: PLR0911 - one form each
        random = self._random
        if not is_object(schema) or depth <= 0 or random.random() < 0.08:
            return random.choice(ANYTHING)
        if "$ref" in schema:
            return self._value(self._target(schema["$ref"]), depth - 1)
        if "allOf" in schema:
            return self._all_of(schema, depth)
        for name in ("anyOf", "oneOf"):
            if name in schema and random.random() < 0.8:
                return self._one_of(schema, name, depth)
        if "const" in schema and random.random() < 0.9:
            return schema["const"]
        if schema.get("enum") and random.random() < 0.9:
            return random.choice(schema["enum"])
        return self._of_kind(schema, depth)

    def _one_of(self, schema: dict[str, Json], name: str, depth: int) -> Json:
        value = self._value(self._random.choice(schema[name]), depth)
        if is_object(value) and "properties" in schema:
            return {**self._object(schema, depth), **value}
        return value

    def _all_of(self, schema: dict[str, Json], depth: int) -> Json:
        own = {key: each for key, each in schema.items() if key != "allOf"}
        merged: dict[str, Json] = self._object(own, depth)
        for each in schema["allOf"]:
            part = self._value(each, depth)
            if not is_object(part):
                return part
            merged |= part
        return merged

    def _of_kind(self, schema: Json, depth: int) -> Json:
        kinds: Json = schema.get("type", "object" if "properties" in schema else _KINDS)
        choice: list[str] = [kinds] if isinstance(kinds, str) else kinds
        kind = self._random.choice(choice)
        match kind:
            case "object":
                return self._object(schema, depth)
            case "array":
                return self._array(schema, depth)
            case "string":
                return self._random.choice(["", "a", "ab", "AB", "ABCDEFGHI", "12345", "0" * 32])
            case "integer" | "number":
                return self._number(schema, kind)
            case "boolean":
                return self._random.random() < 0.5
            case _:
                return None

    def _object(self, schema: Json, depth: int) -> dict[str, Json]:
        made: dict[str, Json] = {}
        required = schema.get("required", [])
        for name, each in schema.get("properties", {}).items():
            if self._random.random() < (0.93 if name in required else 0.5):
                made[name] = self._value(each, depth - 1)
        rest = schema.get("additionalProperties")
        if self._random.random() < 0.3 or is_object(rest):
            for name in ("k", "other"):
                if self._random.random() < 0.5:
                    made[name] = self._value(rest, depth - 1)
        return made

    def _array(self, schema: Json, depth: int) -> Json:
        prefix: list[Json] = schema.get("prefixItems", [])
        items: Json = schema.get("items", True)
        if isinstance(items, list):
            prefix, items = schema["items"], schema.get("additionalItems", True)
        made: list[Json] = [self._value(each, depth - 1) for each in prefix]
        least = schema.get("minItems", 0)
        most = schema.get("maxItems", least + 2)
        low, high = (least, most) if self._random.random() < 0.7 else (least - 1, most + 1)
        count = max(0, self._random.randint(low, max(low, high)))
        while len(made) < count:
            made.append(self._value(items, depth - 1))
        return made[:count] if self._random.random() < 0.3 else made

    def _number(self, schema: Json, kind: str) -> Json:
        names = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
        bounds = [each for name in names if not isinstance(each := schema.get(name, 1), bool)]
        value = self._random.choice(bounds) + self._random.choice([-1, 0, 0, 1, 2])
        if kind == "number" and self._random.random() < 0.5:
            value += 0.5
        return value

    def _target(self, ref: str) -> Json:
        found = self._document
        for step in ref.split("/")[1:]:
            found = found[step]
        return found
