"""Sessions of the Gemini API: set up, turns, tools, the end; in threads and in event loops."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from support.calls import WEATHER
from support.programs import run_code
from toolwire import functions, gemini
from toolwire._errors import JsonError
from toolwire.client import Cancelled, InvalidArgument, UsageError
from toolwire.testing import LocalServer

TOOLS = [{"function_declarations": [WEATHER]}]


@pytest.fixture(scope="module")
def local() -> Iterator[LocalServer]:
    with LocalServer() as server:
        yield server


def said(message: Any) -> str:
    return "".join(part.text for part in message.server_content.model_turn.parts)


def test_a_turn(local: LocalServer) -> None:
    with local.client(api="gemini") as client, client.bidi_generate_content("m") as session:
        for prompt in ("Hello", gemini.Part(text="Hello"), ["Hello"], {"text": "Hello"}):
            session.send(prompt)
            text = ""
            for message in session:
                text += said(message)
                if message.server_content.turn_complete:
                    break
            assert text == "You said: Hello"
        session.send("never answered", turn_complete=False)
        session.send(realtime_input={"text": "Bye"})
        assert "Bye" in said(session.receive())
        session.done_sending()
        while (last := session.receive()) is not None:
            assert last.HasField("server_content")
        with pytest.raises(UsageError, match="has ended"):
            session.send("x")


def test_tools(local: LocalServer) -> None:
    with local.client(api="gemini") as client:
        session = client.bidi_generate_content("m", tools=TOOLS)
        session.send("Weather in Paris?")
        message = session.receive()
        assert message is not None
        (call,) = message.tool_call.function_calls
        assert call.name == "get_weather"
        session.reply([{"name": call.name, "id": call.id, "response": {"output": "sunny"}}])
        assert "sunny" in said(session.receive())
        session.close()
        with pytest.raises(Cancelled):
            list(session)


def test_async_turns_and_tools(local: LocalServer) -> None:
    async def main() -> None:
        async with local.async_client(api="gemini") as client:
            setup = gemini.BidiGenerateContentSetup(model="m", tools=TOOLS)
            async with client.bidi_generate_content(setup) as session:
                await session.send("Weather in Paris?")
                message = await session.receive()
                assert message is not None
                (call,) = message.tool_call.function_calls
                turn = gemini.Content(
                    parts=[
                        {
                            "function_response": {
                                "name": call.name,
                                "id": call.id,
                                "response": {"output": "sunny"},
                            }
                        }
                    ]
                )
                await session.reply(turn)
                text = ""
                async for each in session:
                    text += said(each)
                    if each.server_content.turn_complete:
                        break
                assert "sunny" in text
                await session.done_sending()
                assert await session.receive() is None
                with pytest.raises(UsageError, match="has ended"):
                    await session.send("x")

    asyncio.run(main())


def test_tasks_may_send_and_receive_at_once(local: LocalServer) -> None:
    async def main() -> None:
        async with local.async_client(api="gemini") as client:
            session = client.bidi_generate_content("m")

            async def receive() -> int:
                turns = 0
                async for message in session:
                    turns += message.server_content.turn_complete
                    if turns == 3:
                        await session.done_sending()
                return turns

            receiving = asyncio.ensure_future(receive())
            await asyncio.gather(*(session.send(f"number {number}") for number in range(3)))
            assert await receiving == 3
            await session.aclose()

    asyncio.run(main())


def test_cancelling_and_closing(local: LocalServer) -> None:
    async def main() -> None:
        async with local.async_client(api="gemini") as client:
            session = client.bidi_generate_content("m")
            async with session:
                task = asyncio.ensure_future(session.receive())
                await asyncio.sleep(0.05)
                with pytest.raises(UsageError, match="another task"):
                    await session.receive()
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            async with client.bidi_generate_content("m") as other:
                task = asyncio.ensure_future(other.receive())
                await asyncio.sleep(0.05)
                await other.aclose()
                with pytest.raises(Cancelled):
                    await task

    asyncio.run(main())


@pytest.mark.parametrize("model", ["missing-model"])
def test_a_session_that_cannot_begin(local: LocalServer, model: str) -> None:
    tools: Any = [{"function_declarations": [{"name": "a b"}]}]

    async def main() -> None:
        async with local.async_client(api="gemini") as client:
            with pytest.raises(InvalidArgument, match=r"functionDeclarations\[0\]\.name"):
                async with client.bidi_generate_content("m", tools=tools):
                    pass
            with pytest.raises(Exception, match=model):
                await client.bidi_generate_content(model).send("x")

    asyncio.run(main())
    with local.client(api="gemini") as client:
        with pytest.raises(InvalidArgument, match=r"functionDeclarations\[0\]\.name"):
            client.bidi_generate_content("m", tools=tools).receive()
        with pytest.raises(Exception, match=model):
            client.bidi_generate_content(model).receive()


def test_bad_input(local: LocalServer) -> None:
    with local.client(api="gemini") as client:
        call: Any = client.bidi_generate_content
        with pytest.raises(UsageError, match="has no field 'tool'; did you mean"):
            call("m", tool=TOOLS)
        with pytest.raises(JsonError):
            call({"modell": "m"})
        with call("m") as session:
            for send in (session.send, lambda: session.send("x", realtime_input={})):
                with pytest.raises(UsageError, match="send takes either"):
                    send()
            with pytest.raises(JsonError):
                session.send(5)
            with pytest.raises(JsonError):
                session.reply("sunny")
            with pytest.raises(UsageError, match="at least one"):
                session.reply([])
            with pytest.raises(JsonError):
                session.reply(gemini.Part(text="x"))


def test_what_respond_makes_can_be_sent(local: LocalServer) -> None:
    with local.client(api="gemini") as client:
        turn = client.generate_content("m", "Weather in Paris?", tools=TOOLS).candidates[0].content
        answer = functions.respond(functions.calls(turn), {"output": "sunny"})
        with client.bidi_generate_content("m", tools=TOOLS) as session:
            session.send(["Weather in Paris?", turn], turn_complete=False)
            session.reply(answer)
            assert "sunny" in said(session.receive())


def test_a_program_ends_with_a_session_open() -> None:
    code = """
        import threading
        from toolwire.testing import LocalServer

        server = LocalServer()
        server.start()
        client = server.client(api="gemini")
        session = client.bidi_generate_content("m")
        session.send("x")
        print(session.receive().HasField("server_content"))
        session.close()
        client.close()
        server.stop()
        for thread in threading.enumerate():
            thread is threading.main_thread() or thread.join(10)
        print(threading.active_count())
    """
    assert run_code(code).split() == ["True", "1"]
