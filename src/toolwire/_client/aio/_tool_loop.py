"""Runs the loop of calls and answers in event loops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolwire._answers import join_chunks
from toolwire._calls._hooks import settled
from toolwire._client.aio._stream import AsyncStream

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._client.aio._calls import AsyncCaller
    from toolwire._client.tool_loop._loop import Loop
    from toolwire._client.tool_loop._transcript import Transcript


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
    loop.bound_hooks()
    with loop:
        while True:
            request, options = loop.next()
            if loop.on_chunk is None:
                response: Message = await caller.call(loop.method, request, {}, options)
            else:
                chunks: list[Message] = []
                async with AsyncStream(caller, loop.method, request, {}, options) as stream:
                    async for chunk in stream:
                        await settled(loop.on_chunk(chunk))
                        chunks.append(chunk)
                response = join_chunks(chunks)
            calls = loop.take(response)
            if calls is None:
                return loop.transcript
            outcomes = await loop.crew.arun(calls, loop.deadline)
            loop.note(outcomes)
            loop.answer(await loop.crew.atold(outcomes))
