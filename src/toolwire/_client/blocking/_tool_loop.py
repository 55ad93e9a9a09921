"""Runs the loop of calls and answers, blocking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolwire._answers import join_chunks
from toolwire._calls._hooks import check_noted
from toolwire._client.blocking._stream import Stream

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._client.blocking._calls import Caller
    from toolwire._client.tool_loop._loop import Loop
    from toolwire._client.tool_loop._transcript import Transcript


def run(caller: Caller, loop: Loop) -> Transcript[Any, Any]:
    """Goes on until the model calls nothing more.

    Args:
        caller: Makes the calls of the client.
        loop: The conversation.

    Raises:
        CallError: If a call of the model fails.
        ToolLoopError: If a limit is reached.
        UsageError: If a hook is async, or returns what it must not.
    """
    loop.check_blocking()
    with loop:
        while True:
            request, options = loop.next()
            if loop.on_chunk is None:
                response: Message = caller.call(loop.method, request, {}, options)
            else:
                chunks: list[Message] = []
                with Stream(caller, loop.method, request, {}, options) as stream:
                    for chunk in stream:
                        check_noted("on_chunk", loop.on_chunk(chunk))
                        chunks.append(chunk)
                response = join_chunks(chunks)
            calls = loop.take(response)
            if calls is None:
                return loop.transcript
            outcomes = loop.crew.run(calls, loop.deadline)
            loop.note(outcomes)
            loop.answer(loop.crew.told(outcomes))
