"""Run beside OpenTelemetry's instrumentation of gRPC: spans of our clients' calls, as they are.

Usage: python otel.py
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import Callable
from typing import Any

from opentelemetry import trace
from opentelemetry.instrumentation.grpc import (
    GrpcAioInstrumentorClient,
    GrpcInstrumentorClient,
)
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import toolwire
from toolwire.testing import LocalServer

SERVICE = "google.cloud.aiplatform.v1.PredictionService"


def spans(exporter: InMemorySpanExporter) -> list[tuple[str, object]]:
    """Returns names and status codes of the spans since the last look."""
    gc.collect()
    attributes: list[Any] = [(each.name, each.attributes) for each in exporter.get_finished_spans()]
    exporter.clear()
    return [(name.rpartition("/")[2], found["rpc.grpc.status_code"]) for name, found in attributes]


def is_missing(call: Callable[[], object]) -> bool:
    """Tells whether a call fails as one of a missing model does."""
    try:
        call()
    except toolwire.NotFound as error:
        return "missing-model" in error.message
    return False


def blocking(server: LocalServer, exporter: InMemorySpanExporter) -> None:
    """The client of threads: unary, a whole stream, one that is left, and an error."""
    with server.client() as client:
        client.generate_content("m", "Hello")
        assert spans(exporter) == [("GenerateContent", 0)]
        assert len(list(client.stream_generate_content("m", "Tell me a long story"))) > 1
        assert spans(exporter) == [("StreamGenerateContent", 0)]
        with client.stream_generate_content("m", "Tell me a long story") as stream:
            next(stream)
        try:
            next(stream)
        except toolwire.Cancelled:
            pass
        else:
            raise AssertionError("a stream that was left goes on")
        for _ in client.stream_generate_content("m", "Tell me a long story"):
            break
        assert len(spans(exporter)) == 2
        assert is_missing(lambda: client.generate_content("missing-model", "Hello"))
        assert spans(exporter) == [("GenerateContent", 5)]
        assert is_missing(lambda: list(client.stream_generate_content("missing-model", "Hello")))
        assert spans(exporter) == [("StreamGenerateContent", 5)]


async def in_a_loop(server: LocalServer, exporter: InMemorySpanExporter) -> None:
    """The client of event loops: the same."""
    options: Any = {"api_endpoint": server.target, "insecure": True}
    async with toolwire.AsyncClient(project="p", location="us-central1", **options) as client:
        await client.generate_content("m", "Hello")
        assert spans(exporter) == [("GenerateContent", 0)]
        chunks = [each async for each in client.stream_generate_content("m", "Tell me a story")]
        assert len(chunks) > 1
        assert spans(exporter) == [("StreamGenerateContent", 0)]
        async with client.stream_generate_content("m", "Tell me a long story") as stream:
            await stream.__anext__()
        with contextlib.suppress(toolwire.NotFound):
            await client.generate_content("missing-model", "Hello")
        assert ("GenerateContent", 5) in spans(exporter)


def main() -> None:
    """Instruments gRPC first, as programs do, and only then makes clients."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    GrpcInstrumentorClient().instrument()
    GrpcAioInstrumentorClient().instrument()
    with LocalServer() as server:
        blocking(server, exporter)
        asyncio.run(in_a_loop(server, exporter))
    print("ok, spans of both clients")


if __name__ == "__main__":
    main()
