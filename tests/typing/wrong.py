"""A user's mistakes: both type checkers refuse every line marked so, and no other."""

from __future__ import annotations

import toolwire
from toolwire import firebase, functions, gemini, oneof, retrieval, v1, v1beta1

v1.Tol  # wrong
toolwire.to_jsn  # wrong
v1.Tool(functions=[])  # wrong
v1.Schema(type=1.5)  # wrong
v1.Schema(type=["STRING"])  # wrong
v1.Tool(retrieval="search")  # wrong
v1.Tool(function_declarations=[1])  # wrong
v1.FunctionCall(args=["a"])  # wrong
v1.Schema().type = None  # wrong
v1.Schema().properties = {}  # wrong
v1.Tool().retrieval = v1.Retrieval()  # wrong
v1.FunctionCall().args = 3  # wrong
v1.CachedContent().ttl = 3  # wrong
v1.Retrieval().WhichOneof("sauce")  # wrong
v1.Type.STRNG  # wrong
retrieval.vertex_ai_search(data_store="d")  # wrong
retrieval.vertex_ai_search(datastore=1)  # wrong
retrieval.vertex_rag_store(datastore="d")  # wrong
oneof.which(3, "source")  # wrong
name: int = oneof.which(v1.Retrieval(), "source")  # wrong
toolwire.from_json(dict, "{}")  # wrong
toolwire.from_json(v1.Tool, "{}", unknown="skip")  # wrong
tool: v1.Retrieval = toolwire.from_json(v1.Tool, "{}")  # wrong
toolwire.Client("v1")  # wrong
toolwire.Client(project=1)  # wrong
toolwire.Client(api="v2")  # wrong
toolwire.Client(api="firebase")  # wrong
toolwire.Client(api="gemini", projekt="p")  # wrong
v1.grpc.PredictionServicStub  # wrong
gemini.FileSerch  # wrong
gemini.grpc.PredictionServiceStub  # wrong
firebase.grpc  # wrong
firebase.Tool(google_search={})  # wrong
v1.Tool(retrieval=v1beta1.Retrieval())  # wrong
retrieval.vertex_rag_store(store_context=True)  # wrong
retrieval.vertex_ai_search(api="gemini", datastore="d")  # wrong
beta: v1.Tool = retrieval.vertex_ai_search(api="v1beta1", datastore="d")  # wrong
functions.declare({}, api="v1", nam="f")  # wrong
functions.declare({}, untyped="TEXT")  # wrong
functions.declare()  # wrong
declaration: v1.FunctionDeclaration = functions.declare({}, api="gemini")  # wrong
whole: v1.FunctionDeclaration = functions.declare({}, report=True)  # wrong
answer: int = functions.parse("[1]", list[int])  # wrong


async def later_hook(call: functions.Call) -> str | None:
    return call.name


client = toolwire.Client()
strange = functions.Toolbox([later_hook], api="gemini")
client.generate_contents("m", "x")  # wrong
client.generate_content("m")  # wrong
client.generate_content("m", 5)  # wrong
client.generate_content("m", "x", tools=[v1beta1.Tool()])  # wrong
client.generate_content("m", "x", tool=[])  # wrong
client.generate_content("m", "x", retries="4")  # wrong
client.run_tools("m", "x")  # wrong
client.run_tools("m", "x", tools=[v1beta1.Tool()])  # wrong
client.run_tools("m", "x", tools=[later_hook, v1beta1.Tool()])  # wrong
client.run_tools("m", "x", tools=[later_hook, strange])  # wrong
client.run_tools("m", "x", tools=later_hook)  # wrong
client.run_tools("m", "x", tools=["weather"])  # wrong
client.run_tools("m", "x", tools=[later_hook, "weather"])  # wrong
client.generate_content("m", "x", tools=[later_hook, 5])  # wrong
functions.Toolbox(["weather"])  # wrong
functions.Toolbox([later_hook, ({}, "weather")])  # wrong
functions.Toolbox(later_hook)  # wrong
client.run_tools("m", "x", tools=[], max_turns="3")  # wrong
client.run_tools("m", "x", tools=[], before=divmod)  # wrong
client.run_tools("m", "x", tools=[], before=later_hook)  # wrong
client.batch_embed_contents("m", ["x"])  # wrong
client.get_cached_content()  # wrong
client.update_cached_content("name")  # wrong
foreign: gemini.GenerateContentResponse = client.generate_content("m", "x")  # wrong
later: v1.GenerateContentResponse = toolwire.AsyncClient().generate_content("m", "x")  # wrong
toolwire.AsyncClient(api="gemini").predict("m", [1])  # wrong
prediction = toolwire.client.stub(v1.grpc.PredictionServiceStub, "localhost:1").stub
prediction.GenerateContent.future({"model": "m"})  # wrong
prediction.GenerateContent({"model": "m"}, wait_for_ready=True)  # wrong
prediction.StreamGenerateContent({"model": "m"}).cancel()  # wrong
