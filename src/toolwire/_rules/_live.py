"""Rules of Live sessions: what only they take, and what they do not."""

# ruff: noqa: ARG001  a rule gets the context, whether it asks it or not

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._message_fields import get, json_name, set_of
from toolwire._rules._rule import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._rules._rule import Context

_NOT_IN_SESSIONS = (
    *("response_mime_type", "response_schema", "response_json_schema"),
    *("response_json_schema_ordered", "stop_sequences", "response_logprobs", "logprobs"),
    *("routing_config", "audio_timestamp"),
)
_ONLY_IN_SESSIONS = ("scheduling", "will_continue")


def config(setup: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each setting that a Live session does not take."""
    settings: Message = get(setup, "generation_config")
    for name in set_of(settings, _NOT_IN_SESSIONS):
        steps = (json_name(setup, "generation_config"), json_name(settings, name))
        yield Finding(steps, "does not work in a Live session")


def behavior(function: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a behavior outside of a Live session."""
    if get(function, "behavior") and _is_single(context):
        yield Finding((json_name(function, "behavior"),), "has an effect in a Live session only")


def response(answer: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for what a response says about its time outside of a Live session."""
    for name in set_of(answer, _ONLY_IN_SESSIONS) if _is_single(context) else ():
        fault = "is ignored here: only functions of a Live session do not block"
        yield Finding((json_name(answer, name),), fault)


def response_id(reply: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each response in a Live session that does not say to which call."""
    answers: list[Message] = list(get(reply, "function_responses"))
    for index, answer in enumerate(answers):
        if not get(answer, "id"):
            steps = (json_name(reply, "function_responses"), index, json_name(answer, "id"))
            yield Finding(steps, "is missing: a session tells by the call's id what is answered")


def one_chunk(heard: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for more pieces of media than the one that is read."""
    number = len(get(heard, "media_chunks"))
    if number > 1:
        fault = f"has {number} entries: all but the first are ignored"
        yield Finding((json_name(heard, "media_chunks"),), fault)


def _is_single(context: Context) -> bool:
    return context.within is not None and context.within.name == "GenerateContentRequest"
