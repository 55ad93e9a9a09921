"""Stubs of any service over our channels: deadline, headers, retries, errors as of a client."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from support.grpc_servers import Context, Pair, Server, chunk, text_of
from support.hangs import HANG, Hang
from toolwire import v1
from toolwire._errors import JsonError
from toolwire.client import (
    CallError,
    Cancelled,
    DeadlineExceeded,
    InvalidArgument,
    NotFound,
    Unavailable,
    UsageError,
    async_stub,
    stub,
)

REQUEST = v1.GenerateContentRequest(model="any", contents=[{"parts": [{"text": "x"}]}])


def load() -> Any:
    """The class of a message ``Word`` in a pool of its own, with a service of four methods."""
    file = descriptor_pb2.FileDescriptorProto(name="words.proto", package="words", syntax="proto3")
    word = file.message_type.add(name="Word")
    word.field.add(name="text", number=1, type=9, label=1)
    word.field.add(name="api_key", number=2, type=9, label=1)
    service = file.service.add(name="Words")
    for name, sends, gets in (
        ("One", False, False),
        ("Split", False, True),
        ("Join", True, False),
        ("Echo", True, True),
    ):
        service.method.add(
            name=name,
            input_type=".words.Word",
            output_type=".words.Word",
            client_streaming=sends,
            server_streaming=gets,
        )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("words.Word"))


Word = load()
CODEC = {
    "request_serializer": Word.SerializeToString,
    "response_deserializer": Word.FromString,
    "_registered_method": True,
}


class WordsStub:
    """As the compiler writes them."""

    def __init__(self, channel: Any) -> None:
        self.One = channel.unary_unary("/words.Words/One", **CODEC)
        self.Split = channel.unary_stream("/words.Words/Split", **CODEC)
        self.Join = channel.stream_unary("/words.Words/Join", **CODEC)
        self.Echo = channel.stream_stream("/words.Words/Echo", **CODEC)


class Words:
    """The service itself."""

    def __init__(self) -> None:
        self.failures = 0
        self.leave = threading.Event()
        self.heard = threading.Event()
        self.joined: list[str] = []
        self.patience = 0.0

    def one(self, word: Any, context: Context) -> Any:
        if self.failures:
            self.failures -= 1
            context.abort(grpc.StatusCode.UNAVAILABLE, "later")
        if word.text == "slow":
            self.leave.wait(10)
        return Word(text=word.text.upper())

    def split(self, word: Any, _context: Context) -> Iterator[Any]:
        yield from (Word(text=each) for each in word.text.split())

    def join(self, words: Iterator[Any], context: Context) -> Any:
        left = threading.Event()
        context.add_callback(left.set)
        text = " ".join(word.text for word in self.hear(words))
        # gRPC's server may take a broken stream for one that ended, until it knows that it broke.
        if not left.wait(self.patience):
            self.joined.append(text)
        if not text:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, "no words")
        return Word(text=text)

    def echo(self, words: Iterator[Any], _context: Context) -> Iterator[Any]:
        yield from self.hear(words)

    def hear(self, words: Iterator[Any]) -> Iterator[Any]:
        for word in words:
            self.heard.set()
            yield word


@contextlib.contextmanager
def serving(words: Words, socket: str = "") -> Generator[str]:
    """Serves at a port of this machine, or at a socket, and gives the target."""
    codec = (Word.FromString, Word.SerializeToString)
    handlers: dict[str, Any] = {
        "One": grpc.unary_unary_rpc_method_handler(words.one, *codec),
        "Split": grpc.unary_stream_rpc_method_handler(words.split, *codec),
        "Join": grpc.stream_unary_rpc_method_handler(words.join, *codec),
        "Echo": grpc.stream_stream_rpc_method_handler(words.echo, *codec),
    }
    with ThreadPoolExecutor(4) as executor:
        server = grpc.server(executor)
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler("words.Words", handlers),)
        )
        port = server.add_insecure_port(socket or "127.0.0.1:0")
        server.start()
        yield socket or f"127.0.0.1:{port}"
        server.stop(None).wait()


def words_of(*texts: str) -> list[Any]:
    return [Word(text=text) for text in texts]


def test_a_generated_stub_keeps_its_type(server: Server) -> None:
    with stub(
        v1.grpc.PredictionServiceStub, server.target, insecure=True, timeout=20.0
    ) as prediction:
        response = prediction.GenerateContent(REQUEST, metadata=(("x-mine", "1"),))
        assert text_of(response) == "ok"
        chunks = prediction.StreamGenerateContent(REQUEST, timeout=10)
        assert [text_of(each) for each in chunks] == ["a", "b", "c"]
    assert server.seen[0].request == REQUEST  # no name was completed
    assert server.seen[0].header("x-mine") == "1"
    agent = server.seen[0].header("x-goog-api-client")
    assert isinstance(agent, str)
    assert "toolwire/" in agent
    assert 11 < server.seen[0].seconds < 21
    assert server.seen[1].seconds < 11


def test_all_kinds_of_methods() -> None:
    with serving(Words()) as target, stub(WordsStub, target, insecure=True) as words:
        assert words.One(Word(text="a")).text == "A"
        assert words.One({"text": "b"}).text == "B"
        assert [each.text for each in words.Split(Word(text="a b"))] == ["a", "b"]
        assert words.Join(iter(words_of("c", "d"))).text == "c d"
        with words.Echo(words_of("e", "f"), timeout=20) as echo:
            assert [each.text for each in echo] == ["e", "f"]
        with pytest.raises(InvalidArgument, match=r"call of Words\.Join at .* no words"):
            words.Join([])
        with pytest.raises(JsonError):
            words.One(v1.Part(text="x"))


def test_all_kinds_of_methods_in_a_loop() -> None:
    async def some() -> AsyncIterator[Any]:
        for word in words_of("c", "d"):
            yield word

    async def main(target: str) -> None:
        async with async_stub(WordsStub, target, insecure=True, timeout=20.0) as words:
            assert (await words.One(Word(text="a"))).text == "A"
            assert [each.text async for each in words.Split(Word(text="a b"))] == ["a", "b"]
            assert (await words.Join(some())).text == "c d"
            assert [each.text async for each in words.Echo(words_of("e", "f"))] == ["e", "f"]
            with pytest.raises(InvalidArgument, match="no words"):
                await words.Join([])
        with pytest.raises(UsageError, match="closed"):
            await words.One(Word(text="a"))

    with serving(Words()) as target:
        asyncio.run(main(target))


def test_a_call_that_cannot_be_made_is_one_error_and_no_other() -> None:
    async def main() -> None:
        async with async_stub(WordsStub, "localhost:1", insecure=True) as words:
            with pytest.raises(UsageError, match="timeout takes"):
                await words.Join([], timeout=-1)
            with pytest.raises(UsageError, match="timeout takes"):
                words.Echo([], timeout=-1)

    asyncio.run(main())
    gc.collect()  # what finalizers raise fails the test


class Broken(Exception):
    """What goes wrong in the user's own code."""


def breaking(fault: BaseException, words: Words | None = None) -> Iterator[Any]:
    yield Word(text="a")
    if words is not None:
        assert words.heard.wait(HANG)
        words.heard.clear()
    raise fault


async def breaking_later(fault: BaseException, words: Words) -> AsyncIterator[Any]:
    yield {"text": "a"}
    assert await asyncio.to_thread(words.heard.wait, HANG)
    words.heard.clear()
    raise fault


class Passing(grpc.StreamStreamClientInterceptor):
    """Does nothing."""

    def intercept_stream_stream(
        self, continuation: Any, client_call_details: Any, request_iterator: Any
    ) -> Any:
        return continuation(client_call_details, request_iterator)


class Generating(Passing):
    """Gives a generator in the place of the call, as instrumentations do."""

    def intercept_stream_stream(
        self, continuation: Any, client_call_details: Any, request_iterator: Any
    ) -> Any:
        yield from continuation(client_call_details, request_iterator)


class AsyncPassing(grpc.aio.StreamStreamClientInterceptor):
    """Does nothing, in a loop."""

    async def intercept_stream_stream(
        self, continuation: Any, client_call_details: Any, request_iterator: Any
    ) -> Any:
        return await continuation(client_call_details, request_iterator)


FAULTS = (Broken("mine"), CallError("another's", code="ABORTED"), SystemExit(3))


@pytest.mark.parametrize("interceptor", [None, Passing, Generating])
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
def test_what_the_requests_raise_is_raised_as_it_is(
    fault: BaseException, interceptor: type[Passing] | None, caplog: pytest.LogCaptureFixture
) -> None:
    words = Words()
    words.patience = 0.3
    interceptors = [interceptor()] if interceptor is not None else []
    with (
        serving(words) as target,
        stub(WordsStub, target, insecure=True, timeout=20.0, interceptors=interceptors) as made,
    ):

        def echo(requests: Any) -> None:
            list(made.Echo(requests))

        for call in (made.Join, echo):
            with pytest.raises(type(fault)) as caught:
                call(breaking(fault, words))
            assert caught.value is fault
            assert caught.value.__cause__ is None
            assert caught.value.__context__ is None
        assert made.Join(words_of("b")).text == "b"
        assert words.joined == ["b"]  # what broke off did not come to an end there
    if interceptor is not Generating:
        assert caplog.records == []


@pytest.mark.parametrize("interceptor", [None, AsyncPassing])
@pytest.mark.parametrize("fault", FAULTS[:2], ids=lambda fault: type(fault).__name__)
def test_what_the_requests_raise_is_raised_as_it_is_in_a_loop(
    fault: BaseException, interceptor: type[AsyncPassing] | None
) -> None:
    words = Words()
    words.patience = 0.3
    interceptors = [interceptor()] if interceptor is not None else []

    async def main(target: str) -> None:
        async with async_stub(
            WordsStub, target, insecure=True, timeout=20.0, interceptors=interceptors
        ) as made:

            async def echo(requests: Any) -> None:
                async for _ in made.Echo(requests):
                    pass

            for call, requests in (
                (made.Join, breaking_later(fault, words)),
                (echo, breaking_later(fault, words)),
                (made.Join, breaking(fault)),
                (echo, breaking(fault)),
            ):
                with pytest.raises(type(fault)) as caught:
                    await call(requests)
                assert caught.value is fault
                assert caught.value.__cause__ is None
                assert caught.value.__context__ is None
            assert (await made.Join(words_of("b"))).text == "b"

    with serving(words) as target:
        asyncio.run(main(target))
    assert words.joined == ["b"]


def test_a_request_that_is_none_is_named_by_its_position() -> None:
    bad = [Word(text="a"), {"text": "b"}, v1.Part(text="x")]
    dicts = [Word(text="a"), {"text": 5}]

    async def main(target: str) -> None:
        async with async_stub(WordsStub, target, insecure=True) as made:
            with pytest.raises(JsonError, match=r"^requests\[2\]: expected a words\.Word, found"):
                await made.Join(bad)
            with pytest.raises(JsonError, match=r"^requests\[1\]\.text: "):
                [each async for each in made.Echo(dicts)]
            with pytest.raises(UsageError, match="Join takes an iterable of Word messages, found"):
                await made.Join(Word(text="x"))

    with serving(Words()) as target:
        with stub(WordsStub, target, insecure=True) as made:
            with pytest.raises(JsonError, match=r"^requests\[2\]: expected a words\.Word, found"):
                made.Join(bad)
            with pytest.raises(JsonError, match=r"^requests\[1\]\.text: "):
                list(made.Echo(dicts))
            for one in (Word(text="x"), {"text": "x"}, "x", 5):
                with pytest.raises(UsageError, match="Join takes an iterable of Word messages"):
                    made.Join(one)
        asyncio.run(main(target))


def early(texts: list[str], code: grpc.StatusCode) -> Words:
    """A service that answers the first request and ends, however many follow."""

    class Early(Words):
        def join(self, words: Iterator[Any], context: Context) -> Any:
            next(words)
            if code is not grpc.StatusCode.OK:
                context.abort(code, "enough")
            return Word(text=texts[0])

        def echo(self, words: Iterator[Any], context: Context) -> Iterator[Any]:
            next(words)
            yield from words_of(*texts)
            if code is not grpc.StatusCode.OK:
                context.abort(code, "enough")

    return Early()


def many() -> Iterator[Any]:
    for _ in range(2000):
        yield Word(text="x" * 1000)


async def many_later() -> AsyncIterator[Any]:
    for word in many():
        yield word


@pytest.mark.parametrize("interceptor", [None, AsyncPassing])
@pytest.mark.parametrize("requests", [many, many_later])
def test_an_answer_that_comes_while_requests_are_sent_is_kept(
    requests: Callable[[], Any], interceptor: type[AsyncPassing] | None
) -> None:
    interceptors = [interceptor()] if interceptor is not None else []

    async def main(target: str) -> None:
        async with async_stub(
            WordsStub, target, insecure=True, timeout=20.0, interceptors=interceptors
        ) as made:
            for _ in range(20):
                assert (await made.Join(requests())).text == "a"
                assert [each.text async for each in made.Echo(requests())] == ["a", "b"]

    with serving(early(["a", "b"], grpc.StatusCode.OK)) as target:
        with stub(WordsStub, target, insecure=True, timeout=20.0) as made:
            assert made.Join(many()).text == "a"
            assert [each.text for each in made.Echo(many())] == ["a", "b"]
        asyncio.run(main(target))


def test_so_is_what_the_server_says_at_the_end() -> None:
    async def main(target: str) -> None:
        async with async_stub(WordsStub, target, insecure=True, timeout=20.0) as made:
            for _ in range(20):
                with pytest.raises(NotFound, match="enough"):
                    await made.Join(many())
                echo = made.Echo(many())
                assert [(await anext(echo)).text for _ in range(2)] == ["a", "b"]
                for _ in range(2):
                    with pytest.raises(NotFound, match="enough"):
                        await anext(echo)

    with serving(early(["a", "b"], grpc.StatusCode.NOT_FOUND)) as target:
        asyncio.run(main(target))


class Patient:
    """Requests of which the second never comes, with something to do at the end."""

    def __init__(self, *, is_waiting: bool) -> None:
        self.is_waiting = is_waiting
        self.ended: list[str] = []

    async def __aiter__(self) -> AsyncIterator[Any]:
        try:
            yield Word(text="a")
            while not self.is_waiting:
                yield Word(text="x" * 100_000)  # until nobody takes more
            await asyncio.sleep(HANG)
        finally:
            await asyncio.sleep(0.02)
            self.ended.append("ended")


async def to_the_end(echo: Any, _close: Callable[[], Awaitable[None]]) -> None:
    with contextlib.suppress(NotFound):
        async for _ in echo:
            pass


async def by_aclose(echo: Any, _close: Callable[[], Awaitable[None]]) -> None:
    await anext(echo)
    await echo.aclose()
    with pytest.raises(Cancelled, match="the stream was left"):
        await anext(echo)


async def by_cancelling(echo: Any, _close: Callable[[], Awaitable[None]]) -> None:
    reading = asyncio.ensure_future(anext(echo))
    while echo._requests._task is None:  # noqa: ASYNC110 - nobody tells who asks for the first
        await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading


async def by_closing_the_client(echo: Any, close: Callable[[], Awaitable[None]]) -> None:
    await anext(echo)
    await close()


async def by_dropping(echo: Any, _close: Callable[[], Awaitable[None]]) -> None:
    await anext(echo)


@pytest.mark.parametrize("interceptor", [None, AsyncPassing])
@pytest.mark.parametrize("is_waiting", [True, False], ids=["waiting", "sending"])
@pytest.mark.parametrize(
    ("leave", "code"),
    [
        (to_the_end, grpc.StatusCode.OK),
        (to_the_end, grpc.StatusCode.NOT_FOUND),
        (by_aclose, None),
        (by_cancelling, None),
        (by_closing_the_client, None),
        (by_dropping, None),
    ],
)
def test_the_requests_come_to_their_end_with_the_call(
    *,
    leave: Callable[..., Awaitable[None]],
    code: grpc.StatusCode | None,
    is_waiting: bool,
    interceptor: type[AsyncPassing] | None,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    class Late(Words):
        def echo(self, words: Iterator[Any], _context: Context) -> Iterator[Any]:
            next(words)
            if leave is not by_cancelling:
                yield Word(text="a")
            self.leave.wait(HANG)

    service = early(["a"], code) if code is not None else Late()
    requests = Patient(is_waiting=is_waiting)
    interceptors = [interceptor()] if interceptor is not None else []

    async def main(target: str) -> None:
        asyncio.get_running_loop().slow_callback_duration = HANG  # a busy machine is no fault
        connected = async_stub(
            WordsStub, target, insecure=True, timeout=20.0, interceptors=interceptors
        )
        async with connected as made:
            await leave(made.Echo(requests), connected.close)
            if leave is to_the_end or leave is by_aclose or leave is by_cancelling:
                assert requests.ended == ["ended"]
        assert asyncio.all_tasks() == {asyncio.current_task()}
        service.leave.set()
        assert requests.ended == ["ended"]

    with serving(service) as target:
        asyncio.run(main(target), debug=True)
    gc.collect()
    assert [each for each in caplog.records if each.levelno > logging.INFO] == []
    assert "Task was destroyed" not in capfd.readouterr().err


def test_the_requests_may_read_the_answers() -> None:
    heard: list[str] = []
    done = asyncio.Event()

    async def talk(answers: list[Any]) -> AsyncIterator[Any]:
        yield Word(text="a")
        async for answer in answers[0]:
            heard.append(answer.text)
            if len(heard) == 3:
                done.set()
                return
            yield Word(text=answer.text + "a")

    async def main(target: str) -> None:
        async with async_stub(WordsStub, target, insecure=True, timeout=20.0) as made:
            answers: list[Any] = []
            answers.append(made.Echo(talk(answers)))
            async with answers[0]:
                await asyncio.wait_for(done.wait(), HANG)
            answers.append(made.Echo(closing(answers)))
            with pytest.raises(Cancelled):
                async for _ in answers[1]:
                    pass

    async def closing(answers: list[Any]) -> AsyncIterator[Any]:
        yield Word(text="a")
        await answers[1].aclose()

    with serving(Words()) as target:
        asyncio.run(main(target))
    assert heard == ["a", "aa", "aaa"]


def test_requests_that_break_leave_nothing_behind() -> None:
    with serving(Words()) as target, stub(WordsStub, target, insecure=True) as made:
        before = threading.active_count()
        for _ in range(20):
            with pytest.raises(Broken):
                made.Join(breaking(Broken()))
        for _ in range(1000):  # gRPC's threads end a little later
            if threading.active_count() <= before + 4:  # the server has four
                break
            time.sleep(0.01)
        else:
            raise AssertionError(threading.enumerate())


def test_a_call_with_one_response_ends_with_it(caplog: pytest.LogCaptureFixture) -> None:
    async def main(target: str) -> None:
        async with async_stub(WordsStub, target, insecure=True) as made:
            await made.Join(words_of("b"))

    caplog.set_level("DEBUG", "toolwire")
    with serving(Words()) as target:
        with stub(WordsStub, target, insecure=True) as made:
            made.Join(words_of("a"))
        asyncio.run(main(target))
    records: list[Any] = caplog.records
    assert [record.call.code for record in records] == ["OK", "OK"]


@pytest.mark.parametrize("kind", ["blocking", "async"])
def test_the_log_tells_what_an_iterable_of_requests_has_sent(
    kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def main(target: str) -> None:
        async with async_stub(WordsStub, target, insecure=True, log_contents=True) as made:
            await made.Join([{"text": "a"}, {"text": "bcd"}])
            with pytest.raises(InvalidArgument):
                await made.Join([])
            assert [each.text async for each in made.Echo(words_of("e"))] == ["e"]

    caplog.set_level("DEBUG", "toolwire")
    with serving(Words()) as target:
        if kind == "async":
            asyncio.run(main(target))
        else:
            with stub(WordsStub, target, insecure=True, log_contents=True) as made:
                made.Join([{"text": "a"}, {"text": "bcd"}])
                with pytest.raises(InvalidArgument):
                    made.Join([])
                assert [each.text for each in made.Echo(words_of("e"))] == ["e"]
    records: list[Any] = caplog.records
    assert [record.getMessage() for record in records if not record.call.code] == [
        'Words.Join sent {"text":"a"}',
        'Words.Join received {"text":"a bcd"}',
        'Words.Echo sent {"text":"e"}',
        'Words.Echo received {"text":"e"}',
    ]
    assert [record.call.sent for record in records if record.call.code] == [8, 0, 3]


def test_a_secret_in_the_first_of_many_requests_is_shown_nowhere(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Echoing(Words):
        def join(self, words: Iterator[Any], context: Context) -> Any:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, f"{next(words).api_key} is no key")

        def echo(self, words: Iterator[Any], _context: Context) -> Iterator[Any]:
            yield Word(text=next(words).api_key)

    async def main(target: str) -> None:
        async with async_stub(WordsStub, target, insecure=True, log_contents=True) as made:
            with pytest.raises(InvalidArgument, match=r"\*+ is no key"):
                await made.Join([{"api_key": "hush-hush"}])
            assert [each.text async for each in made.Echo([{"api_key": "hush-hush"}])]

    caplog.set_level("DEBUG", "toolwire")
    with serving(Echoing()) as target:
        with stub(WordsStub, target, insecure=True, log_contents=True) as made:
            with pytest.raises(InvalidArgument, match=r"\*+ is no key"):
                made.Join([{"api_key": "hush-hush"}])
            assert list(made.Echo([{"api_key": "hush-hush"}]))
        asyncio.run(main(target))
    assert "hush-hush" not in caplog.text
    assert caplog.text.count('sent {"apiKey":"*********"}') == 4


def test_a_stub_may_be_closed_by_hand() -> None:
    async def main(target: str) -> None:
        async with contextlib.aclosing(async_stub(WordsStub, target, insecure=True)) as connected:
            assert (await connected.stub.One(Word(text="a"))).text == "A"
        with pytest.raises(UsageError, match="closed"):
            await connected.stub.One(Word(text="a"))

    with serving(Words()) as target:
        with contextlib.closing(stub(WordsStub, target, insecure=True)) as connected:
            assert connected.stub.One(Word(text="a")).text == "A"
        with pytest.raises(UsageError, match="closed"):
            connected.stub.One(Word(text="a"))
        asyncio.run(main(target))


class Telling(Words):
    """Sends metadata before and after its responses: the number of the attempt."""

    def __init__(self) -> None:
        super().__init__()
        self.attempts = 0

    def tell(self, context: Any) -> None:
        self.attempts += 1
        context.send_initial_metadata((("x-before", f"{self.attempts}"), ("x-raw-bin", b"\xff")))
        context.set_trailing_metadata((("x-after", f"{self.attempts}"),))

    def one(self, word: Any, context: Context) -> Any:
        self.tell(context)
        return super().one(word, context)

    def split(self, word: Any, context: Context) -> Iterator[Any]:
        self.tell(context)
        yield from super().split(word, context)

    def join(self, words: Iterator[Any], context: Context) -> Any:
        self.tell(context)
        return super().join(words, context)

    def echo(self, words: Iterator[Any], context: Context) -> Iterator[Any]:
        self.tell(context)
        yield from super().echo(words, context)


def told(number: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """What such a service sends in an attempt."""
    return (("x-before", f"{number}"), ("x-raw-bin", b"\xff")), (("x-after", f"{number}"),)


def test_what_comes_along_with_responses() -> None:
    service = Telling()
    with serving(service) as target, stub(WordsStub, target, insecure=True) as words:
        service.failures = 1
        response, call = words.One.with_call({"text": "a"}, 20, {"x-mine": "1"}, retries=1)
        assert response.text == "A"
        assert (call.initial_metadata(), call.trailing_metadata()) == told(2)
        response, call = words.Join.with_call(words_of("b", "c"), timeout=20)
        assert response.text == "b c"
        assert (call.initial_metadata(), call.trailing_metadata()) == told(3)
        for method, sent, number in (
            (words.Split, Word(text="d e"), 4),
            (words.Echo, words_of("d", "e"), 5),
        ):
            stream = method(sent)
            before, after = told(number)
            assert stream.initial_metadata() == before
            assert next(stream).text == "d"
            with pytest.raises(UsageError, match="read the stream to its end"):
                stream.trailing_metadata()
            assert [each.text for each in stream] == ["e"]
            assert (stream.initial_metadata(), stream.trailing_metadata()) == (before, after)
        with pytest.raises(InvalidArgument, match="no words"):
            words.Join.with_call([])
        with pytest.raises(UsageError, match="takes no wait_for_ready"):
            words.One.with_call(Word(), wait_for_ready=True)
        service.failures = 1
        with pytest.raises(Unavailable):
            words.One.with_call(Word(), retries=0)


def test_what_comes_along_with_responses_in_a_loop() -> None:
    service = Telling()

    async def main(target: str) -> None:
        async with async_stub(WordsStub, target, insecure=True, timeout=20.0) as words:
            service.failures = 1
            response, call = await words.One.with_call({"text": "a"}, 20, retries=1)
            assert response.text == "A"
            assert (call.initial_metadata(), call.trailing_metadata()) == told(2)
            response, call = await words.Join.with_call(words_of("b", "c"))
            assert response.text == "b c"
            assert (call.initial_metadata(), call.trailing_metadata()) == told(3)
            for method, sent, number in (
                (words.Split, Word(text="d e"), 4),
                (words.Echo, words_of("d", "e"), 5),
            ):
                stream = method(sent)
                before, after = told(number)
                assert await stream.initial_metadata() == before
                assert (await stream.__anext__()).text == "d"
                with pytest.raises(UsageError, match="read the stream to its end"):
                    await stream.trailing_metadata()
                assert [each.text async for each in stream] == ["e"]
                assert await stream.initial_metadata() == before
                assert await stream.trailing_metadata() == after
            service.failures = 1
            with pytest.raises(Unavailable):
                await words.One.with_call(Word(), retries=0)

    with serving(service) as target:
        asyncio.run(main(target))


@pytest.mark.parametrize("connect", [stub, async_stub])
def test_methods_have_what_their_types_say_and_nothing_else(connect: Any) -> None:
    words = connect(WordsStub, "localhost:1", insecure=True).stub
    for method, more in (
        (words.One, {"with_call"}),
        (words.Split, set[str]()),
        (words.Join, {"with_call"}),
        (words.Echo, set[str]()),
    ):
        assert {name for name in dir(method) if not name.startswith("_")} == more


class PassingOne(grpc.UnaryUnaryClientInterceptor):
    def __init__(self) -> None:
        self.seen: list[str] = []

    def intercept_unary_unary(
        self, continuation: Any, client_call_details: Any, request: Any
    ) -> Any:
        self.seen.append(client_call_details.method)
        return continuation(client_call_details, request)


@pytest.mark.parametrize(
    ("interceptor", "expected"),
    [(Passing(), told(2)), (Generating(), ((), ()))],
    ids=lambda each: type(each).__name__,
)
def test_interceptors_see_these_calls_and_may_keep_what_comes_along(
    interceptor: Any, expected: tuple[Any, Any]
) -> None:
    one = PassingOne()
    with (
        serving(Telling()) as target,
        stub(WordsStub, target, insecure=True, interceptors=[one, interceptor]) as words,
    ):
        _, call = words.One.with_call(Word(text="a"))
        assert (call.initial_metadata(), call.trailing_metadata()) == told(1)
        response, call = words.Join.with_call(words_of("b"))
        assert response.text == "b"
        assert (call.initial_metadata(), call.trailing_metadata()) == expected
    assert one.seen == ["/words.Words/One"]


class Silent(Words):
    """Has nothing to say, at the second attempt, or once it need not hang any more."""

    def __init__(self, hang: Hang | None = None) -> None:
        super().__init__()
        self.hang = hang
        self.failures = 0 if hang else 1

    def split(self, word: Any, _context: Context) -> Iterator[Any]:
        if self.hang is not None:
            self.hang(word)
        if self.failures:
            self.failures -= 1
            _context.abort(grpc.StatusCode.UNAVAILABLE, "later")
        return iter(())


def test_who_waits_for_what_comes_before_a_stream_is_told_of_its_end(hang: Hang) -> None:
    with serving(Silent(hang)) as target, stub(WordsStub, target, insecure=True) as words:
        stream = words.Split(Word())
        closing = threading.Thread(target=lambda: (hang.entered.wait(), stream.close()))
        closing.start()
        assert stream.initial_metadata() == ()
        closing.join()
        hang.let_go()


def test_who_waits_for_what_comes_before_a_stream_is_told_of_its_end_in_a_loop(hang: Hang) -> None:
    async def main(target: str) -> None:
        async with async_stub(WordsStub, target, insecure=True) as words:
            stream = words.Split(Word())
            waiting = asyncio.create_task(stream.initial_metadata())
            await asyncio.to_thread(hang.entered.wait)
            await stream.aclose()
            assert await waiting == ()

    with serving(Silent(hang)) as target:
        asyncio.run(main(target))
        hang.let_go()


def test_a_stream_that_was_begun_again_ends_well(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "toolwire")
    with serving(Silent()) as target, stub(WordsStub, target, insecure=True) as words:
        stream = words.Split(Word())
        assert list(stream) == []
        assert stream.trailing_metadata() == ()
    records: list[Any] = caplog.records
    assert [record.call.code for record in records] == ["OK"]


def test_retries_and_deadline() -> None:
    service = Words()
    retried: list[int] = []
    with (
        serving(service) as target,
        stub(
            WordsStub, target, insecure=True, retries=2, on_retry=lambda r: retried.append(r.number)
        ) as words,
    ):
        service.failures = 2
        assert words.One(Word(text="a"), timeout=20).text == "A"
        assert retried == [1, 2]
        service.failures = 1
        with pytest.raises(Unavailable):
            words.One(Word(text="a"), retries=0)
        with pytest.raises(DeadlineExceeded):
            words.One(Word(text="slow"), timeout=0.1)
        service.leave.set()


def test_many_requests_are_sent_once_even_out_of_a_list() -> None:
    class Away(Words):
        def join(self, words: Iterator[Any], context: Context) -> Any:
            self.joined += [word.text for word in words]
            context.abort(grpc.StatusCode.UNAVAILABLE, "later")

    async def main(target: str) -> None:
        async with async_stub(WordsStub, target, insecure=True) as words:
            with pytest.raises(Unavailable) as caught:
                await words.Join(words_of("a", "b"))
            assert caught.value.attempts == 1

    service = Away()
    with serving(service) as target:
        with stub(WordsStub, target, insecure=True) as words:
            with pytest.raises(Unavailable) as caught:
                words.Join(words_of("a", "b"), retries=0)
            assert caught.value.attempts == 1
            with pytest.raises(UsageError, match="Join is never made again by itself"):
                words.Join(words_of("a", "b"), retries=1)
        asyncio.run(main(target))
    assert service.joined == ["a", "b"] * 2


def test_the_credential_is_only_what_was_given(
    secure_server: Server, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "key-of-the-environment")
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "/no/such/file")
    monkeypatch.setenv("GOOGLE_API_USE_CLIENT_CERTIFICATE", "true")
    make = v1.grpc.PredictionServiceStub
    connected = stub(make, secure_server.target, root_certificates=pair.certificate)
    with connected as prediction:
        prediction.GenerateContent(REQUEST)
    assert "no credential" in repr(connected)
    assert secure_server.last().header("x-goog-api-key") is None
    assert secure_server.last().header("authorization") is None
    with stub(
        make, secure_server.target, root_certificates=pair.certificate, api_key="some-key"
    ) as prediction:
        prediction.GenerateContent(REQUEST)
    assert secure_server.last().header("x-goog-api-key") == "some-key"


def test_a_target_may_be_any_of_grpcs(tmp_path: Path) -> None:
    async def main(target: str) -> str:
        async with async_stub(WordsStub, target, insecure=True, api_key="some-key") as words:
            return str((await words.One(Word(text="a"))).text)

    service = Words()
    with serving(service) as address, serving(service, f"unix:{tmp_path}/socket") as socket:
        port = address.rpartition(":")[2]
        for target in (
            socket,
            f"unix://{tmp_path}/socket",
            f"dns:///localhost:{port}",
            f"ipv4:127.0.0.1:{port}",
        ):
            connected = stub(WordsStub, target, insecure=True, api_key="some-key")
            assert f"endpoint='{target}'" in repr(connected)
            with connected as words:
                assert words.One(Word(text="a")).text == "A"
            assert asyncio.run(main(target)) == "A"
    with stub(WordsStub, socket, insecure=True, retries=0) as words:
        with pytest.raises(Unavailable) as caught:
            words.One(Word(text="a"))
        assert caught.value.endpoint == socket


def test_a_certificate_for_another_name_than_the_target(secure_server: Server, pair: Pair) -> None:
    port = secure_server.target.rpartition(":")[2]
    with stub(
        v1.grpc.PredictionServiceStub,
        f"ipv4:127.0.0.2:{port},127.0.0.1:{port}",
        root_certificates=pair.certificate,
        channel_options=[("grpc.ssl_target_name_override", "localhost")],
    ) as prediction:
        assert text_of(prediction.GenerateContent(REQUEST)) == "ok"


def test_a_ready_channel_in_place_of_a_target() -> None:
    async def main(target: str) -> None:
        async with grpc.aio.insecure_channel(target) as channel:
            for _ in range(2):  # it stays open
                async with async_stub(WordsStub, channel=channel, retries=0) as words:
                    assert (await words.One(Word(text="a"))).text == "A"
                    assert [each.text async for each in words.Echo(words_of("b"))] == ["b"]
            other: Any = {"interceptors": [AsyncPassing()]}
            with pytest.raises(UsageError, match="leaves nothing for interceptors"):
                async_stub(WordsStub, channel=channel, **other)

    with serving(Words()) as target:
        one = PassingOne()
        with grpc.insecure_channel(target) as channel:
            for _ in range(2):
                connected = stub(WordsStub, channel=channel, interceptors=[one])
                assert "a ready channel" in repr(connected)
                with connected as words:
                    assert words.One(Word(text="a")).text == "A"
                    assert words.Join(words_of("b")).text == "b"
            assert len(one.seen) == 2
            for more, fault in (
                ({"target": target}, "a ready channel leaves nothing for target"),
                ({"channel_options": [("a", 1)]}, "leaves nothing for channel_options"),
                ({"api_key": "some-key"}, "brings its own security"),
            ):
                wrong: Any = more
                with pytest.raises(UsageError, match=fault):
                    stub(WordsStub, channel=channel, **wrong)
            misplaced: Any = channel
            for wrong in ((), (misplaced,)):
                with pytest.raises(
                    UsageError, match="a target as text, or a ready channel=, found"
                ):
                    stub(WordsStub, *wrong)
            with pytest.raises(UsageError, match=r"expected a grpc\.aio\.Channel, found a grpc\."):
                async_stub(WordsStub, channel=misplaced)
        asyncio.run(main(target))


def test_errors_are_the_clients(server: Server) -> None:
    server.generate = lambda _request, _context: b"\xff"
    with stub(v1.grpc.PredictionServiceStub, server.target, insecure=True) as prediction:
        with pytest.raises(CallError, match="the response is not a valid google") as caught:
            prediction.GenerateContent(REQUEST)
        assert caught.value.endpoint == server.target
        server.stream = lambda _request, _context: [chunk("a"), b"\xff"]
        stream = prediction.StreamGenerateContent(REQUEST)
        assert next(iter(stream))
        with pytest.raises(CallError, match="the response is not"):
            next(iter(stream))


def test_what_cannot_work() -> None:
    class Odd:
        def __init__(self, channel: Any) -> None:
            channel.unary_unary("/a.B/C", bytes, bytes)

    for connect in (stub, async_stub):
        with pytest.raises(UsageError, match=r"/a\.B/C is no method of a stub that protobuf's"):
            connect(Odd, "localhost:1", insecure=True)
        for odd, found in (
            (5, "a Python int"),
            (int, "the class int"),
            (v1.Tool, "the class Tool"),
        ):
            make: Any = odd
            with pytest.raises(UsageError, match=f"the class of a generated stub, found {found}"):
                connect(make, "localhost:1", insecure=True)
    with pytest.raises(UsageError, match="only a loopback address"):
        stub(WordsStub, "example.com:80", insecure=True, api_key="some-key")
    with pytest.raises(UsageError, match="target takes host or host:port"):
        stub(WordsStub, "a b")
    with stub(WordsStub, "localhost:1", insecure=True) as words:
        with pytest.raises(UsageError, match="takes no compression: channel_options= of the stub"):
            words.One(Word(), compression=grpc.Compression.Gzip)
        with pytest.raises(UsageError, match="takes no wait_for_ready: it is made again"):
            words.One(Word(), wait_for_ready=True)
        with pytest.raises(UsageError, match="takes no 'deadline'"):
            words.One(Word(), deadline=1)
        with pytest.raises(UsageError, match=r"takes no 'text': .* as the first argument"):
            words.One(text="x")
        with pytest.raises(UsageError, match="takes its request"):
            words.One(timeout=1)
        for none, found in ((None, "NoneType"), ("x", "str"), (5, "int")):
            for method in (words.One, words.One.with_call, words.Split):
                with pytest.raises(
                    UsageError,
                    match=f"takes a Word, as a message or a dict, found a Python {found}",
                ):
                    method(none)
    mistyped: Any = {"log_content": True}
    with pytest.raises(
        UsageError, match=r"takes no 'log_content'; did you mean \"log_contents\"\?"
    ):
        stub(WordsStub, "localhost:1", **mistyped)
    with pytest.raises(UsageError, match="closed"):
        words.One(Word())
