"""References of every form that is about: followed, or refused with what would be right."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from support.declared import declared
from support.work import calls_of
from toolwire import DeclarationError, functions

Json = Any
TEXT: Json = {"type": "string"}
DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"
HERE = "https://example.com/schemas/order"
WEATHER: Json = {
    "type": "object",
    "description": "Tells the weather.",
    "properties": {"city": TEXT},
    "required": ["city"],
}


def referring(ref: str, **document: Json) -> Json:
    return {"type": "object", "properties": {"x": {"$ref": ref}}, **document}


FOLLOWED: list[tuple[str, Json]] = [
    ("#/$defs/D", {"$defs": {"D": TEXT}}),
    ("#/definitions/D", {"definitions": {"D": TEXT}}),
    ("#/components/schemas/D", {"components": {"schemas": {"D": TEXT}}}),
    ("#/$defs/a~1b", {"$defs": {"a/b": TEXT}}),
    ("#/$defs/a~01b", {"$defs": {"a~1b": TEXT}}),
    ("#/$defs/a%20b", {"$defs": {"a b": TEXT}}),
    ("#/$defs/a%7E1b", {"$defs": {"a/b": TEXT}}),
    ("#/$defs/caf%C3%A9", {"$defs": {"caf\u00e9": TEXT}}),
    ("#/$defs/D/items/1", {"$defs": {"D": {"items": [{}, TEXT]}}}),
    ("#/$defs/D/properties/$ref", {"$defs": {"D": {"properties": {"$ref": TEXT}}}}),
    ("#here", {"definitions": {"D": {"id": "#here", **TEXT}}, "$schema": DRAFT_4}),
    (f"{HERE}#/definitions/D", {"id": f"{HERE}#", "definitions": {"D": TEXT}}),
    ("order#/definitions/D", {"id": f"{HERE}#", "definitions": {"D": TEXT}}),
    (f"{HERE}#/$defs/D", {"$id": HERE, "$defs": {"D": TEXT}}),
    ("#/$defs/D", {"$id": f"{HERE}#top", "$defs": {"D": TEXT}}),
    ("HTTPS://example.com/a#/$defs/D", {"$id": "HTTPS://example.com/a", "$defs": {"D": TEXT}}),
    ("order#/$defs/D", {"$id": HERE, "$defs": {"D": TEXT}}),
    ("/schemas/order#/$defs/D", {"$id": HERE, "$defs": {"D": TEXT}}),
    ("text", {"$id": HERE, "$defs": {"D": {"$id": "/schemas/text", **TEXT}}}),
    ("/schemas/text", {"$id": HERE, "$defs": {"D": {"$id": "/schemas/text", **TEXT}}}),
    ("text.json", {"$defs": {"D": {"$id": "text.json", **TEXT}}}),
    ("text.json", {"definitions": {"D": {"id": "text.json", **TEXT}}, "$schema": DRAFT_4}),
    ("text#/$defs/E", {"$id": HERE, "$defs": {"D": {"$id": "text", "$defs": {"E": TEXT}}}}),
    (
        "text#here",
        {"$id": HERE, "$defs": {"D": {"$id": "text", "not": {"$anchor": "here", **TEXT}}}},
    ),
    ("urn:example:text", {"$defs": {"D": {"$id": "urn:example:text", **TEXT}}}),
    ("#/$defs/D", {"$id": "urn:example:order", "$defs": {"D": TEXT}}),
    (
        "urn:example:order#/$defs/D",
        {"$id": "urn:example:order", "$defs": {"D": TEXT}, "$schema": DRAFT_2020},
    ),
]


@pytest.mark.parametrize(("ref", "document"), FOLLOWED)
def test_a_reference_is_followed(ref: str, document: Json) -> None:
    made, changes = declared(referring(ref, **document), strict=True)
    assert made["parameters"]["properties"] == {"x": {"type": "STRING"}}
    assert changes == []


@pytest.mark.parametrize(
    ("ref", "document", "said"),
    [
        ("D", {"$defs": {"D": TEXT}}, 'did you mean "#/$defs/D"?'),
        ("$defs/D", {"$defs": {"D": TEXT}}, 'did you mean "#/$defs/D"?'),
        ("#$defs/D", {"$defs": {"D": TEXT}}, 'did you mean "#/$defs/D"?'),
        ("#/definitions/D", {"$defs": {"D": TEXT}}, 'did you mean "#/$defs/D"?'),
        ("#/$defs/D", {"definitions": {"D": TEXT}}, 'did you mean "#/definitions/D"?'),
        (
            "api.yaml#/components/schemas/D",
            {"components": {"schemas": {"D": TEXT}}},
            'did you mean "#/components/schemas/D"?',
        ),
        ("#/$defs/Ordr", {"$defs": {"Order": TEXT}}, 'points at nothing; did you mean "Order"?'),
        ("#/$defs/a/b", {"$defs": {"a/b": TEXT}}, "points at nothing"),
        ("#/components/schemas/Pet", {}, 'put what it names under "$defs"'),
        ("pet.json", {}, "points out of the document"),
        (
            "https://example.com/pet.json#/definitions/D",
            {"$defs": {}},
            "points out of the document",
        ),
        ("http://[/pet", {}, "points out of the document"),
        ("orders", {"$id": HERE}, "points out of the document"),
        (f"{HERE}s#/$defs/D", {"$id": HERE, "$defs": {"D": TEXT}}, 'did you mean "#/$defs/D"?'),
        ("#/$defs/D/0", {"$defs": {"D": [TEXT, TEXT], "E": TEXT}}, ""),
        ("#/$defs/D/7", {"$defs": {"D": [TEXT]}}, "points at nothing"),
    ],
)
def test_a_reference_that_is_refused_says_what_would_be_right(
    ref: str, document: Json, said: str
) -> None:
    schema = referring(ref, **document)
    if not said:
        assert declared(schema)[0]["parameters"]["properties"]["x"] == {"type": "STRING"}
        return
    with pytest.raises(DeclarationError) as caught:
        declared(schema)
    assert caught.value.path == 'properties["x"]["$ref"]'
    assert said in caught.value.reason
    assert f'"{ref}"' in caught.value.reason


@pytest.mark.parametrize("refs", [True, False])
def test_an_error_says_where_the_reference_stands(refs: bool) -> None:
    definitions = {"D": {"type": "array", "items": {"$ref": "#/$defs/None"}}}
    document = referring("#/$defs/D", **{"$defs": definitions})
    with pytest.raises(DeclarationError, match="points at nothing") as caught:
        declared(document, refs=refs)
    at = '["$defs"]["D"]' if refs else 'properties["x"]'
    assert caught.value.path == f'{at}.items["$ref"]'


def test_a_reference_in_what_is_dropped_is_not_followed() -> None:
    document = referring("#/$defs/D", **{"$defs": {"D": {**TEXT, "not": {"$ref": "pet.json"}}}})
    _, (change,) = declared(document)
    assert (change.path, change.action) == ('properties["x"].not', "dropped")


def test_an_address_of_several_schemas_is_refused() -> None:
    definitions = {"D": {"$id": "text", **TEXT}, "E": {"$id": "text", "type": "integer"}}
    for ref in ("text", "text#", f"{HERE[: -len('order')]}text", "text#/type"):
        with pytest.raises(DeclarationError) as caught:
            declared(referring(ref, **{"$id": HERE, "$defs": definitions}))
        assert caught.value.path == 'properties["x"]["$ref"]'
        assert caught.value.reason == (
            f'"{ref}" names several schemas: point at one of them with #/...'
        )
    made, _ = declared(referring("#/$defs/E", **{"$id": HERE, "$defs": definitions}))
    assert made["parameters"]["properties"]["x"] == {"type": "INTEGER"}


def test_an_address_of_the_document_and_of_a_schema_in_it() -> None:
    definitions = {"D": {"$id": HERE, "$defs": {"E": {"type": "integer"}}}, "E": TEXT}
    made, _ = declared(referring("#/$defs/E", **{"$id": HERE, "$defs": definitions}))
    assert made["parameters"]["properties"]["x"] == {"type": "STRING"}
    with pytest.raises(DeclarationError, match="names several schemas"):
        declared(referring(f"{HERE}#/$defs/E", **{"$id": HERE, "$defs": definitions}))


@pytest.mark.parametrize("address", ["", "d", HERE])
def test_work_grows_as_the_number_of_anchors_does(address: str) -> None:
    def work(many: int) -> int:
        anchors = {f"d{n}": {"$anchor": f"a{n}", **TEXT} for n in range(many)}
        document = {
            "$id": HERE,
            "type": "object",
            "properties": {f"p{n}": {"$ref": f"{address}#a{n}"} for n in range(many)},
            "$defs": {"d": {"$id": "d", "$defs": anchors}},
        }
        return calls_of(lambda: declared(document))

    small, large = work(50), work(200)
    assert small < large < 4.4 * small


BELOW: Json = {"type": "object", "properties": {"a": {"$ref": "#/definitions/D"}}}


@pytest.mark.parametrize(
    ("address", "schema"), [("$id", DRAFT_2020), ("id", DRAFT_4), ("$id", None)]
)
def test_what_counts_from_an_address_further_in_is_refused(
    address: str, schema: str | None
) -> None:
    definitions = {"D": TEXT, "E": {address: "further", **BELOW}}
    document = referring("#/definitions/E", definitions=definitions)
    with pytest.raises(
        DeclarationError, match=r"counts from there: .*; leave that \$id out"
    ) as caught:
        declared({**document, "$schema": schema} if schema else document)
    assert caught.value.path == 'properties["x"].properties["a"]["$ref"]'


def test_an_address_further_in_counts_for_nothing_where_both_ways_lead_to_one_place() -> None:
    definitions: Json = {"E": {"$id": "/schemas/further", "items": {"$ref": f"{HERE}#here"}}}
    definitions["D"] = {"$anchor": "here", **TEXT}
    document = referring("further", **{"$id": HERE, "$defs": definitions})
    made, _ = declared(document)
    assert made["parameters"]["properties"]["x"]["items"] == {"type": "STRING"}


def test_an_id_is_no_keyword_in_later_drafts() -> None:
    definitions = {"D": TEXT, "E": {"id": "further", **BELOW}}
    made, changes = declared(referring("#/definitions/E", definitions=definitions))
    assert made["parameters"]["properties"]["x"]["properties"] == {"a": {"type": "STRING"}}
    assert changes == []
    made, (change,) = declared({"type": "object", "id": TEXT})
    assert (change.path, change.action) == ("id", "dropped")


@pytest.mark.parametrize(
    ("ref", "name"),
    [
        ("#/$defs/Tree", "Tree"),
        (f"{HERE}#/$defs/Tree", "Tree"),
        (f"{HERE}#tree", "tree"),
        ("tree", "tree"),
        (HERE, "order"),
    ],
)
def test_a_carried_reference_has_the_name_of_what_it_points_at(ref: str, name: str) -> None:
    tree: Json = {"$anchor": "tree", "type": "object", "properties": {"next": {"$ref": HERE}}}
    leaf: Json = {"$id": "tree", "type": "string"}
    document = referring(ref, **{"$id": HERE, "$defs": {"Tree": tree, "Leaf": leaf}})
    made, _ = declared(document, refs=True)
    assert made["parameters"]["properties"]["x"] == {"ref": f"#/defs/{name}"}
    assert name in made["parameters"]["defs"]


class Weather(BaseModel):
    """Tells the weather."""

    city: str
    after: Weather | None = None


def test_a_schema_that_is_a_reference_has_the_name_of_what_it_refers_to() -> None:
    schema = Weather.model_json_schema()
    assert schema.keys() == {"$defs", "$ref"}
    function, changes = functions.declare(schema, refs=True, report=True)
    assert (function.name, function.description) == ("Weather", "Tells the weather.")
    assert sorted(function.parameters.properties) == ["after", "city"]
    assert not function.parameters.description
    assert changes == []
    whole = functions.declare(schema, api="v1beta1", as_json_schema=True)
    assert (whole.name, whole.description) == ("Weather", "Tells the weather.")
    assert functions.to_plain(whole.parameters_json_schema) == schema
    template, changes = functions.declare(schema, api="firebase", report=True)
    assert (template.name, changes) == ("Weather", [])


@pytest.mark.parametrize(
    ("document", "name"),
    [
        ({"$ref": "#/$defs/W", "$defs": {"W": {"title": "Weather", **WEATHER}}}, "Weather"),
        ({"$ref": "#/definitions/W", "definitions": {"W": WEATHER}}, "W"),
        ({"$ref": "#/$defs/W", "$defs": {"W": {"title": "The weather", **WEATHER}}}, "W"),
        ({"$ref": "#here", "$defs": {"W": {"$anchor": "here", **WEATHER}}}, "here"),
        ({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/W"}, "W": WEATHER}}, "A"),
        ({"ref": "#/defs/W", "defs": {"W": WEATHER}}, "W"),
        (
            {"title": "Mine", "$ref": "#/$defs/W", "$defs": {"W": {"title": "W", **WEATHER}}},
            "Mine",
        ),
    ],
)
def test_where_such_a_name_comes_from(document: Json, name: str) -> None:
    function = functions.declare(document, strict=True)
    assert (function.name, function.description) == (name, "Tells the weather.")
    assert list(function.parameters.properties) == ["city"]
    assert functions.declare(document, name="other").name == "other"


@pytest.mark.parametrize(
    ("document", "path", "said"),
    [
        ({"$ref": "#/$defs/the weather", "$defs": {"the weather": WEATHER}}, "name", "pass name="),
        ({"$ref": "#/$defs/W", "required": [], "$defs": {"W": WEATHER}}, "name", "pass name="),
        ({"$ref": "#"}, "name", "pass name="),
        ({"$ref": 3}, "name", "pass name="),
        ({"$ref": "#/$defs/V", "$defs": {"W": WEATHER}}, '["$ref"]', "points at nothing"),
    ],
)
def test_a_reference_that_names_nothing(document: Json, path: str, said: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        functions.declare(document)
    assert caught.value.path == path
    assert said in caught.value.reason
