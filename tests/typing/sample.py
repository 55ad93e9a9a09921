"""A user's program: both type checkers accept it in strict mode, and it runs."""

from __future__ import annotations

import datetime
import importlib.util
from collections.abc import Callable, Mapping
from typing import Literal, TypedDict

from typing_extensions import assert_type

import toolwire
from toolwire import firebase, functions, gemini, oneof, retrieval, v1, v1beta1
from toolwire.client import Pager, Retry, Transcript


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
    # A newer schema may have more sources, so the whole union is not spelled out.
    for source in (retrieval.source(tool), oneof.get(tool.retrieval, "source")):
        if isinstance(source, v1.VertexAISearch):
            assert_type(source.datastore, str)
        elif isinstance(source, v1.VertexRagStore):
            assert_type(source.rag_retrieval_config, v1.RagRetrievalConfig)
    name = oneof.which(tool.retrieval, "source")
    if name == "vertex_rag_store":
        assert_type(name, Literal["vertex_rag_store"])
    oneof.assign(tool.retrieval, "vertex_rag_store", {"rag_resources": [{"rag_corpus": "c"}]})
    oneof.assign(tool.retrieval, "vertex_rag_store", v1.VertexRagStore())
    oneof.clear(tool.retrieval, "source")
    assert_type(oneof.names(v1.Retrieval), tuple[str, ...])
    match retrieval.source(tool):
        case v1.VertexAISearch() as search:
            assert_type(search.datastore, str)
        case v1.VertexRagStore() as store:
            assert_type(store.rag_resources[0].rag_corpus, str)
        case _:  # none, or a source of a newer schema
            pass
    part = v1.Part(text="x")
    assert_type(oneof.get(part, "metadata"), v1.VideoMetadata | None)


def other_apis() -> None:
    tool = retrieval.vertex_ai_search(
        api="v1beta1", datastore="projects/p/locations/global/collections/c/dataStores/d"
    )
    assert_type(tool, v1beta1.Tool)
    found = retrieval.source(tool)
    if isinstance(found, v1beta1.VertexAISearch):
        assert_type(found.datastore, str)
    name = oneof.which(tool.retrieval, "source")
    if name == "vertex_ai_search":
        assert_type(name, Literal["vertex_ai_search"])
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


def weather(city: str, days: int = 3) -> str:
    """Tells the weather."""
    return f"{city}: {days} days of it"


def declarations(api: str) -> None:
    assert_type(functions.declare(weather), v1.FunctionDeclaration)
    assert_type(functions.declare(weather, api="v1beta1"), v1beta1.FunctionDeclaration)
    assert_type(functions.declare(weather, api="gemini", strict=False), gemini.FunctionDeclaration)
    assert_type(functions.declare(weather, api="firebase"), firebase.TemplateFunction)
    found = functions.declare(weather, api="gemini", report=True, untyped="STRING")
    assert_type(found, functions.Declared[gemini.FunctionDeclaration])
    declaration, changes = found
    assert_type(declaration, gemini.FunctionDeclaration)
    assert_type(changes, list[functions.Change])
    assert_type([change.path for change in changes], list[str])
    assert_type(found.original({"a": 1}), dict[str, object])
    assert_type(functions.tool([weather, Lookup]), v1.Tool)
    assert_type(functions.tool([weather], api="gemini", report=True).message, gemini.Tool)
    assert_type(functions.declare(weather, api=api, report=True).changes, list[functions.Change])
    schema = functions.response_schema(list[int])
    assert_type(schema, v1.Schema)
    assert_type(v1.GenerationConfig(response_schema=schema).response_schema, v1.Schema)
    assert_type(functions.parse("[1]", list[int]), list[int])
    assert functions.to_json_schema(schema)["items"] == {"type": "integer"}
    try:
        functions.declare({"properties": {"a": {}}}, name="f")
    except toolwire.DeclarationError as error:
        assert_type(error.path, str)
        assert_type(error.changes, tuple[functions.Change, ...])


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


def keep(client: toolwire.Client[Literal["gemini"]]) -> None:
    assert_type(client.count_tokens("m", "Hello").total_tokens, int)


def every_method(client: toolwire.Client) -> None:
    assert_type(client.compute_tokens("m", "Hello"), v1.ComputeTokensResponse)
    assert_type(client.embed_content("m", "Hello").embedding.values[0], float)
    assert_type(client.predict("m", [{"a": 1}], {"top": 2}), v1.PredictResponse)
    assert_type(client.raw_predict("m", b"{}").data, bytes)
    for piece in client.stream_raw_predict("m", http_body="{}", timeout=20, retries=0):
        assert_type(piece.content_type, str)
    lasting = {"model": "m", "ttl": "60s"}
    cached = client.create_cached_content(cached_content=lasting)
    assert_type(cached, v1.CachedContent)
    assert_type(client.get_cached_content("123"), v1.CachedContent)
    cached.ttl = datetime.timedelta(hours=2)
    client.update_cached_content(cached_content=cached, update_mask=["ttl"])
    client.update_cached_content(v1.UpdateCachedContentRequest(cached_content=cached))
    client.delete_cached_content(name=cached.name)
    pager = client.list_cached_contents(page_size=10)
    assert_type(pager, Pager[v1.CachedContent, v1.ListCachedContentsResponse])
    for each in pager:
        assert_type(each.name, str)
    for page in pager.pages():
        assert_type(page.next_page_token, str)


def every_method_of_gemini(client: toolwire.Client[Literal["gemini"]]) -> None:
    assert_type(client.embed_content("m", gemini.Part(text="a")), gemini.EmbedContentResponse)
    found = client.batch_embed_contents("m", ["a", gemini.Content(), {"text": "b"}])
    assert_type(found, gemini.BatchEmbedContentsResponse)
    assert_type(client.create_cached_content(cached_content={"model": "m"}), gemini.CachedContent)
    for each in client.list_cached_contents():
        assert_type(each, gemini.CachedContent)
    with client.bidi_generate_content("m", tools=[gemini.Tool(google_search={})]) as session:
        session.send("Hello")
        session.send(realtime_input={"text": "Hello"})
        for message in session:
            assert_type(message, gemini.BidiGenerateContentServerMessage)
            calls = message.tool_call.function_calls
            session.reply([gemini.FunctionResponse(id=call.id) for call in calls])
        assert_type(session.receive(), gemini.BidiGenerateContentServerMessage | None)


async def price(item: str, count: int = 1) -> float:
    """Tells a price."""
    return len(item) * float(count)


class Shop:
    """A callable, and methods of every kind."""

    def __call__(self, order: int) -> bool:
        return order > 0

    def order(self, item: str, count: int) -> None:
        """Orders an item."""

    @classmethod
    def open(cls) -> bool:
        return True

    @staticmethod
    def close(when: str) -> None:
        """Closes the shop."""


def unlike_functions(client: toolwire.Client) -> None:
    two = [weather, price]
    methods = [Shop().order, Shop.open, Shop.close, price]
    pairs = [({"type": "object"}, weather), (v1.FunctionDeclaration(), price)]
    by_name = {"weather": weather, "price": price}
    kept: list[Callable[..., object]] = [weather, price, Shop()]
    box = functions.Toolbox(two)
    assert_type(box, functions.Toolbox[v1.Tool])
    assert_type(functions.Toolbox(pairs, api="gemini"), functions.Toolbox[gemini.Tool])
    functions.Toolbox([*methods, *pairs, Shop()])
    functions.Toolbox(by_name.values())
    for tools in (two, methods, kept):
        client.run_tools("m", "Hello", tools=tools)
        client.generate_content("m", "Hello", tools=tools)
        client.count_tokens("m", "Hello", tools=tools)
    client.stream_generate_content("m", "Hello", tools=pairs)
    client.run_tools("m", "Hello", tools=(weather, price))
    client.run_tools(
        "m",
        "Hello",
        tools=[*two, *methods, *pairs, Shop(), box, messages(), {"google_search": {}}],
    )


def run_tools(client: toolwire.Client) -> None:
    run = client.run_tools(
        "m",
        "Hello",
        tools=[weather, functions.Toolbox([weather]), {"google_search": {}}, messages()],
        system_instruction="Be brief.",
        max_turns=3,
        tool_timeout=5,
        before=lambda call: call.name,
        on_chunk=lambda chunk: chunk.candidates,
        timeout=20,
    )
    assert_type(run, Transcript[v1.GenerateContentResponse, v1.Content])
    assert_type(run.contents, list[v1.Content])
    assert_type(run.text, str)
    assert_type(run.turns[0].response, v1.GenerateContentResponse)
    assert_type(run.turns[0].calls.content, v1.Content | None)
    for outcome in run.turns[0].outcomes:
        assert_type(outcome, functions.Outcome)
    assert_type(run.pending, functions.Calls[v1.Content])
    reply = functions.respond(run.pending, *functions.Toolbox([weather]).run(run.pending))
    client.run_tools("m", [*run.contents, reply, "And now?"], tools=[weather])
    client.run_tools(v1.GenerateContentRequest(), tools=[({"type": "object"}, weather)])
    client.run_tools({"model": "m"}, tools=[weather], max_turns=2)
    client.generate_content("m", "Hello", tools=[weather, functions.Toolbox([weather])])


async def run_tools_async(client: toolwire.AsyncClient[Literal["gemini"]]) -> None:
    async def after(call: functions.Call, outcome: functions.Outcome) -> None:
        assert_type(call.args, dict[str, object])
        assert_type(outcome.seconds, float)

    run = await client.run_tools("m", "Hello", tools=[weather], after=after)
    assert_type(run, Transcript[gemini.GenerateContentResponse, gemini.Content])


async def call_async(client: toolwire.AsyncClient) -> None:
    assert_type(await client.generate_content("m", "Hello"), v1.GenerateContentResponse)
    async with client.stream_generate_content("m", "Hello") as stream:
        async for chunk in stream:
            assert_type(chunk, v1.GenerateContentResponse)
    async for each in client.list_cached_contents():
        assert_type(each, v1.CachedContent)
    assert_type((await client.predict("m", [1])).predictions[0].number_value, float)
    beta = toolwire.AsyncClient(api="v1beta1", project="p", location="l", retries=2)
    assert_type(await beta.count_tokens("m", "Hello"), v1beta1.CountTokensResponse)
    other = toolwire.AsyncClient(api="gemini", api_key="key", on_retry=told)
    async with other, other.bidi_generate_content("m") as session:
        await session.send(["Hello", gemini.Part(text="there")], turn_complete=False)
        async for message in session:
            assert_type(message, gemini.BidiGenerateContentServerMessage)
    await client.close()


def told(retry: Retry) -> None:
    assert_type(retry.delay, float)
    assert_type(retry.error, toolwire.CallError)


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
    with toolwire.client.stub(v1.grpc.PredictionServiceStub, "localhost:1", retries=1) as mine:
        assert_type(mine.GenerateContent({"model": "m"}, retries=0), v1.GenerateContentResponse)
        for chunk in mine.StreamGenerateContent(request, metadata={"x-mine": "1"}):
            assert_type(chunk, v1.GenerateContentResponse)


async def connected() -> None:
    make = gemini.grpc.GenerativeServiceStub
    async with toolwire.client.async_stub(make, "localhost:1") as mine:
        answer, call = await mine.GenerateContent.with_call({"model": "m"})
        assert_type(answer, gemini.GenerateContentResponse)
        assert_type(call.initial_metadata(), tuple[tuple[str, str | bytes], ...])
        async for chunk in mine.BidiGenerateContent([{"setup": {"model": "m"}}]):
            assert_type(chunk, gemini.BidiGenerateContentServerMessage)


if __name__ == "__main__":
    messages()
    plain_python()
    json()
    oneofs()
    other_apis()
    conversions()
    if importlib.util.find_spec("pydantic"):  # the extra `functions`
        declarations("gemini")
    print("ran")
