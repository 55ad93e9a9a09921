"""Types, enums, constants, formats, bounds and defaults."""

from __future__ import annotations

from typing import Any

import pytest

from support.declared import declared, node, property_of
from toolwire import DeclarationError, functions

Json = Any


@pytest.mark.parametrize("schema", [{}, True, {"description": "d"}, {"title": "A thing"}])
def test_no_node_is_without_a_type(schema: Json) -> None:
    with pytest.raises(DeclarationError, match="has no type") as caught:
        property_of(schema)
    assert caught.value.path == 'properties["x"]'
    made, changes = property_of(schema, untyped="STRING")
    assert made["type"] == "STRING"
    assert changes == {"": "changed"}


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"properties": {"a": {"type": "string"}}}, "OBJECT"),
        ({"items": {"type": "string"}}, "ARRAY"),
        ({"minimum": 3}, "NUMBER"),
        ({"pattern": "a"}, "STRING"),
        ({"format": "int32"}, "INTEGER"),
        ({"default": True}, "BOOLEAN"),
    ],
)
def test_a_missing_type_is_inferred_and_reported(schema: Json, kind: str) -> None:
    made, changes = property_of(schema)
    assert made["type"] == kind
    assert changes == {"": "changed"}


def test_keywords_of_two_types_are_no_hint() -> None:
    with pytest.raises(DeclarationError, match="speak of array and object"):
        property_of({"items": {"type": "string"}, "properties": {}})


def test_arguments_are_an_object() -> None:
    made, changes = declared({"properties": {"a": {"type": "string"}}})
    assert (made["parameters"]["type"], changes) == ("OBJECT", [])
    with pytest.raises(DeclarationError, match="the parameters are an object, found array"):
        declared({"type": "array", "items": {"type": "string"}})


@pytest.mark.parametrize("kind", ["string", "STRING", "String", 1])
@pytest.mark.parametrize("keyword", ["type", "type_"])
def test_types_are_read_in_any_spelling(kind: object, keyword: str) -> None:
    assert node({keyword: kind}) == {"type": "STRING"}


def test_spellings_of_proto_plus_and_proto() -> None:
    given = {"type_": "ARRAY", "items": {"type_": "STRING", "format_": "date"}, "min_items": 2}
    assert node(given) == {
        "type": "ARRAY",
        "items": {"type": "STRING", "format": "date"},
        "minItems": 2,
    }


def test_an_unknown_type() -> None:
    with pytest.raises(DeclarationError, match='no type is named "strng"; did you mean "string"'):
        property_of({"type": "strng"})


def test_const() -> None:
    assert node({"const": "a"}) == {"type": "STRING", "enum": ["a"]}
    for value, kind in ((2, "INTEGER"), (0.5, "NUMBER"), (True, "BOOLEAN")):
        made, changes = property_of({"const": value, "description": "Which"})
        assert made["type"] == kind
        assert made["description"] == f"Which. Always {str(value).lower()}."
        assert changes == {"const": "changed"}
    made, changes = property_of({"enum": ["a", "b"], "const": "a"})
    assert made["enum"] == ["a", "b"]
    assert changes == {"const": "dropped"}
    assert node({"enum": ["a"], "const": "a"})["enum"] == ["a"]
    with pytest.raises(DeclarationError, match="is no integer"):
        property_of({"type": "integer", "const": "a"})


@pytest.mark.parametrize(
    ("members", "kind", "texts"),
    [
        ([1, 2], "INTEGER", ["1", "2"]),
        ([1, 2.5], "NUMBER", ["1", "2.5"]),
        ([2.0], "INTEGER", ["2"]),
        ([True], "BOOLEAN", ["true"]),
        (["a", "é"], "STRING", ["a", "é"]),
        (["a", "a"], "STRING", ["a"]),
    ],
)
def test_enums_are_spelled(members: list[Json], kind: str, texts: list[str]) -> None:
    assert node({"enum": members}) == {"type": kind, "enum": texts}
    assert node({"enum": members, "type": kind.lower()}) == {"type": kind, "enum": texts}


def test_null_and_other_types_in_an_enum() -> None:
    assert node({"enum": ["a", None]}) == {"type": "STRING", "enum": ["a"], "nullable": True}
    assert node({"enum": ["a", 1]}) == {
        "anyOf": [{"type": "STRING", "enum": ["a"]}, {"type": "INTEGER", "enum": ["1"]}]
    }
    made, changes = property_of({"type": "string", "enum": ["a", 1]})
    assert made["enum"] == ["a"]
    assert changes == {"enum[1]": "dropped"}


def test_an_empty_enum_is_never_sent() -> None:
    made, changes = property_of({"type": "string", "enum": [], "format": "enum"})
    assert made == {"type": "STRING"}
    assert changes == {"enum": "dropped", "format": "dropped"}
    assert node({"type": "string", "enum": ["a"], "format": "enum"})["format"] == "enum"


@pytest.mark.parametrize(
    ("api", "passing", "others"),
    [
        ("v1", ["date-time", "date", "email", "uri"], ["binary", "password", "int32"]),
        ("v1beta1", ["date-time", "duration"], ["idn-email"]),
        ("gemini", ["date-time"], ["date", "email", "uri", "uuid"]),
    ],
)
def test_string_formats_pass_by_profile(api: str, passing: list[str], others: list[str]) -> None:
    for name in passing:
        assert node({"type": "string", "format": name}, api=api)["format"] == name
    for name in others:
        made, changes = property_of({"type": "string", "format": name}, api=api)
        assert made == {"type": "STRING", "description": f"Format: {name}."}
        assert changes == {"format": "dropped"}


@pytest.mark.parametrize("api", ["v1", "v1beta1", "gemini"])
def test_number_formats(api: str) -> None:
    for kind, names in (("integer", ["int32", "int64"]), ("number", ["float", "double"])):
        for name in names:
            assert node({"type": kind, "format": name}, api=api)["format"] == name
        _, changes = property_of({"type": kind, "format": "uint8"}, api=api)
        assert changes == {"format": "dropped"}


@pytest.mark.parametrize("api", ["v1", "v1beta1"])
def test_zero_that_cannot_be_told_from_absent(api: str) -> None:
    schema = {"type": "integer", "minimum": 0, "maximum": 0, "description": "How many"}
    made, changes = property_of(schema, api=api)
    assert made == {"type": "INTEGER", "description": "How many. At least 0. At most 0."}
    assert changes == {"minimum": "dropped", "maximum": "dropped"}
    made, changes = property_of({"type": "string", "maxLength": 0, "minLength": 0}, api=api)
    assert made == {"type": "STRING", "description": "At most 0 characters."}
    assert changes == {"maxLength": "dropped"}


def test_zero_that_can() -> None:
    assert node({"type": "number", "minimum": 0}, api="gemini") == {
        "type": "NUMBER",
        "minimum": 0.0,
    }
    _, changes = property_of(
        {"type": "array", "items": {"type": "string"}, "maxItems": 0}, api="gemini"
    )
    assert changes == {"maxItems": "dropped"}


@pytest.mark.parametrize("api", ["v1", "v1beta1", "gemini"])
@pytest.mark.parametrize(
    ("kind", "noun"), [("Length", "characters"), ("Items", "items"), ("Properties", "members")]
)
def test_counts_of_zero_are_said(api: str, kind: str, noun: str) -> None:
    schemas: dict[str, Json] = {
        "Length": {"type": "string"},
        "Items": {"type": "array", "items": {"type": "string"}},
        "Properties": {"type": "object", "properties": {"a": {"type": "string"}}},
    }
    made, changes = property_of({**schemas[kind], f"max{kind}": 0}, api=api)
    assert changes == {f"max{kind}": "dropped"}
    assert made["description"] == f"At most 0 {noun}."
    assert "description" not in node({**schemas[kind], f"min{kind}": 0}, api=api)  # says nothing


def test_exclusive_bounds() -> None:
    schema = {"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 9.5}
    assert node(schema) == {"type": "INTEGER", "minimum": 2.0, "maximum": 9.0}
    assert node({"type": "integer", "minimum": 1, "exclusiveMinimum": True})["minimum"] == 2.0
    assert node({"type": "integer", "minimum": 5, "exclusiveMinimum": 1})["minimum"] == 5.0
    made, changes = property_of({"type": "number", "exclusiveMinimum": 1})
    assert made == {"type": "NUMBER", "minimum": 1.0, "description": "More than 1."}
    assert changes == {"exclusiveMinimum": "changed"}


def test_a_bound_that_no_double_holds() -> None:
    made, changes = property_of({"type": "integer", "minimum": 2**53 + 1})
    assert made["minimum"] == 2.0**53
    assert changes == {"minimum": "changed"}


@pytest.mark.parametrize("value", [None, 0, False, "", [], {}, "x", 2])
def test_defaults_differ_from_none(value: Json) -> None:
    schema: Json = {"type": ["string", "null"], "default": value}
    assert node(schema)["default"] == value
    assert "default" not in node({"type": "string"})
    function = functions.declare({"properties": {"x": schema}}, name="f")
    assert function.parameters.properties["x"].HasField("default")


def test_examples() -> None:
    assert node({"type": "string", "examples": ["a"]})["example"] == "a"
    made, changes = property_of({"type": "string", "examples": ["a", "b"]})
    assert made["example"] == "a"
    assert changes == {"examples": "dropped"}


def test_titles_of_tools_are_off_and_the_users_own_kept() -> None:
    assert "title" not in node({"type": "string", "title": "X"})
    assert node({"type": "string", "title": "Pick one"})["title"] == "Pick one"
    assert node({"type": "string", "title": "X"}, titles=True)["title"] == "X"
    definitions = {"Unit": {"type": "string", "title": "Unit"}}
    assert "title" not in node({"$ref": "#/$defs/Unit"}, definitions=definitions)
    root = {
        "title": "findArguments",
        "properties": {"order_id": {"type": "string", "title": "Order Id"}},
    }
    made, _ = declared(root)
    assert "title" not in made["parameters"]
    assert "title" not in made["parameters"]["properties"]["order_id"]


@pytest.mark.parametrize(
    ("name", "title", "is_own"),
    [
        ("order_id", "Order Id", False),
        ("order_id", "order_id", False),
        ("ORDER_ID", "Order Id", False),
        ("x2y_z", "X2Y Z", False),
        ("orderId", "Orderid", False),
        ("_id", "Id", False),
        ("order_id", "Order ID", True),
        ("order_id", "The order", True),
        ("order_id", "Order", True),
    ],
)
def test_a_title_is_made_up_by_one_rule_wherever_it_stands(
    name: str, title: str, is_own: bool
) -> None:
    union = {"anyOf": [{"type": "string"}, {"type": "integer"}]}
    for part, told in (({"type": "string"}, []), (union, ["dropped"] if is_own else [])):
        schema = {"type": "object", "properties": {name: {**part, "title": title}}}
        made, changes = declared(schema)
        assert [change.action for change in changes] == told
        assert ("title" in made["parameters"]["properties"][name]) == (is_own and not told)
        made, changes = declared(schema, titles=True)
        kept = made["parameters"]["properties"][name]
        assert kept.get("title") == title or changes[0].path == f'properties["{name}"].title'


def test_a_title_of_a_class_is_made_up_in_front_of_alternatives_too() -> None:
    union = {"anyOf": [{"type": "object", "properties": {"a": {"type": "string"}}}] * 2}
    assert declared({**union, "title": "Payment"})[1] == []
    assert [change.path for change in declared({**union, "title": "How to pay"})[1]] == ["title"]


def test_null_alone() -> None:
    made, changes = property_of({"type": "null"})
    assert made == {"type": "STRING", "nullable": True, "description": "Always null."}
    assert changes == {"": "changed"}
    assert node({"type": "null"}, api="gemini") == {"type": "NULL"}


@pytest.mark.parametrize(
    "schema",
    [
        {"const": None},
        {"type": ["string", "null"], "const": None},
        {"type": "string", "nullable": True, "const": None},
        {"enum": [None]},
    ],
)
def test_a_constant_null_is_null(schema: Json) -> None:
    made, changes = property_of(schema)
    assert made == {"type": "STRING", "nullable": True, "description": "Always null."}
    assert changes == {"": "changed"}
    with pytest.raises(DeclarationError, match="is no string"):
        property_of({"type": "string", "const": None})


def test_unknown_keywords_are_one_report() -> None:
    schema = {
        "type": "object",
        "properties": {
            "a": {"type": "string", "contentEncoding": "base64", "not": {"const": "x"}},
            "b": {"type": "array", "items": {"type": "number", "multipleOf": 2}},
        },
        "if": {},
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": "silent",
    }
    paths = [
        'properties["a"].contentEncoding',
        'properties["a"].not',
        'properties["b"].items.multipleOf',
        "if",
    ]
    _, changes = declared(schema)
    assert [change.path for change in changes] == paths
    with pytest.raises(DeclarationError) as caught:
        functions.declare(schema, name="f", strict=True)
    assert [change.path for change in caught.value.changes] == paths
    assert all(path in str(caught.value) for path in paths)


STRING = {"type": "STRING"}
NULLS: Json = dict.fromkeys(
    (
        *("title", "description", "format", "enum", "pattern", "minimum", "maximum", "minLength"),
        *("maxLength", "items", "minItems", "properties", "required", "additionalProperties"),
        *("anyOf", "oneOf", "allOf", "nullable", "any_of", "min_items", "not", "x-order", "$ref"),
    )
)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, STRING),
        ({"anyOf": [{"type": "string", **NULLS}, {"type": "null"}]}, {**STRING, "nullable": True}),
        ({"enum": ["a", None]}, {**STRING, "nullable": True, "enum": ["a"]}),
        (
            {"type": ["string", "null"], "default": None},
            {**STRING, "nullable": True, "default": None},
        ),
    ],
)
def test_a_keyword_that_is_null_is_none(schema: Json, expected: Json) -> None:
    """So those write it that dump all fields of an object for a schema."""
    assert node({**NULLS, **schema}) == expected


def test_null_where_a_type_is_meant() -> None:
    """YAML's ``type: null`` is no text."""
    for types in (None, ["string", None]):
        with pytest.raises(DeclarationError, match="properties"):
            node({"type": types})
