"""Messages of the sizes that users have, in ProtoJSON: name to message name and value."""

from __future__ import annotations

import base64
from typing import TypeAlias

Json: TypeAlias = "dict[str, object]"

MODEL = "projects/p/locations/us-central1/publishers/google/models/gemini-2.5-flash"
DATASTORE = "projects/p/locations/global/collections/c/dataStores/manuals"


def schema(depth: int) -> Json:
    """A schema with nested objects."""
    properties: Json = {
        "booking": {"type": "STRING", "description": "Code on the ticket", "minLength": "6"},
        "class": {"type": "STRING", "format": "enum", "enum": ["ECONOMY", "BUSINESS", "FIRST"]},
        "seats": {"type": "INTEGER", "format": "int32", "minimum": 1, "maximum": 9},
        "meals": {"type": "ARRAY", "items": {"type": "STRING"}, "maxItems": "4"},
        "fare": {"anyOf": [{"type": "NUMBER"}, {"type": "STRING"}], "description": "Per seat"},
        "remark": {"type": "STRING", "nullable": True, "default": 'é 東京 "quoted" \\ \n'},
    }
    if depth:
        properties["return_trip"] = schema(depth - 1)
    return {
        "type": "OBJECT",
        "description": "A booking and what belongs to it",
        "properties": properties,
        "required": ["booking"],
        "propertyOrdering": list(properties),
    }


def tool(functions: int = 12, depth: int = 2) -> Json:
    """A Tool with functions whose parameters nest."""
    text = "Changes a booking and answers with the new fare, the seats and the departure. " * 2
    return {
        "functionDeclarations": [
            {
                "name": f"change_booking_{number}",
                "description": text,
                "parameters": schema(depth),
                "response": schema(1),
            }
            for number in range(functions)
        ]
    }


def request() -> Json:
    """A second turn: history, a call with arguments, its response, and the tools again."""
    call: Json = {"name": "change_booking_3", "args": {"booking": "XK7Q2P", "seats": 2, "x": [1]}}
    legs = [{"from": f"A{number}", "minutes": number * 7} for number in range(20)]
    answer: Json = {"name": "change_booking_3", "response": {"output": {"legs": legs}}}
    signature = base64.b64encode(bytes(range(256))).decode()
    return {
        "model": MODEL,
        "systemInstruction": {"parts": [{"text": "You change bookings. " * 12}]},
        "contents": [
            {"role": "user", "parts": [{"text": "Please move my flight to Friday. " * 8}]},
            {"role": "model", "parts": [{"functionCall": call, "thoughtSignature": signature}]},
            {"role": "user", "parts": [{"functionResponse": answer}]},
        ],
        "tools": [tool()],
        "toolConfig": {"functionCallingConfig": {"mode": "ANY"}},
        "generationConfig": {"temperature": 0.2, "topP": 0.95, "maxOutputTokens": 2048},
    }


def response() -> Json:
    """An answer with what surrounds it: ratings, log probabilities, grounding."""
    tokens = [
        {"token": f"t{number}", "tokenId": number, "logProbability": -0.1 * number}
        for number in range(40)
    ]
    rating: Json = {
        "category": "HARM_CATEGORY_HATE_SPEECH",
        "probability": "NEGLIGIBLE",
        "probabilityScore": 0.05,
        "severity": "HARM_SEVERITY_NEGLIGIBLE",
        "severityScore": 0.02,
    }
    support: Json = {
        "segment": {"startIndex": 3, "endIndex": 30, "text": "on Friday"},
        "groundingChunkIndices": [0, 1],
        "confidenceScores": [0.9, 0.8],
    }
    chunk: Json = {"web": {"uri": "https://example.com/timetable", "title": "Timetable"}}
    candidate: Json = {
        "content": {"role": "model", "parts": [{"text": "Your flight leaves on Friday. " * 6}] * 3},
        "finishReason": "STOP",
        "avgLogprobs": -0.25,
        "safetyRatings": [rating] * 4,
        "logprobsResult": {"chosenCandidates": tokens},
        "groundingMetadata": {
            "webSearchQueries": ["timetable"],
            "groundingChunks": [chunk] * 6,
            "groundingSupports": [support] * 6,
        },
    }
    return {
        "candidates": [candidate],
        "usageMetadata": {"promptTokenCount": 321, "totalTokenCount": 366},
        "modelVersion": "gemini-2.5-flash",
        "createTime": "2026-01-02T03:04:05.678Z",
    }


def image(size: int = 1 << 20) -> Json:
    """An answer that is a picture."""
    data = base64.b64encode(bytes(number * 7 % 256 for number in range(size))).decode()
    part: Json = {"inlineData": {"mimeType": "image/png", "data": data}}
    return {"candidates": [{"content": {"role": "model", "parts": [part]}}]}


def rag_store() -> Json:
    """A Tool that searches a corpus, with a ranking."""
    corpora = [{"ragCorpus": "projects/p/locations/us-central1/ragCorpora/7"}]
    ranking: Json = {"llmRanker": {"modelName": "gemini-2.5-flash"}}
    chosen: Json = {"topK": 4, "filter": {"vectorDistanceThreshold": 0.5}, "ranking": ranking}
    return {
        "retrieval": {"vertexRagStore": {"ragResources": corpora, "ragRetrievalConfig": chosen}}
    }


CORPUS: dict[str, tuple[str, Json]] = {
    "tool": ("Tool", tool()),
    "big tool": ("Tool", tool(64, 4)),
    "search tool": ("Tool", {"retrieval": {"vertexAiSearch": {"datastore": DATASTORE}}}),
    "rag tool": ("Tool", rag_store()),
    "google tool": ("Tool", {"googleSearch": {}}),
    "code tool": ("Tool", {"codeExecution": {}}),
    "request": ("GenerateContentRequest", request()),
    "response": ("GenerateContentResponse", response()),
    "image": ("GenerateContentResponse", image()),
}
