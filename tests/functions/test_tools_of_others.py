"""Tools as others write them, read as functions; and Tools that are none."""

from __future__ import annotations

from typing import Any

import pytest

import toolwire
from support.calling import content
from toolwire import DeclarationError, functions, gemini, v1

Json = Any
CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
NAMED = {"name": "weather", "description": "Tells it."}


@pytest.mark.parametrize(
    "tool",
    [
        {"type": "function", "function": {**NAMED, "parameters": CITY, "strict": True}},
        {"type": "function", **NAMED, "parameters": CITY, "strict": True},
        {**NAMED, "parameters": CITY},
        {**NAMED, "input_schema": CITY},
        {**NAMED, "inputSchema": CITY},
        {**NAMED, "parametersJsonSchema": CITY},
    ],
    ids=["openai", "openai-responses", "plain", "anthropic", "mcp", "declaration"],
)
@pytest.mark.parametrize("api", ["v1", "gemini"])
def test_tools_as_others_write_them(tool: Json, api: str) -> None:
    declaration: Any = functions.declare(tool, api=api, strict=True)
    made: Json = toolwire.to_dict(declaration)
    assert made["parameters"]["required"] == ["city"]
    assert {key: made[key] for key in NAMED} == NAMED
    assert functions.declare(tool, name="other").name == "other"


@pytest.mark.parametrize("tool", [NAMED, {"type": "function", "function": NAMED}])
def test_a_function_that_takes_nothing(tool: Json) -> None:
    made = functions.declare(tool, strict=True)
    assert (made.name, made.HasField("parameters")) == ("weather", False)


def test_a_declaration_as_json_keeps_its_response() -> None:
    ready = {**NAMED, "parameters": CITY, "response": {"type": "STRING"}}
    assert functions.declare(ready).response.type == v1.Type.STRING


def test_a_toolbox_takes_them_by_their_own_name() -> None:
    def tell(city: str) -> str:
        return city

    tool = {"type": "function", "function": {**NAMED, "parameters": CITY}}
    box = functions.Toolbox([(tool, tell)])
    (outcome,) = box.run(content(("weather", {"city": "Oslo"})))
    assert outcome.value == "Oslo"


@pytest.mark.parametrize(
    ("tool", "path", "reason"),
    [
        ({**NAMED, "parameters": {"type": "str"}}, "parameters.type", "no type is named"),
        ({"type": "function", "function": {"name": 3}}, "function.name", "expected text"),
        (
            {"type": "function", "function": {**NAMED, "parameters": {"type": "str"}}},
            "function.parameters.type",
            "no type is named",
        ),
        ({"type": "function"}, "name", "has no name"),
        ({"type": "objekt"}, "name", "has no name"),
        ({"type": "web_search"}, "type", '"web_search" is no type: a tool that OpenAI'),
        ({"type": "bash_20250124", "name": "bash"}, "type", "has ready is no function"),
        ({"type": "web_search", "properties": {}}, "name", "has no name"),
    ],
)
def test_faults_have_their_place(tool: Json, path: str, reason: str) -> None:
    with pytest.raises(DeclarationError, match=reason) as caught:
        functions.declare(tool)
    assert caught.value.path == path


@pytest.mark.parametrize(
    "tool",
    [
        {"google_search": {}},
        {"googleSearch": {}},
        v1.Tool(google_search={}),
        gemini.Tool(code_execution={}),
    ],
)
def test_a_tool_is_no_function(tool: object) -> None:
    def now() -> str:
        """Tells the time."""
        return ""

    with pytest.raises(DeclarationError, match="found a Tool, which stands beside") as caught:
        functions.tool([now, tool])
    assert caught.value.path == "functionDeclarations[1]"
