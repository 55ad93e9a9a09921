"""The demonstration: two tools, and a conversation about them over gRPC."""

from __future__ import annotations

from typing import TYPE_CHECKING

import toolwire
from toolwire import functions, retrieval, v1
from toolwire.cli._show import heading, show, show_text

if TYPE_CHECKING:
    from collections.abc import Mapping

MODEL = "gemini-2.5-flash"
ORDERS = {"100200": "shipped on Monday", "100201": "waiting for the supplier"}


def find_order(arguments: Mapping[str, object]) -> object:
    """Looks an order up, as a service of yours would."""
    number = str(arguments.get("order_id"))
    return {"order_id": number, "state": ORDERS.get(number, "unknown")}


def weather(arguments: Mapping[str, object]) -> object:
    """Tells the weather, as a service of yours would."""
    return {"city": arguments.get("city"), "sky": "clear", "celsius": 21}


FUNCTIONS = {"find_order": find_order, "weather": weather}


def functions_tool() -> v1.Tool:
    """A Tool with two functions, from plain Python."""
    return v1.Tool(
        function_declarations=[
            {
                "name": "find_order",
                "description": "Finds an order and says where it is.",
                "parameters": {
                    "type": "OBJECT",
                    "properties": {
                        "order_id": {"type": "STRING", "enum": list(ORDERS)},
                    },
                    "required": ["order_id"],
                },
            },
            {
                "name": "weather",
                "description": "Tells the weather in a city.",
                "parameters": {
                    "type": "OBJECT",
                    "properties": {"city": {"type": "STRING", "description": "the city"}},
                    "required": ["city"],
                },
            },
        ]
    )


def retrieval_tool() -> v1.Tool:
    """A Tool with a retrieval source."""
    return retrieval.vertex_ai_search(
        datastore="projects/demo/locations/global/collections/docs/dataStores/manuals",
        max_results=3,
    )


def run_local(*, timeout: float) -> None:
    """Runs the demonstration against a server of its own, over TLS.

    Args:
        timeout: Deadline of each call in seconds.

    Raises:
        CallError: A call failed.
    """
    from toolwire.testing import LocalServer  # noqa: PLC0415 - loads grpc

    with LocalServer(tls=True) as server, server.client(timeout=timeout) as client:
        show_text("server", f"real gRPC over TLS, on {server.target}")
        run(client)


def run(client: toolwire.Client) -> None:
    """Runs the demonstration.

    Args:
        client: Who makes the calls.

    Raises:
        CallError: A call failed.
    """
    tool, search = functions_tool(), retrieval_tool()
    heading("two tools, built from plain Python and shown as JSON")
    show("tool", tool)
    show("tool", search)
    history = _converse(client, tool)
    _search(client, search)
    _stream(client, history, tool)


def _converse(client: toolwire.Client, tool: v1.Tool) -> list[v1.Content]:
    """Two rounds: the model calls both functions at once, then answers with their results."""
    heading("a conversation in two rounds, with parallel function calls")
    question = "Where is my order 100200, and what is the weather in Lisbon? Use both functions."
    history = [v1.Content(role="user", parts=[{"text": question}])]
    show("user", history[0])
    response = client.generate_content(MODEL, history, tools=[tool])
    turn = response.candidates[0].content
    show("model", turn)
    calls = functions.calls(turn)
    results = [FUNCTIONS[call.name](call.args) for call in calls]
    history += [turn, functions.respond(calls, *results)]
    show("user", history[-1])
    response = client.generate_content(MODEL, history, tools=[tool])
    history.append(response.candidates[0].content)
    show("model", history[-1])
    return history


def _search(client: toolwire.Client, tool: v1.Tool) -> None:
    heading("a second request, with the retrieval tool")
    match retrieval.source(tool):
        case v1.VertexAISearch() as source:
            show_text("source", f"Vertex AI Search in {source.datastore}")
        case v1.VertexRagStore() as source:
            show_text("source", f"Vertex RAG store, {len(source.rag_resources)} resources")
        case None:
            show_text("source", "none")
    response = client.generate_content(MODEL, "How do I reset the device?", tools=[tool])
    show("model", response.candidates[0])


def _stream(client: toolwire.Client, history: list[v1.Content], tool: v1.Tool) -> None:
    heading("the last answer once more, as a stream of chunks")
    with client.stream_generate_content(MODEL, history[:-1], tools=[tool]) as chunks:
        for number, chunk in enumerate(chunks, 1):
            text = "".join(part.text for part in chunk.candidates[0].content.parts)
            show_text(f"chunk {number}", repr(text))
