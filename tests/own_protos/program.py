"""What somebody does with messages of their own that carry ours: it type-checks, and it runs."""

import copy
import datetime
import pickle
from collections.abc import Iterator
from concurrent import futures

import grpc
from acme.agent.v1 import agent_pb2, agent_pb2_grpc
from acme.common import trace_pb2
from typing_extensions import assert_type

import toolwire
from toolwire import oneof, v1


class Agent(agent_pb2_grpc.AgentServiceServicer):
    """Calls the first function that is declared, or all of them."""

    def Choose(
        self, request: agent_pb2.ChooseRequest, context: grpc.ServicerContext
    ) -> agent_pb2.ChooseResponse:
        (tool,) = request.tools
        name = tool.function_declarations[0].name
        call = v1.FunctionCall(name=name, args={"city": request.text})
        return agent_pb2.ChooseResponse(call=call, tools_by_name={name: tool})

    def ChooseAll(
        self, request: agent_pb2.ChooseRequest, context: grpc.ServicerContext
    ) -> Iterator[v1.FunctionCall]:
        for tool in request.tools:
            for declaration in tool.function_declarations:
                yield v1.FunctionCall(name=declaration.name)


city: dict[str, object] = {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}}
tool = v1.Tool(function_declarations=[{"name": "weather", "parameters": city}, {"name": "news"}])
request = agent_pb2.ChooseRequest(
    tools=[tool],
    text="Paris",
    trace={"id": "t-1", "time": datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc)},
    day={"year": 2026, "month": 1, "day": 2},
    settings={"deep": {"list": [1, "two", None]}},
    kind="STRING",
    limit={"calls": 3},
)
request.kind = "OBJECT"

# What a field holds is of the very class that toolwire has.
assert_type(request.tools[0], v1.Tool)
assert_type(request.kind, v1.Type.ValueType)
assert_type(request.trace, trace_pb2.Trace)
assert isinstance(request.tools[0], v1.Tool)
assert request.kind == v1.Type.OBJECT

# Copies, pickle and JSON, nested messages included.
assert pickle.loads(pickle.dumps(request)) == copy.deepcopy(request) == request
assert pickle.loads(pickle.dumps(request.limit)) == request.limit
text = toolwire.to_json(request)
assert toolwire.from_json(agent_pb2.ChooseRequest, text) == request
assert toolwire.from_binary(agent_pb2.ChooseRequest, request.SerializeToString()) == request

# Oneofs.
assert oneof.which(request, "input") == "text"
assert oneof.names(agent_pb2.ChooseRequest) == ("input",)
changed = copy.deepcopy(request)
oneof.assign(changed, "content", v1.Content(role="user"))
assert isinstance(oneof.get(changed, "input"), v1.Content)
assert not changed.text

# The service, on loopback.
server = grpc.server(futures.ThreadPoolExecutor(2))
agent_pb2_grpc.add_AgentServiceServicer_to_server(Agent(), server)
port = server.add_insecure_port("127.0.0.1:0")
server.start()
with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
    stub = agent_pb2_grpc.AgentServiceStub(channel)
    response = stub.Choose(request)
    assert_type(response, agent_pb2.ChooseResponse)
    assert_type(response.call, v1.FunctionCall)
    assert toolwire.to_dict(response.call) == {"name": "weather", "args": {"city": "Paris"}}
    assert response.tools_by_name["weather"] == tool
    names = [call.name for call in stub.ChooseAll(request)]
server.stop(None).wait()

print(", ".join(names))
