"""``text``: what a response says in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._answers._response import response as response_of
from toolwire._errors import AnswerError
from toolwire._rules._schema import enum_names, get

if TYPE_CHECKING:
    from google.protobuf.message import Message

_PLAIN_ENDS = ("STOP", "FINISH_REASON_UNSPECIFIED")


def text(response: object) -> str:
    """Returns the text of a response, without the model's thoughts.

    Args:
        response: A response of any API and pool, or a proto-plus wrapper; a chunk is one, too.

    Returns:
        All text parts of the first candidate that are no thoughts, put together. Empty where
        the answer has none, as one that only calls functions, and a chunk that brings no text.

    Raises:
        AnswerError: If there is no answer: the prompt was blocked, or the first candidate ended
            for another reason than ``STOP`` and has no parts. It has that reason, and the
            server's message.
        ConversionError: If it is no response.
    """
    plain = response_of(response)
    candidates: list[Message] = list(get(plain, "candidates"))
    if not candidates:
        feedback: Message = get(plain, "prompt_feedback")
        if get(feedback, "block_reason"):
            raise _blocked("the prompt was blocked:", feedback, "block_reason")
        return ""
    parts: list[Message] = list(get(get(candidates[0], "content"), "parts"))
    if not parts and _name(candidates[0], "finish_reason") not in _PLAIN_ENDS:
        raise _blocked("the candidate has no content:", candidates[0], "finish_reason")
    return "".join(get(part, "text") for part in parts if not get(part, "thought"))


def _blocked(what: str, message: Message, field: str) -> AnswerError:
    said = field.replace("reason", "reason_message" if field == "block_reason" else "message")
    known = said in message.DESCRIPTOR.fields_by_name  # Gemini's has no message
    return AnswerError(
        what, reason=_name(message, field), message=get(message, said) if known else ""
    )


def _name(message: Message, field: str) -> str:
    number = get(message, field)
    return enum_names(message.DESCRIPTOR.fields_by_name[field]).get(number, str(number))
