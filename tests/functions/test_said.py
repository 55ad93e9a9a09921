"""What an API has no field for, said in the description; and slips of the pen."""

from __future__ import annotations

import enum
from datetime import date
from typing import Any

import pytest

import toolwire
from support.declared import declared, node, property_of
from toolwire import DeclarationError, functions

Json = Any


@pytest.mark.parametrize(
    ("schema", "keyword", "said"),
    [
        (
            {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
            "uniqueItems",
            "No two items are alike.",
        ),
        ({"type": "integer", "multipleOf": 5}, "multipleOf", "A multiple of 5."),
        ({"type": "string", "contentEncoding": "base32"}, "contentEncoding", "Encoded as base32."),
        (
            {"type": "string", "contentMediaType": "text/csv"},
            "contentMediaType",
            "Its content is text/csv.",
        ),
        ({"type": "string", "deprecated": True}, "deprecated", "Deprecated."),
        (
            {"type": "object", "dependentRequired": {"card": ["cvv", "date"]}},
            "dependentRequired",
            '"card" takes "cvv" and "date" beside it.',
        ),
        (
            {"type": "object", "patternProperties": {"^x-": {"type": "string"}}},
            "patternProperties",
            'Members may have names that match "^x-": each of type string.',
        ),
        (
            {"type": "object", "propertyNames": {"pattern": "^[a-z]$"}},
            "propertyNames",
            'Names of members match "^[a-z]$".',
        ),
        (
            {"type": "object", "propertyNames": {"enum": ["a", "b"]}},
            "propertyNames",
            'Names of members are of "a", "b".',
        ),
        (
            {
                "type": "object",
                "propertyNames": {"type": "string", "title": "Day", "format": "date"},
            },
            "propertyNames",
            "Names of members have the format date.",
        ),
        (
            {"type": "object", "propertyNames": {"minLength": 2, "maxLength": 3}},
            "propertyNames",
            (
                "Names of members have at least 2 characters. "
                "Names of members have at most 3 characters."
            ),
        ),
    ],
)
@pytest.mark.parametrize("api", ["v1", "gemini"])
def test_what_has_no_field_is_said_and_told(
    schema: Json, keyword: str, said: str, api: str
) -> None:
    made, changes = property_of(schema, api=api)
    assert (made["description"], changes) == (said, {keyword: "dropped"})
    made, _ = property_of({**schema, "description": "Own words"}, api=api)
    assert made["description"] == f"Own words. {said}"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Unit(str, enum.Enum):
    """How it is counted."""

    KM = "km"
    MILES = "mi"


def test_a_dict_says_which_names_its_members_have() -> None:
    def take(units: dict[Unit, int], levels: dict[Level, str], days: dict[date, int]) -> None:
        """Takes them."""

    made = functions.declare(take).parameters.properties
    assert [made[name].description for name in ("units", "levels", "days")] == [
        'Names of members are of "km", "mi".',
        'Names of members are of "1", "2".',
        "Names of members have the format date.",
    ]


def test_a_set_says_that_it_is_one() -> None:
    def take(tags: set[str]) -> None:
        """Takes them."""

    made = functions.declare(take).parameters.properties["tags"]
    assert made.description == "No two items are alike."


@pytest.mark.parametrize(
    "keyword",
    [
        {"uniqueItems": "yes"},
        {"multipleOf": "x"},
        {"dependentRequired": {"a": 1}},
        {"patternProperties": []},
        {"propertyNames": {"not": {"const": "a"}}},
        {"contentEncoding": 1},
        {"not": {"type": "string"}},
        {"contentMediaType": "x" * 500},
    ],
)
def test_what_has_no_words_is_told_alone(keyword: Json) -> None:
    made, changes = property_of({"type": "object", **keyword})
    assert "description" not in made
    assert changes == dict.fromkeys(keyword, "dropped")


def test_what_demands_nothing_is_not_told() -> None:
    assert node({"type": "array", "items": {"type": "string"}, "uniqueItems": False})
    assert node({"type": "string", "deprecated": False}) == {"type": "STRING"}


def test_types_of_other_members() -> None:
    def take(a: dict[str, int | list[str] | None]) -> None:
        """Takes it."""

    made = functions.declare(take, api="gemini").parameters.properties["a"]
    assert made.description == "Other members are allowed: each of type integer or array."


def test_a_misspelt_keyword_names_the_right_one() -> None:
    schema: Json = {"type": "object", "properties": {"a": {"type": "string", "minLenght": 3}}}
    _, changes = declared(schema)
    assert [str(change) for change in changes] == [
        'properties["a"].minLenght: the v1 schema has no such keyword; did you mean "minLength"?'
    ]
    _, changes = declared({**schema, "x-property": 1, "not": {}})
    assert not any("did you mean" in change.message for change in changes if "not" in change.path)


@pytest.mark.parametrize("name", ["propertes", "Properties", "property", "propertiess"])
def test_an_object_that_would_lose_its_properties_is_refused(name: str) -> None:
    wrong: Json = {"type": "object", name: {"a": {"type": "string"}}}
    with pytest.raises(DeclarationError, match='did you mean "properties"') as caught:
        functions.declare(wrong, name="f")
    assert caught.value.path == name
    with pytest.raises(DeclarationError) as caught:
        functions.declare({"type": "object", "properties": {"x": wrong}}, name="f")
    assert caught.value.path == f'properties["x"].{name}'
    right = {**wrong, "properties": {"b": {"type": "string"}}}
    assert "did you mean" in functions.declare(right, name="f", report=True).changes[0].message


def test_the_report_of_a_toolbox() -> None:
    def take(tags: set[str]) -> None:
        """Takes them."""

    (change,) = functions.Toolbox([take]).changes
    assert change.path == 'functions[0].properties["tags"].uniqueItems'
    assert isinstance(change, toolwire.functions.Change)
