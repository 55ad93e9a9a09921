"""Schemas that contradict themselves, and parts of one that forbid each other."""

from __future__ import annotations

from typing import Any

import pytest

from support.declared import declared, node, property_of
from toolwire import DeclarationError, functions

Json = Any
STRING = {"type": "string"}
ARRAY = {"type": "array", "items": STRING}


def of(*names: str, **rest: Json) -> Json:
    return {"type": "object", "properties": dict.fromkeys(names, STRING), **rest}


@pytest.mark.parametrize("api", ["v1", "gemini"])
@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ({"type": "integer", "minimum": 5, "maximum": 3}, "minimum"),
        ({"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2}, "exclusiveMinimum"),
        ({"type": "integer", "minimum": 1.2, "maximum": 1.8}, "minimum"),
        ({"type": "number", "minimum": 1, "exclusiveMaximum": 1}, "minimum"),
        ({"type": "number", "minimum": 0, "exclusiveMinimum": 3, "maximum": 3}, "exclusiveMinimum"),
        ({"type": "integer", "minimum": 1, "maximum": 0}, "minimum"),
        ({"type": "string", "minLength": 2, "maxLength": 1}, "minLength"),
        ({"type": "string", "minLength": 1, "maxLength": 0}, "minLength"),
        ({**ARRAY, "minItems": 2, "maxItems": 1}, "minItems"),
        ({"type": "array", "items": False, "minItems": 1}, "minItems"),
        ({"type": "array", "prefixItems": [STRING], "items": False, "minItems": 2}, "minItems"),
        (of("a", minProperties=2, maxProperties=1), "minProperties"),
        (of("a", minProperties=2, additionalProperties=False), "minProperties"),
        (of("a", "b", required=["a", "b"], maxProperties=1), "required"),
        ({"allOf": [{"type": "integer", "minimum": 5}, {"maximum": 3}]}, "minimum"),
        ({"type": "string", "enum": [None]}, "enum"),
        ({"type": ["string"], "enum": [1]}, "enum"),
        ({"type": "string", "enum": ["a"], "const": "b"}, "const"),
        ({"allOf": [{"enum": ["a", "b"]}, {"enum": ["c"]}]}, ""),
        ({"anyOf": [{"enum": ["a"]}, {"enum": ["b"]}], "enum": ["c"]}, "anyOf"),
    ],
    ids=str,
)
def test_what_nothing_fits_is_an_error(schema: Json, path: str, api: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        property_of(schema, api=api)
    assert caught.value.path == 'properties["x"]' + (f".{path}" if path else "")


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "minimum": 3, "maximum": 3},
        {"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 3},
        {"type": "string", "minLength": 1, "maxLength": 1},
        {**of("a", required=["a"]), "maxProperties": 1},
        {"type": "string", "nullable": True, "enum": ["a"], "const": "a"},
    ],
    ids=str,
)
def test_what_one_value_fits_is_none(schema: Json) -> None:
    assert node(schema)


def test_null_alone_is_left_of_an_enum() -> None:
    made, changes = property_of({"type": "string", "nullable": True, "enum": [None]})
    assert (made["nullable"], made["description"]) == (True, "Always null.")
    assert changes == {"": "changed"}


def test_a_bound_of_zero_is_said_once() -> None:
    schema = {"type": "number", "minimum": 0, "exclusiveMinimum": 0}
    made, changes = property_of(schema)
    assert made == {"type": "NUMBER", "description": "More than 0."}
    assert changes == {"exclusiveMinimum": "dropped"}
    made, changes = property_of(schema, api="gemini")
    assert made == {"type": "NUMBER", "minimum": 0.0, "description": "More than 0."}
    assert changes == {"exclusiveMinimum": "changed"}


def test_counts_that_are_none_say_what_would_be() -> None:
    with pytest.raises(DeclarationError, match=r"whole number from 0 to 9\d+, found the number 10"):
        property_of({"type": "string", "maxLength": 10**30})


CLOSED = of("a", additionalProperties=False)
FORBIDDEN = {'properties["b"]': "dropped"}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({**CLOSED, "allOf": [of("b")]}, FORBIDDEN),
        ({"allOf": [CLOSED, of("b")]}, FORBIDDEN),
        ({"allOf": [of("b"), CLOSED]}, FORBIDDEN),
        ({"allOf": [CLOSED, of("b", additionalProperties=False)]}, {
            'properties["a"]': "dropped", **FORBIDDEN
        }),
        ({**CLOSED, "$ref": "#/$defs/D"}, FORBIDDEN),
        ({**CLOSED, "anyOf": [of("b")]}, {'anyOf[0].properties["b"]': "dropped"}),
        ({"allOf": [of("a"), {"properties": {"a": False}}]}, {'properties["a"]': "dropped"}),
    ],
    ids=str,
)  # fmt: skip
def test_properties_that_another_part_forbids_are_told(schema: Json, expected: Json) -> None:
    definitions = {"D": of("b")}
    _, changes = property_of(schema, definitions=definitions)
    assert changes == expected
    document = {"properties": {"x": schema}, "$defs": definitions}
    with pytest.raises(DeclarationError, match="strict mode") as caught:
        functions.declare(document, name="f", strict=True)
    assert [change.path for change in caught.value.changes] == [
        f'properties["x"].{path}' for path in expected
    ]


def test_properties_that_every_part_knows_stay() -> None:
    more = {"properties": {"a": {"minLength": 2}}, "required": ["a"]}
    assert node({"allOf": [CLOSED, more]})["properties"]["a"] == {"type": "STRING", "minLength": 2}
    patterns: Json = {**CLOSED, "patternProperties": {"^b": {}}}
    made, changes = property_of({"allOf": [patterns, of("b")]})
    assert list(made["properties"]) == ["a", "b"]
    assert changes == {"additionalProperties": "changed", "patternProperties": "dropped"}


@pytest.mark.parametrize(
    "definition",
    [
        {"D": {"$anchor": "here", **STRING}},
        {"D": {"$dynamicAnchor": "here", **STRING}},
        {"D": {"$id": "#here", **STRING}},
        {"D": {"id": "#here", **STRING}},
        {"D": {"definitions": {"E": {"$anchor": "here", **STRING}}}},
    ],
    ids=str,
)
@pytest.mark.parametrize("ref", ["#here", "https://example.com/all#here"])
def test_anchors_are_followed(definition: Json, ref: str) -> None:
    schema = {
        "$id": "https://example.com/all",
        "properties": {"x": {"$ref": ref}},
        "$defs": definition,
    }
    made, changes = declared(schema)
    assert (made["parameters"]["properties"]["x"], changes) == ({"type": "STRING"}, [])


@pytest.mark.parametrize(
    ("schema", "path", "reason"),
    [
        ({"$ref": "#hare"}, "$ref", 'points at nothing; did you mean "here"'),
        ({"$ref": "#twice"}, "$ref", "names several schemas"),
        ({"$ref": "another"}, "$ref", "points out of the document"),
        ({"$ref": "#/$defs/Other/properties/b"}, "$ref", "counts from there"),
        ({"$ref": "#/$defs/Never"}, "$ref", "points at false"),
        ({"$dynamicRef": "#here"}, "$dynamicRef", "is not followed"),
        ({"$ref": "#/$defs/Dynamic"}, "$dynamicRef", "is not followed"),
        ({"type": "object", "$recursiveRef": "#"}, "$recursiveRef", "is not followed"),
    ],
)
def test_references_that_are_not_followed(schema: Json, path: str, reason: str) -> None:
    definitions: Json = {
        "A": {"$anchor": "here", **STRING},
        "B": {"$anchor": "twice", **STRING},
        "C": {"$anchor": "twice", **STRING},
        "Never": False,
        "Dynamic": {"$dynamicRef": "#here"},
        "Other": {
            "$id": "other",
            "properties": {"a": STRING, "b": {"$ref": "#/properties/a"}},
        },
    }
    with pytest.raises(DeclarationError) as caught:
        property_of(schema, definitions=definitions)
    assert caught.value.path == f'properties["x"]["{path}"]'
    assert reason in caught.value.reason


def test_an_anchor_in_a_cycle() -> None:
    loop = {"$anchor": "loop", "type": "object", "properties": {"next": {"$ref": "#loop"}}}
    with pytest.raises(DeclarationError, match='contains itself: "loop" -> "loop"'):
        property_of({"$ref": "#/$defs/A"}, definitions={"A": loop})
    schema = {"properties": {"x": {"$ref": "#loop"}}, "$defs": {"A": loop}}
    made, _ = declared(schema, refs=True)
    assert made["parameters"]["properties"]["x"] == {"ref": "#/defs/loop"}
    assert made["parameters"]["defs"]["loop"]["properties"]["next"] == {"ref": "#/defs/loop"}


@pytest.mark.parametrize(
    "definitions",
    [
        {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}},
        {
            "A": {"minLength": 2, "anyOf": [{"$ref": "#/$defs/B"}, STRING]},
            "B": {"minLength": 1, "anyOf": [{"$ref": "#/$defs/A"}, STRING]},
        },
    ],
    ids=["nothing else", "beside others"],
)
def test_cycles_that_cannot_be_carried_are_named(definitions: Json) -> None:
    schema = {"properties": {"x": {"$ref": "#/$defs/A"}}, "$defs": definitions}
    with pytest.raises(DeclarationError, match=r'contains itself: "B" -> "A" -> "B"'):
        functions.declare(schema, name="f", refs=True)


def test_a_definition_that_is_another_ones_name() -> None:
    definitions = {
        "A": {"$ref": "#/$defs/B"},
        "B": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}},
    }
    schema = {"properties": {"x": {"$ref": "#/$defs/A"}}, "$defs": definitions}
    made, changes = declared(schema, refs=True)
    assert changes == []
    inner = made["parameters"]["defs"]["A"]
    assert inner["properties"] == {"a": {"ref": "#/defs/A"}}


@pytest.mark.parametrize(
    ("schema", "expected", "left_out"),
    [
        (
            {
                "anyOf": [
                    {"type": "number", "minimum": 2, "maximum": 1},
                    STRING,
                    {"type": "boolean"},
                ]
            },
            {"anyOf": [{"type": "STRING"}, {"type": "BOOLEAN"}]},
            "anyOf[0].minimum",
        ),
        (
            {"anyOf": [{"allOf": [STRING, {"type": "integer"}]}, STRING], "description": "D"},
            {"type": "STRING", "description": "D"},
            "anyOf[0]",
        ),
        (
            {"type": ["number", "null"], "exclusiveMinimum": 1.5, "exclusiveMaximum": -1},
            {"type": "NULL"},
            "exclusiveMinimum",
        ),
        (
            {"anyOf": [{"type": ["integer", "null"], "minimum": 2, "maximum": 1}, STRING]},
            {"type": "STRING", "nullable": True},
            "anyOf[0].minimum",
        ),
    ],
    ids=str,
)
def test_an_alternative_that_nothing_fits_is_left_out(
    schema: Json, expected: Json, left_out: str
) -> None:
    made, changes = property_of(schema, api="gemini")
    assert made == expected
    assert changes == {left_out: "dropped"}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "null", "enum": [0]},
        {"type": "null", "const": False},
        {"allOf": [{"enum": [2, 0.5]}, {"type": "null"}]},
        {"type": "null", "anyOf": [STRING]},
        {"anyOf": [{"type": "null", "enum": [0]}, {"type": "null", "const": 1}]},
    ],
    ids=str,
)
def test_null_that_another_keyword_forbids(schema: Json) -> None:
    for api in ("v1", "gemini"):
        with pytest.raises(DeclarationError):
            property_of(schema, api=api)


@pytest.mark.parametrize(
    "schema",
    [
        {
            "allOf": [
                {"anyOf": [STRING, {"type": "null"}]},
                {"anyOf": [STRING, {"type": "integer"}]},
            ]
        },
        {"anyOf": [STRING, {"type": "null"}], "oneOf": [STRING, {"type": "integer"}]},
        {"anyOf": [STRING, {"type": "null", "anyOf": [STRING]}]},
        {"anyOf": [STRING, {"type": "null", "enum": [0]}]},
    ],
    ids=str,
)
def test_null_does_not_slip_in(schema: Json) -> None:
    made, _ = property_of(schema)
    assert all("nullable" not in each for each in made.get("anyOf", [made]))


def test_null_that_every_keyword_takes_stays() -> None:
    beside = {"type": "null", "anyOf": [STRING, {"type": "null"}], "enum": [None, 1]}
    assert node({"anyOf": [STRING, beside]}) == {"type": "STRING", "nullable": True}


def test_items_and_positions_of_two_parts_meet() -> None:
    integers = {"type": "array", "items": {"type": "integer"}}
    pair = {"type": "array", "prefixItems": [{"type": ["integer", "boolean"]}], "items": False}
    for parts in ([integers, pair], [pair, integers]):
        made, _ = property_of({"allOf": parts})
        assert made["items"] == {"type": "INTEGER"}
        assert made["maxItems"] == 1
    objects = {"type": "array", "items": {"type": "object"}}
    closed = {"type": "array", "prefixItems": [{"type": "object"}, False]}
    made, _ = property_of({"allOf": [objects, closed]})
    assert made["maxItems"] == 1


@pytest.mark.parametrize("is_turned", [False, True])
def test_a_const_is_in_every_enum(is_turned: bool) -> None:
    parts = [{"type": "string", "enum": ["a", "ab"]}, {"enum": ["a", "b"], "const": "ab"}]
    with pytest.raises(DeclarationError, match="nothing fits all"):
        property_of({"allOf": parts[::-1] if is_turned else parts})
