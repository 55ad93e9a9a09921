"""What the declared schema says about the numbers of a call."""

from __future__ import annotations

from typing import Any

import pytest

from support.apis import module
from toolwire import UsageError, functions, v1

SCHEMA: dict[str, Any] = {
    "type": "OBJECT",
    "properties": {
        "price": {"type": "NUMBER"},
        "count": {"type": "INTEGER"},
        "either": {"any_of": [{"type": "NUMBER"}, {"type": "INTEGER"}]},
        "maybe": {"any_of": [{"type": "STRING"}, {"type": "NUMBER"}]},
        "points": {
            "type": "ARRAY",
            "items": {"type": "OBJECT", "properties": {"x": {"type": "NUMBER"}}},
        },
        "text": {"type": "STRING"},
    },
}
ARGS: dict[str, Any] = {
    "price": 2.0,
    "count": 2.0,
    "either": 2.0,
    "maybe": 2.0,
    "points": [{"x": 1.0, "other": 1.0}],
    "text": 2.0,
    "unknown": 2.0,
}
EXPECTED = {
    "price": float,
    "count": int,
    "either": int,
    "maybe": float,
    "text": int,
    "unknown": int,
}


def read(tools: object, args: dict[str, Any] | None = None, *, api: str = "v1") -> dict[str, Any]:
    part = {"function_call": {"name": "f", "args": ARGS if args is None else args}}
    calls: Any = functions.calls
    found: dict[str, Any] = calls(module(api).Content(parts=[part]), tools=tools)[0].args
    return found


def kinds(args: dict[str, Any]) -> dict[str, type]:
    return {name: type(value) for name, value in args.items() if name != "points"}


@pytest.mark.parametrize("api", ["v1", "v1beta1", "gemini"])
def test_a_number_is_a_float_where_the_schema_says_number(api: str) -> None:
    declaration = module(api).FunctionDeclaration(name="f", parameters=SCHEMA)
    tool = module(api).Tool(function_declarations=[declaration])
    for tools in (tool, [tool], declaration, (module(api).Tool(), declaration)):
        args = read(tools, api=api)
        assert kinds(args) == EXPECTED
        assert [type(value) for value in args["points"][0].values()] == [int, float]


def test_a_json_schema_says_it_too() -> None:
    schema = {
        "type": "object",
        "$defs": {
            "Money": {"type": ["number", "null"]},
            "Net price": {"type": "number"},
            "Loop": {"$ref": "#/$defs/Loop"},
            "Named": {"$anchor": "gross", "type": "number"},
            "Addressed": {"$id": "/tax", "type": "number"},
        },
        "properties": {
            "price": {"$ref": "#/$defs/Money"},
            "net": {"$ref": "#/$defs/Net%20price"},
            "gross": {"$ref": "#gross"},
            "tax": {"$ref": "/tax"},
            "count": {"oneOf": [{"type": "integer"}, {"type": "string"}]},
            "pair": {"prefixItems": [{"type": "number"}, {"type": "integer"}]},
            "loop": {"$ref": "#/$defs/Loop"},
            "nowhere": {"$ref": "#/$defs/None"},
            "elsewhere": {"$ref": "https://example.com/schema"},
        },
        "additionalProperties": {"type": "number"},
    }
    declaration = functions.to_value(schema)
    tools = module("gemini").FunctionDeclaration(name="f", parameters_json_schema=declaration)
    names = [
        "price",
        "net",
        "gross",
        "tax",
        "count",
        "pair",
        "loop",
        "nowhere",
        "elsewhere",
        "more",
    ]
    given = dict.fromkeys(names, 2.0) | {"pair": [1.0, 1.0, 1.0]}
    args = read(tools, given, api="gemini")
    assert [type(value) for value in args.pop("pair")] == [float, int, int]
    assert kinds(args) == {
        "price": float,
        "net": float,
        "gross": float,
        "tax": float,
        "count": int,
        "loop": int,
        "nowhere": int,
        "elsewhere": int,
        "more": float,
    }


def test_functions_that_are_not_declared_go_by_the_default() -> None:
    other = v1.FunctionDeclaration(name="g", parameters=SCHEMA)
    bare = v1.FunctionDeclaration(name="f")
    assert kinds(read([other, bare]))["price"] is int
    assert kinds(read([]))["price"] is int


def test_a_switch_keeps_every_number_a_float() -> None:
    tool = v1.FunctionDeclaration(name="f", parameters=SCHEMA)
    part = {"function_call": {"name": "f", "args": {"count": 2.0}}}
    found = functions.calls(v1.Content(parts=[part]), tools=tool, keep_floats=True)
    assert type(found[0].args["count"]) is float


@pytest.mark.parametrize("wrong", ["f", 1, v1.Schema(), [v1.Schema()], [None, "x"], object()])
def test_what_is_no_tool_is_refused(wrong: object) -> None:
    with pytest.raises(UsageError, match="expected a Tool in tools, found"):
        read(wrong)
