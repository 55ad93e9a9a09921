"""Names of functions and parameters, MCP tools, whole tools, and the JSON Schema form."""

from __future__ import annotations

import pickle
from types import SimpleNamespace
from typing import Any

import pytest

import toolwire
from support.declared import declared
from toolwire import DeclarationError, DescriptorError, firebase, functions, gemini, v1
from toolwire._rules import violations

Json = Any
ONE = {"type": "object", "properties": {"a": {"type": "integer", "minimum": 2}}}
MCP: Json = {
    "name": "lookup",
    "title": "Look up",
    "description": "Looks up.",
    "inputSchema": ONE,
    "outputSchema": {"type": "object", "properties": {"b": {"type": "string"}}},
    "annotations": {"readOnlyHint": True},
}


@pytest.mark.parametrize("name", ["f", "_f", "a.b:c-d_1", "f" * 128])
@pytest.mark.parametrize("api", ["v1", "v1beta1", "gemini"])
def test_names_that_the_newest_pages_allow(name: str, api: str) -> None:
    made, changes = declared(ONE, api=api, name=name)
    assert (made["name"], changes) == (name, [])


@pytest.mark.parametrize("name", ["a b", "ä", "a/b", "f" * 129, "a\n", "a\ud800", ""])
@pytest.mark.parametrize("api", ["v1", "v1beta1", "gemini"])
def test_names_that_no_page_allows(name: str, api: str) -> None:
    with pytest.raises(DeclarationError, match="pass name=") as caught:
        functions.declare(ONE, name=name, api=api)
    assert caught.value.path == "name"


@pytest.mark.parametrize("name", ["1a", "-a", ".a"])
def test_the_first_character_depends_on_the_api(name: str) -> None:
    assert functions.declare(ONE, name=name, api="gemini").name == name
    with pytest.raises(DeclarationError, match="a letter or underscore first"):
        functions.declare(ONE, name=name)


def test_older_pages_are_warnings_on_request() -> None:
    assert functions.declare(ONE, name="a:b", report=True).changes == []
    changes = functions.declare(ONE, name="a:b", report=True, older=True).changes
    assert [change.path for change in changes] == ["name", "name"]
    assert changes[1].message == (
        'older pages refuse "a:b": it contains ":": allowed are letters, digits, _ and -'
    )
    assert functions.declare(ONE, name="a_b", report=True, older=True).changes == []


@pytest.mark.parametrize("name", ["a-b", "a.b", "1a", "ä", "", "a" * 65])
@pytest.mark.parametrize("api", ["v1", "v1beta1"])
def test_names_of_parameters(name: str, api: str) -> None:
    schema = {"type": "object", "properties": {name: {"type": "string"}}}
    with pytest.raises(DeclarationError, match="the parameter's name"):
        functions.declare(schema, name="f", api=api)
    assert functions.declare(schema, name="f", api="gemini")
    nested = {"type": "object", "properties": {"x": schema}}
    assert functions.declare(nested, name="f", api=api)


def test_renaming_can_be_undone() -> None:
    names = ["user-id", "user_id", "user.id", "1", "a" * 70]
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    found = functions.declare(
        {**schema, "required": ["user-id"]}, name="look up", rename=True, report=True
    )
    message, changes = found
    assert message.name == "look_up"
    sent = list(message.parameters.property_ordering)
    assert sent == ["user_id_2", "user_id", "user_id_3", "_1", "a" * 64]
    assert list(message.parameters.required) == ["user_id_2"]
    assert list(found.original({name: name for name in sent})) == names
    assert len(changes) == 5
    assert pickle.loads(pickle.dumps(found)) == found
    assert pickle.loads(pickle.dumps(found)).names == found.names


def test_mcp_tools() -> None:
    expected = v1.FunctionDeclaration(
        name="lookup",
        description="Looks up.",
        parameters={
            "type": "OBJECT",
            "properties": {"a": {"type": "INTEGER", "minimum": 2}},
            "property_ordering": ["a"],
        },
        response={
            "type": "OBJECT",
            "properties": {"b": {"type": "STRING"}},
            "property_ordering": ["b"],
        },
    )
    assert functions.declare(MCP, strict=True) == expected
    assert functions.declare(SimpleNamespace(**MCP)) == expected
    snake = {"name": "lookup", "description": "Looks up.", "input_schema": ONE}
    assert functions.declare(snake).parameters == expected.parameters


def test_paths_in_an_mcp_tool() -> None:
    tool: Json = {**MCP, "outputSchema": {"type": "object", "properties": {"b": {}}}}
    with pytest.raises(DeclarationError) as caught:
        functions.declare(tool)
    assert caught.value.path == 'outputSchema.properties["b"]'
    with pytest.raises(DeclarationError) as caught:
        functions.declare({**MCP, "inputSchema": {"properties": {"a": 3}}})
    assert caught.value.path == 'inputSchema.properties["a"]'
    with pytest.raises(DeclarationError, match="name: expected text, found an int"):
        functions.declare({**MCP, "name": 3})


def test_what_a_schema_says_of_itself_is_said_of_the_function() -> None:
    schema: Json = {**ONE, "title": "PlaceOrder", "description": "Places an order."}
    ready = functions.declare(schema, api="gemini", strict=True)
    assert (ready.name, ready.description) == ("PlaceOrder", "Places an order.")
    assert not ready.parameters.description
    assert functions.declare(functions.response_schema(schema), name="PlaceOrder") == (
        functions.declare(schema)
    )
    given = functions.declare(schema, name="order", description="Orders.")
    assert (given.name, given.description) == ("order", "Orders.")
    assert given.parameters.description == "Places an order."
    whole = functions.declare(schema, api="v1beta1", as_json_schema=True)
    assert whole.description == "Places an order."
    assert functions.to_plain(whole.parameters_json_schema) == schema
    template, changes = functions.declare(schema, api="firebase", report=True)
    assert (template.name, functions.to_plain(template.input_schema)) == ("PlaceOrder", schema)
    assert changes == []


@pytest.mark.parametrize("title", ["Place order", "", "Auftrag für alle", 3])
def test_a_title_that_is_no_name_names_nothing(title: Json) -> None:
    with pytest.raises(DeclarationError, match="has no name: pass name="):
        functions.declare({**ONE, "title": title})


def test_a_missing_description_says_where_to_write_one() -> None:
    tool = {"name": "find", "inputSchema": ONE}
    (change,) = functions.declare(tool, api="gemini", report=True).changes
    assert change.message.endswith(
        'required: write a docstring, of a schema or a tool its "description", or pass description='
    )
    with pytest.raises(DeclarationError, match=r"\(functions.declare\(..., report=True\), find\)$"):
        functions.Toolbox([(tool, find)], api="gemini")


def find(**arguments: object) -> object:
    return arguments


def test_a_schema_needs_a_name() -> None:
    with pytest.raises(DeclarationError, match="has no name: pass name="):
        functions.declare(ONE)
    with pytest.raises(DescriptorError, match="unknown api 'v9'"):
        functions.declare(ONE, name="f", api="v9")


@pytest.mark.parametrize("api", ["v1beta1", "gemini"])
def test_the_json_schema_itself(api: str) -> None:
    schema: Json = {"type": "object", "properties": {"a": {"const": 2, "x-y": [1.5, None]}}}
    tool: Json = {**MCP, "inputSchema": schema}
    function: Any = functions.declare(tool, api=api, as_json_schema=True, strict=True)
    assert not function.HasField("parameters")
    assert toolwire.to_dict(function.parameters_json_schema) == schema
    assert '"const":2,' in toolwire.to_json(function.parameters_json_schema)
    assert toolwire.to_dict(function.response_json_schema) == MCP["outputSchema"]
    assert violations(function) == []


def test_firebase_takes_json_schema() -> None:
    function, changes = functions.declare(MCP, api="firebase", report=True)
    assert isinstance(function, firebase.TemplateFunction)
    assert toolwire.to_dict(function.input_schema) == ONE
    assert toolwire.to_dict(function.output_schema) == MCP["outputSchema"]
    assert [change.path for change in changes] == ["description"]
    empty = {**MCP, "inputSchema": {"type": "object"}}
    assert not functions.declare(empty, api="firebase").HasField("input_schema")


def test_gemini_wants_a_description() -> None:
    changes = functions.declare(ONE, name="f", api="gemini", report=True).changes
    assert [change.path for change in changes] == ["description"]


def test_a_whole_tool() -> None:
    ready = v1.FunctionDeclaration(name="ready")
    tool = functions.tool([MCP, ready, test_a_whole_tool])
    assert [each.name for each in tool.function_declarations] == [
        "lookup",
        "ready",
        "test_a_whole_tool",
    ]
    assert isinstance(functions.tool([MCP], api="gemini"), gemini.Tool)
    assert len(functions.tool([MCP], api="firebase").template_functions) == 1


def test_places_in_a_tool() -> None:
    with pytest.raises(DeclarationError, match='starts with "1"') as caught:
        functions.tool([MCP, {**MCP, "name": "1"}])
    assert caught.value.path == "functionDeclarations[1].name"
    already = r'"lookup" is declared already, by functionDeclarations\[0\]'
    with pytest.raises(DeclarationError, match=already) as caught:
        functions.tool([MCP, MCP])
    assert caught.value.path == "functionDeclarations[1].name"
    _, changes = functions.tool([{**MCP, "inputSchema": {**ONE, "if": True}}], report=True)
    assert [change.path for change in changes] == ["functionDeclarations[0].inputSchema.if"]
    with pytest.raises(DeclarationError, match="strict mode"):
        functions.tool([{**MCP, "inputSchema": {**ONE, "if": True}}], strict=True)


def test_how_many_functions_a_tool_may_have() -> None:
    many = [v1.FunctionDeclaration(name=f"f{number}") for number in range(513)]
    with pytest.raises(DeclarationError, match="has 513 functions: at most 512"):
        functions.tool(many)
    assert functions.tool(many[:129], report=True).changes == []
    changes = functions.tool(many[:129], report=True, older=True).changes
    assert [change.message for change in changes] == [
        "older pages allow 128 functions at most",
        "older pages allow 64 functions at most",
    ]


def test_errors_pickle() -> None:
    with pytest.raises(DeclarationError) as caught:
        declared({"properties": {"a": {"type": "string", "not": {}}}}, strict=True)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.path, copy.changes) == (
        str(caught.value),
        "",
        caught.value.changes,
    )
    assert isinstance(copy, ValueError)
