"""Requests to a local server, and what a refused call says."""

# mypy: disable-error-code="import-untyped"
# pyright: reportMissingTypeStubs=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from toolwire import v1

if TYPE_CHECKING:
    from collections.abc import Callable

MODEL = "projects/p/locations/us-central1/publishers/google/models/gemini-2.5-flash"
WEATHER: dict[str, Any] = {
    "name": "get_weather",
    "description": "Tells the weather.",
    "parameters": {
        "type": "OBJECT",
        "properties": {
            "city": {"type": "STRING"},
            "unit": {"type": "STRING", "format": "enum", "enum": ["CELSIUS", "FAHRENHEIT"]},
            "days": {"type": "INTEGER", "minimum": 1, "maximum": 5},
        },
        "required": ["city"],
    },
}
TIME: dict[str, Any] = {
    "name": "get_time",
    "parameters": {"type": "OBJECT", "properties": {"zone": {"type": "STRING"}}},
}


def ask(text: str = "", *functions: dict[str, Any], **fields: Any) -> v1.GenerateContentRequest:
    """Returns a request with one turn of text, and a tool with the functions if there are any."""
    fields.setdefault("model", MODEL)
    if text:
        fields.setdefault("contents", [{"role": "user", "parts": [{"text": text}]}])
    if functions:
        fields.setdefault("tools", [{"function_declarations": list(functions)}])
    return v1.GenerateContentRequest(**fields)


def calls(response: v1.GenerateContentResponse) -> list[tuple[str, dict[str, Any]]]:
    """Returns the function calls of a response, with their arguments as plain Python."""
    return [
        (part.function_call.name, plain(part.function_call.args))
        for part in response.candidates[0].content.parts
        if part.HasField("function_call")
    ]


def text(response: v1.GenerateContentResponse) -> str:
    """Returns the text of a response."""
    return "".join(part.text for part in response.candidates[0].content.parts)


def plain(value: Any) -> Any:
    """Returns a Struct or Value as plain Python, by way of the schema and nothing of ours."""
    if hasattr(value, "fields"):
        return {key: plain(value.fields[key]) for key in value.fields}
    if hasattr(value, "values"):
        return [plain(item) for item in value.values]
    kind = value.WhichOneof("kind")
    if kind in ("struct_value", "list_value"):
        return plain(getattr(value, kind))
    return None if kind == "null_value" else getattr(value, kind)


class Refused(NamedTuple):
    """What a refused call said."""

    code: grpc.StatusCode
    message: str
    fields: dict[str, str]
    reasons: list[str]
    size: int


def refused(call: Callable[[], object]) -> Refused:
    """Makes a call that is to be refused; a stream is read to its end."""
    try:
        answer: Any = call()
        if hasattr(answer, "__iter__"):
            list(answer)
    except grpc.RpcError as caught:
        error: Any = caught
    else:
        pytest.fail("the call was not refused")
    trailers = dict(error.trailing_metadata())
    details = trailers.get("grpc-status-details-bin", b"")
    status = status_pb2.Status.FromString(details)
    bad = error_details_pb2.BadRequest()
    for detail in status.details:
        assert detail.Unpack(bad)
    assert status.message == error.details()
    return Refused(
        error.code(),
        error.details(),
        {entry.field: entry.description for entry in bad.field_violations},
        [entry.reason for entry in bad.field_violations],
        sum(len(key) + len(value) * 4 // 3 + 32 for key, value in trailers.items())
        + 3 * len(error.details()),
    )
