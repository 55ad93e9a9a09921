"""Run in a fresh process: google-cloud-aiplatform's own client talks to the local server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import grpc
from google.cloud import aiplatform_v1
from google.cloud.aiplatform_v1.services.prediction_service.transports import (
    PredictionServiceGrpcTransport,
)

from toolwire.testing import LocalServer

if TYPE_CHECKING:
    from collections.abc import Iterable

MODEL = "projects/p/locations/us-central1/publishers/google/models/gemini-2.5-flash"
TOOL: dict[str, Any] = {
    "function_declarations": [
        {
            "name": "weather",
            "parameters": {
                "type_": "OBJECT",
                "properties": {"city": {"type_": "STRING"}},
                "required": ["city"],
            },
        }
    ]
}


def request_tool() -> aiplatform_v1.Tool:
    """The tool as the official package's own message."""
    return aiplatform_v1.Tool(TOOL)


def main() -> None:
    """Holds a two-round conversation and streams an answer."""
    with LocalServer() as server, grpc.insecure_channel(server.target) as channel:
        client = aiplatform_v1.PredictionServiceClient(
            transport=PredictionServiceGrpcTransport(channel=channel)
        )
        question = {"role": "user", "parts": [{"text": "What is the weather in Paris?"}]}
        request: dict[str, Any] = {"model": MODEL, "contents": [question], "tools": [TOOL]}
        first = client.generate_content(request)
        turn = first.candidates[0].content
        call = turn.parts[0].function_call
        assert call.name == "weather", first
        assert "city" in call.args, first
        answer = {"name": "weather", "response": {"output": "sunny"}}
        reply = {"role": "user", "parts": [{"function_response": answer}]}
        request["contents"] = [question, turn, reply]
        second = client.generate_content(request)
        assert "sunny" in second.candidates[0].content.parts[0].text, second
        chunks: Iterable[Any] = client.stream_generate_content(request)
        text = "".join(part.text for chunk in chunks for part in chunk.candidates[0].content.parts)
        assert text == second.candidates[0].content.parts[0].text, text
        # And our client takes the messages of the other package, wrapped as they are.
        with server.client() as ours:
            answer_to_ours = ours.generate_content(
                "gemini-2.5-flash", [aiplatform_v1.Content(question)], tools=[request_tool()]
            )
            assert answer_to_ours.candidates[0].content.parts
    print("ok, two rounds, a stream, and its messages through our client")


if __name__ == "__main__":
    main()
