"""The conversation so far: what was said last, and whether calls came back as they went out."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from toolwire._findings import Violation
from toolwire._message_fields import get, json_name
from toolwire.testing._model._values import Json, compact, from_struct, has, items

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

# Google's documents name this one for calls that come from elsewhere.
_UNCHECKED = b"skip_thought_signature_validator"


def prompt(request: Message) -> str:
    """Returns the text of the last turn."""
    turns = items(request, "contents")
    parts = items(turns[-1], "parts") if turns else []
    return "\n".join(str(get(part, "text")) for part in parts if has(part, "text"))


def responses(request: Message) -> list[tuple[str, Json]]:
    """Returns the function responses in the last turn: names and what the functions returned."""
    turns = items(request, "contents")
    found: list[tuple[str, Json]] = []
    for part in items(turns[-1], "parts") if turns else []:
        if has(part, "function_response"):
            response: Message = get(part, "function_response")
            found.append((str(get(response, "name")), from_struct(get(response, "response"))))
    return found


def quoted(name: str, response: Json) -> str:
    """Returns a function's response as the model quotes it: what it put out, if it says so."""
    if isinstance(response, dict) and response.keys() == {"output"}:
        response = response["output"]
    return f"{name} returned {compact(response)}."


def is_last_by_model(request: Message) -> bool:
    """Tells whether the last turn is the model's own."""
    turns = items(request, "contents")
    return bool(turns) and str(get(turns[-1], "role")) == "model"


def signature(call: Message) -> bytes:
    """Returns the signature that the model puts on a function call: a hash of it."""
    return hashlib.sha256(b"toolwire\0" + call.SerializeToString(deterministic=True)).digest()[:24]


def wrong_signatures(request: Message) -> Iterator[Violation]:
    """Yields a violation for each call that came back with another signature than it went out.

    A call without one passes: it may never have been the model's.
    """
    for number, turn in enumerate(items(request, "contents")):
        for position, part in enumerate(items(turn, "parts")):
            if not has(part, "function_call") or not has(part, "thought_signature"):
                continue
            given: bytes = get(part, "thought_signature")
            if given not in (signature(get(part, "function_call")), _UNCHECKED):
                names = (json_name(request, "contents"), json_name(turn, "parts"))
                field = json_name(part, "thought_signature")
                yield Violation(
                    path=f"{names[0]}[{number}].{names[1]}[{position}].{field}",
                    rule="turns.signature",
                    severity="error",
                    message="is not the signature of this call: send the part back as it came",
                    source="comment on Part.thought_signature",
                )
