"""A message that breaks each rule, and one beside it that does not: the rules' own examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from support.samples import CORPUS, DATASTORE, MODEL
from toolwire import firebase, gemini, v1, v1beta1
from toolwire.functions import to_value

if TYPE_CHECKING:
    from google.protobuf.message import Message


class Example(NamedTuple):
    """Two messages, only the first of which breaks a rule."""

    rule: str
    bad: Message
    path: str
    good: Message
    severity: str = "error"


PLACE = "projects/p/locations/us-central1"
CACHE = f"{PLACE}/cachedContents/1"
ENGINE = "projects/p/locations/global/collections/default/engines/e"
USER: dict[str, Any] = {"role": "user", "parts": [{"text": "x"}]}
MODEL_TURN: dict[str, Any] = {"role": "model", "parts": [{"text": "y"}]}
PARAMETERS: dict[str, Any] = {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}
TEXT = v1.Schema(type="STRING")


def call(name: str = "f", **more: Any) -> dict[str, Any]:
    return {"role": "model", "parts": [{"function_call": {"name": name}, **more}]}


def answer(name: str = "f", role: str = "user", **more: Any) -> dict[str, Any]:
    response = {"name": name, "response": {"output": 1}, **more}
    return {"role": role, "parts": [{"function_response": response}]}


def both(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    return {"role": one["role"], "parts": one["parts"] + other["parts"]}


def tool(*names: str) -> dict[str, Any]:
    return {"function_declarations": [{"name": name} for name in names]}


def request(*turns: dict[str, Any], **more: Any) -> v1.GenerateContentRequest:
    return v1.GenerateContentRequest(model=MODEL, contents=turns or [USER], **more)


def function(**more: Any) -> v1.FunctionDeclaration:
    return v1.FunctionDeclaration(name="f", **more)


def calling(mode: str, *names: str) -> dict[str, Any]:
    return {"function_calling_config": {"mode": mode, "allowed_function_names": names}}


def config(**more: Any) -> v1.GenerationConfig:
    return v1.GenerationConfig(**more)


def deep(levels: int) -> v1.Schema:
    schema = inner = v1.Schema(type="ARRAY")
    for _ in range(levels):
        inner = inner.items
        inner.type = v1.Type.ARRAY
    inner.items.type = v1.Type.STRING
    return schema


def names(count: int, first: int = 0) -> list[str]:
    return [f"f{number}" for number in range(first, first + count)]


def search(**more: Any) -> v1.VertexAISearch:
    return v1.VertexAISearch(**more)


def parts(**part: Any) -> v1.Content:
    return v1.Content(role="user", parts=[part])


def video(**more: Any) -> v1.VideoMetadata:
    return v1.VideoMetadata(**more)


def grounded(*indices: int, scores: tuple[float, ...] = ()) -> v1.GenerateContentResponse:
    support: dict[str, Any] = {"grounding_chunk_indices": indices, "confidence_scores": scores}
    metadata: dict[str, Any] = {"grounding_chunks": [{"web": {}}], "grounding_supports": [support]}
    return v1.GenerateContentResponse(candidates=[{"grounding_metadata": metadata}])


def stretch(start: int, end: int) -> v1.Segment:
    return v1.Segment(start_index=start, end_index=end)


def schema(**more: Any) -> v1.Schema:
    return v1.Schema(**more)


def speaker(name: str) -> dict[str, Any]:
    return {"speaker": name, "voice_config": {"prebuilt_voice_config": {"voice_name": "Kore"}}}


def harm(*categories: str) -> list[dict[str, Any]]:
    return [{"category": category, "threshold": "OFF"} for category in categories]


def locked(location: str) -> dict[str, Any]:
    key = f"projects/p/locations/{location}/keyRings/r/cryptoKeys/k"
    return {"model": MODEL, "encryption_spec": {"kms_key_name": key}}


def cache_update(path: str) -> v1.UpdateCachedContentRequest:
    return v1.UpdateCachedContentRequest(
        cached_content={"name": CACHE, "ttl": {"seconds": 60}}, update_mask={"paths": [path]}
    )


def period(start: int, end: int) -> gemini.Tool:
    times = {"start_time": {"seconds": start}, "end_time": {"seconds": end}}
    return gemini.Tool(google_search={"time_range_filter": times})


def reply(json_schema: dict[str, Any]) -> v1.GenerationConfig:
    return config(response_mime_type="application/json", response_json_schema=to_value(json_schema))


PROGRAM: dict[str, Any] = {"executable_code": {"language": "PYTHON", "code": "1"}}
RESULT: dict[str, Any] = {"code_execution_result": {"outcome": "OUTCOME_OK"}}
FINEST: dict[str, Any] = {"level": "MEDIA_RESOLUTION_ULTRA_HIGH"}
SOUND: dict[str, Any] = {"mime_type": "audio/pcm", "data": b"x"}
STORE: dict[str, Any] = {"rag_store_name": "fileSearchStores/manuals"}
SIGNED: dict[str, Any] = {"thought_signature": b"s"}
HARM = "HARM_CATEGORY_HARASSMENT"
ARMOR = {"prompt_template_name": f"{PLACE}/templates/t"}
NO_TYPE = v1.Schema(description="anything")

EXAMPLES = [
    Example("message.depth", deep(101), ".".join(["items"] * 101), deep(50)),
    Example("field.required", v1.FunctionDeclaration(), "name", function()),
    Example(
        "field.output-only",
        v1.CreateCachedContentRequest(parent=PLACE, cached_content={"create_time": {"seconds": 1}}),
        "cachedContent.createTime",
        v1.CreateCachedContentRequest(parent=PLACE, cached_content={"ttl": {"seconds": 1}}),
        "warning",
    ),
    Example("field.immutable", cache_update("tools"), "updateMask", cache_update("ttl")),
    Example(
        "field.deprecated",
        v1.VertexRagStore(similarity_top_k=3),
        "similarityTopK",
        v1.VertexRagStore(rag_retrieval_config={"top_k": 3}),
        "warning",
    ),
    Example("resource.name", search(datastore="mine"), "datastore", search(datastore=DATASTORE)),
    Example(
        "resource.short-name",
        v1.GetCachedContentRequest(name="1"),
        "name",
        v1.GetCachedContentRequest(name=CACHE),
        "warning",
    ),
    Example("tool.no-kind", v1.Tool(), "", v1.Tool(google_search={})),
    Example(
        "tool.one-kind",
        v1.Tool(google_search={}, code_execution={}),
        "",
        v1.Tool(code_execution={}),
    ),
    Example(
        "tools.two-searches",
        request(tools=[{"google_search": {}}, {"google_search_retrieval": {}}]),
        "tools",
        request(tools=[{"google_search": {}}]),
        "warning",
    ),
    Example(
        "tools.json-output",
        request(tools=[tool("f")], generation_config={"response_mime_type": "application/json"}),
        "generationConfig.responseMimeType",
        request(generation_config={"response_mime_type": "application/json"}),
        "warning",
    ),
    Example(
        "tools.function-count",
        request(tools=[tool(*names(300)), tool(*names(300, 300))]),
        "tools",
        request(tools=[tool(*names(256)), tool(*names(256, 256))]),
    ),
    Example(
        "tools.duplicate-function",
        request(tools=[tool("f"), tool("g", "f")]),
        "tools[1].functionDeclarations[1].name",
        request(tools=[tool("f"), tool("g", "F")]),
    ),
    Example(
        "function.count",
        v1.Tool(**tool(*names(513))),
        "functionDeclarations",
        v1.Tool(**tool(*names(512))),
    ),
    Example(
        "function.count-older",
        v1.Tool(**tool(*names(65))),
        "functionDeclarations",
        v1.Tool(**tool(*names(64))),
        "warning",
    ),
    Example(
        "function.duplicate",
        v1.Tool(**tool("f", "f")),
        "functionDeclarations[1].name",
        v1.Tool(**tool("f", "g")),
    ),
    Example("function.name", v1.FunctionDeclaration(name="1a"), "name", function()),
    Example(
        "function.name-older",
        v1.FunctionDeclaration(name="a:b"),
        "name",
        v1.FunctionDeclaration(name="a_b"),
        "warning",
    ),
    Example(
        "function.one-schema",
        function(parameters=PARAMETERS, parameters_json_schema=to_value({"type": "object"})),
        "parametersJsonSchema",
        function(parameters=PARAMETERS, response_json_schema=to_value({"type": "string"})),
    ),
    Example(
        "function.parameters-object",
        function(parameters={"type": "STRING"}),
        "parameters.type",
        function(parameters=PARAMETERS),
    ),
    Example(
        "function.no-parameters",
        function(parameters={"type": "OBJECT"}),
        "parameters",
        function(),
        "warning",
    ),
    Example(
        "function.json-schema",
        function(parameters_json_schema=to_value({"type": "string"})),
        'parametersJsonSchema["type"]',
        function(parameters_json_schema=to_value({"type": "object"})),
    ),
    Example(
        "function.live-behavior",
        gemini.GenerateContentRequest(
            tools=[{"function_declarations": [{"name": "f", "behavior": "NON_BLOCKING"}]}]
        ),
        "tools[0].functionDeclarations[0].behavior",
        gemini.BidiGenerateContentSetup(
            tools=[{"function_declarations": [{"name": "f", "behavior": "NON_BLOCKING"}]}]
        ),
        "warning",
    ),
    Example(
        "function.parameter-name",
        function(parameters={"type": "OBJECT", "properties": {"a.b": TEXT}}),
        'parameters.properties["a.b"]',
        function(parameters={"type": "OBJECT", "properties": {"a_b": TEXT}}),
    ),
    Example(
        "calling.allowed-mode",
        v1.ToolConfig(**calling("AUTO", "f")),
        "functionCallingConfig.allowedFunctionNames",
        v1.ToolConfig(**calling("VALIDATED", "f")),
    ),
    Example(
        "calling.allowed-names",
        v1.ToolConfig(**calling("ANY", "f", "")),
        "functionCallingConfig.allowedFunctionNames[1]",
        v1.ToolConfig(**calling("ANY", "f", "g")),
    ),
    Example(
        "calling.allowed-twice",
        v1.ToolConfig(**calling("ANY", "f", "f")),
        "functionCallingConfig.allowedFunctionNames[1]",
        v1.ToolConfig(**calling("ANY", "f", "g")),
        "warning",
    ),
    Example(
        "calling.allowed-declared",
        request(tools=[tool("f")], tool_config=calling("ANY", "g")),
        "toolConfig.functionCallingConfig.allowedFunctionNames[0]",
        request(tools=[tool("f", "g")], tool_config=calling("ANY", "g")),
    ),
    Example(
        "calling.needs-functions",
        request(tools=[{"google_search": {}}], tool_config=calling("ANY")),
        "toolConfig.functionCallingConfig.mode",
        request(tools=[tool("f")], tool_config=calling("ANY")),
    ),
    Example(
        "calling.without-functions",
        request(tools=[{"google_search": {}}], tool_config=calling("AUTO")),
        "toolConfig.functionCallingConfig",
        request(tools=[tool("f")], tool_config=calling("AUTO")),
        "warning",
    ),
    Example(
        "turns.paired",
        request(USER, call(), USER),
        "contents[2]",
        request(USER, call(), answer()),
    ),
    Example(
        "turns.response-order",
        request(USER, both(call("f"), call("g")), both(answer("g"), answer("f"))),
        "contents[2]",
        request(USER, both(call("f"), call("g")), both(answer("f"), answer("g"))),
        "warning",
    ),
    Example(
        "turns.name",
        v1.Content(**answer("a b")),
        "parts[0].functionResponse.name",
        v1.Content(**answer("a:b")),
    ),
    Example(
        "turns.live-response",
        gemini.GenerateContentRequest(contents=[answer(scheduling="SILENT")]),
        "contents[0].parts[0].functionResponse.scheduling",
        gemini.BidiGenerateContentClientMessage(
            tool_response={"function_responses": [{"name": "f", "scheduling": "SILENT"}]}
        ),
        "warning",
    ),
    Example(
        "turns.code-result",
        request(USER, {"role": "model", "parts": [RESULT]}, USER),
        "contents[1].parts[0].codeExecutionResult",
        request(USER, {"role": "model", "parts": [PROGRAM, RESULT]}, USER),
        "warning",
    ),
    Example(
        "turns.declared",
        request(USER, call("g"), answer("g"), tools=[tool("f")]),
        "contents[1].parts[0].functionCall.name",
        request(USER, call("g"), answer("g")),
        "warning",
    ),
    Example(
        "turns.call-ids",
        gemini.Content(
            role="model", parts=[{"function_call": {"name": "f", "id": "1"}} for _ in "ab"]
        ),
        "parts[1].functionCall.id",
        gemini.Content(
            role="model", parts=[{"function_call": {"name": "f", "id": each}} for each in "ab"]
        ),
    ),
    Example(
        "turns.role",
        v1.Content(role="assistant", parts=[{"text": "x"}]),
        "role",
        v1.Content(role="model", parts=[{"text": "x"}]),
    ),
    Example(
        "turns.role-missing",
        request(USER, {"parts": [{"text": "x"}]}),
        "contents[1].role",
        request({"parts": [{"text": "x"}]}),
        "warning",
    ),
    Example(
        "turns.call-role",
        v1.Content(role="user", parts=call()["parts"]),
        "role",
        v1.Content(**call()),
        "warning",
    ),
    Example(
        "turns.response-role",
        v1.Content(**answer(role="model")),
        "role",
        v1.Content(**answer()),
        "warning",
    ),
    Example(
        "turns.order",
        request(USER, MODEL_TURN),
        "contents[1]",
        request(USER, MODEL_TURN, USER),
        "warning",
    ),
    Example(
        "turns.call-order",
        request(USER, MODEL_TURN, call(), answer()),
        "contents[2]",
        request(USER, call(), answer(), call(), answer()),
    ),
    Example(
        "turns.signature-lost",
        request(USER, call(**SIGNED), answer(), call(), answer()),
        "contents[3]",
        request(USER, call(), answer(), USER, call(**SIGNED), answer()),
        "warning",
    ),
    Example(
        "turns.signature-of-user",
        parts(text="x", **SIGNED),
        "parts[0].thoughtSignature",
        v1.Content(**call(**SIGNED)),
        "warning",
    ),
    Example("turns.no-parts", gemini.Content(role="user"), "parts", gemini.Content(**USER)),
    Example(
        "turns.system-text",
        request(
            system_instruction={"parts": [{"inline_data": {"mime_type": "a/b", "data": b"c"}}]}
        ),
        "systemInstruction.parts[0].inlineData",
        request(system_instruction={"role": "system", "parts": [{"text": "x"}]}),
    ),
    Example("part.no-data", v1.Part(thought=True), "", v1.Part(thought_signature=b"s")),
    Example("part.empty-text", v1.Part(text=""), "text", v1.Part(text=" "), "warning"),
    Example(
        "part.finest-image",
        v1.Part(inline_data={"mime_type": "video/mp4", "data": b"x"}, media_resolution=FINEST),
        "mediaResolution.level",
        v1.Part(inline_data={"mime_type": "image/png", "data": b"x"}, media_resolution=FINEST),
        "warning",
    ),
    Example(
        "part.json-path",
        v1.PartialArg(json_path="a.b", string_value="x"),
        "jsonPath",
        v1.PartialArg(json_path="$.a.b", string_value="x"),
        "warning",
    ),
    Example(
        "file.mime-type",
        v1.Blob(mime_type="png", data=b"x"),
        "mimeType",
        v1.Blob(mime_type="image/svg+xml; charset=utf-8", data=b"x"),
    ),
    Example(
        "file.uri",
        v1.FileData(mime_type="a/b", file_uri="gs://bucket"),
        "fileUri",
        v1.FileData(mime_type="a/b", file_uri="gs://bucket/a b/c.pdf"),
    ),
    Example(
        "file.display-name",
        v1.FunctionResponse(
            name="f",
            response={"a": 1},
            parts=[
                {"inline_data": {"mime_type": "a/b", "data": b"c", "display_name": "d"}}
                for _ in "ab"
            ],
        ),
        "parts[1].inlineData.displayName",
        v1.FunctionResponse(
            name="f",
            response={"a": 1},
            parts=[
                {"inline_data": {"mime_type": "a/b", "data": b"c", "display_name": each}}
                for each in "ab"
            ],
        ),
        "warning",
    ),
    Example(
        "video.only-video",
        v1.Part(text="x", video_metadata={"fps": 1}),
        "videoMetadata",
        v1.Part(file_data={"mime_type": "video/mp4", "file_uri": "gs://abc/d"}, video_metadata={}),
        "warning",
    ),
    Example(
        "video.offsets",
        video(start_offset={"seconds": 9}, end_offset={"seconds": 3}),
        "endOffset",
        video(start_offset={"seconds": 3}, end_offset={"seconds": 9}),
        "warning",
    ),
    Example("video.fps", video(fps=25), "fps", video(fps=24)),
    Example(
        "request.cache-excludes",
        request(cached_content=CACHE, tools=[tool("f")]),
        "tools",
        request(cached_content=CACHE),
    ),
    Example(
        "request.labels",
        request(labels={"Team": "a"}),
        'labels["Team"]',
        request(labels={"team": "", "größe-1_": "é-9_"}),
    ),
    Example(
        "request.one-input",
        gemini.CountTokensRequest(contents=[USER], generate_content_request={}),
        "generateContentRequest",
        gemini.CountTokensRequest(contents=[USER]),
    ),
    Example(
        "request.no-input",
        v1.ComputeTokensRequest(endpoint=MODEL),
        "",
        v1.ComputeTokensRequest(endpoint=MODEL, contents=[USER]),
        "warning",
    ),
    Example(
        "request.same-model",
        gemini.BatchEmbedContentsRequest(model="models/a", requests=[{"model": "models/b"}]),
        "requests[0].model",
        gemini.BatchEmbedContentsRequest(model="models/a", requests=[{"model": "models/a"}]),
    ),
    Example(
        "request.embedded-title",
        gemini.EmbedContentRequest(title="t", task_type="CLUSTERING"),
        "title",
        gemini.EmbedContentRequest(title="t", task_type="RETRIEVAL_DOCUMENT"),
        "warning",
    ),
    Example(
        "request.model-armor",
        request(model_armor_config=ARMOR, safety_settings=harm(HARM)),
        "modelArmorConfig",
        request(model_armor_config=ARMOR),
    ),
    Example(
        "safety.one-setting",
        gemini.GenerateContentRequest(safety_settings=harm(HARM, HARM)),
        "safetySettings[1].category",
        gemini.GenerateContentRequest(safety_settings=harm(HARM, "HARM_CATEGORY_HATE_SPEECH")),
    ),
    Example(
        "safety.palm-category",
        gemini.SafetySetting(category="HARM_CATEGORY_TOXICITY", threshold="OFF"),
        "category",
        gemini.SafetySetting(category="HARM_CATEGORY_HARASSMENT", threshold="OFF"),
        "warning",
    ),
    Example(
        "cache.display-name",
        gemini.CachedContent(display_name="é" * 129),
        "displayName",
        gemini.CachedContent(display_name="é" * 128),
    ),
    Example(
        "cache.key-location",
        v1.CreateCachedContentRequest(parent=PLACE, cached_content=locked("europe-west4")),
        "cachedContent.encryptionSpec.kmsKeyName",
        v1.CreateCachedContentRequest(parent=PLACE, cached_content=locked("us-central1")),
    ),
    Example(
        "cache.ttl",
        v1.CachedContent(ttl={"seconds": 59}),
        "ttl",
        v1.CachedContent(ttl={"seconds": 60}),
        "warning",
    ),
    Example(
        "retrieval.source",
        v1.Retrieval(),
        "",
        v1.Retrieval(vertex_rag_store={}),
        "warning",
    ),
    Example(
        "retrieval.datastore-or-engine",
        search(datastore=DATASTORE, engine=ENGINE),
        "engine",
        search(engine=ENGINE),
    ),
    Example(
        "retrieval.nothing-to-search", search(filter="x"), "", search(engine=ENGINE), "warning"
    ),
    Example(
        "retrieval.specs-need-engine",
        search(datastore=DATASTORE, data_store_specs=[{"data_store": DATASTORE}]),
        "dataStoreSpecs",
        search(engine=ENGINE, data_store_specs=[{"data_store": DATASTORE}]),
    ),
    Example(
        "retrieval.max-results",
        search(engine=ENGINE, max_results=11),
        "maxResults",
        search(engine=ENGINE, max_results=10),
    ),
    Example(
        "retrieval.one-corpus",
        v1.VertexRagStore(rag_resources=[{"rag_corpus": CORPUS}, {"rag_corpus": f"{CORPUS}1"}]),
        "ragResources[1].ragCorpus",
        v1.VertexRagStore(rag_resources=[{"rag_corpus": CORPUS}, {"rag_corpus": CORPUS}]),
    ),
    Example(
        "retrieval.files-need-corpus",
        v1.VertexRagStore(rag_resources=[{"rag_file_ids": ["1"]}]),
        "ragResources[0].ragFileIds",
        v1.VertexRagStore(rag_resources=[{"rag_corpus": CORPUS, "rag_file_ids": ["1"]}]),
        "warning",
    ),
    Example(
        "retrieval.whole-period",
        gemini.Tool(google_search={"time_range_filter": {"start_time": {}}}),
        "googleSearch.timeRangeFilter.endTime",
        gemini.Tool(google_search={"time_range_filter": {"start_time": {}, "end_time": {}}}),
    ),
    Example(
        "retrieval.period-order",
        period(2, 1),
        "googleSearch.timeRangeFilter.endTime",
        period(1, 1),
    ),
    Example(
        "retrieval.excluded-domains",
        v1.Tool(google_search={"exclude_domains": names(2001)}),
        "googleSearch.excludeDomains",
        v1.Tool(enterprise_web_search={"exclude_domains": names(2000)}),
        "warning",
    ),
    Example(
        "retrieval.parallel-settings",
        v1.Tool(parallel_ai_search={"custom_configs": {"domains": []}}),
        'parallelAiSearch.customConfigs["domains"]',
        v1.Tool(parallel_ai_search={"custom_configs": {"max_results": 3}}),
        "warning",
    ),
    Example(
        "retrieval.one-store",
        gemini.FileSearch(retrieval_resources=[STORE, STORE]),
        "retrievalResources",
        gemini.FileSearch(retrieval_resources=[STORE]),
        "warning",
    ),
    Example(
        "place.latitude",
        v1.RetrievalConfig(lat_lng={"latitude": -90.5}),
        "latLng.latitude",
        v1.RetrievalConfig(lat_lng={"latitude": -90}),
    ),
    Example(
        "place.longitude",
        gemini.RetrievalConfig(lat_lng={"longitude": 181}),
        "latLng.longitude",
        gemini.RetrievalConfig(lat_lng={"longitude": 180}),
    ),
    Example(
        "language.tag",
        v1.SpeechConfig(language_code="en_US"),
        "languageCode",
        v1.SpeechConfig(language_code="zh-Hant-TW"),
        "warning",
    ),
    Example(
        "retrieval.threshold",
        v1.DynamicRetrievalConfig(dynamic_threshold=1.5),
        "dynamicThreshold",
        v1.DynamicRetrievalConfig(dynamic_threshold=0),
        "warning",
    ),
    Example(
        "retrieval.hybrid-alpha",
        v1beta1.RagRetrievalConfig(hybrid_search={"alpha": -0.1}),
        "hybridSearch.alpha",
        v1beta1.RagRetrievalConfig(hybrid_search={"alpha": 1}),
    ),
    Example(
        "retrieval.top-k",
        v1.RagRetrievalConfig(top_k=-1),
        "topK",
        v1.RagRetrievalConfig(top_k=1),
        "warning",
    ),
    Example(
        "generation.temperature", config(temperature=2.5), "temperature", config(temperature=0)
    ),
    Example("generation.top-p", config(top_p=float("nan")), "topP", config(top_p=1)),
    Example("generation.top-k", config(top_k=0), "topK", config(top_k=40)),
    Example(
        "generation.candidate-count",
        config(candidate_count=0),
        "candidateCount",
        config(candidate_count=8),
        "warning",
    ),
    Example(
        "generation.max-output-tokens",
        config(max_output_tokens=0),
        "maxOutputTokens",
        config(max_output_tokens=1),
    ),
    Example(
        "generation.presence-penalty",
        config(presence_penalty=2.5),
        "presencePenalty",
        config(presence_penalty=-2),
    ),
    Example(
        "generation.frequency-penalty",
        config(frequency_penalty=-3),
        "frequencyPenalty",
        config(frequency_penalty=2),
    ),
    Example(
        "generation.logprobs",
        gemini.GenerationConfig(response_logprobs=True, logprobs=21),
        "logprobs",
        gemini.GenerationConfig(response_logprobs=True, logprobs=20),
    ),
    Example(
        "generation.thinking-budget",
        config(thinking_config={"thinking_budget": -2}),
        "thinkingConfig.thinkingBudget",
        config(thinking_config={"thinking_budget": -1}),
    ),
    Example(
        "generation.stop-sequences",
        config(stop_sequences=list("abcdef")),
        "stopSequences",
        config(stop_sequences=list("abcde")),
    ),
    Example(
        "generation.empty-stop",
        config(stop_sequences=["a", ""]),
        "stopSequences[1]",
        config(stop_sequences=["a", " "]),
        "warning",
    ),
    Example(
        "generation.mime-type",
        config(response_mime_type="json"),
        "responseMimeType",
        config(response_mime_type="application/json"),
    ),
    Example(
        "generation.one-schema",
        gemini.GenerationConfig(
            response_mime_type="application/json",
            response_json_schema=to_value({}),
            response_json_schema_ordered=to_value({"type": "object"}),
        ),
        "responseJsonSchema",
        gemini.GenerationConfig(
            response_mime_type="application/json",
            response_json_schema_ordered=to_value({"type": "object"}),
        ),
    ),
    Example(
        "generation.schema-needs-form",
        config(response_schema=TEXT),
        "responseSchema",
        config(response_schema=TEXT, response_mime_type="application/json"),
    ),
    Example(
        "generation.enum-needs-schema",
        config(response_schema=TEXT, response_mime_type="text/x.enum"),
        "responseSchema.enum",
        config(response_schema={"type": "STRING", "enum": ["a"]}, response_mime_type="text/x.enum"),
        "warning",
    ),
    Example(
        "generation.logprobs-flag",
        config(logprobs=5),
        "logprobs",
        config(logprobs=5, response_logprobs=True),
    ),
    Example(
        "generation.one-amount",
        config(thinking_config={"thinking_level": "LOW", "thinking_budget": 0}),
        "thinkingConfig.thinkingLevel",
        config(thinking_config={"thinking_level": "LOW"}),
    ),
    Example(
        "generation.live",
        gemini.BidiGenerateContentSetup(generation_config={"stop_sequences": ["x"]}),
        "generationConfig.stopSequences",
        gemini.BidiGenerateContentSetup(generation_config={"temperature": 1}),
    ),
    Example(
        "generation.json-schema",
        reply({"type": "array", "items": {"type": "string", "minLength": 1}}),
        'responseJsonSchema["items"]["minLength"]',
        reply({"type": "object", "properties": {"minLength": {"type": "integer"}}}),
        "warning",
    ),
    Example(
        "generation.json-reference",
        reply({"$defs": {"A": {}}, "items": {"$ref": "#/$defs/A", "title": "t"}}),
        'responseJsonSchema["items"]["title"]',
        reply({"$defs": {"A": {}}, "items": {"$ref": "#/$defs/A"}, "title": "t"}),
        "warning",
    ),
    Example(
        "live.response-id",
        gemini.BidiGenerateContentClientMessage(
            tool_response={"function_responses": [{"name": "f", "id": "1"}, {"name": "f"}]}
        ),
        "toolResponse.functionResponses[1].id",
        gemini.BidiGenerateContentClientMessage(
            tool_response={"function_responses": [{"name": "f", "id": "1"}]}
        ),
        "warning",
    ),
    Example(
        "live.one-chunk",
        gemini.BidiGenerateContentRealtimeInput(media_chunks=[SOUND, SOUND]),
        "mediaChunks",
        gemini.BidiGenerateContentRealtimeInput(media_chunks=[SOUND]),
        "warning",
    ),
    Example(
        "speech.one-voice",
        v1.SpeechConfig(voice_config={}, multi_speaker_voice_config={}),
        "multiSpeakerVoiceConfig",
        v1.SpeechConfig(voice_config={}),
    ),
    Example(
        "speech.two-speakers",
        v1.MultiSpeakerVoiceConfig(speaker_voice_configs=[speaker("a")]),
        "speakerVoiceConfigs",
        v1.MultiSpeakerVoiceConfig(speaker_voice_configs=[speaker("a"), speaker("b")]),
    ),
    Example(
        "speech.voice-sample",
        v1.ReplicatedVoiceConfig(mime_type="audio/mpeg"),
        "mimeType",
        v1.ReplicatedVoiceConfig(mime_type="audio/wav"),
    ),
    Example(
        "image.size",
        v1.ImageConfig(image_size="8K"),
        "imageSize",
        v1.ImageConfig(image_size="4K"),
        "warning",
    ),
    Example(
        "image.aspect-ratio",
        v1.ImageConfig(aspect_ratio="wide"),
        "aspectRatio",
        v1.ImageConfig(aspect_ratio="16:9"),
    ),
    Example(
        "image.known-ratio",
        gemini.ImageConfig(aspect_ratio="5:4"),
        "aspectRatio",
        v1.ImageConfig(aspect_ratio="5:4"),
        "warning",
    ),
    Example("schema.type", NO_TYPE, "type", schema(any_of=[TEXT])),
    Example("schema.items", schema(type="ARRAY"), "items", schema(type="ARRAY", items=TEXT)),
    Example(
        "schema.structure",
        schema(type="STRING", properties={"a": TEXT}),
        "properties",
        schema(type="OBJECT", properties={"a": TEXT}),
    ),
    Example(
        "schema.keyword",
        schema(type="STRING", minimum=1),
        "minimum",
        schema(type="NUMBER", minimum=1),
        "warning",
    ),
    Example(
        "schema.required",
        schema(type="OBJECT", properties={"a": TEXT}, required=["a", "b"]),
        "required[1]",
        schema(type="OBJECT", properties={"a": TEXT}, required=["a"]),
    ),
    Example(
        "schema.ordering",
        schema(type="OBJECT", properties={"a": TEXT}, property_ordering=["a", "b"]),
        "propertyOrdering[1]",
        schema(type="OBJECT", properties={"a": TEXT}, property_ordering=["a"]),
        "warning",
    ),
    Example(
        "schema.twice",
        schema(type="STRING", enum=["a", "a"]),
        "enum[1]",
        schema(type="STRING", enum=["a", "A"]),
        "warning",
    ),
    Example(
        "schema.any-of",
        schema(any_of=[TEXT], description="x"),
        "description",
        schema(any_of=[schema(type="STRING", description="x")]),
    ),
    Example(
        "schema.additional-properties",
        schema(type="OBJECT", additional_properties=to_value("yes")),
        "additionalProperties",
        schema(type="OBJECT", additional_properties=to_value({"type": "STRING"})),
    ),
    Example(
        "schema.definitions",
        schema(type="ARRAY", items=schema(type="STRING", defs={"A": TEXT})),
        "items.defs",
        schema(type="ARRAY", items=schema(ref="#/defs/A"), defs={"A": TEXT}),
    ),
    Example(
        "schema.reference",
        schema(type="ARRAY", items=schema(ref="#/defs/B"), defs={"A": TEXT}),
        "items.ref",
        schema(type="ARRAY", items=schema(ref="#/defs/A"), defs={"A": schema(ref="#/defs/A")}),
    ),
    Example(
        "schema.example",
        schema(type="ARRAY", items=schema(type="STRING", example=to_value("x"))),
        "items.example",
        schema(type="STRING", example=to_value("x")),
        "warning",
    ),
    Example(
        "schema.enum",
        schema(type="INTEGER", enum=["1", "two"]),
        "enum[1]",
        schema(type="INTEGER", enum=["1", "-2"]),
        "warning",
    ),
    Example(
        "schema.enum-empty",
        schema(type="STRING", enum=["a", ""]),
        "enum[1]",
        schema(type="STRING", enum=["a", " "]),
    ),
    Example(
        "schema.enum-type",
        gemini.Schema(type="INTEGER", enum=["1"]),
        "enum",
        gemini.Schema(type="STRING", enum=["1"]),
        "warning",
    ),
    Example(
        "schema.enum-format",
        schema(type="STRING", format="enum"),
        "enum",
        schema(type="STRING", format="enum", enum=["a"]),
    ),
    Example(
        "schema.format",
        schema(type="INTEGER", format="double"),
        "format",
        schema(type="INTEGER", format="int64"),
        "warning",
    ),
    Example(
        "schema.bounds",
        schema(type="STRING", min_length=3, max_length=2),
        "minLength",
        schema(type="STRING", min_length=3, max_length=3),
        "warning",
    ),
    Example(
        "schema.default",
        schema(type="INTEGER", default=to_value(1.5)),
        "default",
        schema(type="INTEGER", default=to_value(0), minimum=-1),
        "warning",
    ),
    Example(
        "response.input-only",
        v1.ListCachedContentsResponse(cached_contents=[{"ttl": {"seconds": 1}}]),
        "cachedContents[0].ttl",
        v1.CachedContent(ttl={"seconds": 1}),
        "warning",
    ),
    Example(
        "response.grounding-chunks",
        grounded(1),
        "candidates[0].groundingMetadata.groundingSupports[0].groundingChunkIndices[0]",
        grounded(0),
        "warning",
    ),
    Example(
        "response.grounding-scores",
        grounded(0, scores=(0.5, 0.5)),
        "candidates[0].groundingMetadata.groundingSupports[0].confidenceScores",
        grounded(0, scores=(0.5,)),
        "warning",
    ),
    Example("response.segment", stretch(5, 3), "endIndex", stretch(3, 5), "warning"),
]

# What another API says otherwise: rule, message, severity or None.
OTHERS: list[tuple[str, Message, str | None]] = [
    ("tool.one-kind", gemini.Tool(google_search={}, code_execution={}), "warning"),
    ("tool.one-kind", v1beta1.Tool(google_search={}, code_execution={}), "error"),
    (
        "tool.one-kind",
        firebase.Tool(google_maps={}, template_functions=[{"name": "f"}]),
        "error",
    ),
    ("function.name", gemini.FunctionDeclaration(name="1a"), None),
    ("function.name", firebase.TemplateFunction(name="a b"), "error"),
    ("function.json-schema", firebase.TemplateFunction(input_schema={"type": "array"}), "error"),
    (
        "function.duplicate",
        firebase.Tool(template_functions=[{"name": "f"}, {"name": "f"}]),
        "error",
    ),
    (
        "function.parameter-name",
        gemini.FunctionDeclaration(parameters={"type": "OBJECT", "properties": {"a.b": {}}}),
        None,
    ),
    ("generation.presence-penalty", gemini.GenerationConfig(presence_penalty=3), "warning"),
    ("schema.format", gemini.Schema(type="STRING", format="uuid"), "warning"),
    ("schema.enum-type", v1.Schema(type="INTEGER", enum=["1"]), None),
    ("cache.display-name", v1.CachedContent(display_name="x" * 129), "warning"),
    ("cache.ttl", gemini.CachedContent(ttl={"seconds": 1}), None),
    ("cache.ttl", gemini.CachedContent(ttl={}), "warning"),
    ("cache.key-location", v1.CachedContent(**locked("us-central1"), name=CACHE), None),
    ("cache.key-location", v1.CachedContent(**locked("eu"), name=CACHE), "error"),
    ("cache.key-location", v1.CachedContent(encryption_spec={"kms_key_name": "k"}), None),
    ("file.mime-type", v1.FileData(mime_type="video/*", file_uri="https://youtu.be/x"), None),
    ("file.mime-type", v1.FileData(mime_type="*/*", file_uri="gs://b/x"), "error"),
    ("file.mime-type", v1.Blob(mime_type="image/*", data=b"x"), "error"),
    (
        "speech.two-speakers",
        v1.MultiSpeakerVoiceConfig(speaker_voice_configs=[speaker("a"), speaker("a")]),
        "error",
    ),
    ("safety.one-setting", request(safety_settings=harm(HARM, HARM)), "warning"),
    ("generation.logprobs", config(response_logprobs=True, logprobs=21), "warning"),
    ("speech.two-speakers", gemini.MultiSpeakerVoiceConfig(speaker_voice_configs=[{}]), "warning"),
    (
        "request.one-input",
        v1.CountTokensRequest(contents=[USER], instances=[to_value(1)]),
        "warning",
    ),
    (
        "calling.without-functions",
        gemini.GenerateContentRequest(tool_config=calling("NONE")),
        "error",
    ),
    (
        "resource.name",
        gemini.FileSearch(retrieval_resources=[{"rag_store_name": "ragStores/a"}]),
        None,
    ),
    ("resource.name", v1.CountTokensRequest(endpoint=MODEL, model="gemini"), "error"),
    ("field.required", v1.EmbedContentRequest(content=USER), "error"),
    ("field.required", gemini.Blob(data=b"x"), "error"),
    ("field.required", gemini.Blob(mime_type="image/png"), None),
    ("turns.name", gemini.FunctionCall(name="1:a"), None),
    ("turns.code-result", v1.Content(role="model", parts=[RESULT]), None),
    ("part.finest-image", v1.Part(text="x", media_resolution=FINEST), "warning"),
    ("schema.any-of", gemini.Schema(any_of=[{"type": "NULL"}], title="x"), "warning"),
    ("schema.type", gemini.Schema(title="x"), None),
    ("file.uri", gemini.FileData(file_uri="files/abc"), None),
    ("turns.no-parts", v1.Content(role="user"), None),
]
