"""Run in a fresh process: an official package's own client talks to the local server.

Usage: python official_client.py MODULE
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

import grpc

from toolwire.testing import LocalServer

if TYPE_CHECKING:
    from collections.abc import Iterable

# Our name of each API, its service, and the name of that one's module.
APIS = {
    "google.cloud.aiplatform_v1": ("v1", "PredictionService", "prediction_service"),
    "google.cloud.aiplatform_v1beta1": ("v1beta1", "PredictionService", "prediction_service"),
    "google.ai.generativelanguage_v1beta": ("gemini", "GenerativeService", "generative_service"),
}
VERTEX_MODEL = "projects/p/locations/us-central1/publishers/google/models/gemini-2.5-flash"
GEMINI_MODEL = "models/gemini-2.5-flash"
TOOL: dict[str, Any] = {
    "function_declarations": [
        {
            "name": "weather",
            "description": "Tells the weather.",
            "parameters": {
                "type_": "OBJECT",
                "properties": {"city": {"type_": "STRING"}},
                "required": ["city"],
            },
        }
    ]
}


def client_of(module: str, service: str, name: str, channel: grpc.Channel) -> Any:
    """Makes the official client of a service."""
    transports = importlib.import_module(f"{module}.services.{name}.transports")
    transport = getattr(transports, f"{service}GrpcTransport")(channel=channel)
    return getattr(importlib.import_module(module), f"{service}Client")(transport=transport)


def main(module: str) -> None:
    """Holds a two-round conversation and streams an answer."""
    api, service, name = APIS[module]
    official: Any = importlib.import_module(module)
    model = GEMINI_MODEL if api == "gemini" else VERTEX_MODEL
    with LocalServer() as server, grpc.insecure_channel(server.target) as channel:
        client = client_of(module, service, name, channel)
        question = {"role": "user", "parts": [{"text": "What is the weather in Paris?"}]}
        request: dict[str, Any] = {"model": model, "contents": [question], "tools": [TOOL]}
        first = client.generate_content(request)
        turn = first.candidates[0].content
        call = turn.parts[0].function_call
        assert call.name == "weather", first
        assert "city" in call.args, first
        answer = {"name": "weather", "response": {"output": "sunny"}}
        if "id" in type(call).meta.fields:
            answer["id"] = call.id
        reply = {"role": "user", "parts": [{"function_response": answer}]}
        request["contents"] = [question, turn, reply]
        second = client.generate_content(request)
        assert "sunny" in second.candidates[0].content.parts[0].text, second
        chunks: Iterable[Any] = client.stream_generate_content(request)
        text = "".join(part.text for chunk in chunks for part in chunk.candidates[0].content.parts)
        assert text == second.candidates[0].content.parts[0].text, text
        # And our client takes the messages of the other package, wrapped as they are.
        options: Any = {"api": api}
        with server.client(**options) as ours:
            answer_to_ours = ours.generate_content(
                "gemini-2.5-flash", [official.Content(question)], tools=[official.Tool(TOOL)]
            )
            assert answer_to_ours.candidates[0].content.parts
    print("ok, two rounds, a stream, and its messages through our client")


if __name__ == "__main__":
    main(sys.argv[1])
