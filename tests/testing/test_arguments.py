"""Arguments are valid against the declared schema: jsonschema is the judge."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import grpc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from support.calls import ask, calls
from support.schemas import PARAMETERS, Pair
from toolwire import v1
from toolwire.testing._model import reply
from toolwire.testing._model._hints import read
from toolwire.testing._model._instances import Maker

Stub: TypeAlias = "v1.grpc.PredictionServiceStub"
Json: TypeAlias = Any
RANDOM = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def check(schema: dict[str, Json], value: Json) -> None:
    validator: Any = Draft202012Validator(
        schema, format_checker=Draft202012Validator.FORMAT_CHECKER
    )
    faults = [error.message for error in validator.iter_errors(value)]
    assert not faults, (value, schema)


def made(schema: dict[str, Json], prompt: str = "", turn: int = 0) -> Json:
    value = Maker(schema, read(prompt), turn).make_any()
    check(schema, value)
    return value


@RANDOM
@given(PARAMETERS, st.sampled_from(["", "go to Paris", 'say "hi" to X-1, twice', "both"]))
def test_arguments_are_valid(pair: Pair, prompt: str) -> None:
    ours, standard = pair
    function = {"name": "f", "parameters": ours}
    request = ask(f"Do it {prompt}", function)
    response = reply(request, v1.GenerateContentResponse())
    assert isinstance(response, v1.GenerateContentResponse)
    found = calls(response)
    assert found
    for name, arguments in found:
        assert name == "f"
        check(standard, arguments)


def test_arguments_over_the_wire(stub: Stub) -> None:
    tree: dict[str, Any] = {"type": "OBJECT", "properties": {"leaf": {"type": "BOOLEAN"}}}
    for depth in range(6):
        tree = {"type": "OBJECT", "properties": {f"d{depth}": tree}, "required": [f"d{depth}"]}
    found = calls(stub.GenerateContent(ask("x", {"name": "f", "parameters": tree})))
    assert found[0][1]["d5"]["d4"]["d3"]["d2"]["d1"]["d0"] == {}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "default": "D"}, "D"),
        ({"type": "string", "example": "E"}, "E"),
        ({"type": "string", "examples": [3, "E"]}, "E"),
        ({"type": "string", "default": 3, "maxLength": 1}, "v"),
        ({"type": "integer", "default": None}, 2),
        ({"type": ["integer", "null"], "default": None}, None),
        ({"type": "array", "default": []}, []),
        ({"const": {"a": [1]}}, {"a": [1]}),
        ({"enum": [None, 1]}, None),
        ({"type": "integer", "minimum": 2.5}, 4),
        ({"type": "integer", "maximum": -7}, -7),
        ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.5}, 0.25),
        ({"type": "integer", "multipleOf": 7, "minimum": 8}, 14),
        ({"type": "number", "multipleOf": 0.5, "minimum": 1.75, "maximum": 2.25}, 2),
        ({"type": "boolean"}, True),
        ({"type": "null"}, None),
        (
            {"properties": {"type": {"type": "string"}, "default": {"type": "integer"}}},
            {"type": "type", "default": 2},
        ),
        ({"minItems": 2, "items": {"type": "boolean"}}, [True, False]),
        ({"type": "array", "uniqueItems": True, "minItems": 3}, ["value", "value 2", "value 3"]),
        ({"prefixItems": [{"type": "boolean"}, {"type": "null"}]}, [True, None]),
        ({"oneOf": [{"type": "integer"}, {"type": "number"}, {"type": "string"}]}, 1.5),
        ({"allOf": [{"minimum": 3, "type": "number"}, {"maximum": 3}]}, 3),
        ({"not": {"const": "value"}, "type": "string", "enum": ["value", "x"]}, "x"),
        ({"type": "object", "minProperties": 2, "maxProperties": 2}, None),
        ({"type": "object", "required": ["z"], "additionalProperties": {"type": "null"}}, None),
        ({"additionalProperties": False, "properties": {"a": True}, "type": "object"}, {"a": "a"}),
    ],
)
def test_json_schema(schema: dict[str, Json], expected: Json) -> None:
    value = made(schema)
    if expected is not None:
        assert value == expected


def test_the_prompt_fills_in() -> None:
    schema = {
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "unit": {"enum": ["METRIC", "IMPERIAL_UNITS"]},
            "order_id": {"type": "string"},
            "on": {"type": "string", "format": "date"},
            "query": {"type": "string"},
        },
    }
    prompt = "Ship A-17 to New York on 2026-03-04 in imperial units. Thanks, I guess"
    assert made(schema, prompt) == {
        "city": "New York",
        "unit": "IMPERIAL_UNITS",
        "order_id": "A-17",
        "on": "2026-03-04",
        "query": prompt,
    }
    assert made({"properties": {"title": {"type": "string"}}}, 'Call it "Blue"') == {
        "title": "Blue"
    }


def test_another_turn_gives_another_value() -> None:
    schema = {"type": "object", "properties": {"s": {"type": "string"}, "n": {"type": "integer"}}}
    values = [made(schema, turn=turn) for turn in range(5)]
    assert all(value not in values[:index] for index, value in enumerate(values))


RECURSIVE = [
    {
        "$ref": "#/$defs/node",
        "$defs": {
            "node": {
                "type": "object",
                "properties": {
                    "value": {"type": "integer"},
                    "children": {"type": "array", "items": {"$ref": "#/$defs/node"}},
                    "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]},
                },
                "required": ["value", "next"],
            }
        },
    },
    {"type": "object", "properties": {"self": {"$ref": "#"}}},
    {
        "$defs": {
            "a": {"type": "object", "properties": {"b": {"$ref": "#/$defs/b"}}},
            "b": {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "required": ["a"]},
        },
        "$ref": "#/$defs/a",
    },
    {
        "$defs": {"x~y/z": {"type": "boolean"}},
        "type": "array",
        "minItems": 1,
        "items": {"$ref": "#/$defs/x~0y~1z"},
    },
    {"definitions": {"old": {"type": "null"}}, "$ref": "#/definitions/old"},
]


@pytest.mark.parametrize("schema", RECURSIVE)
def test_recursion_ends(schema: dict[str, Json]) -> None:
    made(schema)


def test_schema_refs_are_followed() -> None:
    node = {
        "type": "OBJECT",
        "properties": {"name": {"type": "STRING"}, "next": {"ref": "#/defs/node"}},
        "required": ["name"],
    }
    parameters = {
        "type": "OBJECT",
        "properties": {"first": {"ref": "#/defs/node"}},
        "defs": {"node": node},
    }
    response = reply(
        ask("x", {"name": "f", "parameters": parameters}), v1.GenerateContentResponse()
    )
    assert isinstance(response, v1.GenerateContentResponse)
    assert calls(response)[0][1]["first"]["name"] == "name"


HOPELESS: list[dict[str, Json]] = [
    {"$ref": "#/$defs/none"},
    {"$ref": "#"},
    {"anyOf": [{"$ref": "#"}]},
    {"allOf": [{"$ref": "#"}, {"$ref": "#"}]},
    {"oneOf": [{"anyOf": [{"$ref": "#"}]}, {"$ref": "#"}]},
    {
        "type": "object",
        "properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}},
        "required": ["a", "b"],
    },
    {"type": "array", "items": {"$ref": "#"}, "minItems": 3},
    {"type": "integer", "minimum": 3, "maximum": 2},
    {"type": "string", "minLength": 10**12},
    {"type": "array", "minItems": 10**12},
    {"type": "object", "minProperties": 10**12},
    {"type": "string", "pattern": "(?<=x)y"},
    {"type": "string", "pattern": "[", "default": "x"},
    {"type": "string", "pattern": "(a+)+$", "default": "a" * 60 + "!"},
    {"type": "nonsense"},
    {"type": 3, "enum": 3, "properties": 3, "required": 3, "items": 3, "minimum": "x"},
    {"enum": []},
    {"type": "object", "required": [1, None], "properties": {"a": 7}},
    {"type": "number", "multipleOf": 0},
    {"type": "number", "minimum": 1e308, "exclusiveMinimum": 1.7e308},
    {"not": {}},
]


@pytest.mark.parametrize("schema", HOPELESS)
def test_a_hopeless_schema_gets_some_value(schema: dict[str, Json]) -> None:
    Maker(schema).make_any()
    assert isinstance(Maker(schema).make(), dict)


KEYWORDS = [
    *("type", "enum", "anyOf", "allOf", "oneOf", "$ref", "items", "properties", "not", "a"),
    *("required", "default", "minimum", "pattern", "prefixItems", "const"),
]
SCALARS: st.SearchStrategy[Json] = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 5), st.floats(allow_nan=False), st.text(max_size=3)
)
WORDS = st.sampled_from(["object", "array", "string", "#", "#/a", "integer"])
JSON: st.SearchStrategy[Json] = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(KEYWORDS), inner | WORDS, max_size=5),
    ),
    max_leaves=20,
)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from(["type", "a", "properties", "anyOf", "items"]), JSON))
def test_any_json_is_taken_for_a_schema(schema: dict[str, Json]) -> None:
    assert isinstance(Maker(schema, read("x")).make(), dict)


ABC = {"type": "string", "enum": ["a", "b"]}
HARD: list[dict[str, Json]] = [
    {"type": "string", "pattern": "^[A-Z]", "minLength": 3},
    {"type": "string", "pattern": "-z$", "minLength": 70},
    {"type": "string", "pattern": "^(abc|zz)+$", "maxLength": 3},
    {"type": "string", "pattern": "^(a{0,20}){0,20}$", "minLength": 30},
    {"type": "string", "format": "date", "pattern": "07$"},
    {"type": "string", "format": "date", "pattern": "^2024-05-06$"},
    {"type": "array", "prefixItems": [False, {"type": "integer"}]},
    {"type": "array", "prefixItems": [{"type": "integer"}, {"enum": []}, {"type": "boolean"}]},
    {"type": "array", "prefixItems": [{"type": "boolean"}] * 3, "uniqueItems": True},
    {"type": "array", "items": {"anyOf": [{"type": "null"}, {"type": "array"}, ABC]},
     "uniqueItems": True, "minItems": 4},
    {"oneOf": [{"type": "string"}, {"type": "string", "minLength": 1, "maxLength": 6}]},
    {"oneOf": [{"type": "string", "minLength": 9}, {"type": "string", "maxLength": 12}]},
    {"oneOf": [{"type": "array", "minItems": 1}, {"type": "array", "maxItems": 1}]},
    {"oneOf": [{"type": "number", "multipleOf": 0.25}, {"type": "number", "multipleOf": 0.5}]},
    {"oneOf": [{"type": ["array", "object"]}, {"type": "array"}]},
    {"allOf": [{"type": "boolean", "not": {"const": True}}, {"not": {"const": 5}}]},
]  # fmt: skip


@pytest.mark.parametrize("schema", HARD, ids=str)
@pytest.mark.parametrize("turn", [0, 1, 2])
def test_what_is_hard_to_fit(schema: dict[str, Json], turn: int) -> None:
    made(schema, 'call "zzz" on 2025-01-01', turn)


@pytest.mark.parametrize("pattern", [".*" * 200 + "$a", "(a?b?c?d?e?f?){1000}" * 20 + "$a"])
def test_patterns_that_cost_too_much_come_to_an_end(pattern: str) -> None:
    names = [f"p{index}" for index in range(10)]
    text: Json = {"type": "string", "pattern": pattern, "minLength": 64}
    schema: dict[str, Json] = {"properties": dict.fromkeys(names, text), "required": names}
    found = Maker(schema).make()
    assert list(found) == names


def test_a_default_that_is_no_json_is_refused(stub: Stub) -> None:
    request = ask("x", {"name": "f", "parameters": {"properties": {"a": {"type": "NUMBER"}}}})
    schema = request.tools[0].function_declarations[0].parameters
    schema.type = v1.Type.OBJECT
    schema.properties["a"].default.number_value = math.nan
    with pytest.raises(grpc.RpcError) as caught:
        stub.GenerateContent(request)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert 'properties["a"].default' in (caught.value.details() or "")
