"""Runs the loop of calls and answers, blocking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolwire._answers import join_chunks
from toolwire._call_errors import DeadlineExceeded

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._client._calls import Caller
    from toolwire._client._loop import Loop
    from toolwire._client._transcript import Transcript


def run(caller: Caller, loop: Loop) -> Transcript[Any, Any]:
    """Goes on until the model calls nothing more.

    Args:
        caller: Makes the calls of the client.
        loop: The conversation.

    Raises:
        CallError: If a call of the model fails.
        ToolLoopError: If a limit is reached.
        UsageError: If a hook returns what it must not.
    """
    while True:
        request, options = loop.next()
        try:
            if loop.on_chunk is None:
                response: Message = caller.call(loop.method, request, {}, options)
            else:
                chunks: list[Message] = []
                with caller.start(loop.method, request, {}, options) as stream:
                    for chunk in stream:
                        loop.on_chunk(chunk)
                        chunks.append(chunk)
                response = join_chunks(chunks)
        except DeadlineExceeded:
            loop.check_time()
            raise
        calls = loop.take(response)
        if calls is None:
            return loop.transcript
        loop.answer(loop.crew.run(calls, loop.deadline))
