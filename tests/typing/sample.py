"""A user's program: both type checkers accept it in strict mode, and it runs."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Literal, TypedDict

from typing_extensions import assert_type

import toolwire
from toolwire import firebase, gemini, oneof, retrieval, v1, v1beta1


class Lookup(TypedDict):
    order_id: str


def schema(kind: v1.Type.ValueType, properties: Mapping[str, v1.Schema]) -> v1.Schema:
    return v1.Schema(type=kind, properties=properties)


def messages() -> v1.Tool:
    parameters = v1.Schema(
        type="OBJECT",
        properties={"order_id": {"type": "STRING"}, "quantity": v1.Schema(type=v1.Type.INTEGER)},
        required=["order_id"],
    )
    parameters.type = "OBJECT"
    parameters.type = v1.Type.OBJECT
    tool = v1.Tool(
        function_declarations=[
            {"name": "first", "parameters": {"type": "OBJECT"}},
            v1.FunctionDeclaration(name="second", parameters=parameters),
        ]
    )
    assert_type(tool.function_declarations[0], v1.FunctionDeclaration)
    assert_type(tool.function_declarations[0].name, str)
    assert_type(parameters.type, v1.Type.ValueType)
    assert_type(parameters.properties["order_id"], v1.Schema)
    assert_type(parameters.required[0], str)
    assert_type([function.name for function in tool.function_declarations], list[str])
    return tool


def plain_python() -> None:
    arguments: Lookup = {"order_id": "7"}
    call = v1.FunctionCall(name="first", args=arguments)
    call.args = {"order_id": "8", "flags": [True, None, 2.5]}
    assert_type(call.name, str)
    cached = v1.CachedContent(ttl=datetime.timedelta(hours=1))
    cached.expire_time = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
    assert_type(cached.display_name, str)
    part = v1.Part(function_call=call, thought_signature=b"s")
    assert_type(part.thought_signature, bytes)
    assert_type(part.function_call, v1.FunctionCall)


def json() -> None:
    tool = messages()
    text = toolwire.to_json(tool, indent=2)
    assert_type(text, str)
    assert_type(toolwire.to_json_bytes(tool), bytes)
    assert_type(toolwire.to_dict(tool), dict[str, object])
    assert_type(toolwire.from_json(v1.Tool, text), v1.Tool)
    assert_type(toolwire.from_dict(v1.Tool, {"googleSearch": {}}), v1.Tool)
    assert_type(toolwire.from_binary(v1.Tool, tool.SerializeToString()), v1.Tool)
    unknown = toolwire.UnknownFields()
    toolwire.from_json(v1.Tool, '{"new": 1}', unknown=unknown)
    try:
        toolwire.from_json(v1.Tool, "{}", unknown="ignore")
    except toolwire.JsonError as error:
        assert_type(error.path, str)


def oneofs() -> None:
    tool = retrieval.vertex_ai_search(
        datastore="projects/p/locations/global/collections/c/dataStores/d", max_results=3
    )
    assert_type(tool, v1.Tool)
    assert_type(retrieval.source(tool), v1.VertexAISearch | v1.VertexRagStore | None)
    assert_type(
        oneof.which(tool.retrieval, "source"),
        Literal["vertex_ai_search", "vertex_rag_store"] | None,
    )
    assert_type(oneof.get(tool.retrieval, "source"), v1.VertexAISearch | v1.VertexRagStore | None)
    oneof.assign(tool.retrieval, "vertex_rag_store", {"rag_resources": [{"rag_corpus": "c"}]})
    oneof.assign(tool.retrieval, "vertex_rag_store", v1.VertexRagStore())
    oneof.clear(tool.retrieval, "source")
    assert_type(oneof.names(v1.Retrieval), tuple[str, ...])
    match retrieval.source(tool):
        case v1.VertexAISearch() as search:
            assert_type(search.datastore, str)
        case v1.VertexRagStore() as store:
            assert_type(store.rag_resources[0].rag_corpus, str)
        case None:
            pass
    part = v1.Part(text="x")
    assert_type(oneof.get(part, "metadata"), v1.VideoMetadata | None)


def other_apis() -> None:
    tool = retrieval.vertex_ai_search(
        api="v1beta1", datastore="projects/p/locations/global/collections/c/dataStores/d"
    )
    assert_type(tool, v1beta1.Tool)
    found = retrieval.source(tool)
    assert_type(found, v1beta1.VertexAISearch | v1beta1.VertexRagStore | None)
    assert_type(
        oneof.which(tool.retrieval, "source"),
        Literal["vertex_ai_search", "vertex_rag_store"] | None,
    )
    assert_type(v1beta1.FunctionCall(id="7").id, str)
    search = gemini.Tool(file_search={"retrieval_resources": [{"rag_store_name": "s"}]})
    assert_type(search.file_search.retrieval_resources[0].rag_store_name, str)
    message = gemini.BidiGenerateContentClientMessage(setup={"model": "models/m"})
    setup = oneof.get(message, "message_type")
    if isinstance(setup, gemini.BidiGenerateContentSetup):
        assert_type(setup.model, str)
    function = firebase.TemplateFunction(name="f", input_schema={"type": "object"})
    assert_type(firebase.Tool(template_functions=[function]).template_functions[0].name, str)
    assert_type(toolwire.from_json(firebase.Tool, "{}"), firebase.Tool)


def conversions() -> None:
    found = toolwire.convert(v1.Tool(google_search={}), to=gemini.Tool, strict=True)
    assert_type(found, toolwire.Converted[gemini.Tool])
    assert_type(found.message, gemini.Tool)
    assert_type(found.losses, tuple[toolwire.Loss, ...])
    assert_type([loss.path for loss in found.losses], list[str])
    assert_type(toolwire.split_tool(v1.Tool(google_search={}, retrieval={})), list[v1.Tool])
    chunks = [gemini.GenerateContentResponse(response_id="a")]
    whole = toolwire.join_chunks(chunk for chunk in chunks)
    assert_type(whole, gemini.GenerateContentResponse)
    try:
        assert_type(toolwire.text(whole), str)
    except toolwire.AnswerError as error:
        assert_type(error.reason, str)
    except toolwire.ConversionError as error:
        assert_type(error.losses, tuple[toolwire.Loss, ...])


def call_others() -> None:
    beta = toolwire.Client(api="v1beta1", project="p", location="us-central1")
    assert_type(beta.generate_content("m", "Hello"), v1beta1.GenerateContentResponse)
    assert_type(beta.count_tokens("m", "Hello"), v1beta1.CountTokensResponse)
    other = toolwire.Client(api="gemini", api_key="key")
    reply = other.generate_content(
        "m", [gemini.Content(role="user")], tools=[gemini.Tool(google_search={})]
    )
    assert_type(reply, gemini.GenerateContentResponse)
    for chunk in other.stream_generate_content("m", "Hello"):
        assert_type(chunk, gemini.GenerateContentResponse)
    keep(other)


def keep(
    client: toolwire.Client[gemini.GenerateContentResponse, gemini.CountTokensResponse],
) -> None:
    assert_type(client.count_tokens("m", "Hello").total_tokens, int)


def call(client: toolwire.Client) -> None:
    response = client.generate_content(
        "gemini-2.5-flash",
        "Where is order 7?",
        tools=[messages(), {"google_search": {}}],
        tool_config={"function_calling_config": {"mode": "ANY"}},
        timeout=20,
    )
    assert_type(response, v1.GenerateContentResponse)
    assert_type(response.candidates[0], v1.Candidate)
    assert_type(response.candidates[0].content.parts[0].text, str)
    assert_type(response.candidates[0].finish_reason, v1.Candidate.FinishReason.ValueType)
    with client.stream_generate_content("gemini-2.5-flash", "Hello") as chunks:
        for chunk in chunks:
            assert_type(chunk, v1.GenerateContentResponse)
    stream = client.stream_generate_content("gemini-2.5-flash", "Hello")
    assert_type(toolwire.join_chunks(stream), v1.GenerateContentResponse)
    counted = client.count_tokens("gemini-2.5-flash", "Hello")
    assert_type(counted, v1.CountTokensResponse)
    assert_type(counted.total_tokens, int)
    try:
        client.generate_content("gemini-2.5-flash", [v1.Content(role="user", parts=["x"])])  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    except toolwire.CallError as error:
        assert_type(error.code, str)


def serve(servicer: v1.grpc.PredictionServiceServicer) -> None:
    import grpc  # noqa: PLC0415

    with grpc.insecure_channel("127.0.0.1:1") as channel:
        stub = v1.grpc.PredictionServiceStub(channel)
        request = v1.GenerateContentRequest(model="m", contents=[{"role": "user"}])
        answer: v1.GenerateContentResponse = stub.GenerateContent(request)
        assert_type(stub.GenerateContent(request), v1.GenerateContentResponse)
        assert_type(answer.candidates[0].content, v1.Content)
        for chunk in stub.StreamGenerateContent(request):
            assert_type(chunk, v1.GenerateContentResponse)


if __name__ == "__main__":
    messages()
    plain_python()
    json()
    oneofs()
    other_apis()
    conversions()
    print("ran")
