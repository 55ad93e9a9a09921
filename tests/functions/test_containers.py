"""Objects and arrays."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import JsonValue

import toolwire
from support.declared import declared, node, property_of
from toolwire import DeclarationError, functions, v1
from toolwire.testing import LocalServer

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
    made, changes = property_of({"type": "object", "additionalProperties": True}, api="gemini")
    assert made == {"type": "OBJECT", "description": "Other members are allowed."}
    assert changes == {"additionalProperties": "dropped"}
    _, changes = property_of({"type": "object", "additionalProperties": False}, api="gemini")
    assert changes == {"additionalProperties": "dropped"}


PATTERN: Json = {"type": "object", "patternProperties": {"^x-": {"type": "string"}}}


@pytest.mark.parametrize("others", [None, True, False, {"type": "integer"}])
def test_members_of_a_pattern_stay_possible(others: Json) -> None:
    schema = PATTERN if others is None else {**PATTERN, "additionalProperties": others}
    made, changes = property_of(schema)
    text = 'Members may have names that match "^x-": each of type string.'
    assert made == {"type": "OBJECT", "description": text, "additionalProperties": True}
    told = {"patternProperties": "dropped"}
    assert changes == (
        told if others is None or others is True else told | {"additionalProperties": "changed"}
    )
    # Likewise where nothing else is taken.
    assert functions.declare(schema, name="f").parameters.additional_properties.bool_value
    made, _ = property_of({**PATTERN, "additionalProperties": False}, api="gemini")
    assert made == {"type": "OBJECT", "description": text}


ANYTHING: Json = {
    "Any": {},
    "Likewise": {"$ref": "#/$defs/Any", "title": "Likewise"},
    "Said": {"description": "Whatever."},
}


@pytest.mark.parametrize("refs", [False, True])
@pytest.mark.parametrize(
    "schema",
    [{}, True, {"$ref": "#/$defs/Any"}, {"$ref": "#/$defs/Likewise"}, {"nullable": True}],
)
def test_what_lets_anything_in_is_known_by_what_it_means(schema: Json, *, refs: bool) -> None:
    made, changes = property_of(
        {"type": "object", "additionalProperties": schema}, definitions=ANYTHING, refs=refs
    )
    assert (made["additionalProperties"], changes) == (True, {})
    made, changes = property_of({"type": "array", "items": schema}, definitions=ANYTHING, refs=refs)
    assert (made["items"]["type"], changes) == ("STRING", {"items": "changed"})


@pytest.mark.parametrize("schema", [ANYTHING["Said"], {"$ref": "#/$defs/Said"}])
def test_a_description_of_anything_stays_where_it_can(schema: Json) -> None:
    made, _ = property_of({"type": "array", "items": schema}, definitions=ANYTHING)
    assert made["items"] == {**STRING, "description": "Whatever."}
    made, changes = property_of(
        {"type": "object", "additionalProperties": ANYTHING["Said"]}, definitions=ANYTHING
    )
    assert made["additionalProperties"] is True
    assert changes == {"additionalProperties.description": "dropped"}


def test_a_dict_of_any_json_is_declared() -> None:
    def store(values: dict[str, JsonValue], rows: list[JsonValue]) -> None:
        """Stores."""

    made, changes = functions.declare(store, report=True)
    assert toolwire.to_dict(made.parameters)["properties"] == {
        "values": {"type": "OBJECT", "additionalProperties": True},
        "rows": {"type": "ARRAY", "items": STRING},
    }
    assert [change.path for change in changes] == ['properties["rows"].items']


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


def test_property_ordering_where_schemas_hide() -> None:
    inner = {"type": "object", "properties": {"z": {"type": "string"}, "a": {"type": "string"}}}
    ordered = ["z", "a"]
    made = node({"anyOf": [inner, {"type": "string"}]})
    assert made["anyOf"][0]["propertyOrdering"] == ordered
    made = node({"type": "object", "additionalProperties": inner})
    assert made["additionalProperties"]["propertyOrdering"] == ordered
    made = node({"$ref": "#/$defs/D"}, definitions={"D": {"allOf": [inner]}})
    assert made["propertyOrdering"] == ordered
    loop = {**inner, "properties": {"z": {"$ref": "#/$defs/D"}, "a": {"type": "string"}}}
    whole = {"properties": {"x": {"$ref": "#/$defs/D"}}, "$defs": {"D": loop}}
    made, _ = declared(whole, refs=True)
    assert made["parameters"]["defs"]["D"]["propertyOrdering"] == ordered


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
        "description": "Items in this order: string, integer.",
    }
    assert changes == {"prefixItems": "changed"}


def test_the_order_of_a_tuple_is_told_to_the_model() -> None:
    node: Json = {"type": "object", "properties": {"of": {"$ref": "#/$defs/Node"}}}
    prefix = [
        {"type": ["number", "null"]},
        {"anyOf": [STRING, {"$ref": "#/$defs/Node"}]},
        {"enum": [1]},
    ]
    schema = {"properties": {"a": {"prefixItems": prefix}}, "$defs": {"Node": node}}
    made = functions.declare(schema, name="f", refs=True).parameters.properties["a"]
    assert made.description == (
        "Items in this order: number or null, string or object, value, others."
    )


def test_the_local_model_fills_a_tuple_in_its_order() -> None:
    def place(at: tuple[int, str], size: tuple[float, bool, str]) -> str:
        """Places it."""
        return f"{at[0] + 1} {at[1].upper()} {size[1] is True} {size[2].upper()}"

    with LocalServer() as server, server.client() as client:
        run = client.run_tools("gemini-2.5-flash", "Place it.", tools=[place])
    (outcome,) = run.turns[0].outcomes
    assert outcome.error is None


def test_an_open_tuple_is_reported() -> None:
    _, changes = property_of({"type": "array", "prefixItems": [{"type": "string"}]})
    assert changes == {"prefixItems": "changed"}
