"""Schema in, schema out: the same values fit, wherever nothing was reported."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft7Validator, Draft202012Validator

from support.instances import Instances
from support.json_schemas import Schemas
from toolwire import DeclarationError, functions, v1

Json = Any
APIS = ["v1", "v1beta1", "gemini"]
FILES = sorted((Path(__file__).parent / "data").glob("*.json"))
CORPUS: dict[str, Json] = {
    f"{file.stem}.{name}": schema
    for file in FILES
    for name, schema in json.loads(file.read_text()).items()
}
# No validator of JSON Schema knows these spellings.
OTHER_DIALECTS = {
    *("openapi.nullable_30", "openapi.exclusive_30", "openapi.upper_case", "openapi.proto_names")
}
# How many are declared as they are, with a report, and not at all.
COUNTS = {"v1": (57, 25, 6), "v1beta1": (57, 25, 6), "gemini": (47, 37, 4)}


def check(schema: Json, function: Any, random: Random, count: int, name: str = "") -> int:
    """Compares verdicts on drawn values; returns how many of them fitted."""
    if not function.HasField("parameters"):
        return 0
    back = functions.to_json_schema(function.parameters)
    Draft202012Validator.check_schema(back)
    dialect = Draft7Validator if name == "mcp.draft7_tuple" else Draft202012Validator
    ours: Any = Draft202012Validator(back)
    theirs: Any = dialect(schema)
    instances = Instances(schema, random)
    fitting = 0
    for _ in range(count):
        value = instances.draw()
        if isinstance(value, dict):  # arguments are an object
            expected = theirs.is_valid(value)
            assert ours.is_valid(value) == expected, (value, schema, back)
            fitting += expected
    return fitting


def outcome(schema: Json, api: str) -> str:
    try:
        found = functions.declare(schema, name="f", description="d", api=api, report=True)
    except DeclarationError:
        return "refused"
    return "reported" if found[1] else "declared"


@pytest.mark.parametrize("api", APIS)
def test_how_many_are_declared(api: str) -> None:
    outcomes = [outcome(schema, api) for schema in CORPUS.values()]
    found = tuple(outcomes.count(each) for each in ("declared", "reported", "refused"))
    assert len(CORPUS) == 88
    assert found == COUNTS[api]


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("name", [name for name in CORPUS if name not in OTHER_DIALECTS])
def test_real_schemas(name: str, api: str) -> None:
    schema = CORPUS[name]
    if outcome(schema, api) == "declared":
        function = functions.declare(schema, name="f", description="d", api=api, strict=True)
        fitting = check(schema, function, Random(1), 150, name)  # noqa: S311 - to be repeated
        assert fitting or not function.HasField("parameters")


@pytest.mark.parametrize("api", ["v1", "gemini"])
def test_random_schemas(api: str) -> None:
    declared = 0
    for seed in range(300):
        random = Random(seed)  # noqa: S311 - to be repeated
        schema = Schemas(random).document()
        try:
            found = functions.declare(schema, name="f", description="d", api=api, report=True)
        except DeclarationError:
            continue
        if not found[1]:
            declared += 1
            check(schema, found[0], random, 30)
    assert declared > 60


def nodes(schema: Any) -> Iterator[Any]:
    """Yields every schema in one, itself first."""
    yield schema
    for field, value in schema.ListFields():
        if field.message_type is schema.DESCRIPTOR:
            for each in value if field.is_repeated else [value]:
                yield from nodes(each)
        elif field.name in {"properties", "defs"}:
            for name in value:
                yield from nodes(value[name])


@pytest.mark.parametrize("refs", [False, True])
@pytest.mark.parametrize("api", APIS)
def test_no_node_is_left_half_said(api: str, refs: bool) -> None:
    """A type or alternatives in each, items in arrays, names of properties in their order."""
    documents = [Schemas(Random(seed)).document() for seed in range(300)]  # noqa: S311
    kinds: set[int] = set()
    for document in [*CORPUS.values(), *documents]:
        try:
            function: Any = functions.declare(
                document, name="f", description="d", api=api, refs=refs
            )
        except DeclarationError:
            continue
        for node in nodes(function.parameters) if function.HasField("parameters") else ():
            kinds.add(node.type)
            stands_for_another = bool(node.any_of) or bool(getattr(node, "ref", ""))
            assert bool(node.type) != stands_for_another, (document, node)
            assert node.HasField("items") == (node.type == v1.Type.ARRAY), (document, node)
            assert sorted(node.property_ordering) == sorted(node.properties), (document, node)
            assert set(node.required) <= set(node.properties), (document, node)
            assert node.format != "enum" or node.enum, (document, node)
    assert kinds >= {0, *range(1, 7)}


@pytest.mark.parametrize("name", CORPUS)
def test_what_comes_back_is_declared_alike(name: str) -> None:
    if outcome(CORPUS[name], "v1") == "refused":
        return
    function = functions.declare(CORPUS[name], name="f")
    back = functions.to_json_schema(function.parameters)
    own: Json = {"name": "f", "description": function.description}  # not of the parameters
    assert functions.declare(back, strict=True, titles=True, **own) == function
