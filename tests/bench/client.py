"""Measures the client beside the generated stub and the official one; prints JSON.

Usage: python client.py ROUNDS     (or: python client.py serve, which is the server of it)

Everything is measured in turns within one run, and figures are medians. The server is another
process, so that it does not compete for the interpreter's lock.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import grpc

MODEL = "projects/p/locations/us-central1/publishers/google/models/m"
SERVICE = "google.cloud.aiplatform.v1.PredictionService"
CALLS = 40  # in one turn
CHUNKS = 400  # in one stream
IN_FLIGHT = 1000
HELD = 0.5  # seconds that the server holds each of these


async def serve() -> None:
    """Answers at once, with chunks, or after a while, by the name of the method."""
    from toolwire import v1  # noqa: PLC0415

    reply = v1.GenerateContentResponse(
        candidates=[{"content": {"role": "model", "parts": [{"text": "Hello, how are you?"}]}}]
    ).SerializeToString()

    async def unary(data: bytes, _context: Any) -> bytes:
        if b"hold" in data:
            await asyncio.sleep(HELD)
        return reply

    async def stream(_data: bytes, _context: Any) -> Any:
        for _ in range(CHUNKS):
            yield reply

    methods: dict[str, Any] = {
        "GenerateContent": grpc.unary_unary_rpc_method_handler(unary),
        "StreamGenerateContent": grpc.unary_stream_rpc_method_handler(stream),
    }
    server = grpc.aio.server(options=[("grpc.max_concurrent_streams", 10_000)])
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, methods),))
    print(server.add_insecure_port("127.0.0.1:0"), flush=True)
    await server.start()
    await server.wait_for_termination()


@contextmanager
def server() -> Iterator[str]:
    """Runs the server in a process of its own."""
    with subprocess.Popen(
        [sys.executable, __file__, "serve"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield f"127.0.0.1:{process.stdout.readline().strip()}"
        process.terminate()


def in_turns(rounds: int, subjects: dict[str, Callable[[], object]], each: int) -> dict[str, Any]:
    """Returns the median microseconds of one of ``each`` by subject, and the ratios to the first.

    A ratio is the median over rounds of the ratio within a round: both sides of it had the
    same weather.
    """
    names = list(subjects)
    times: dict[str, list[float]] = {name: [] for name in names}
    for function in subjects.values():
        function()
    gc.collect()
    gc.disable()
    for number in range(rounds):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            began = time.perf_counter()
            subjects[name]()
            times[name].append((time.perf_counter() - began) / each * 1e6)
    gc.enable()
    return {
        "microseconds": {name: statistics.median(found) for name, found in times.items()},
        "ratio": {
            name: {
                other: statistics.median(a / b for a, b in zip(found, times[other], strict=True))
                for other in names
                if other != name
            }
            for name, found in times.items()
        },
    }


def resident() -> float:
    """Returns the resident memory in MB."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main(rounds: int) -> None:
    """Measures everything."""
    from toolwire import Client, v1  # noqa: PLC0415

    results: dict[str, Any] = {}
    with ExitStack() as stack:
        target = stack.enter_context(server())
        options: dict[str, Any] = {"api_endpoint": target, "insecure": True}
        client = stack.enter_context(Client(**options))
        channel = stack.enter_context(grpc.insecure_channel(target))
        stub = v1.grpc.PredictionServiceStub(channel)
        request = v1.GenerateContentRequest(
            model=MODEL, contents=[{"role": "user", "parts": [{"text": "Hello"}]}]
        )
        client.generate_content(request)
        metadata = (
            ("x-goog-request-params", f"model={MODEL}"),
            ("x-goog-api-client", "gl-python/3 toolwire/0 grpc/1"),
        )
        official: Any = official_client(channel)
        theirs: Any = official_request(request) if official is not None else None

        def repeat(call: Callable[[], object]) -> Callable[[], None]:
            def turn() -> None:
                for _ in range(CALLS):
                    call()

            return turn

        unary: dict[str, Callable[[], object]] = {
            "toolwire": lambda: client.generate_content(request),
            "stub, same headers and timeout": lambda: stub.GenerateContent(
                request, metadata=metadata, timeout=600
            ),
            "bare stub": lambda: stub.GenerateContent(request),
        }
        stream: dict[str, Callable[[], object]] = {
            "toolwire": lambda: drain(client.stream_generate_content(request)),
            "stub, same headers and timeout": lambda: drain(
                stub.StreamGenerateContent(request, metadata=metadata, timeout=600)
            ),
        }
        if official is not None:
            unary["google-cloud-aiplatform"] = lambda: official.generate_content(theirs)
            stream["google-cloud-aiplatform"] = lambda: drain(
                official.stream_generate_content(theirs)
            )
        results["unary"] = in_turns(rounds, {n: repeat(f) for n, f in unary.items()}, CALLS)
        results["stream"] = in_turns(max(10, rounds // 4), stream, CHUNKS)
        results["construction"] = in_turns(
            rounds, {"toolwire": lambda: Client(**options), "nothing": lambda: None}, 1
        )["microseconds"]["toolwire"]
        results["calls"] = memory_of_calls(client, request)
        results["clients"] = memory_of_clients(options, request)
        results["async"] = asyncio.run(in_flight(target, options))
    print(json.dumps(results))


def drain(chunks: Any) -> None:
    """Reads to the end."""
    for _ in chunks:
        pass


def official_client(channel: grpc.Channel) -> Any:
    """Makes google-cloud-aiplatform's client over a channel; None where it is not installed."""
    try:
        from google.cloud import aiplatform_v1  # noqa: PLC0415
        from google.cloud.aiplatform_v1.services.prediction_service import (  # noqa: PLC0415
            transports,
        )
    except ImportError:
        return None
    transport = transports.PredictionServiceGrpcTransport(channel=channel)
    return aiplatform_v1.PredictionServiceClient(transport=transport)


def official_request(request: Any) -> Any:
    """Returns a request in the class of google-cloud-aiplatform."""
    from google.cloud import aiplatform_v1  # noqa: PLC0415

    return aiplatform_v1.GenerateContentRequest.deserialize(request.SerializeToString())


def memory_of_calls(client: Any, request: Any, calls: int = 20_000) -> list[float]:
    """Returns the memory in MB before, halfway through and after many calls."""
    found: list[float] = []
    for number in range(calls + 1000 + 1):
        if number in {1000, 1000 + calls // 2, 1000 + calls}:
            found.append(resident())
        client.generate_content(request)
    return found


def memory_of_clients(options: dict[str, Any], request: Any, clients: int = 500) -> list[float]:
    """Returns the memory in MB before, halfway through and after many clients, each used."""
    from toolwire import Client  # noqa: PLC0415

    found: list[float] = []
    for number in range(clients + 50 + 1):
        if number in {50, 50 + clients // 2, 50 + clients}:
            found.append(resident())
        with Client(**options) as client:
            client.generate_content(request)
    return found


async def in_flight(target: str, options: dict[str, Any]) -> dict[str, float]:
    """Returns the seconds of many calls at once, of which the server holds each for a while."""
    from toolwire import AsyncClient, v1  # noqa: PLC0415

    request = v1.GenerateContentRequest(
        model=MODEL, contents=[{"role": "user", "parts": [{"text": "hold"}]}]
    )
    found: dict[str, list[float]] = {"toolwire": [], "stub": []}
    async with AsyncClient(**options) as client, grpc.aio.insecure_channel(target) as channel:
        stub: Any = v1.grpc.PredictionServiceStub(channel)  # type: ignore[arg-type]
        calls: dict[str, Callable[[], Any]] = {
            "toolwire": lambda: client.generate_content(request),
            "stub": lambda: stub.GenerateContent(request, timeout=600),
        }
        for _ in range(5):
            for name, call in calls.items():
                began = time.perf_counter()
                await asyncio.gather(*(call() for _ in range(IN_FLIGHT)))
                found[name].append(time.perf_counter() - began)
    return {name: statistics.median(times) for name, times in found.items()}


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        asyncio.run(serve())
    else:
        main(int(sys.argv[1]))
