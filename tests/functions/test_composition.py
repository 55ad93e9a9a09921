"""References, unions and merging: how the parts of a JSON Schema come together in one Schema."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, RootModel

import toolwire
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


NEVER: Json = {"not": {}}  # as Zod writes what has no value


@pytest.mark.parametrize("never", [NEVER, {"not": True, "description": "Never."}])
def test_what_has_no_value_is_left_out_as_false_is(never: Json) -> None:
    text = {"type": "string"}
    for union in ("anyOf", "oneOf"):
        assert property_of({union: [never, text]}) == (STRING, {})
    assert property_of({"type": "object", "additionalProperties": never}) == (
        {"type": "OBJECT", "additionalProperties": False},
        {},
    )
    made, changes = property_of(
        {"type": "object", "properties": {"a": never, "not": text, "b": {"items": never}}}
    )
    assert made["properties"]["not"] == STRING
    assert made["properties"]["b"]["description"] == "Always empty."
    assert made["propertyOrdering"] == ["not", "b"]
    assert changes['properties["a"]'] == "dropped"
    with pytest.raises(DeclarationError, match="is false: nothing fits"):
        property_of({"allOf": [text, never]})


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


def test_a_description_beside_alternatives_is_said_in_each() -> None:
    branches: Json = [
        {"type": "integer", "description": "A number."},
        {"type": "string"},
        {"type": "boolean", "description": "Pick!"},
    ]
    made = node({"anyOf": branches, "description": "Pick!"})
    assert [each["description"] for each in made["anyOf"]] == ["Pick! A number.", "Pick!", "Pick!"]


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


@pytest.mark.parametrize(
    ("ref", "below"),
    [("#/definitions/D", {"definitions": {"D": {"type": "string"}}}), ("#/properties/a", {})],
)
def test_references_point_anywhere_in_the_document(ref: str, below: Json) -> None:
    schema = {"properties": {"a": {"type": "string"}, "x": {"$ref": ref}}, **below}
    made, changes = declared(schema)
    assert (made["parameters"]["properties"]["x"], changes) == (STRING, [])


@pytest.mark.parametrize("api", ["v1", "v1beta1"])
def test_definitions_that_need_each_other_are_carried_at_the_root(api: str) -> None:
    node_of = {"type": "object", "properties": {"to": {"$ref": "#/$defs/B"}}}
    list_of = {"type": "array", "items": {"$ref": "#/$defs/A"}}
    made, changes = declared(
        {"properties": {"x": {"$ref": "#/$defs/A"}}, "$defs": {"A": node_of, "B": list_of}},
        api=api,
        refs=True,
    )
    assert changes == []
    parameters = made["parameters"]
    assert parameters["properties"]["x"] == {"ref": "#/defs/A"}
    assert parameters["defs"] == {
        "A": {
            "type": "OBJECT",
            "properties": {"to": {"ref": "#/defs/B"}},
            "propertyOrdering": ["to"],
        },
        "B": {"type": "ARRAY", "items": {"ref": "#/defs/A"}},
    }


class Number(RootModel[int | float]):
    pass


class Word(RootModel[str | bool]):
    pass


def of_unions(x: Annotated[Number | Word, Field(description="The x.")] = Word("a")) -> None:  # noqa: B008
    """Takes alternatives that have alternatives."""


@pytest.mark.parametrize("api", ["v1", "v1beta1", "gemini"])
def test_alternatives_of_alternatives_are_all_at_one_level(api: str) -> None:
    declare: Any = functions.declare
    made = declare(of_unions, api=api)
    toolwire.validate(made)
    found: Json = toolwire.to_dict(made.parameters.properties["x"])
    assert found.keys() == {"anyOf"}
    assert [each["type"] for each in found["anyOf"]] == ["INTEGER", "NUMBER", "STRING", "BOOLEAN"]
    assert all(each["description"] == "The x." for each in found["anyOf"])
    assert [each.get("default") for each in found["anyOf"]] == [None, None, "a", None]


def test_null_in_alternatives_of_alternatives() -> None:
    inner = {"anyOf": [{"type": "string"}, {"type": "integer"}], "description": "In."}
    made = node({"anyOf": [inner, {"type": "boolean"}, {"type": "null"}], "description": "Out."})
    assert [each["nullable"] for each in made["anyOf"]] == [True, True, True]
    assert [each["description"] for each in made["anyOf"]] == ["Out. In.", "Out. In.", "Out."]


class Walk(BaseModel):
    kind: Literal["walk"] = "walk"
    steps: int = 0


class Ride(BaseModel):
    kind: Literal["ride"]


class Trip(BaseModel):
    kind: Literal["trip"] = "trip"
    parts: list[Annotated[Trip | Walk, Field(discriminator="kind")]] = []


def test_what_tells_alternatives_apart_is_required() -> None:
    """pydantic takes no default there, and its JSON Schema does not say so."""

    def go(way: Annotated[Walk | Ride, Field(discriminator="kind")]) -> str:
        """Goes."""
        return way.kind

    declared = functions.declare(go, report=True)
    branches = declared.message.parameters.properties["way"].any_of
    assert [list(branch.required) for branch in branches] == [["kind"], ["kind"]]
    assert [change.path for change in declared.changes] == ['properties["way"].discriminator']
    walk = functions.declare(Walk, strict=True)
    assert not walk.parameters.required


def test_alternatives_that_are_carried_stay_as_they_are() -> None:
    made = functions.declare(Trip, refs=True).parameters
    (trip, walk) = made.properties["parts"].items.any_of
    assert (trip.ref, walk.ref) == ("#/defs/Trip", "#/defs/Walk")
    assert not made.defs["Walk"].required


@pytest.mark.parametrize(
    "discriminator",
    [None, "kind", {}, {"propertyName": None}, {"propertyName": ["kind"]}, {"propertyName": "x"}],
)
def test_a_discriminator_that_names_nothing(discriminator: Json) -> None:
    branches = [
        {"type": "object", "properties": {"kind": {"type": "string", "enum": [name]}}}
        for name in "ab"
    ]
    made, _ = property_of({"oneOf": branches, "discriminator": discriminator})
    assert all("required" not in branch for branch in made["anyOf"])


def test_the_components_of_openapi_are_definitions() -> None:
    document: Json = {
        "$ref": "#/components/schemas/Order",
        "components": {
            "schemas": {
                "Order": {
                    "type": "object",
                    "properties": {"of": {"$ref": "#/components/schemas/Item"}},
                },
                "Item": {"type": "string"},
                "Unused": {"$ref": "#/components/schemas/Unused"},
            }
        },
    }
    made, changes = declared(document)
    assert (made["parameters"]["properties"]["of"], changes) == (STRING, [])
