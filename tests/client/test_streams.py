"""Streams: leaving one cancels it, whichever way it is left."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import contextlib
import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from support.grpc_servers import Context, Server, chunk, text_of
from support.hangs import HANG, Hang
from support.programs import run_code
from toolwire.client import Cancelled, Client, Stream, UsageError


class Endless:
    """Sends one chunk, then others while ``go_on`` is set, and notes that it was cancelled."""

    def __init__(self, server: Server) -> None:
        self.cancelled = threading.Event()
        self.started = threading.Event()
        self.leave = threading.Event()
        server.stream = self.stream

    def stream(self, _request: Any, context: Context) -> Iterator[bytes]:
        context.add_callback(self.cancelled.set)
        self.started.set()
        yield chunk("first")
        while context.is_active() and not self.leave.wait(0.01):
            pass

    def was_cancelled(self) -> bool:
        return self.cancelled.wait(HANG)


@pytest.fixture
def endless(server: Server) -> Iterator[Endless]:
    made = Endless(server)
    yield made
    made.leave.set()


def test_to_the_end(client: Client) -> None:
    with client.stream_generate_content("m", "x") as stream:
        assert isinstance(stream, Stream)
        assert iter(stream) is stream
        assert [text_of(each) for each in stream] == ["a", "b", "c"]
        with pytest.raises(StopIteration):
            next(stream)
        stream.close()
        with pytest.raises(StopIteration):
            next(stream)


def test_an_empty_stream(server: Server, client: Client) -> None:
    server.stream = lambda _request, _context: []
    assert list(client.stream_generate_content("m", "x")) == []


def test_a_break_cancels(client: Client, endless: Endless) -> None:
    for response in client.stream_generate_content("m", "x"):
        assert text_of(response) == "first"
        break
    gc.collect()
    assert endless.was_cancelled()


def test_the_end_of_a_with_block_cancels(client: Client, endless: Endless) -> None:
    with client.stream_generate_content("m", "x") as stream:
        for _ in stream:
            break
    assert endless.was_cancelled()
    with pytest.raises(Cancelled):
        next(stream)


def test_an_exception_in_the_with_block_cancels_and_passes(
    client: Client, endless: Endless
) -> None:
    def leave(stream: Stream[Any]) -> None:
        next(stream)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), client.stream_generate_content("m", "x") as stream:
        leave(stream)
    assert endless.was_cancelled()


def test_close_cancels_as_often_as_it_is_called(client: Client, endless: Endless) -> None:
    stream = client.stream_generate_content("m", "x")
    assert endless.started.wait(HANG)
    stream.close()
    stream.close()
    assert endless.was_cancelled()
    for _ in range(2):
        with pytest.raises(Cancelled):
            next(stream)


def test_a_stream_that_was_never_read_is_cancelled_with_its_last_reference(
    client: Client, endless: Endless
) -> None:
    stream = client.stream_generate_content("m", "x")
    assert endless.started.wait(HANG)
    del stream
    gc.collect()
    assert endless.was_cancelled()


def test_another_thread_may_close(client: Client, endless: Endless) -> None:
    stream = client.stream_generate_content("m", "x")
    assert text_of(next(stream)) == "first"
    closer = threading.Timer(0.2, stream.close)
    closer.start()
    with pytest.raises(Cancelled):
        next(stream)
    closer.join()
    assert endless.was_cancelled()


def interrupt_once(is_waiting: Callable[[], bool]) -> threading.Thread:
    main = threading.main_thread().ident
    assert main is not None

    def run() -> None:
        while not is_waiting():
            time.sleep(0.001)
        signal.pthread_kill(main, signal.SIGINT)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_ctrl_c_passes(server: Server, client: Client, endless: Endless, hang: Hang) -> None:
    stream = client.stream_generate_content("m", "x")
    next(stream)
    thread = interrupt_once(stream._reading.locked)
    with pytest.raises(KeyboardInterrupt), stream:
        next(stream)
    thread.join()
    assert endless.was_cancelled()

    def wait(_request: Any, _context: Context) -> bytes:
        hang()
        return chunk()

    server.generate = wait
    thread = interrupt_once(hang.entered.is_set)
    with pytest.raises(KeyboardInterrupt):
        client.generate_content("m", "x")
    thread.join()
    hang.let_go()


def test_streams_side_by_side(client: Client) -> None:
    streams = [client.stream_generate_content("m", "x") for _ in range(5)]
    rounds = [[text_of(next(stream)) for stream in streams] for _ in range(3)]
    assert rounds == [[letter] * 5 for letter in "abc"]
    for stream in streams:
        stream.close()


def test_streams_that_were_left_keep_no_memory(server: Server) -> None:
    code = """
        import gc, sys
        from toolwire.client import Client

        def resident():
            gc.collect()
            with open("/proc/self/statm") as statm:
                return int(statm.read().split()[1]) * 4  # KiB, for pages of 4 KiB

        def leave(client, times):
            for _ in range(times):
                for _ in client.stream_generate_content("m", "x"):
                    break

        with Client(api_endpoint=sys.argv[1], insecure=True, project="p", location="l") as client:
            leave(client, 200)
            before = resident()
            leave(client, 600)
            grown = resident() - before
            assert grown < 4000, grown
    """
    run_code(code, server.target)


def test_one_thread_at_a_time_may_read(client: Client, endless: Endless) -> None:
    stream = client.stream_generate_content("m", "x")
    assert text_of(next(stream)) == "first"
    ended = threading.Event()

    def read() -> None:
        with contextlib.suppress(Cancelled):
            next(stream)
        ended.set()

    reader = threading.Thread(target=read)
    reader.start()
    while not stream._reading.locked():
        time.sleep(0.001)
    with pytest.raises(UsageError, match="another thread is reading"):
        next(stream)
    stream.close()
    assert ended.wait(HANG)
    reader.join()
    assert endless.was_cancelled()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_a_stream_stays_in_its_process(server: Server) -> None:
    code = """
        import gc, os, signal, sys
        from toolwire.client import Client, UsageError

        def child(stream):
            try:
                next(stream)
            except UsageError as error:
                print(error, flush=True)
            stream.close()

        with Client(api_endpoint=sys.argv[1], insecure=True, project="p", location="l") as client:
            stream = client.stream_generate_content("m", "x", timeout=20)
            next(stream)
            if os.fork() == 0:
                signal.alarm(10)
                child(stream)
                del stream
                gc.collect()
                os._exit(0)
            assert os.wait()[1] == 0
            print(len(list(stream)))
    """
    lines = run_code(code, server.target).splitlines()
    assert lines == ["this stream was begun in the parent of this process", "2"]
