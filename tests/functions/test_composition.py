"""References, unions and merging: how the parts of a JSON Schema come together in one Schema."""

from __future__ import annotations

from typing import Any

import pytest

from support.declared import declared, node, property_of
from toolwire import DeclarationError, functions, v1

Json = Any
STRING = {"type": "STRING"}
NODE = {
    "$ref": "#/$defs/Node",
    "$defs": {
        "Node": {
            "type": "object",
            "properties": {
                "value": {"type": "integer"},
                "next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]},
            },
        }
    },
}


@pytest.mark.parametrize(
    ("ref", "name"),
    [("#/$defs/a~1b", "a/b"), ("#/$defs/a~0b", "a~b"), ("#/$defs/a%20b", "a b")],
)
def test_references_resolve_in_place(ref: str, name: str) -> None:
    assert node({"$ref": ref}, definitions={name: {"type": "string"}}) == STRING


def test_a_local_description_wins() -> None:
    definitions = {"D": {"type": "string", "description": "Far."}}
    local = {"$ref": "#/$defs/D", "description": "Near."}
    assert node(local, definitions=definitions) == {**STRING, "description": "Near."}
    assert node({"$ref": "#/$defs/D"}, definitions=definitions)["description"] == "Far."


def test_what_stands_beside_a_reference_must_hold_too() -> None:
    beside = {"$ref": "#/$defs/D", "minLength": 2}
    assert node(beside, definitions={"D": {"type": "string", "maxLength": 3}}) == {
        **STRING,
        "minLength": 2,
        "maxLength": 3,
    }


def test_a_shared_definition_is_no_cycle() -> None:
    definitions: Json = {"B": {"type": "object", "properties": {"y": {"type": "string"}}}}
    definitions["A"] = {
        "allOf": [{"$ref": "#/$defs/B"}],
        "properties": {"b": {"$ref": "#/$defs/B"}},
    }
    made = node({"$ref": "#/$defs/A"}, definitions=definitions)
    assert made["properties"]["b"]["properties"] == {"y": STRING}


@pytest.mark.parametrize(
    ("definitions", "cycle"),
    [
        ({"A": {"type": "array", "items": {"$ref": "#/$defs/A"}}}, '"A" -> "A"'),
        (
            {
                "A": {"type": "array", "items": {"$ref": "#/$defs/B"}},
                "B": {"type": "object", "additionalProperties": {"$ref": "#/$defs/A"}},
            },
            '"A" -> "B" -> "A"',
        ),
        ({"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}, '"A" -> "B" -> "A"'),
        ({"A": {"allOf": [{"$ref": "#/$defs/A"}]}}, '"A" -> "A"'),
    ],
)
@pytest.mark.parametrize("api", ["v1", "v1beta1", "gemini"])
def test_recursion_is_an_error_that_names_the_cycle(
    definitions: Json, cycle: str, api: str
) -> None:
    with pytest.raises(DeclarationError) as caught:
        property_of({"$ref": "#/$defs/A"}, api=api, definitions=definitions)
    assert caught.value.path == 'properties["x"]["$ref"]'
    assert f"contains itself: {cycle}" in caught.value.reason
    assert ("refs=True" in caught.value.reason) == (api != "gemini")


def test_references_are_carried_on_request() -> None:
    function = functions.declare(NODE, name="f", refs=True)
    assert list(function.parameters.defs) == ["Node"]
    inner = function.parameters.properties["next"]
    assert (inner.ref, inner.nullable) == ("#/defs/Node", True)
    assert not function.parameters.defs["Node"].defs
    back = functions.to_json_schema(function.parameters)
    assert back["$defs"]["Node"]["properties"]["next"] == {
        "anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]
    }
    again = functions.declare(back, name="f", refs=True)
    assert functions.to_json_schema(again.parameters) == back


def test_refs_ask_for_nothing_that_an_api_has_not() -> None:
    with pytest.raises(DeclarationError, match="contains itself"):
        functions.declare(NODE, name="f", api="gemini", refs=True)


@pytest.mark.parametrize("ref", ["https://example.com/x", "x.json#/y", "#anchor", "#/$defs/Y"])
def test_references_that_lead_nowhere(ref: str) -> None:
    with pytest.raises(DeclarationError, match="points") as caught:
        property_of({"$ref": ref}, definitions={"X": {"type": "string"}})
    assert caught.value.path == 'properties["x"]["$ref"]'


@pytest.mark.parametrize(
    "schema",
    [
        {"type": ["string", "null"]},
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
        {"oneOf": [{"type": "null"}, {"type": "string"}]},
        {"type": "string", "nullable": True},
        {"anyOf": [{"type": ["null", "string"]}]},
        {"anyOf": [{"type": "string"}, {"const": None}]},
        {"anyOf": [{"type": "string"}, {"enum": [None]}]},
    ],
)
def test_null_becomes_nullable(schema: Json) -> None:
    assert node(schema) == {**STRING, "nullable": True}


def test_one_branch_left_collapses_and_keeps_the_description() -> None:
    union = {"anyOf": [{"type": "string", "description": "In."}, {"type": "null"}]}
    assert node({**union, "description": "Out."})["description"] == "Out."
    assert node({**union, "default": None}) == {
        **STRING,
        "nullable": True,
        "description": "In.",
        "default": None,
    }


def test_any_of_stands_alone() -> None:
    union = {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}
    assert node({**union, "description": "Out.", "default": 3, "title": "X"}) == {
        "anyOf": [
            {**STRING, "nullable": True, "description": "Out."},
            {"type": "INTEGER", "nullable": True, "description": "Out.", "default": 3},
        ]
    }
    assert node({**union, "default": None})["anyOf"][0]["default"] is None
    made, changes = property_of({**union, "title": "My words", "default": []})
    assert list(made) == ["anyOf"]
    assert changes == {"default": "dropped", "title": "dropped"}


def test_a_list_of_types_is_a_union() -> None:
    schema = {"type": ["string", "integer"], "minLength": 2, "minimum": 3}
    assert node(schema) == {
        "anyOf": [{**STRING, "minLength": 2}, {"type": "INTEGER", "minimum": 3.0}]
    }


def test_constraints_beside_alternatives_move_into_them() -> None:
    made = node(
        {
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
            "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
        }
    )
    assert list(made) == ["anyOf"]
    assert [branch["required"] for branch in made["anyOf"]] == [["a"], ["b"]]
    assert all(set(branch["properties"]) == {"a", "b"} for branch in made["anyOf"])


def member(kind: Json) -> Json:
    return {"type": "object", "properties": {"kind": kind}, "required": ["kind"]}


@pytest.mark.parametrize(
    "branches",
    [
        [member({"const": "a"}), member({"const": "b"})],
        [member({"enum": ["a", "c"]}), member({"enum": ["b"]})],
        [{"type": "string"}, {"type": "integer"}],
        [{"type": "string", "const": "a"}, {"type": "string", "const": "b"}],
    ],
)
def test_one_of_with_disjoint_branches_is_any_of(branches: Json) -> None:
    discriminator = {"propertyName": "kind"}
    assert list(node({"oneOf": branches, "discriminator": discriminator})) == ["anyOf"]


@pytest.mark.parametrize(
    "branches",
    [
        [member({"type": "string"}), member({"const": "b"})],
        [{"type": "number"}, {"type": "integer"}],
        [{"enum": ["a", "b"]}, {"enum": ["b"]}],
        [{"type": ["string", "null"]}, {"type": ["integer", "null"]}],
    ],
)
def test_one_of_with_other_branches_is_reported(branches: Json) -> None:
    made, changes = property_of({"oneOf": branches})
    assert list(made) == ["anyOf"]
    assert changes == {"oneOf": "changed"}


def test_all_of_is_merged() -> None:
    base = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
    more = {"properties": {"id": {"minimum": 1}, "name": {"type": "string"}}, "required": ["name"]}
    assert node({"allOf": [{"$ref": "#/$defs/B"}, more]}, definitions={"B": base}) == {
        "type": "OBJECT",
        "properties": {"id": {"type": "INTEGER", "minimum": 1.0}, "name": STRING},
        "required": ["id", "name"],
        "propertyOrdering": ["id", "name"],
    }


def test_all_of_that_cannot_be_merged_is_reported() -> None:
    patterns = [{"type": "string", "pattern": "^a"}, {"pattern": "z$"}]
    made, changes = property_of({"allOf": patterns})
    assert made == {**STRING, "pattern": "^a"}
    assert changes == {"pattern": "dropped"}


@pytest.mark.parametrize(
    "parts",
    [
        [{"type": "string"}, {"type": "integer"}],
        [{"enum": ["a"]}, {"enum": ["b"]}],
        [{"const": "a"}, {"const": "b"}],
        [{"const": "a"}, {"enum": ["b"]}],
        [{"type": "string"}, False],
    ],
)
def test_all_of_that_nothing_fits_is_an_error(parts: Json) -> None:
    with pytest.raises(DeclarationError, match="nothing fits"):
        property_of({"allOf": parts})


def test_messages_inside_of_a_schema() -> None:
    inner = v1.Schema(type="STRING", nullable=True, enum=["a"])
    assert node(inner) == {**STRING, "nullable": True, "enum": ["a"]}
    given = v1.Schema(type="OBJECT", properties={"x": inner}, required=["x"])
    made, changes = declared(given, api="gemini")
    assert changes == []
    assert made["parameters"]["required"] == ["x"]
