"""What nobody should declare: an error with a path, never a crash, never a hang."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from toolwire import DeclarationError, functions, v1

Json = Any


def of(**properties: Json) -> Json:
    return {"type": "object", "properties": properties}


def nested(levels: int, wrap: Any) -> Json:
    schema: Json = {"type": "string"}
    for _ in range(levels):
        schema = wrap(schema)
    return schema


def array(schema: Json) -> Json:
    return {"type": "array", "items": schema}


def objects(schema: Json) -> Json:
    return of(a=schema)


def all_of(schema: Json) -> Json:
    return {"allOf": [schema]}


def any_of(schema: Json) -> Json:
    return {"anyOf": [schema, {"type": "integer"}]}


def lists(value: Json) -> Json:
    return [value]


def laughs() -> Json:
    definitions = {"d0": {"type": "string"}}
    for number in range(1, 40):
        ref = {"$ref": f"#/$defs/d{number - 1}"}
        definitions[f"d{number}"] = of(a=ref, b=ref)
    return {**of(a={"$ref": "#/$defs/d39"}), "$defs": definitions}


def product() -> Json:
    names = [f"p{number}" for number in range(20)]
    branches = [{"anyOf": [{"required": [name]}, {"required": [f"{name}x"]}]} for name in names]
    members = {name: {"type": "string"} for each in names for name in (each, f"{each}x")}
    return of(a={**of(**members), "allOf": branches})


def chain() -> Json:
    definitions: Json = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(3000)}
    return {**of(a={"$ref": "#/$defs/d0"}), "$defs": {**definitions, "d3000": {"type": "string"}}}


def itself() -> Json:
    schema = of()
    schema["properties"]["a"] = schema
    return schema


@pytest.mark.parametrize(
    "schema",
    [
        of(a=nested(5000, array)),
        of(a=nested(90, array)),
        nested(60, objects),
        of(a=nested(5000, all_of)),
        of(a=nested(120, any_of)),
        laughs(),
        product(),
        chain(),
        itself(),
        of(a={"type": "array", "items": {"type": "string"}, "default": nested(90, lists)}),
        of(a={"enum": range(10**9)}),
    ],
    ids=["arrays", "too deep", "objects", "allOf", "anyOf", "laughs", "product", "chain", "itself",
         "default", "range"],
)  # fmt: skip
@pytest.mark.parametrize("api", ["v1", "gemini"])
def test_too_deep_or_too_large(schema: Json, api: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        functions.declare(schema, name="f", api=api)
    assert caught.value.path


def test_what_is_large_and_fine() -> None:
    many = of(**{f"p{number}": {"type": "string"} for number in range(5000)})
    assert len(functions.declare(many, name="f").parameters.properties) == 5000
    deep = functions.declare(of(a=nested(80, array)), name="f")
    tool = v1.Tool(function_declarations=[deep])
    assert v1.GenerateContentRequest.FromString(
        v1.GenerateContentRequest(tools=[tool]).SerializeToString()
    )
    assert functions.to_json_schema(deep.parameters)["properties"]["a"]["type"] == "array"


def test_a_stack_that_is_nearly_full() -> None:
    schema = of(a=nested(80, array))

    def go_down(levels: int) -> None:
        if levels:
            go_down(levels - 1)
        else:
            functions.declare(schema, name="f")

    with pytest.raises(DeclarationError, match="the stack"):
        go_down(sys.getrecursionlimit() - 150)


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ({"type": "object", "properties": []}, "properties"),
        (of(a=3), 'properties["a"]'),
        (of(a=None), 'properties["a"]'),
        (of(a={"type": 3.5}), 'properties["a"].type'),
        (of(a={"type": ["string", 9]}), 'properties["a"].type[1]'),
        (of(a={"type": "string", "minLength": "x"}), 'properties["a"].minLength'),
        (of(a={"type": "string", "minLength": -1}), 'properties["a"].minLength'),
        (of(a={"type": "string", "maxLength": 1.5}), 'properties["a"].maxLength'),
        (of(a={"type": "string", "maxLength": 2**63}), 'properties["a"].maxLength'),
        (of(a={"type": "string", "pattern": 3}), 'properties["a"].pattern'),
        (of(a={"type": "string", "format": []}), 'properties["a"].format'),
        (of(a={"type": "string", "description": 3}), 'properties["a"].description'),
        (of(a={"type": "string", "title": {}}), 'properties["a"].title'),
        (of(a={"type": "string", "nullable": "yes"}), 'properties["a"].nullable'),
        (of(a={"type": "integer", "minimum": "0"}), 'properties["a"].minimum'),
        (of(a={"type": "integer", "maximum": True}), 'properties["a"].maximum'),
        (of(a={"type": "integer", "minimum": float("nan")}), 'properties["a"].minimum'),
        (of(a={"type": "integer", "minimum": 10**400}), 'properties["a"].minimum'),
        (of(a={"type": "array", "items": 3}), 'properties["a"].items'),
        (of(a={"type": "array", "prefixItems": 3}), 'properties["a"].prefixItems'),
        (of(a={"anyOf": 3}), 'properties["a"].anyOf'),
        (of(a={"anyOf": []}), 'properties["a"].anyOf'),
        (of(a={"oneOf": [3]}), 'properties["a"].oneOf[0]'),
        (of(a={"allOf": {}}), 'properties["a"].allOf'),
        (of(a={"enum": "ab", "type": "string"}), 'properties["a"].enum'),
        (of(a={"enum": [1], "type": "string"}), 'properties["a"].enum'),
        (of(a={"$ref": 3}), 'properties["a"]["$ref"]'),
        ({**of(a={"type": "string"}), "required": "a"}, "required"),
        ({**of(a={"type": "string"}), "required": [1]}, "required[0]"),
        ({"type": "object", "additionalProperties": 3}, "additionalProperties"),
        (of(a=object()), 'properties["a"]'),
        (of(a={"default": {1, 2}, "type": "string"}), 'properties["a"].default'),
        ({"properties": {3: {}}}, "properties"),
        (of(**{"a\ud800": {"type": "string"}}), "properties"),
        (of(a={"type": "string", "description": "\ud800"}), 'properties["a"].description'),
    ],
)
def test_schemas_that_are_none(schema: Json, path: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        functions.declare(schema, name="f")
    assert caught.value.path == path
    assert caught.value.reason
    assert not caught.value.reason[0].isupper()


def test_draft_3_requires_on_the_property() -> None:
    given = of(a={"type": "string", "required": True})
    _, changes = functions.declare(given, name="f", report=True)
    assert [change.path for change in changes] == ['properties["a"].required']


@pytest.mark.parametrize("untyped", ["ARRAY", "string?", ""])
def test_untyped_takes_few_types(untyped: Any) -> None:
    with pytest.raises(DeclarationError, match="untyped= takes one of"):
        functions.declare(of(a={}), name="f", untyped=untyped)


@pytest.mark.parametrize("value", [3, None, "STRING", v1.Tool(), v1.Schema])
def test_what_is_no_schema(value: object) -> None:
    with pytest.raises(DeclarationError, match="expected a Schema, found"):
        functions.to_json_schema(value)


def test_a_schema_too_deep_to_translate() -> None:
    schema = inner = v1.Schema(type="ARRAY")
    for _ in range(2000):
        inner = inner.items
        inner.type = v1.Type.ARRAY
    with pytest.raises(DeclarationError, match="nested deeper"):
        functions.to_json_schema(schema)


def test_what_a_newer_server_may_send() -> None:
    assert functions.to_json_schema(v1.Schema(type=99, pattern="a")) == {"pattern": "a"}
    member = v1.Schema(type="INTEGER", enum=["1", "x"], nullable=True)
    assert functions.to_json_schema(member) == {
        "type": ["integer", "null"],
        "enum": [1, "x", None],
    }
