"""Stubs of any service over our channels: deadline, headers, retries, errors as of a client."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from support.grpc_servers import Context, Pair, Server, chunk, text_of
from toolwire import v1
from toolwire._errors import JsonError
from toolwire.client import (
    CallError,
    DeadlineExceeded,
    InvalidArgument,
    Unavailable,
    UsageError,
    async_stub,
    stub,
)

REQUEST = v1.GenerateContentRequest(model="any", contents=[{"parts": [{"text": "x"}]}])


def load() -> Any:
    """The class of a message ``Word`` in a pool of its own, with a service of four methods."""
    file = descriptor_pb2.FileDescriptorProto(name="words.proto", package="words", syntax="proto3")
    file.message_type.add(name="Word").field.add(name="text", number=1, type=9, label=1)
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
        text = " ".join(word.text for word in words)
        if not text:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, "no words")
        return Word(text=text)

    def echo(self, words: Iterator[Any], _context: Context) -> Iterator[Any]:
        yield from words


@contextlib.contextmanager
def serving(words: Words) -> Generator[str]:
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
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        yield f"127.0.0.1:{port}"
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
        with pytest.raises(InvalidArgument, match=r"call of Join at .* no words"):
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

    with pytest.raises(UsageError, match=r"/a\.B/C is no method of a stub that protobuf's"):
        stub(Odd, "localhost:1", insecure=True)
    with pytest.raises(UsageError, match="only a loopback address"):
        stub(WordsStub, "example.com:80", insecure=True, api_key="some-key")
    with pytest.raises(UsageError, match="no endpoint"):
        stub(WordsStub, "a b")
    with stub(WordsStub, "localhost:1", insecure=True) as words:
        with pytest.raises(UsageError, match="takes no compression: give it to the stub"):
            words.One(Word(), compression=grpc.Compression.Gzip)
        with pytest.raises(UsageError, match="takes no 'deadline'"):
            words.One(Word(), deadline=1)
    with pytest.raises(UsageError, match="closed"):
        words.One(Word())
