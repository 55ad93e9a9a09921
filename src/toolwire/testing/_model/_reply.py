"""The model's reply to a conversation, whole."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING

from toolwire._message_fields import enum_names, get
from toolwire.testing._model import _hints, _sources, _turns
from toolwire.testing._model._choice import callable_functions, choose, must_call
from toolwire.testing._model._instances import Maker
from toolwire.testing._model._schemas import json_schema
from toolwire.testing._model._tokens import message_tokens, prompt_tokens
from toolwire.testing._model._values import (
    add,
    compact,
    from_value,
    has,
    part,
    put,
    text_field,
    to_struct,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from google.protobuf.message import Message

    from toolwire.testing._model._choice import Call
    from toolwire.testing._model._values import Json

_ENUM = "text/x.enum"
_RECEIVED = 1_767_225_600  # the first second of 2026: the model has no clock
_MOST_CANDIDATES = 8
_JSON_SCHEMAS = ("response_json_schema", "response_json_schema_ordered")  # Gemini has both


def reply(request: Message, response: Message) -> Message:
    """Fills in the response to a request.

    The same request gets the same response, always and everywhere.

    Args:
        request: A GenerateContentRequest of any API.
        response: An empty response of that API.
    """
    calls = _calls(request)
    for index in range(_candidate_count(request)):
        candidate: Message = get(response, "candidates").add()
        put(candidate, index=index)
        content: Message = get(candidate, "content")
        put(content, role="model")
        for number, call in enumerate(calls):
            _add_call(content, call, number)
        if not calls:
            _add_text(request, candidate)
        put(candidate, finish_reason=_number(candidate, "finish_reason", "STOP"))
    put(response, model_version=model_name(request), response_id=_response_id(request))
    received = part(response, "create_time")
    if received is not None:
        put(received, seconds=_RECEIVED)
    _count(request, response)
    return response


def model_name(request: Message) -> str:
    """Returns the last part of the model's resource name."""
    for field in ("model", "endpoint"):
        if has(request, field):
            return str(get(request, field)).rpartition("/")[2]
    return ""


def _calls(request: Message) -> list[Call]:
    functions = callable_functions(request)
    if not functions or _turns.is_last_by_model(request):
        return []
    if _turns.responses(request) and not must_call(request):
        return []
    return choose(functions, _turns.prompt(request))


def _add_call(content: Message, call: Call, number: int) -> None:
    piece: Message = get(content, "parts").add()
    made: Message = get(piece, "function_call")
    put(made, name=call.name)
    to_struct(call.arguments, get(made, "args"))
    digest = hashlib.sha256(made.SerializeToString(deterministic=True)).hexdigest()
    put(made, id=f"call-{number + 1}-{digest[:8]}")
    put(piece, thought_signature=_turns.signature(made))


def _add_text(request: Message, candidate: Message) -> None:
    prompt = _turns.prompt(request)
    tools = _sources.served(request)
    text = _structured(request) or _prose(request, prompt, tools)
    put(get(get(candidate, "content"), "parts").add(), text=text)
    _sources.ground(candidate, tools, prompt, text)


def _prose(request: Message, prompt: str, tools: list[tuple[str, list[str]]]) -> str:
    returned = [_turns.quoted(name, response) for name, response in _turns.responses(request)]
    spoken = [_sources.used(tools), *returned]
    if not returned:
        spoken.append(f"You said: {prompt}" if prompt else "You said nothing in words.")
    return " ".join(filter(None, spoken))


def _structured(request: Message) -> str:
    """Returns what a request asks for that wants no prose: JSON, or a member of an enum."""
    config = get(request, "generation_config") if has(request, "generation_config") else None
    wanted = text_field(config, "response_mime_type") if config is not None else ""
    if config is None or wanted not in {"application/json", _ENUM}:
        return ""
    schema: Json = {"type": "object"}
    for field in _JSON_SCHEMAS:
        if has(config, field):
            schema = from_value(get(config, field))
    if has(config, "response_schema"):
        schema = json_schema(get(config, "response_schema"))
    if not isinstance(schema, dict):
        schema = {}
    if wanted == _ENUM:
        return str(Maker(schema, _hints.read(_turns.prompt(request))).make_any())
    return compact(Maker(schema).make_any())


def _candidate_count(request: Message) -> int:
    config = get(request, "generation_config") if has(request, "generation_config") else None
    count = get(config, "candidate_count") if config is not None else 1
    return max(1, min(int(count), _MOST_CANDIDATES))


def _count(request: Message, response: Message) -> None:
    usage = part(response, "usage_metadata")
    if usage is None:
        return
    asked = prompt_tokens(request)
    given: Counter[str] = Counter()
    for candidate in get(response, "candidates"):
        given += message_tokens(get(candidate, "content"))
    put(
        usage,
        prompt_token_count=sum(asked.values()),
        candidates_token_count=sum(given.values()),
        total_token_count=sum((asked + given).values()),
    )
    details(usage, "prompt_tokens_details", asked)
    details(usage, "candidates_tokens_details", given)


def details(message: Message, field: str, counts: Mapping[str, int]) -> None:
    """Adds one entry of token counts for each modality."""
    for modality in sorted(counts):
        entry = add(message, field)
        if entry is not None:
            number = _number(entry, "modality", modality)
            put(entry, modality=number, token_count=counts[modality])


def _number(message: Message, field: str, name: str) -> int:
    """Returns the number of an enum's value, 0 if there is no such value."""
    known = enum_names(message.DESCRIPTOR.fields_by_name[field])
    return next((number for number, found in known.items() if found == name), 0)


def _response_id(request: Message) -> str:
    return hashlib.sha256(request.SerializeToString(deterministic=True)).hexdigest()[:24]
