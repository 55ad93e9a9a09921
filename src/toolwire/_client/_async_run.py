"""Runs the loop of calls and answers in event loops: the twin of ``_run``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolwire._answers import join_chunks
from toolwire._call_errors import DeadlineExceeded
from toolwire._calls._hooks import settled

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._client._async_calls import AsyncCaller
    from toolwire._client._loop import Loop
    from toolwire._client._transcript import Transcript


async def run(caller: AsyncCaller, loop: Loop) -> Transcript[Any, Any]:
    """Goes on until the model calls nothing more.

    Args:
        caller: Makes the calls of the client.
        loop: The conversation.

    Raises:
        CallError: If a call of the model fails.
        ToolLoopError: If a limit is reached.
        UsageError: If a hook returns what it must not.
        CancelledError: If the task is cancelled, which cancels the call and async functions.
    """
    while True:
        request, options = loop.next()
        try:
            if loop.on_chunk is None:
                response: Message = await caller.call(loop.method, request, {}, options)
            else:
                chunks: list[Message] = []
                async with caller.start(loop.method, request, {}, options) as stream:
                    async for chunk in stream:
                        await settled(loop.on_chunk(chunk))
                        chunks.append(chunk)
                response = join_chunks(chunks)
        except DeadlineExceeded:
            loop.check_time()
            raise
        calls = loop.take(response)
        if calls is None:
            return loop.transcript
        loop.answer(await loop.crew.arun(calls, loop.deadline))
