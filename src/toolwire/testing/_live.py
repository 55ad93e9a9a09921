"""A session with the model: it is set up, and then every turn of the user gets one of the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.protobuf.message_factory import GetMessageClass

from toolwire._message_fields import get
from toolwire.testing import _model
from toolwire.testing._model._values import has, items, put
from toolwire.testing._refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire.testing._api import Method


class Conversation:
    """What has been said in a session so far, in the form of a request for the next turn."""

    def __init__(self, method: Method, setup: Message) -> None:
        """Begins.

        Args:
            method: The method.
            setup: What the session is set up with.
        """
        self._method = method
        file = method.request.DESCRIPTOR.file
        name = f"{file.package}.GenerateContentRequest"
        self._request: Message = _made(file.pool.FindMessageTypeByName(name))
        for field, value in setup.ListFields():
            if field.name in {"model", "system_instruction", "tools"}:
                self._request.MergeFrom(type(self._request)(**{field.name: value}))

    def answer(self, message: Message) -> Iterator[Message]:
        """Yields what the model says to a message."""
        turns = get(self._request, "contents")
        if has(message, "client_content"):
            content = get(message, "client_content")
            turns.extend(items(content, "turns"))
            if not get(content, "turn_complete"):
                return
        elif has(message, "tool_response"):
            replies = items(get(message, "tool_response"), "function_responses")
            turns.add(role="user", parts=[{"function_response": reply} for reply in replies])
        elif has(message, "realtime_input"):
            text = str(get(get(message, "realtime_input"), "text"))
            if not text:
                return  # sound and pictures: the model waits for words
            turns.add(role="user", parts=[{"text": text}])
        else:
            raise Refusal("INVALID_ARGUMENT", "the session is set up already")
        yield from self._turn()

    def _turn(self) -> Iterator[Message]:
        package = self._request.DESCRIPTOR.file.package
        pool = self._request.DESCRIPTOR.file.pool
        response = _made(pool.FindMessageTypeByName(f"{package}.GenerateContentResponse"))
        _model.reply(self._request, response)
        content = get(items(response, "candidates")[0], "content")
        get(self._request, "contents").append(content)
        calls = [
            get(part, "function_call")
            for part in items(content, "parts")
            if has(part, "function_call")
        ]
        if calls:
            message = self._method.response()
            get(message, "tool_call").function_calls.extend(calls)
            yield message
            return
        for chunk in _model.chunks(response):
            message = self._method.response()
            said = get(items(chunk, "candidates")[0], "content")
            get(get(message, "server_content"), "model_turn").CopyFrom(said)
            yield message
        message = self._method.response()
        put(get(message, "server_content"), generation_complete=True, turn_complete=True)
        yield message


def converse(method: Method, first: Message, others: Iterator[Message]) -> Iterator[Message]:
    """Yields what the server says in a session.

    Args:
        method: The method.
        first: The message that sets it up.
        others: Those that follow.

    Raises:
        Refusal: If the first message is not the one to begin with.
    """
    if not has(first, "setup"):
        raise Refusal("INVALID_ARGUMENT", "setup: the first message has to set the session up")
    ready = method.response()
    get(ready, "setup_complete").SetInParent()
    yield ready
    conversation = Conversation(method, get(first, "setup"))
    for message in others:
        yield from conversation.answer(message)


def _made(kind: object) -> Message:
    made: Message = GetMessageClass(kind)()  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    return made
