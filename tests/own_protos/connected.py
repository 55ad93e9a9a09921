"""What somebody does with a connected stub of their own: it type-checks, and it runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent import futures
from typing import TYPE_CHECKING

import grpc
from acme.agent.v1 import agent_pb2, agent_pb2_grpc
from typing_extensions import assert_type

from toolwire import client, v1
from toolwire.client import AsyncStream, Stream

if TYPE_CHECKING:
    from acme.agent.v1.agent_pb2_grpc import AgentServiceAsyncConnected, AgentServiceConnected


class Agent(agent_pb2_grpc.AgentServiceServicer):
    """Answers each prompt with a call of the function that it names."""

    def Choose(
        self, request: agent_pb2.ChooseRequest, context: grpc.ServicerContext
    ) -> agent_pb2.ChooseResponse:
        context.set_trailing_metadata((("x-cost", "3"),))
        return agent_pb2.ChooseResponse(call=v1.FunctionCall(name=request.text))

    def ChooseAll(
        self, request: agent_pb2.ChooseRequest, context: grpc.ServicerContext
    ) -> Iterator[v1.FunctionCall]:
        context.set_trailing_metadata((("x-cost", "4"),))
        yield v1.FunctionCall(name=request.text)

    def ChooseLast(
        self,
        request_iterator: Iterator[agent_pb2.ChooseRequest],
        context: grpc.ServicerContext,
    ) -> agent_pb2.ChooseResponse:
        *_, last = request_iterator
        return self.Choose(last, context)

    def ChooseEach(
        self,
        request_iterator: Iterator[agent_pb2.ChooseRequest],
        context: grpc.ServicerContext,
    ) -> Iterator[v1.FunctionCall]:
        for request in request_iterator:
            yield v1.FunctionCall(name=request.text)


class OtherStub:
    """As another compiler types one: by gRPC's own channel alone."""

    Choose: grpc.UnaryUnaryMultiCallable[agent_pb2.ChooseRequest, agent_pb2.ChooseResponse]

    def __init__(self, channel: grpc.Channel) -> None:
        self.Choose = agent_pb2_grpc.AgentServiceStub(channel).Choose


class OtherAsyncStub:
    """Likewise, for event loops."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.Choose = agent_pb2_grpc.AgentServiceStub(channel).Choose


request = agent_pb2.ChooseRequest(text="weather")
metadata = {"x-mine": "1"}


def ask(stub: AgentServiceConnected) -> None:
    response = stub.Choose(request, 20, metadata, retries=0)
    assert_type(response, agent_pb2.ChooseResponse)
    assert stub.Choose({"text": "news"}, metadata=[("x-mine-bin", b"1")]).call.name == "news"
    response, call = stub.Choose.with_call({"text": "news"}, timeout=20)
    assert_type(response, agent_pb2.ChooseResponse)
    assert_type(call.trailing_metadata(), tuple[tuple[str, str | bytes], ...])
    assert call.trailing_metadata() == (("x-cost", "3"),)
    with stub.ChooseAll({"text": "all"}, retries=0) as stream:
        assert_type(stream, Stream[v1.FunctionCall])
        assert [each.name for each in stream] == ["all"]
        assert stream.trailing_metadata() == (("x-cost", "4"),)
    assert_type(stub.ChooseLast([request, {"text": "last"}]), agent_pb2.ChooseResponse)
    response, call = stub.ChooseLast.with_call(iter([request]), metadata=metadata)
    assert (response.call.name, call.trailing_metadata()) == ("weather", (("x-cost", "3"),))
    answers = stub.ChooseEach([request, {"text": "each"}], timeout=20)
    assert_type(answers, Stream[v1.FunctionCall])
    assert [each.name for each in answers] == ["weather", "each"]


async def requests() -> AsyncIterator[agent_pb2.ChooseRequest | dict[str, object]]:
    yield request
    yield {"text": "later"}


async def ask_later(stub: AgentServiceAsyncConnected) -> None:
    task = asyncio.create_task(stub.Choose(request, 20, metadata, retries=0))
    assert_type(await task, agent_pb2.ChooseResponse)
    response, call = await stub.Choose.with_call({"text": "news"}, timeout=20)
    assert_type(response, agent_pb2.ChooseResponse)
    assert call.trailing_metadata() == (("x-cost", "3"),)
    async with stub.ChooseAll({"text": "all"}) as stream:
        assert_type(stream, AsyncStream[v1.FunctionCall])
        assert [each.name async for each in stream] == ["all"]
        assert await stream.trailing_metadata() == (("x-cost", "4"),)
    assert (await stub.ChooseLast(requests())).call.name == "later"
    response, call = await stub.ChooseLast.with_call([request, {"text": "last"}])
    assert (response.call.name, call.trailing_metadata()) == ("last", (("x-cost", "3"),))
    answers = stub.ChooseEach(requests(), timeout=20)
    assert_type(answers, AsyncStream[v1.FunctionCall])
    assert [each.name async for each in answers] == ["weather", "later"]


async def main(target: str) -> None:
    make = agent_pb2_grpc.AgentServiceStub
    async with client.async_stub(make, target, insecure=True) as stub:
        assert_type(stub, "AgentServiceAsyncConnected")
        await ask_later(stub)
    assert_type(
        client.async_stub(OtherAsyncStub, target, insecure=True),
        client.AsyncConnected[OtherAsyncStub],
    )


server = grpc.server(futures.ThreadPoolExecutor(2))
agent_pb2_grpc.add_AgentServiceServicer_to_server(Agent(), server)
target = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
server.start()
with client.stub(agent_pb2_grpc.AgentServiceStub, target, insecure=True) as stub:
    assert_type(stub, "AgentServiceConnected")
    ask(stub)
with client.stub(OtherStub, target, insecure=True) as other:
    assert_type(other, OtherStub)
    assert_type(other.Choose(request), agent_pb2.ChooseResponse)
asyncio.run(main(target))

# gRPC's own channels still make gRPC's own stubs.
with grpc.insecure_channel(target) as channel:
    assert_type(agent_pb2_grpc.AgentServiceStub(channel), agent_pb2_grpc.AgentServiceStub)
    future = agent_pb2_grpc.AgentServiceStub(channel).Choose.future(request, wait_for_ready=True)
    assert future.result().call.name == "weather"
server.stop(None).wait()

print("ran")
