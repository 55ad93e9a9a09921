"""What cannot be converted, and how the error says it."""

from __future__ import annotations

from typing import Any, cast

import pytest

from support.apis import module
from toolwire import ConversionError, convert, firebase, gemini, split_tool, v1, v1beta1

TOOL: Any = v1.Tool(google_search={})


def nested_schema(cls: Any, levels: int) -> Any:
    schema = inner = cls()
    for _ in range(levels):
        inner.items.SetInParent()
        inner = inner.items
    return schema


def nested_struct(levels: int) -> Any:
    content = v1.FunctionCall(name="f")
    value = content.args.fields["a"]
    for _ in range(levels):
        value = value.list_value.values.add()
    return content


@pytest.mark.parametrize("value", [None, 1, "text", b"", {}, [], v1.Tool, object()])
def test_what_is_no_message_is_refused(value: object) -> None:
    with pytest.raises(ConversionError, match="expected a protobuf message, found"):
        convert(value, to=gemini.Tool)


@pytest.mark.parametrize("to", [None, "gemini", gemini, gemini.Tool(), int, dict])
def test_what_is_no_class_is_refused(to: Any) -> None:
    with pytest.raises(ConversionError, match="to: expected a message class"):
        convert(TOOL, to=to)
    with pytest.raises(ConversionError, match=r"found an int$"):
        convert(TOOL, to=cast("Any", 7))


def test_a_class_of_another_meaning_is_refused_with_the_right_one() -> None:
    with pytest.raises(ConversionError, match=r"expected gemini\.Tool$"):
        convert(TOOL, to=gemini.Content)
    with pytest.raises(ConversionError, match=r"expected firebase\.TemplateFunction$"):
        convert(v1.FunctionDeclaration(), to=firebase.Tool)
    with pytest.raises(ConversionError, match=r"firebase has no Content$"):
        convert(v1.Content(), to=firebase.Tool)
    with pytest.raises(ConversionError, match="cannot become"):
        convert(v1.Tool(), to=type(v1.FunctionCall().args))


@pytest.mark.parametrize("levels", [99, 100])
def test_deep_messages_cross(levels: int) -> None:
    schema = nested_schema(v1.Schema, levels)
    there = convert(schema, to=gemini.Schema, strict=True).message
    assert convert(there, to=v1.Schema).message == schema


@pytest.mark.parametrize("levels", [101, 150, 2000])
@pytest.mark.parametrize("to", [v1.Schema, gemini.Schema])
def test_messages_too_deep_are_refused_with_the_place(levels: int, to: Any) -> None:
    with pytest.raises(ConversionError, match="deeper than 100 levels") as caught:
        convert(nested_schema(v1.Schema, levels), to=to)
    assert caught.value.path == ".".join(["items"] * 101)


@pytest.mark.parametrize("levels", [200, 2000])
def test_values_too_deep_are_refused_with_the_place(levels: int) -> None:
    with pytest.raises(ConversionError, match="deeper than 100 levels") as caught:
        convert(nested_struct(levels), to=gemini.FunctionCall)
    assert caught.value.path.startswith('args.fields["a"].listValue.values[0]')


def test_a_schema_too_deep_for_json_is_reported() -> None:
    function = v1.FunctionDeclaration(name="f", parameters=nested_schema(v1.Schema, 90))
    (loss,) = convert(function, to=firebase.TemplateFunction).losses
    assert loss.path == "parameters"
    assert "deep" in loss.reason


def test_what_would_become_too_deep_is_refused() -> None:
    function = firebase.TemplateFunction(name="f")
    value = function.input_schema.fields["a"]  # on level 3; each list adds two
    for _ in range(48):
        value = value.list_value.values.add()
    assert convert(function, to=gemini.FunctionDeclaration, strict=True)
    value.struct_value.SetInParent()
    with pytest.raises(ConversionError, match="would become deeper than 100 levels"):
        convert(function, to=gemini.FunctionDeclaration)


@pytest.mark.parametrize("api", ["v1", "v1beta1", "gemini"])
def test_two_kinds_become_two_tools(api: str) -> None:
    tools = module(api)
    both = tools.Tool(
        google_search={}, function_declarations=[{"name": "f"}, {"name": "g"}], code_execution={}
    )
    before = both.SerializeToString()
    split = split_tool(both)
    kinds = [[field.number for field, _ in tool.ListFields()] for tool in split]
    assert [len(kind) for kind in kinds] == [1, 1, 1]
    assert kinds == sorted(kinds)
    assert [function.name for function in split[0].function_declarations] == ["f", "g"]
    assert {type(tool) for tool in split} == {tools.Tool}
    assert both.SerializeToString() == before
    merged = tools.Tool()
    for tool in split:
        merged.MergeFrom(tool)
    assert merged == both


def test_a_tool_with_one_kind_or_none_comes_back_as_a_copy() -> None:
    for tool in (TOOL, v1.Tool()):
        (alone,) = split_tool(tool)
        assert alone == tool
        assert alone is not tool


def test_kinds_of_the_future_come_last_and_whole() -> None:
    future = b"\xf2\x7f\x03abc"
    tool = v1beta1.Tool(google_search={}, code_execution={})
    tool.google_search.MergeFromString(future)
    tool.MergeFromString(future)
    code, search, unknown = split_tool(tool)
    assert code.HasField("code_execution")
    assert search.google_search.SerializeToString() == future
    assert unknown.SerializeToString() == future


@pytest.mark.parametrize("value", [None, "text", v1.Tool, [v1.Tool()], v1.Content()])
def test_only_tools_are_split(value: object) -> None:
    with pytest.raises(ConversionError, match="expected a Tool, found"):
        split_tool(value)
