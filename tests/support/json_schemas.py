"""Random JSON Schemas, of everything that the walk has a rule for, and some that nothing fits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

Json = Any

NAMES = ["a", "b", "type", "items", "kind", "required"]
VALUES: list[Json] = ["a", "b", 1, 2, 0.5, True, False, None]
KINDS = ["string", "integer", "number", "boolean", "array", "object"]
OWN: dict[str, list[str]] = {
    "string": ["minLength", "maxLength", "pattern"],
    "integer": ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
    "number": ["minimum", "maximum", "exclusiveMaximum", "multipleOf"],
    "boolean": [],
    "array": ["minItems", "maxItems", "uniqueItems"],
    "object": ["minProperties", "maxProperties"],
}


class Schemas:
    """Draws schemas."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def document(self) -> Json:
        """Returns the schema of a function's parameters."""
        definitions = {name: self._schema(2, ref=False) for name in ("X", "Y")}
        made = self._object(4)
        if self._random.random() < 0.3:
            made["allOf"] = [self._object(2)]
        return {**made, "$defs": definitions}

    def _schema(self, depth: int, *, ref: bool = True) -> Json:
        random = self._random
        roll = random.random()
        if ref and roll < 0.1:
            name = random.choice("XY")
            return self._described({"$ref": f"#/$defs/{name}"})
        if depth > 0 and roll < 0.2:
            branches = [self._schema(depth - 1, ref=ref) for _ in range(random.randint(1, 3))]
            made: Json = {random.choice(["anyOf", "anyOf", "oneOf"]): branches}
            if random.random() < 0.3:
                branches.append({"type": "null"})
            if random.random() < 0.3:
                made |= self._leaf(depth)
            return self._described(made)
        if depth > 0 and roll < 0.27:
            return {"allOf": [self._schema(depth - 1, ref=ref) for _ in range(2)]}
        if roll < 0.4:
            return self._values()
        return self._described(self._leaf(depth))

    def _values(self) -> Json:
        random = self._random
        if random.random() < 0.3:
            return {"const": random.choice(VALUES)}
        made: Json = {"enum": random.sample(VALUES, random.randint(1, 4))}
        if random.random() < 0.5:
            made["type"] = self._kinds()
        return made

    def _kinds(self) -> Json:
        random = self._random
        kinds = random.sample(KINDS, random.choice([1, 1, 1, 2]))
        if random.random() < 0.2:
            kinds.append("null")
        return kinds if len(kinds) > 1 or random.random() < 0.2 else kinds[0]

    def _leaf(self, depth: int) -> Json:
        kinds = self._kinds()
        made: Json = {"type": kinds}
        each: list[str] = [kinds] if isinstance(kinds, str) else kinds
        for kind in each:
            if kind == "array":
                made |= self._array(depth)
            elif kind == "object":
                made |= {**self._object(depth), "type": kinds}
            for keyword in OWN.get(kind, []):
                if self._random.random() < 0.2:
                    made[keyword] = self._own(keyword)
        return made

    def _own(self, keyword: str) -> Json:
        if keyword == "pattern":
            return "^[ab]*$"
        if keyword == "uniqueItems":
            return True
        return self._random.randint(1 if keyword == "multipleOf" else 0, 3)

    def _array(self, depth: int) -> Json:
        random = self._random
        if random.random() < 0.2:
            count = random.randint(1, 2)
            prefix = [self._schema(depth - 1) for _ in range(count)]
            return {"prefixItems": prefix, "minItems": count, "maxItems": count}
        return {"items": self._schema(depth - 1)} if depth > 0 else {"items": {"type": "string"}}

    def _object(self, depth: int) -> Json:
        random = self._random
        names = random.sample(NAMES, random.randint(0, 3)) if depth > 0 else []
        made: Json = {"type": "object", "properties": {n: self._schema(depth - 1) for n in names}}
        if names and random.random() < 0.5:
            made["required"] = random.sample(names, 1)
        if random.random() < 0.3:
            made["additionalProperties"] = random.choice(
                [True, False, {"type": "string"}, {"type": ["integer", "null"]}]
            )
        return made

    def _described(self, made: Json) -> Json:
        if self._random.random() < 0.2:
            made["description"] = "Words."
        if self._random.random() < 0.1:
            made["title"] = "Words"
        return made
