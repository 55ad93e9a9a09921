"""What a connected stub does not have, or take: both type checkers refuse every line marked so."""

from __future__ import annotations

import grpc
from acme.agent.v1 import agent_pb2, agent_pb2_grpc

from toolwire import client, v1

connected = client.stub(agent_pb2_grpc.AgentServiceStub, "localhost:1", insecure=True)
stub = connected.stub
request = agent_pb2.ChooseRequest(text="weather")
stub.Chose(request)  # wrong
stub.Choose()  # wrong
stub.Choose(request, text="x")  # wrong
stub.Choose(v1.Tool())  # wrong
stub.Choose([request])  # wrong
stub.Choose(request, wait_for_ready=True)  # wrong
stub.Choose(request, credentials=None)  # wrong
stub.Choose(request, compression=grpc.Compression.Gzip)  # wrong
stub.Choose(request, retries="4")  # wrong
stub.Choose(request, metadata={"x-mine": 1})  # wrong
stub.Choose.future(request)  # wrong
stub.Choose.with_call(request, wait_for_ready=True)  # wrong
stub.Choose.with_call(request)[1].cancel()  # wrong
stub.ChooseAll.with_call(request)  # wrong
stub.ChooseAll(request).cancel()  # wrong
stub.ChooseAll(request).code()  # wrong
stub.ChooseLast(request)  # wrong
stub.ChooseLast.future([request])  # wrong
stub.ChooseEach(request)  # wrong
stub.ChooseEach([v1.Tool()])  # wrong
answer: v1.FunctionCall = stub.Choose(request)  # wrong
plain: agent_pb2_grpc.AgentServiceStub = stub  # wrong
client.stub(5, "localhost:1")  # wrong
client.stub(agent_pb2_grpc.AgentServiceStub, "localhost:1", insecur=True)  # wrong


async def main() -> None:
    make = agent_pb2_grpc.AgentServiceStub
    async with client.async_stub(make, "localhost:1", insecure=True) as later:
        await later.Choose(request, wait_for_ready=True)  # wrong
        await later.Choose(request).code()  # wrong
        await later.ChooseAll(request)  # wrong
        await later.ChooseAll(request).read()  # wrong
        await later.ChooseEach().write(request)  # wrong
        list(later.ChooseAll(request))  # wrong
        name: int = (await later.Choose(request)).call.name  # wrong
        print(name)
