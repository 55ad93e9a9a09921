"""``text``: what a response says in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._answers._response import response as response_of
from toolwire._answers._response import spoken
from toolwire._errors import AnswerError
from toolwire._message_fields import enum_name, get, short_name
from toolwire._rpc import CANDIDATE, RESPONSE

if TYPE_CHECKING:
    from google.protobuf.message import Message

_PLAIN_ENDS = ("STOP", "FINISH_REASON_UNSPECIFIED")


def text(response: object) -> str:
    """Returns the text of a response, without the model's thoughts.

    Args:
        response: A GenerateContentResponse, of which the first candidate counts, or a Candidate
            or Content; of any API and pool, or in a proto-plus wrapper. A chunk is a response, too.

    Returns:
        All text parts that are no thoughts, put together. Empty where the answer has none, as one
        that only calls functions, and a chunk that brings no text.

    Raises:
        AnswerError: If there is no answer: the prompt was blocked, or the candidate ended for
            another reason than ``STOP`` and has no parts. It has that reason, and the server's
            message.
        ConversionError: If it is none of these.
    """
    found = spoken(response)
    if short_name(found.DESCRIPTOR) == RESPONSE:
        candidates: list[Message] = list(get(found, "candidates"))
        if not candidates:
            feedback: Message = get(found, "prompt_feedback")
            if get(feedback, "block_reason"):
                said = "block_reason_message"
                raise _blocked("the prompt was blocked:", feedback, "block_reason", said)
            return ""
        found = candidates[0]
    is_candidate = short_name(found.DESCRIPTOR) == CANDIDATE
    turn: Message = get(found, "content") if is_candidate else found
    parts: list[Message] = list(get(turn, "parts"))
    if is_candidate and not parts and _name(found, "finish_reason") not in _PLAIN_ENDS:
        said = "finish_message"
        raise _blocked("the candidate has no content:", found, "finish_reason", said)
    return "".join(get(part, "text") for part in parts if not get(part, "thought"))


def ended_by(response: object) -> str:
    """Returns why the first candidate of a response ended, if it did not come to its end.

    Raises:
        ConversionError: If it is no response.
    """
    candidates: list[Message] = list(get(response_of(response), "candidates"))
    name = _name(candidates[0], "finish_reason") if candidates else _PLAIN_ENDS[0]
    return "" if name in _PLAIN_ENDS else name


def _blocked(what: str, message: Message, reason: str, said: str) -> AnswerError:
    is_known = said in message.DESCRIPTOR.fields_by_name  # Gemini's feedback has no message
    text = get(message, said) if is_known else ""
    return AnswerError(what, reason=_name(message, reason), message=text)


def _name(message: Message, field: str) -> str:
    return enum_name(message, field) or str(get(message, field))
