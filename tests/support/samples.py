"""Sample messages in ProtoJSON, one of every kind that users send: name to class and value."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeAlias

from toolwire import v1

if TYPE_CHECKING:
    from google.protobuf.message import Message

Json: TypeAlias = "dict[str, object]"

DATASTORE = "projects/p/locations/global/collections/default/dataStores/manuals"
CORPUS = "projects/p/locations/us-central1/ragCorpora/42"
MODEL = "projects/p/locations/us-central1/publishers/google/models/gemini-2.5-flash"


def functions() -> Json:
    order: Json = {
        "type": "OBJECT",
        "description": "what to look up",
        "properties": {
            "order_id": {"type": "STRING", "minLength": "6", "description": "number on the bill"},
            "state": {"type": "STRING", "format": "enum", "enum": ["OPEN", "SHIPPED"]},
            "count": {"type": "INTEGER", "format": "int32", "minimum": 1.0, "maximum": 500.0},
            "tags": {"type": "ARRAY", "items": {"type": "STRING"}, "maxItems": "8"},
            "note": {"type": "STRING", "nullable": True, "default": 'ä 日本 "q" \\ \n'},
            "price": {"anyOf": [{"type": "NUMBER"}, {"type": "STRING"}]},
        },
        "required": ["order_id"],
        "propertyOrdering": ["order_id", "state", "count", "tags", "note", "price"],
    }
    return {
        "functionDeclarations": [
            {"name": "find_order", "description": "Finds an order.", "parameters": order},
            {"name": "weather", "response": {"type": "STRING"}},
        ]
    }


def request() -> Json:
    call: Json = {"name": "find_order", "args": {"order_id": "100200", "flags": [True, None, 2.5]}}
    answer: Json = {"name": "find_order", "response": {"output": {"state": "SHIPPED", "n": 3}}}
    return {
        "model": MODEL,
        "systemInstruction": {"parts": [{"text": "Answer briefly."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "Where is order 100200?"}]},
            {"role": "model", "parts": [{"functionCall": call, "thoughtSignature": "AAH/"}]},
            {"role": "user", "parts": [{"functionResponse": answer}]},
        ],
        "tools": [functions()],
        "toolConfig": {"functionCallingConfig": {"mode": "ANY"}},
        "generationConfig": {"temperature": 0.2, "maxOutputTokens": 2048, "stopSequences": ["X"]},
        "safetySettings": [
            {"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_ONLY_HIGH"}
        ],
    }


def response() -> Json:
    return {
        "candidates": [
            {
                "content": {"role": "model", "parts": [{"text": "It left the warehouse."}]},
                "finishReason": "STOP",
                "avgLogprobs": -0.25,
                "safetyRatings": [
                    {
                        "category": "HARM_CATEGORY_HATE_SPEECH",
                        "probability": "NEGLIGIBLE",
                        "probabilityScore": 0.05,
                    }
                ],
                "groundingMetadata": {
                    "groundingChunks": [{"web": {"uri": "https://example.com", "title": "t"}}]
                },
            }
        ],
        "usageMetadata": {"promptTokenCount": 321, "totalTokenCount": 366},
        "createTime": "2026-01-02T03:04:05.678Z",
    }


SAMPLES: dict[str, tuple[type[Message], Json]] = {
    "functions": (v1.Tool, functions()),
    "vertex_ai_search": (v1.Tool, {"retrieval": {"vertexAiSearch": {"datastore": DATASTORE}}}),
    "vertex_rag_store": (
        v1.Tool,
        {
            "retrieval": {
                "vertexRagStore": {
                    "ragResources": [{"ragCorpus": CORPUS}],
                    "ragRetrievalConfig": {
                        "topK": 4,
                        "filter": {"vectorDistanceThreshold": 0.0},
                        "ranking": {"llmRanker": {"modelName": "gemini-2.5-flash"}},
                    },
                }
            }
        },
    ),
    "google_search": (v1.Tool, {"googleSearch": {}}),
    "code_execution": (v1.Tool, {"codeExecution": {}}),
    "request": (v1.GenerateContentRequest, request()),
    "response": (v1.GenerateContentResponse, response()),
}


if __name__ == "__main__":
    print(json.dumps({name: value for name, (_, value) in SAMPLES.items()}))
