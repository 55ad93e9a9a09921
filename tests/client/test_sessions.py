"""Sessions of the Gemini API: set up, turns, tools, the end; in threads and in event loops."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import grpc
import pytest
from google.auth import credentials as google_credentials

import toolwire
from support.calls import WEATHER
from support.hangs import HANG
from support.programs import run_code
from toolwire import functions, gemini, v1
from toolwire._apis import APIS
from toolwire._client.calls._talk import to_reply
from toolwire._client.requests._methods import find_method
from toolwire._errors import JsonError
from toolwire.client import (
    AsyncClient,
    AsyncSession,
    CallError,
    Cancelled,
    Client,
    InvalidArgument,
    Session,
    UsageError,
)
from toolwire.testing import LocalServer

BAD_TIMEOUTS: tuple[Any, ...] = (-1, "1", float("nan"))
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


@contextlib.contextmanager
def talking(
    converse: Callable[[Iterator[Any]], Iterator[Any]], on_end: Callable[[], object] | None = None
) -> Generator[str]:
    """A server whose sessions are a generator."""

    def handle(messages: Iterator[Any], context: Any) -> Iterator[Any]:
        if on_end is not None:
            context.add_callback(on_end)
        yield from converse(messages)

    def encode(message: Any) -> bytes:
        data: bytes = message if isinstance(message, bytes) else message.SerializeToString()
        return data

    handler = grpc.stream_stream_rpc_method_handler(
        handle,
        gemini.BidiGenerateContentClientMessage.FromString,
        encode,
    )
    service = "google.ai.generativelanguage.v1beta.GenerativeService"
    with ThreadPoolExecutor(4) as executor:
        server = grpc.server(executor)
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(service, {"BidiGenerateContent": handler}),)
        )
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        yield f"127.0.0.1:{port}"
        server.stop(None).wait()


def client_of(target: str, **options: Any) -> Client[Literal["gemini"]]:
    return Client(api="gemini", api_endpoint=target, insecure=True, timeout=20.0, **options)


def async_client_of(target: str) -> AsyncClient[Literal["gemini"]]:
    return AsyncClient(api="gemini", api_endpoint=target, insecure=True, timeout=20.0)


def test_the_word_that_it_is_set_up_is_waited_for_and_kept(local: LocalServer) -> None:
    async def main() -> None:
        async with local.async_client(api="gemini") as client:
            async with client.bidi_generate_content("m") as session:
                assert session.ready is not None
                assert session.ready.HasField("setup_complete")
                await session.send("Hello")
                assert "Hello" in said(await session.receive())
            other = client.bidi_generate_content("m")
            assert other.ready is None
            await other.send("Hello")
            assert other.ready is not None
            assert "Hello" in said(await anext(other))
            await other.aclose()

    with local.client(api="gemini") as client:
        with client.bidi_generate_content("m") as session:
            assert session.ready is not None
            assert session.ready.HasField("setup_complete")
            session.send("Hello")
            assert "Hello" in said(session.receive())
        other = client.bidi_generate_content("m")
        assert other.ready is None
        other.send("Hello")
        assert other.ready is not None
        assert "Hello" in said(next(other))
        other.close()
    asyncio.run(main())


def test_a_server_that_begins_in_another_way() -> None:
    def converse(messages: Iterator[Any]) -> Iterator[Any]:
        next(messages)
        yield gemini.BidiGenerateContentServerMessage(go_away={})
        for _ in messages:
            yield gemini.BidiGenerateContentServerMessage(server_content={"turn_complete": True})

    async def main(target: str) -> None:
        async with async_client_of(target) as client, client.bidi_generate_content("m") as session:
            await session.send("x")
            await session.done_sending()
            kinds = [each.WhichOneof("message_type") async for each in session]
            assert session.ready is None
            assert kinds == ["go_away", "server_content"]

    with talking(converse) as target:
        with client_of(target) as client, client.bidi_generate_content("m") as session:
            session.send("x")
            session.done_sending()
            kinds = [each.WhichOneof("message_type") for each in session]
            assert session.ready is None
            assert kinds == ["go_away", "server_content"]
        asyncio.run(main(target))


def test_nothing_is_sent_before_it_is_set_up() -> None:
    go_on = threading.Event()
    seen: list[bool] = []

    def converse(messages: Iterator[Any]) -> Iterator[Any]:
        next(messages)
        assert go_on.wait(HANG)
        yield gemini.BidiGenerateContentServerMessage(setup_complete={})
        for _ in messages:
            seen.append(go_on.is_set())
            yield gemini.BidiGenerateContentServerMessage(server_content={})

    async def main(target: str) -> None:
        async with async_client_of(target) as client:
            session = client.bidi_generate_content("m")
            sending = [asyncio.ensure_future(session.send("x")) for _ in range(3)]
            with pytest.raises(TimeoutError, match="the session goes on"):
                await session.receive(timeout=0.05)
            assert not any(each.done() for each in sending)
            go_on.set()
            await asyncio.gather(*sending)
            for _ in sending:
                assert await session.receive(timeout=HANG)
            await session.aclose()

    with talking(converse) as target:
        with client_of(target) as client, ThreadPoolExecutor(3) as executor:
            session = client.bidi_generate_content("m")
            sending = [executor.submit(session.send, "x") for _ in range(3)]
            with pytest.raises(TimeoutError, match="the session goes on"):
                session.receive(timeout=0.05)
            assert not any(each.done() for each in sending)
            go_on.set()
            for each in sending:
                each.result(HANG)
                assert session.receive(timeout=HANG)
            session.close()
        go_on.clear()
        asyncio.run(main(target))
    assert seen == [True] * 6


def test_receiving_ends_in_time_and_the_session_goes_on(local: LocalServer) -> None:
    with local.client(api="gemini") as client:
        with client.bidi_generate_content("m") as session:
            for _ in range(2):
                with pytest.raises(TimeoutError, match="the session goes on"):
                    session.receive(timeout=0.02)
            session.send("Hello")
            assert "Hello" in said(session.receive())
            rest = session.receive(timeout=HANG)
            assert rest is not None
            assert rest.server_content.turn_complete
            with pytest.raises(TimeoutError):
                session.receive(timeout=0.02)
            session.done_sending()
            assert session.receive() is None
            assert session.receive(timeout=HANG) is None
            for bad in BAD_TIMEOUTS:
                with pytest.raises(UsageError, match="timeout takes 0 or a positive number"):
                    session.receive(timeout=bad)
        with client.bidi_generate_content("m") as session:
            with pytest.raises(TimeoutError):
                session.receive(timeout=0.02)
            session.close()
            with pytest.raises(Cancelled):
                session.receive(timeout=HANG)


def test_receiving_in_a_loop_ends_in_time_and_the_session_goes_on(local: LocalServer) -> None:
    async def main() -> None:
        async with local.async_client(api="gemini") as client:
            async with client.bidi_generate_content("m") as session:
                for _ in range(2):
                    with pytest.raises(TimeoutError, match="the session goes on"):
                        await session.receive(timeout=0.02)
                await session.send("Hello")
                assert "Hello" in said(await session.receive())
                rest = await session.receive(timeout=HANG)
                assert rest is not None
                assert rest.server_content.turn_complete
                with pytest.raises(TimeoutError):
                    await session.receive(timeout=0.02)
                await session.done_sending()
                assert await session.receive() is None
                assert await session.receive(timeout=HANG) is None
                for bad in BAD_TIMEOUTS:
                    with pytest.raises(UsageError, match="timeout takes 0 or a positive number"):
                        await session.receive(timeout=bad)
            async with client.bidi_generate_content("m") as session:
                task = asyncio.ensure_future(session.receive(timeout=HANG))
                await asyncio.sleep(0.02)
                with pytest.raises(UsageError, match="another task"):
                    await session.receive()
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                with pytest.raises(Cancelled):
                    await session.receive()
            async with client.bidi_generate_content("m") as session:
                with pytest.raises(TimeoutError):
                    await session.receive(timeout=0.02)
                await session.aclose()
                with pytest.raises(Cancelled):
                    await session.receive(timeout=HANG)

    asyncio.run(main())


def test_a_session_that_was_closed_is_not_taken_for_a_complete_one(local: LocalServer) -> None:
    async def main() -> None:
        client = local.async_client(api="gemini")
        async with client, client.bidi_generate_content("m") as session:
            await session.send("Hello")
            assert "Hello" in said(await session.receive())
            await session.aclose()
            for _ in range(2):
                with pytest.raises(Cancelled):
                    await session.receive()
            with pytest.raises(Cancelled):
                await anext(session)

    with local.client(api="gemini") as client, client.bidi_generate_content("m") as session:
        session.send("Hello")
        assert "Hello" in said(session.receive())
        session.close()
        for _ in range(2):
            with pytest.raises(Cancelled):
                session.receive()
    asyncio.run(main())


def test_a_loop_does_not_complain_of_what_nobody_receives(
    local: LocalServer, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        async with local.async_client(api="gemini") as client:
            async with client.bidi_generate_content("m") as session:
                with pytest.raises(TimeoutError):
                    await session.receive(timeout=0.02)
            await asyncio.sleep(0.02)
            del session
            gc.collect()

    asyncio.run(main())
    assert caplog.records == []


def test_sending_is_over_before_the_session_is() -> None:
    more = threading.Event()

    def converse(messages: Iterator[Any]) -> Iterator[Any]:
        next(messages)
        yield gemini.BidiGenerateContentServerMessage(setup_complete={})
        assert more.wait(HANG)
        yield gemini.BidiGenerateContentServerMessage(server_content={})

    async def main(target: str) -> None:
        async with async_client_of(target) as client:
            async with client.bidi_generate_content("m") as session:
                await session.done_sending()
                with pytest.raises(UsageError, match="nothing can be sent after done_sending"):
                    await session.send("x")
                more.set()
                assert await session.receive() is not None
            with pytest.raises(UsageError, match="session is closed"):
                await session.send("x")

    with talking(converse) as target:
        with client_of(target) as client:
            with client.bidi_generate_content("m") as session:
                session.done_sending()
                with pytest.raises(UsageError, match="nothing can be sent after done_sending"):
                    session.send("x")
                more.set()
                assert session.receive() is not None
            with pytest.raises(UsageError, match="session is closed"):
                session.send("x")
        more.clear()
        asyncio.run(main(target))


def test_closing_the_client_ends_its_sessions(local: LocalServer) -> None:
    async def main() -> None:
        client = local.async_client(api="gemini")
        session = client.bidi_generate_content("m")
        await session.send("x", turn_complete=False)
        receiving = asyncio.ensure_future(session.receive())
        await asyncio.sleep(0.02)
        await client.close()
        with pytest.raises(Cancelled, match="the client was closed"):
            await receiving

    asyncio.run(main())
    client = local.client(api="gemini")
    session = client.bidi_generate_content("m")
    session.send("x", turn_complete=False)
    client.close()
    with pytest.raises(Cancelled):
        session.receive()


class Generating(grpc.StreamStreamClientInterceptor):
    """Gives a generator in the place of the call, as instrumentations do."""

    def intercept_stream_stream(
        self, continuation: Any, client_call_details: Any, request_iterator: Any
    ) -> Any:
        yield from continuation(client_call_details, request_iterator)


def test_an_interceptor_may_make_a_generator_of_it(local: LocalServer) -> None:
    client = client_of(local.target, interceptors=[Generating()])
    with client, client.bidi_generate_content("m") as session:
        session.send("Hello")
        assert "Hello" in said(session.receive())
        session.done_sending()
        assert len(list(session)) == 1
        with pytest.raises(UsageError, match="has ended"):
            session.send("x")


def test_a_session_that_nobody_refers_to_is_cancelled() -> None:
    ended = threading.Event()

    def converse(messages: Iterator[Any]) -> Iterator[Any]:
        next(messages)
        yield gemini.BidiGenerateContentServerMessage(setup_complete={})
        yield from messages

    async def main(target: str) -> None:
        async with async_client_of(target) as client:
            session = client.bidi_generate_content("m")
            await session.__aenter__()
            del session
            gc.collect()
            assert await asyncio.to_thread(ended.wait, HANG)

    with talking(converse, ended.set) as target:
        with client_of(target) as client:
            session = client.bidi_generate_content("m")
            session.__enter__()
            del session
            gc.collect()
            assert ended.wait(HANG)
        ended.clear()
        asyncio.run(main(target))


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


def get_weather(city: str) -> str:
    """Tells the weather."""
    return f"rain in {city}"


def test_what_the_model_calls_is_run_and_replied_to(local: LocalServer) -> None:
    box = functions.Toolbox([get_weather], api="gemini")
    spoken: list[str] = []
    with (
        local.client(api="gemini") as client,
        client.bidi_generate_content("m", tools=[box]) as session,
    ):
        session.send("Weather in Paris?")
        for message in session:
            spoken.append(toolwire.text(message.server_content.model_turn))
            calls = functions.calls(message)
            if calls:
                session.reply(functions.respond(calls, *box.run(message.tool_call)))
            if message.server_content.turn_complete:
                break
    assert "".join(spoken) == 'get_weather returned "rain in Paris".'


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
        other: Any = local.async_client(api="gemini").bidi_generate_content
        setup = gemini.BidiGenerateContentSetup(tools=TOOLS)
        whole = gemini.BidiGenerateContentClientMessage(client_content={})
        nothing: tuple[Any, ...] = ((), (None,), ("",), ({},), (setup,), (whole,))
        for each in (call, other):
            for given in nothing:
                with pytest.raises(UsageError, match=r"^BidiGenerateContent needs model$"):
                    each(*given)
            with pytest.raises(UsageError, match="needs model"):
                each(tools=TOOLS)
        with pytest.raises(UsageError, match="has no field 'tool'; did you mean"):
            call("m", tool=TOOLS)
        with pytest.raises(JsonError):
            call({"modell": "m"})
        with call("m") as session:
            for send in (session.send, lambda: session.send("x", realtime_input={})):
                with pytest.raises(UsageError, match="send takes either"):
                    send()
            for bad in ("no", 1, None):
                with pytest.raises(UsageError, match="turn_complete takes True or False, found"):
                    session.send("x", turn_complete=bad)
            with pytest.raises(JsonError):
                session.send(5)
            two: dict[str, Any] = {"client_content": {"turns": []}, "realtime_input": {"text": "x"}}
            for send in (lambda: session.send(**two), lambda: session.send(two)):
                with pytest.raises(JsonError, match='"clientContent" and "realtimeInput" are both'):
                    send()
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


def test_a_program_ends_with_a_session_open(local: LocalServer) -> None:
    code = """
        import sys
        from toolwire.client import Client

        client = Client(api="gemini", api_endpoint=sys.argv[1], insecure=True)
        session = client.bidi_generate_content("m")
        try:
            session.receive(timeout=0.01)
        except TimeoutError:
            print("done")
    """
    assert run_code(code, local.target).split() == ["done"]


def test_a_closed_session_leaves_no_thread() -> None:
    code = """
        import threading
        from toolwire.testing import LocalServer

        server = LocalServer()
        server.start()
        client = server.client(api="gemini")
        session = client.bidi_generate_content("m")
        session.send("x")
        print(session.receive().HasField("server_content"))
        session.receive()
        try:
            session.receive(timeout=0.01)
        except TimeoutError:
            print("late")
        session.close()
        client.close()
        server.stop()
        for thread in threading.enumerate():
            thread is threading.main_thread() or thread.join(10)
        print(threading.active_count())
    """
    assert run_code(code).split() == ["True", "late", "1"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_a_session_stays_in_its_process(local: LocalServer) -> None:
    code = """
        import gc, os, signal, sys
        from toolwire.client import Client, UsageError

        def child(session):
            for ask in (session.receive, lambda: session.send("x"), lambda: session.receive(9)):
                try:
                    ask()
                except UsageError as error:
                    print(error, flush=True)
            session.close()

        options = {"api": "gemini", "api_endpoint": sys.argv[1], "insecure": True}
        with Client(**options) as client, client.bidi_generate_content("m", timeout=20) as session:
            try:
                session.receive(timeout=0.01)
            except TimeoutError:
                pass
            if os.fork() == 0:
                signal.alarm(10)
                child(session)
                del session
                gc.collect()
                os._exit(0)
            assert os.wait()[1] == 0
            session.send("x")
            print(session.receive().HasField("server_content"))
    """
    lines = run_code(code, local.target).splitlines()
    assert lines == ["this session was begun in the parent of this process"] * 3 + ["True"]


REPLY = {"name": "f", "id": "1", "response": {"output": "sunny"}}
IMAGE = {"inline_data": {"mime_type": "image/png", "data": b"\x89PNG"}}
REPLIES: list[Any] = [
    gemini.FunctionResponse(**REPLY),  # type: ignore[arg-type]
    [gemini.FunctionResponse(**REPLY)],  # type: ignore[arg-type]
    gemini.FunctionResponse(**REPLY, parts=[IMAGE]),  # type: ignore[arg-type]
    {**REPLY, "parts": [IMAGE]},
    [{**REPLY, "parts": []}, gemini.FunctionResponse(name="g")],
    gemini.Part(function_response=REPLY),
    {"functionResponse": {**REPLY, "parts": [IMAGE]}},
    gemini.Content(parts=[{"function_response": {**REPLY, "parts": [IMAGE]}}]),
    {"role": "user", "parts": [{"function_response": {**REPLY, "parts": [IMAGE]}}]},
    {"parts": [gemini.Part(function_response=REPLY)]},
    [gemini.Content(parts=[{"function_response": REPLY}]), REPLY],
]


@pytest.mark.parametrize("given", REPLIES, ids=map(str, range(len(REPLIES))))
def test_replies_in_every_form(given: Any) -> None:
    method = find_method(APIS["gemini"], "bidi_generate_content")
    sent = to_reply(method, given).tool_response.function_responses
    assert sent[0].name == "f"
    assert sent[0].response["output"] == "sunny"
    text = str(given)
    assert [part.inline_data.data for part in sent[0].parts] == [b"\x89PNG"] * ("PNG" in text)


@pytest.mark.parametrize("given", [v1.FunctionResponse(name="f"), [v1.FunctionResponse(name="f")]])
def test_a_reply_of_another_api_is_refused(given: Any) -> None:
    method = find_method(APIS["gemini"], "bidi_generate_content")
    with pytest.raises(JsonError, match=r"found a google\.cloud.*toolwire\.convert"):
        to_reply(method, given)


@pytest.mark.parametrize(
    ("given", "path"),
    [
        (5, ""),
        ([REPLY, 5], "[1]"),
        ([REPLY, {**REPLY, "name": 5}], "[1].name"),
        ([REPLY, {"function_response": {"nam": "f"}}], "[1].function_response.nam"),
        ([{"parts": [{"functionResponse": REPLY}, gemini.Part()]}], "[0].parts[1]"),
    ],
    ids=["number", "in a list", "field", "in a part", "in a turn"],
)
def test_a_bad_reply_is_named_by_its_place(given: Any, path: str) -> None:
    method = find_method(APIS["gemini"], "bidi_generate_content")
    with pytest.raises(JsonError) as caught:
        to_reply(method, given)
    assert caught.value.path == path


def test_a_reply_that_contains_itself() -> None:
    method = find_method(APIS["gemini"], "bidi_generate_content")
    turn: dict[str, Any] = {}
    itself: list[Any] = []
    itself.append(itself)
    turn["parts"] = [turn]
    for given in (itself, turn):
        with pytest.raises(JsonError, match=r"^(parts)?\[0\]"):
            to_reply(method, given)


def test_what_cannot_be_sent_is_named_by_its_place(local: LocalServer) -> None:
    with local.client(api="gemini") as client, client.bidi_generate_content("m") as session:
        wrong: Any = ["a", 5]
        ways: list[Callable[[], object]] = [
            lambda: session.send(wrong),
            lambda: session.send(client_content={"turns": wrong}),
            lambda: session.send({"clientContent": {"turns": wrong}}),
        ]
        for send in ways:
            with pytest.raises(JsonError) as caught:
                send()
            assert caught.value.path == "clientContent.turns[1]"


def test_the_whole_first_message_may_be_a_dict(local: LocalServer) -> None:
    setup = {"setup": {"model": "m", "systemInstruction": "Be brief.", "tools": TOOLS}}

    async def main() -> None:
        client = local.async_client(api="gemini")
        async with client, client.bidi_generate_content(setup) as session:
            await session.send({"client_content": {"turns": "Hi", "turnComplete": True}})
            assert await session.receive() is not None

    with local.client(api="gemini") as client:
        with client.bidi_generate_content(setup) as session:
            session.send({"client_content": {"turns": "Hi", "turnComplete": True}})
            assert session.receive() is not None
        with pytest.raises(JsonError, match=r"^setup\.modle: "):
            client.bidi_generate_content({"setup": {"modle": "m"}})
    asyncio.run(main())


def test_a_look_without_waiting(local: LocalServer) -> None:
    async def main() -> None:
        client = local.async_client(api="gemini")
        async with client, client.bidi_generate_content("m") as session:
            with pytest.raises(TimeoutError):
                await session.receive(timeout=0)
            await session.send("Hello")
            assert "Hello" in said(await session.receive())

    with local.client(api="gemini") as client, client.bidi_generate_content("m") as session:
        with pytest.raises(TimeoutError):
            session.receive(timeout=0)
        session.send("Hello")
        assert "Hello" in said(session.receive())
    asyncio.run(main())


def test_what_is_never_made_again_takes_no_retries(local: LocalServer) -> None:
    async def main() -> None:
        async with local.async_client(api="gemini") as client:
            with pytest.raises(UsageError, match="never made again"):
                client.bidi_generate_content("m", retries=3)

    with local.client(api="gemini") as client:
        with pytest.raises(UsageError, match="never made again"):
            client.bidi_generate_content("m", retries=3)
        client.bidi_generate_content("m", retries=0).close()
    asyncio.run(main())


def test_what_is_received_from_says_of_what_it_is(local: LocalServer) -> None:
    async def main() -> list[str]:
        async with local.async_client(api="gemini") as client:
            made: list[object] = [client.bidi_generate_content("m"), client.list_cached_contents()]
            return [*map(repr, made), repr(client.stream_generate_content("m", "x"))]

    with local.client(api="gemini") as client:
        with client.bidi_generate_content("m") as session:
            assert repr(session) == "<Session of BidiGenerateContent>"
        assert repr(client.list_cached_contents()) == "<Pager of ListCachedContents>"
        with client.stream_generate_content("m", "x") as stream:
            assert repr(stream) == "<Stream of StreamGenerateContent>"
    assert asyncio.run(main()) == [
        "<AsyncSession of BidiGenerateContent>",
        "<AsyncPager of ListCachedContents>",
        "<AsyncStream of StreamGenerateContent>",
    ]


def set_up() -> Any:
    return gemini.BidiGenerateContentServerMessage(setup_complete={})


def answer(text: str = "") -> Any:
    turn = {"parts": [{"text": text}]}
    return gemini.BidiGenerateContentServerMessage(server_content={"model_turn": turn})


@pytest.mark.parametrize("code", [None, grpc.StatusCode.NOT_FOUND], ids=["ok", "failed"])
def test_what_came_before_the_end_is_received_after_sending_too_late(
    code: grpc.StatusCode | None,
) -> None:
    def converse(messages: Iterator[Any]) -> Iterator[Any]:
        next(messages)
        yield set_up()
        yield from map(answer, "abc")
        if code is not None:
            raise ZeroDivisionError

    async def main(target: str) -> None:
        async with async_client_of(target) as client:
            for delay in (0.0, 0.005, 0.02):
                for _ in range(10):
                    async with client.bidi_generate_content("m") as session:
                        await asyncio.sleep(delay)
                        for _ in range(2):
                            with contextlib.suppress(UsageError):
                                await session.send("x" * 100_000)
                        assert [said(await session.receive()) for _ in "abc"] == ["a", "b", "c"]
                        if code is None:
                            assert await session.receive() is None
                        else:
                            with pytest.raises(CallError, match="UNKNOWN"):
                                await session.receive()
                        with pytest.raises(UsageError, match="has ended"):
                            await session.send("x")

    with talking(converse) as target:
        with client_of(target) as client, client.bidi_generate_content("m") as session:
            for _ in range(2):
                with contextlib.suppress(UsageError):
                    session.send("x" * 100_000)
            assert [said(session.receive()) for _ in "abc"] == ["a", "b", "c"]
        asyncio.run(main(target))


def test_a_send_that_is_cancelled_cancels_the_session() -> None:
    async def main(target: str) -> None:
        async with async_client_of(target) as client, client.bidi_generate_content("m") as session:
            receiving = asyncio.ensure_future(session.receive())

            async def flood() -> None:
                while True:
                    await session.send("x" * 1_000_000)

            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(flood(), 0.5)
            with pytest.raises(Cancelled):
                await receiving
            for timeout in (None, 0.1):
                with pytest.raises(Cancelled):
                    await session.receive(timeout)
            with pytest.raises(UsageError, match="has ended"):
                await session.send("x")
            await session.done_sending()

    ended = threading.Event()

    def converse(messages: Iterator[Any]) -> Iterator[Any]:
        next(messages)
        yield set_up()
        ended.wait(HANG)  # and reads no more

    with talking(converse, ended.set) as target:
        asyncio.run(main(target))


class Slow(google_credentials.Credentials):
    """Gives a token once it may."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.asked = threading.Event()
        self.go_on = threading.Event()

    def refresh(self, request: object) -> None:  # noqa: ARG002
        self.asked.set()
        self.go_on.wait(HANG)
        self.token = "some-token"  # noqa: S105 - of nobody


def test_what_is_closed_before_there_is_a_token_is_not_begun() -> None:
    begun: list[object] = []

    def converse(messages: Iterator[Any]) -> Iterator[Any]:
        begun.append(next(messages))
        yield set_up()

    async def main(target: str) -> None:
        credential = Slow()
        client = AsyncClient(
            api="gemini", api_endpoint=target, insecure=True, credentials=credential, timeout=20.0
        )
        async with client:
            session = client.bidi_generate_content("m")
            stream = client.stream_generate_content("m", "x")
            waiting = [
                asyncio.ensure_future(session.receive()),
                asyncio.ensure_future(session.send("x")),
                asyncio.ensure_future(anext(stream)),
            ]
            assert await asyncio.to_thread(credential.asked.wait, HANG)
            await session.aclose()
            await stream.aclose()
            credential.go_on.set()
            for each in waiting:
                with pytest.raises(Cancelled):
                    await each
            with pytest.raises(Cancelled):
                await session.receive()

    with talking(converse) as target:
        asyncio.run(main(target))
    assert not begun


def wait_in_vain(session: Session[Any, Any], begun: threading.Semaphore) -> None:
    """Waits for messages, of which none comes, until the server has the session."""
    while not begun.acquire(blocking=False):
        with pytest.raises(TimeoutError):
            session.receive(timeout=0.01)


async def wait_in_vain_async(session: AsyncSession[Any, Any], begun: threading.Semaphore) -> None:
    while not begun.acquire(blocking=False):
        with pytest.raises(TimeoutError):
            await session.receive(timeout=0.01)


@pytest.mark.parametrize("is_set_up", [True, False])
def test_a_session_that_was_waited_for_and_dropped_is_cancelled(is_set_up: bool) -> None:
    begun, ended = threading.Semaphore(0), threading.Semaphore(0)

    def converse(messages: Iterator[Any]) -> Iterator[Any]:
        next(messages)
        if is_set_up:
            yield set_up()
        begun.release()
        yield from messages

    async def main(target: str) -> None:
        async with async_client_of(target) as client:
            for _ in range(3):
                await wait_in_vain_async(client.bidi_generate_content("m"), begun)
            gc.collect()
            for _ in range(3):
                assert await asyncio.to_thread(ended.acquire, timeout=HANG)
            left = asyncio.all_tasks() - {asyncio.current_task()}
            if left:  # gRPC tells them a moment later
                assert not (await asyncio.wait(left, timeout=HANG))[1]

    with talking(converse, ended.release) as target:
        with client_of(target) as client:
            for _ in range(3):
                wait_in_vain(client.bidi_generate_content("m"), begun)
            gc.collect()
            for _ in range(3):
                assert ended.acquire(timeout=HANG)
        asyncio.run(main(target))


def test_a_session_belongs_to_its_loop(local: LocalServer) -> None:
    async def begin() -> None:
        await session.send("Hello")

    async def other() -> None:
        for use in (session.receive, session.done_sending, session.__aenter__):
            with pytest.raises(UsageError, match="this session was begun in another event loop"):
                await use()
        await session.aclose()

    loop = asyncio.new_event_loop()
    client = local.async_client(api="gemini")
    session = client.bidi_generate_content("m")
    loop.run_until_complete(begin())
    asyncio.run(other())
    with pytest.raises(Cancelled):
        loop.run_until_complete(session.receive())
    loop.run_until_complete(client.close())
    loop.close()


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_is_received_after_what_cannot_be_read(count: int) -> None:
    def converse(messages: Iterator[Any]) -> Iterator[Any]:
        next(messages)
        yield from [set_up()] * count
        yield b"\xff\xff"
        yield answer("a")
        yield from messages

    async def main(target: str) -> None:
        async with async_client_of(target) as client:
            session = client.bidi_generate_content("m")
            for _ in range(2):
                with pytest.raises(CallError, match=r"the response is not a valid|closed"):
                    await session.receive()

    with talking(converse) as target:
        with client_of(target) as client:
            session = client.bidi_generate_content("m")
            with pytest.raises(CallError, match="the response is not a valid"):
                session.receive()
            with pytest.raises(Cancelled):
                session.receive()
        asyncio.run(main(target))
