"""What a user moves between APIs, and what the other one must then say."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto

import toolwire
from support.apis import foreign, module, renamed
from support.foreign import Wrapper
from support.samples import SAMPLES
from toolwire import ConversionError, convert, firebase, functions, gemini, v1, v1beta1

FULL = "projects/p/locations/us-central1/publishers/google/models/gemini-2.5-flash"


def lost(message: Any, to: Any) -> list[str]:
    return [loss.path for loss in convert(message, to=to).losses]


def declaring(schema: object) -> gemini.Tool:
    functions = [{"name": "f", "parametersJsonSchema": schema}]
    return toolwire.from_dict(gemini.Tool, {"functionDeclarations": functions})


def test_a_tool_crosses_by_name_and_comes_back() -> None:
    tool = toolwire.from_dict(v1beta1.Tool, {"urlContext": {}, "codeExecution": {}})
    there = convert(tool, to=gemini.Tool)
    assert there.losses == ()
    assert isinstance(there.message, gemini.Tool)
    assert there.message.HasField("url_context")
    assert there.message.HasField("code_execution")
    assert convert(there.message, to=v1beta1.Tool).message == tool


def test_values_of_enums_cross_by_name() -> None:
    config: Any = {"functionCallingConfig": {"mode": "VALIDATED", "allowedFunctionNames": ["f"]}}
    one = toolwire.from_dict(v1beta1.ToolConfig, config)
    other = convert(one, to=gemini.ToolConfig).message
    mode = gemini.FunctionCallingConfig.Mode
    assert other.function_calling_config.mode == mode.VALIDATED
    numbers = one.function_calling_config.mode, other.function_calling_config.mode
    assert numbers == (5, 4)
    assert convert(other, to=v1beta1.ToolConfig).message == one


CATEGORIES = [value.name for value in v1.HarmCategory.DESCRIPTOR.values if value.number]


@pytest.mark.parametrize("category", CATEGORIES)
def test_safety_categories_keep_their_meaning(category: str) -> None:
    setting = v1.SafetySetting(category=category, threshold="BLOCK_NONE")
    there = convert(setting, to=gemini.SafetySetting)
    if category not in gemini.HarmCategory.keys():  # noqa: SIM118 - an enum, not a dict
        assert [loss.path for loss in there.losses] == ["category"]
    else:
        assert gemini.HarmCategory.Name(there.message.category) == category


def test_a_setting_without_its_category_is_left_out() -> None:
    request = gemini.GenerateContentRequest(
        safety_settings=[
            {"category": "HARM_CATEGORY_TOXICITY", "threshold": "BLOCK_NONE"},
            {"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"},
        ]
    )
    there = convert(request, to=v1.GenerateContentRequest)
    assert [setting.category for setting in there.message.safety_settings] == [
        v1.HarmCategory.HARM_CATEGORY_HARASSMENT
    ]
    assert {loss.path for loss in there.losses} == {
        "safetySettings[0].category",
        "safetySettings[0]",
    }


def test_a_tool_that_the_other_api_lacks_is_left_out_of_the_request() -> None:
    request = v1.GenerateContentRequest(
        tools=[{"retrieval": {"vertex_ai_search": {"engine": "e"}}}, {"google_search": {}}]
    )
    there = convert(request, to=gemini.GenerateContentRequest)
    assert [toolwire.to_dict(tool) for tool in there.message.tools] == [{"googleSearch": {}}]
    assert "tools[0].retrieval: gemini.Tool has no such field" in map(str, there.losses)
    assert there.losses[0].kind == "Retrieval"


@pytest.mark.parametrize(
    ("model", "there", "is_whole"),
    [
        (FULL, "models/gemini-2.5-flash", False),
        ("publishers/google/models/gemini-2.5-flash", "models/gemini-2.5-flash", False),
        ("models/gemini-2.5-flash", "models/gemini-2.5-flash", False),
        ("gemini-2.5-flash", "models/gemini-2.5-flash", True),
        ("projects/p/locations/l/endpoints/7", "projects/p/locations/l/endpoints/7", False),
        ("projects/p/locations/l/models/7", "projects/p/locations/l/models/7", False),
        ("7", "7", False),
        ("publishers/anthropic/models/m", "publishers/anthropic/models/m", False),
    ],
)
def test_models_of_vertex_are_named_as_gemini_does(model: str, there: str, is_whole: bool) -> None:
    request = v1.GenerateContentRequest(model=model)
    found = convert(request, to=gemini.GenerateContentRequest)
    assert found.message.model == there
    assert ([loss.path for loss in found.losses] == []) is is_whole
    back = convert(found.message, to=v1.GenerateContentRequest).message
    assert back == request or not is_whole


def test_the_place_of_a_model_that_gemini_does_not_know_is_named() -> None:
    found = convert(v1.GenerateContentRequest(model=FULL), to=gemini.GenerateContentRequest)
    assert [loss.reason for loss in found.losses] == [
        "becomes models/gemini-2.5-flash: projects/p/locations/us-central1 is lost"
    ]


@pytest.mark.parametrize("api", [v1, v1beta1])
def test_a_request_to_a_model_both_have_breaks_no_rule_of_the_other_api(api: Any) -> None:
    request = api.GenerateContentRequest(
        model="gemini-2.5-flash", contents=[{"role": "user", "parts": [{"text": "x"}]}]
    )
    there = convert(request, to=gemini.GenerateContentRequest, strict=True).message
    assert toolwire.violations(there) == []
    back = convert(there, to=api.GenerateContentRequest, strict=True).message
    toolwire.validate(back)
    assert back == request
    counted = gemini.CountTokensRequest(model="models/m", contents=there.contents)
    inner = convert(counted, to=api.CountTokensRequest, strict=True).message
    assert {each.path for each in toolwire.violations(inner)} == {"endpoint"}


@pytest.mark.parametrize(
    ("model", "there", "is_whole"),
    [
        ("models/gemini-2.5-flash", "gemini-2.5-flash", True),
        ("gemini-2.5-flash", "gemini-2.5-flash", False),
        ("models/7", "models/7", False),
        ("tunedModels/mine", "tunedModels/mine", False),
    ],
)
def test_models_of_gemini_are_named_as_vertex_does(model: str, there: str, is_whole: bool) -> None:
    request = gemini.GenerateContentRequest(model=model)
    found = convert(request, to=v1.GenerateContentRequest)
    assert found.message.model == there
    assert (found.losses == ()) is is_whole
    back = convert(found.message, to=gemini.GenerateContentRequest).message
    assert back == request or not is_whole


def test_names_stay_between_the_apis_of_one_service() -> None:
    request = v1.GenerateContentRequest(
        model=FULL, cached_content="projects/p/x", labels={"a": "b"}
    )
    found = convert(request, to=v1beta1.GenerateContentRequest, strict=True).message
    assert (found.model, found.cached_content, dict(found.labels)) == (
        FULL,
        "projects/p/x",
        {"a": "b"},
    )


def test_what_only_one_service_keeps_does_not_cross() -> None:
    request = v1.GenerateContentRequest(cached_content="projects/p/x", labels={"a": "b"})
    assert lost(request, gemini.GenerateContentRequest) == ["cachedContent", "labels"]


def test_bounds_of_zero_are_told_from_unset_or_reported() -> None:
    assert lost(gemini.Schema(minimum=0, maximum=5), v1.Schema) == ["minimum"]
    assert lost(v1.Schema(minimum=1, maximum=5), gemini.Schema) == []
    there = convert(gemini.Schema(description="How many", minimum=0, maximum=0), to=v1.Schema)
    assert [loss.path for loss in there.losses] == ["minimum", "maximum"]
    assert there.message == v1.Schema(description="How many. At least 0. At most 0.")


def test_an_older_schema_without_a_value_to_fall_back_on_leaves_the_field_unset() -> None:
    def before(file: FileDescriptorProto) -> None:
        for message in file.message_type:
            for enum in message.enum_type:
                if enum.name == "UrlRetrievalStatus":
                    del enum.value[2:]

    older = foreign(v1.UrlMetadata, before)
    paywall = gemini.UrlMetadata(url_retrieval_status="URL_RETRIEVAL_STATUS_PAYWALL")
    there = convert(paywall, to=older)
    assert [loss.path for loss in there.losses] == ["urlRetrievalStatus"]
    assert there.message == older()


def test_a_format_that_the_other_api_refuses_is_said_in_the_description() -> None:
    formats = {"day": "date", "moment": "date-time", "count": "int32", "free": ""}
    kinds = {"count": "INTEGER"}
    properties = {k: {"type": kinds.get(k, "STRING"), "format": v} for k, v in formats.items()}
    declared = {"name": "f", "parameters": {"type": "OBJECT", "properties": properties}}
    tool = v1.Tool(function_declarations=[declared])
    there = convert(tool, to=gemini.Tool)
    (loss,) = there.losses
    assert loss.path == 'functionDeclarations[0].parameters.properties["day"].format'
    reason = '"date" is no format of STRING that gemini takes: said in the description'
    assert loss.reason == reason
    found = there.message.function_declarations[0].parameters.properties
    assert {k: found[k].format for k in formats} == {**formats, "day": ""}
    assert found["day"].description == "Format: date."
    described = v1.Schema(type="STRING", format="byte", description="A picture")
    there_too = convert(described, to=gemini.Schema).message
    assert there_too.description == "A picture. Encoded as base64."
    assert not [each for each in toolwire.violations(there.message) if "format" in each.rule]
    assert convert(tool, to=v1beta1.Tool).losses == ()
    untyped = v1.Schema(format="date", any_of=[{"type": "STRING"}])
    assert lost(untyped, gemini.Schema) == []


def test_a_type_that_the_other_api_has_not_becomes_one_that_it_takes() -> None:
    either = {"any_of": [{"type": "INTEGER"}, {"type": "NULL"}]}
    nothing = {"type": "NULL", "description": "Nothing"}
    schema = gemini.Schema(type="OBJECT", properties={"n": nothing, "u": either})
    there = convert(schema, to=v1.Schema)
    assert [loss.path for loss in there.losses] == [
        'properties["n"].type',
        'properties["u"].anyOf[1].type',
    ]
    made: Any = toolwire.to_dict(there.message)
    text = {"type": "STRING", "nullable": True, "description": "Nothing. Always null."}
    assert made["properties"]["n"] == text
    assert toolwire.violations(there.message) == []


def test_a_reference_is_reported_with_the_way_out() -> None:
    schema = v1.Schema(
        type="OBJECT", properties={"r": {"ref": "#/defs/D"}}, defs={"D": {"type": "STRING"}}
    )
    first, second = convert(schema, to=gemini.Schema).losses
    assert (first.path, second.path) == ('properties["r"].ref', "defs")
    assert "functions.response_schema" in first.reason
    resolved = functions.response_schema(schema, api="gemini")
    assert resolved.properties["r"].type == gemini.Type.STRING


def test_a_whole_number_crosses_and_a_fraction_is_reported() -> None:
    there = convert(v1.GenerationConfig(top_k=40), to=gemini.GenerationConfig)
    assert (there.message.top_k, there.losses) == (40, ())
    assert lost(v1.GenerationConfig(top_k=40.5), gemini.GenerationConfig) == ["topK"]
    assert lost(gemini.GenerationConfig(top_k=2**24 + 1), v1.GenerationConfig) == ["topK"]


def test_a_json_schema_keeps_its_name_in_json() -> None:
    config = toolwire.from_dict(v1.GenerationConfig, {"responseJsonSchema": {"a": 1}})
    there = convert(config, to=gemini.GenerationConfig)
    assert there.losses == ()
    assert toolwire.to_dict(there.message) == {"responseJsonSchema": {"a": 1}}
    other = toolwire.from_dict(gemini.GenerationConfig, {"_responseJsonSchema": {"a": 1}})
    kept = convert(other, to=v1.GenerationConfig)
    assert toolwire.to_dict(kept.message) == {"responseJsonSchema": {"a": 1}}
    assert len(kept.losses) == 1


def test_citations_and_reasons_cross_in_a_response() -> None:
    response = gemini.GenerateContentResponse(
        candidates=[
            {
                "index": 0,
                "content": {"parts": [{"text": "x", "thought_signature": b"\x00\xff"}]},
                "citation_metadata": {"citation_sources": [{"start_index": 3, "uri": "u"}]},
                "finish_reason": "PROHIBITED_CONTENT",
            },
            {"index": 1, "finish_reason": "TOO_MANY_TOOL_CALLS"},
        ]
    )
    there = convert(response, to=v1.GenerateContentResponse)
    first, second = there.message.candidates
    assert first.citation_metadata.citations[0].uri == "u"
    assert first.finish_reason == v1.Candidate.FinishReason.PROHIBITED_CONTENT
    assert first.content.parts[0].thought_signature == b"\x00\xff"
    # An end that the other API has no name for must not look like none at all.
    assert second.finish_reason == v1.Candidate.FinishReason.OTHER
    assert [loss.path for loss in there.losses] == ["candidates[1].finishReason"]


def test_a_blocked_prompt_stays_blocked() -> None:
    newer = v1.GenerateContentResponse()
    newer.prompt_feedback.block_reason = 77  # pyright: ignore[reportAttributeAccessIssue]
    there = convert(newer, to=gemini.GenerateContentResponse)
    reasons = gemini.GenerateContentResponse.PromptFeedback.BlockReason
    assert there.message.prompt_feedback.block_reason == reasons.OTHER
    assert "77" in there.losses[0].reason


def test_calls_lose_their_id_only_where_there_is_none() -> None:
    part = gemini.Part(function_call={"id": "1", "name": "f", "args": {"a": [1, None, "x"]}})
    has_id = "id" in v1.FunctionCall.DESCRIPTOR.fields_by_name
    assert lost(part, v1.Part) == ([] if has_id else ["functionCall.id"])
    assert convert(part, to=v1beta1.Part, strict=True).message.function_call.id == "1"


def test_tokens_of_a_request_with_tools_are_counted_by_the_other_api() -> None:
    asked = v1.CountTokensRequest(
        model="publishers/google/models/m",
        contents=[{"parts": [{"text": "x"}]}],
        tools=[{"google_search": {}}],
        system_instruction={"parts": [{"text": "y"}]},
    )
    there = convert(asked, to=gemini.CountTokensRequest, strict=True).message
    inner = there.generate_content_request
    assert (there.model, inner.model, len(there.contents)) == ("models/m", "models/m", 0)
    assert inner.system_instruction.parts[0].text == "y"
    assert convert(there, to=v1.CountTokensRequest, strict=True).message == asked
    plain = v1.CountTokensRequest(contents=[{"parts": [{"text": "x"}]}])
    assert len(convert(plain, to=gemini.CountTokensRequest, strict=True).message.contents) == 1


def test_functions_become_templates_with_a_json_schema() -> None:
    declared = toolwire.from_dict(
        v1.FunctionDeclaration,
        {
            "name": "f",
            "parameters": {
                "type": "OBJECT",
                "properties": {
                    "n": {"type": "INTEGER", "enum": ["1", "2"], "nullable": True, "minimum": 1},
                    "flag": {"type": "BOOLEAN", "enum": ["true"]},
                    "either": {"any_of": [{"type": "STRING"}], "nullable": True},
                    "list": {"type": "ARRAY", "items": {"ref": "#/defs/x"}, "max_items": 8},
                },
                "defs": {"x": {"type": "STRING", "default": "d"}},
                "required": ["n"],
            },
        },
    )
    there = convert(declared, to=firebase.TemplateFunction)
    assert [loss.path for loss in there.losses] == ["parameters"]
    assert toolwire.to_dict(there.message.input_schema) == {
        "type": "object",
        "properties": {
            "n": {"type": ["integer", "null"], "enum": [1, 2, None], "minimum": 1},
            "flag": {"type": "boolean", "enum": [True]},
            "either": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "list": {"type": "array", "items": {"$ref": "#/$defs/x"}, "maxItems": 8},
        },
        "$defs": {"x": {"type": "string", "default": "d"}},
        "required": ["n"],
    }


def test_a_json_schema_crosses_to_templates_and_back() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    tool = declaring(schema)
    there = convert(tool, to=firebase.Tool, strict=True).message
    assert convert(there, to=gemini.Tool, strict=True).message == tool
    assert lost(declaring([1]), firebase.Tool) == ["functionDeclarations[0].parametersJsonSchema"]


def test_two_schemas_do_not_fit_into_one() -> None:
    both = declaring({"type": "object"}).function_declarations[0]
    both.parameters.type = gemini.Type.OBJECT
    assert lost(both, firebase.TemplateFunction) == ["parameters"]


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_cross_between_vertex_apis_whole(name: str) -> None:
    cls, value = SAMPLES[name]
    message = toolwire.from_dict(cls, value)
    there = convert(message, to=getattr(v1beta1, cls.__name__), strict=True).message
    assert convert(there, to=cls, strict=True).message == message


def test_the_same_api_gives_a_copy_with_everything_in_it() -> None:
    original = v1.Tool.FromString(b"\xf2\x7f\x03abc\x3a\x00")  # field 2046: of the future
    copied = convert(original, to=v1.Tool, strict=True).message
    assert copied is not original
    assert copied.SerializeToString() == original.SerializeToString()


def test_unknown_fields_are_reported_where_they_are() -> None:
    tool = v1beta1.Tool(google_search={})
    tool.google_search.MergeFromString(b"\xf2\x7f\x03abc")
    losses = convert(tool, to=gemini.Tool).losses
    assert [(loss.path, loss.kind) for loss in losses] == [("googleSearch", "unknown field")]
    assert "2046" in losses[0].reason


@pytest.mark.parametrize("api", ["v1", "v1beta1", "gemini"])
def test_messages_of_other_pools_and_wrappers_are_taken(api: str) -> None:
    other = foreign(module(api).Tool)(google_search={}, code_execution={})
    for given in (other, Wrapper(other)):
        for to in (gemini.Tool, v1beta1.Tool, foreign(gemini.Tool)):
            there = convert(given, to=to, strict=True).message
            assert type(there) is to
            assert there.HasField("google_search")


def test_the_messages_of_ones_own_service_are_taken() -> None:
    mine = renamed(v1.Tool, "mine.v1")
    there = convert(mine(google_search={}), to=gemini.Tool, strict=True).message
    assert there == gemini.Tool(google_search={})
    assert convert(there, to=mine, strict=True).message == mine(google_search={})


def test_nothing_is_shared_with_the_original() -> None:
    content = v1.Content(parts=[{"function_call": {"name": "f", "args": {"a": 1}}}])
    there = convert(content, to=gemini.Content).message
    there.parts[0].function_call.args["a"] = 2
    assert content.parts[0].function_call.args["a"] == 1


def test_losses_and_errors_are_values() -> None:
    with pytest.raises(ConversionError) as caught:
        convert(v1.Tool(retrieval={}, enterprise_web_search={}), to=gemini.Tool, strict=True)
    error = pickle.loads(pickle.dumps(caught.value))
    assert [loss.path for loss in error.losses] == ["retrieval", "enterpriseWebSearch"]
    assert error.args == caught.value.args
    found = convert(v1.Tool(retrieval={}), to=gemini.Tool)
    assert pickle.loads(pickle.dumps(found.losses)) == found.losses == copy.deepcopy(found.losses)


def test_secrets_are_not_in_the_report() -> None:
    tool = v1beta1.Tool(parallel_ai_search={"api_key": "hush"})
    with pytest.raises(ConversionError) as caught:
        convert(tool, to=gemini.Tool, strict=True)
    assert "hush" not in f"{caught.value} {caught.value.losses}"
