"""Objects and arrays."""

from __future__ import annotations

from typing import Any

import pytest

from support.declared import declared, node, property_of
from toolwire import DeclarationError, functions, v1

Json = Any
STRING = {"type": "STRING"}
KEYWORDS = [
    *("type", "title", "format", "default", "items", "required", "pattern", "enum"),
    *("properties", "description", "anyOf", "ref", "nullable", "minimum"),
]


@pytest.mark.parametrize("given", [True, False, {"type": "integer"}, {}])
def test_additional_properties_round_trip(given: Json) -> None:
    schema = {"type": "object", "additionalProperties": given}
    function = functions.declare({"properties": {"x": schema}}, name="f", strict=True)
    back = functions.to_json_schema(function.parameters)["properties"]["x"]
    assert back == {**schema, "additionalProperties": True if given == {} else given}


def test_additional_properties_are_schemas_of_the_api() -> None:
    values = {"type": ["string", "null"], "enum": ["a", None], "title": "Word of it"}
    made = node({"type": "object", "additionalProperties": values})
    assert made["additionalProperties"] == {
        "type": "STRING",
        "nullable": True,
        "enum": ["a"],
        "title": "Word of it",
    }


def test_gemini_has_no_additional_properties() -> None:
    made, changes = property_of(
        {"type": "object", "additionalProperties": {"type": "integer", "description": "Age"}},
        api="gemini",
    )
    text = "Other members are allowed: each of type integer, Age."
    assert made == {"type": "OBJECT", "description": text}
    assert changes == {"additionalProperties": "dropped"}
    assert node({"type": "object", "additionalProperties": True}, api="gemini") == {
        "type": "OBJECT"
    }
    _, changes = property_of({"type": "object", "additionalProperties": False}, api="gemini")
    assert changes == {"additionalProperties": "dropped"}


@pytest.mark.parametrize(
    "schema",
    [
        None,
        {},
        {"type": "object"},
        {"type": "OBJECT", "properties": {}},
        {"type": "object", "properties": {}, "required": [], "additionalProperties": False},
        {"type": "object", "$schema": "x", "title": "fArguments"},
        {"$ref": "#/$defs/E", "$defs": {"E": {"type": "object", "properties": {}}}},
    ],
)
@pytest.mark.parametrize("api", ["v1", "v1beta1", "gemini"])
def test_no_parameters_leave_the_field_unset(schema: Json, api: str) -> None:
    function = functions.declare(
        {"name": "f", "description": "d", "inputSchema": schema}, api=api, strict=True
    )
    assert not function.HasField("parameters")


def test_a_function_without_parameters() -> None:
    def now() -> str:
        """Tells the time."""
        return ""

    assert functions.declare(now) == v1.FunctionDeclaration(
        name="now", description="Tells the time."
    )


def test_properties_on_other_types_are_an_error() -> None:
    with pytest.raises(DeclarationError, match="belongs to an object, found in a string") as caught:
        property_of({"type": "string", "properties": {"a": {"type": "string"}}})
    assert caught.value.path == 'properties["x"].properties'


def test_parameters_with_the_names_of_keywords() -> None:
    properties = {name: {"type": "string", "description": name} for name in KEYWORDS}
    schema = {"type": "object", "properties": properties, "required": ["required", "type"]}
    made, changes = declared(schema)
    assert changes == []
    assert made["parameters"]["properties"] == {
        name: {**STRING, "description": name} for name in KEYWORDS
    }
    back = functions.to_json_schema(functions.declare(schema, name="f").parameters)
    assert back == schema


def test_required_that_names_no_property_is_pruned() -> None:
    made, changes = property_of(
        {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city", "cty"]}
    )
    assert made["required"] == ["city"]
    assert changes == {"required[1]": "dropped"}


def test_property_ordering_at_every_level() -> None:
    inner = {"type": "object", "properties": {"z": {"type": "string"}, "a": {"type": "string"}}}
    schema = {"type": "object", "properties": {"y": inner, "b": {"type": "array", "items": inner}}}
    made, _ = declared(schema)
    parameters = made["parameters"]
    assert parameters["propertyOrdering"] == ["y", "b"]
    assert parameters["properties"]["y"]["propertyOrdering"] == ["z", "a"]
    assert parameters["properties"]["b"]["items"]["propertyOrdering"] == ["z", "a"]
    back = functions.to_json_schema(functions.declare(schema, name="f").parameters)
    assert list(back["properties"]) == ["y", "b"]
    assert list(back["properties"]["y"]["properties"]) == ["z", "a"]


@pytest.mark.parametrize("keyword", ["propertyOrdering", "property_ordering"])
def test_the_users_own_ordering_wins(keyword: str) -> None:
    properties = {"a": {"type": "string"}, "b": {"type": "string"}}
    schema = {"type": "object", "properties": properties, keyword: ["b", "a"]}
    assert node(schema)["propertyOrdering"] == ["b", "a"]


@pytest.mark.parametrize("schema", [{}, {"items": {}}, {"items": True}])
def test_an_array_always_has_items(schema: Json) -> None:
    made, changes = property_of({"type": "array", **schema})
    assert made["items"] == STRING
    assert changes == {"items": "changed"}
    made, _ = property_of({"type": "array", **schema}, untyped="NUMBER")
    assert made["items"] == {"type": "NUMBER"}


def test_tuples_of_one_type() -> None:
    pair = {"type": "array", "prefixItems": [{"type": "number"}] * 2, "minItems": 2, "maxItems": 2}
    expected = {"type": "ARRAY", "items": {"type": "NUMBER"}, "minItems": 2, "maxItems": 2}
    assert node(pair) == expected
    draft_7 = {"type": "array", "items": [{"type": "number"}] * 2, "minItems": 2}
    assert node({**draft_7, "additionalItems": False}) == expected


def test_tuples_of_several_types() -> None:
    mixed = [{"type": "string"}, {"type": "integer"}]
    made, changes = property_of(
        {"type": "array", "prefixItems": mixed, "minItems": 2, "maxItems": 2}
    )
    assert made == {
        "type": "ARRAY",
        "items": {"anyOf": [STRING, {"type": "INTEGER"}]},
        "minItems": 2,
        "maxItems": 2,
    }
    assert changes == {"prefixItems": "changed"}


def test_an_open_tuple_is_reported() -> None:
    _, changes = property_of({"type": "array", "prefixItems": [{"type": "string"}]})
    assert changes == {"prefixItems": "changed"}
