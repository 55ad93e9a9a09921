"""Where the APIs differ, and what crosses from one to another unharmed."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest

import toolwire
from support.apis import SERVED, module, of_every_api
from toolwire import firebase, gemini, v1, v1beta1
from toolwire._apis import Api


def number(message: Any, field: str) -> int:
    return int(message.DESCRIPTOR.fields_by_name[field].number)


def test_url_context_has_the_numbers_of_todays_servers() -> None:
    assert number(v1beta1.Tool, "url_context") == 10
    assert number(gemini.Tool, "url_context") == 8
    old = v1beta1.Tool.FromString(b"\x42\x00")  # field 8, as it once was
    assert not old.HasField("url_context")
    assert old.SerializeToString() == b"\x42\x00"


@pytest.mark.parametrize("api", ["v1", "v1beta1"])
def test_what_was_url_context_once_stays_unknown(api: str) -> None:
    cls: type[v1.Tool] = module(api).Tool
    old, new = b"\x42\x00", b"\x52\x00"  # field 8, and field 10
    assert cls(url_context={}).SerializeToString() == new
    tool = cls.FromString(old)
    assert not tool.HasField("url_context")
    tool.google_search.SetInParent()
    assert cls.FromString(tool.SerializeToString()).SerializeToString().endswith(old)
    assert toolwire.to_dict(tool) == {"googleSearch": {}}


def test_enums_of_one_name_have_several_numbers() -> None:
    mode = "VALIDATED"
    assert v1beta1.FunctionCallingConfig.Mode.Value(mode) == 5
    assert gemini.FunctionCallingConfig.Mode.Value(mode) == 4


def test_ids_of_calls() -> None:
    assert number(v1beta1.FunctionCall, "id") == number(gemini.FunctionCall, "id") == 3
    assert "id" not in v1.FunctionCall.DESCRIPTOR.fields_by_name
    call = v1beta1.FunctionCall(id="7", name="f", args={"a": [1]})
    ours = v1.FunctionCall.FromString(call.SerializeToString())
    assert (ours.name, toolwire.to_dict(ours.args)) == ("f", {"a": [1]})
    assert v1beta1.FunctionCall.FromString(ours.SerializeToString()) == call


def test_bounds_of_zero() -> None:
    assert "minimum" in toolwire.to_dict(gemini.Schema(type="INTEGER", minimum=0))
    assert "minimum" not in toolwire.to_dict(v1beta1.Schema(type="INTEGER", minimum=0))


def test_the_json_schemas_of_gemini() -> None:
    """One field has the JSON name of the other's proto name."""
    config = toolwire.from_json(
        gemini.GenerationConfig, '{"responseJsonSchema": {"type": "object"}}'
    )
    assert config.HasField("response_json_schema_ordered")
    assert toolwire.to_json(config) == '{"responseJsonSchema":{"type":"object"}}'
    other = toolwire.from_json(gemini.GenerationConfig, '{"_responseJsonSchema": 1}')
    assert other == toolwire.from_dict(gemini.GenerationConfig, {"response_json_schema": 1})
    assert other.HasField("response_json_schema")


def test_what_only_geminis_json_has_is_kept_at_its_place() -> None:
    known = set(gemini.Part.DESCRIPTOR.fields_by_camelcase_name)
    text = json.dumps(
        {
            "contents": [
                {"parts": [{"text": "a"}, {"toolCall": {"id": "1"}}, {"text": "b"}]},
                {"parts": [{"toolResponse": {"id": "1"}}]},
            ],
            "toolConfig": {"includeServerSideToolInvocations": True},
        }
    )
    unknown = toolwire.UnknownFields()
    request = toolwire.from_json(gemini.GenerateContentRequest, text, unknown=unknown)
    places = {
        "contents[0].parts[1].toolCall",
        "contents[1].parts[0].toolResponse",
        "toolConfig.includeServerSideToolInvocations",
    }
    assert set(unknown) == {place for place in places if place.rpartition(".")[2] not in known}
    assert len(request.contents[0].parts) == 3
    assert json.loads(toolwire.to_json(request, unknown=unknown)) == json.loads(text)


def test_firebases_json_is_the_published_one() -> None:
    schema = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
        "additionalProperties": False,
        "required": ["name", "age"],
        "propertyOrdering": ["name", "age"],
    }
    published = {
        "templateFunctions": [{"name": "f", "inputSchema": schema, "outputSchema": {}}],
        "googleMaps": {"enableWidget": True},
    }
    tool = toolwire.from_json(firebase.Tool, json.dumps(published))
    assert json.loads(toolwire.to_json(tool)) == published
    assert tool == firebase.Tool(
        template_functions=[{"name": "f", "input_schema": schema, "output_schema": {}}],
        google_maps={"enable_widget": True},
    )


@of_every_api
def test_a_field_of_the_future_outlives_every_copy(api: Api) -> None:
    future = b"\xfa\x3f\x03new"
    tool = api.load().Tool.FromString(future)
    outer = api.load().Tool()
    outer.CopyFrom(tool)
    assert outer.SerializeToString() == future


@pytest.mark.parametrize("api", SERVED)
def test_an_enum_value_of_the_future(api: str) -> None:
    cls: type[v1.Candidate] = module(api).Candidate
    candidate = cls(finish_reason=999)
    assert toolwire.from_json(cls, toolwire.to_json(candidate)).finish_reason == 999
    assert '"finishReason":999' in toolwire.to_json(candidate)


@pytest.mark.parametrize("api", SERVED)
def test_an_enum_value_of_the_future_outlives_every_copy(api: str) -> None:
    """Alone, in a list, and below others."""
    cls: type[v1.GenerateContentRequest] = module(api).GenerateContentRequest
    request = cls(
        generation_config={"response_modalities": [1, 999]},
        tools=[{"function_declarations": [{"name": "f", "parameters": {"type": 999}}]}],
        safety_settings=[{"threshold": 999}],
    )
    merged = cls()
    merged.MergeFrom(request)
    for found in (
        cls.FromString(request.SerializeToString()),
        toolwire.from_json(cls, toolwire.to_json(request)),
        toolwire.from_dict(cls, toolwire.to_dict(request)),
        copy.deepcopy(request),
        pickle.loads(pickle.dumps(request)),
        merged,
    ):
        assert found == request
        assert found.generation_config.response_modalities[1] == 999
        assert found.tools[0].function_declarations[0].parameters.type == 999
        assert found.safety_settings[0].threshold == 999


def test_messages_of_two_apis_are_no_messages_of_each_other() -> None:
    """What moves between APIs does so by ``convert``, or as bytes, and never by itself."""
    call = v1.FunctionCall(name="f")
    with pytest.raises(TypeError):
        v1beta1.Part(function_call=call)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(toolwire.JsonError, match=r"expected a google\.cloud\.aiplatform\.v1beta1"):
        toolwire.from_dict(v1beta1.Part, {"functionCall": call})
