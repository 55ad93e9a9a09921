"""Threads, forks, pickles; what is imported when; what stays behind."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import copy
import gc
import inspect
import os
import pickle
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from support.grpc_servers import Server, text_of
from support.programs import run_code
from toolwire import client as clients
from toolwire._client.calls import _types
from toolwire.client import AsyncClient, Client, UsageError
from toolwire.testing import LocalServer


@pytest.fixture(scope="module")
def local() -> Iterator[LocalServer]:
    with LocalServer() as server:
        yield server


def test_many_threads_open_one_channel(server: Server, client: Client) -> None:
    barrier = threading.Barrier(32)
    texts: list[str] = []

    def call() -> None:
        barrier.wait()
        texts.append(text_of(client.generate_content("m", "x")))
        texts.extend(text_of(each) for each in client.stream_generate_content("m", "x"))

    threads = [threading.Thread(target=call) for _ in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(texts) == sorted(["ok", "a", "b", "c"] * 32)
    assert len(server.peers) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
@pytest.mark.parametrize(
    ("where", "says"),
    [
        ("api_endpoint=sys.argv[1], insecure=True", "spawn or forkserver"),
        ("channel=grpc.insecure_channel(sys.argv[1])", "made in the parent"),
    ],
)
def test_a_child_is_told_why_it_is_refused(server: Server, where: str, says: str) -> None:
    code = f"""
        import os, sys
        import grpc
        from toolwire.client import Client, UsageError

        client = Client({where}, project="p", location="l")
        client.generate_content("m", "x")
        child = os.fork()
        if child == 0:
            try:
                client.generate_content("m", "x")
            except UsageError as error:
                print(error, flush=True)
            os._exit(0)
        os.waitpid(child, 0)
    """
    assert says in run_code(code, server.target)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (clients.Stream, {"close", "initial_metadata", "trailing_metadata"}),
        (clients.AsyncStream, {"aclose", "initial_metadata", "trailing_metadata"}),
        (clients.Session, {"close", "done_sending", "ready", "receive", "reply", "send"}),
        (clients.AsyncSession, {"aclose", "done_sending", "ready", "receive", "reply", "send"}),
        (clients.Connected, {"close"}),
        (clients.AsyncConnected, {"aclose", "close"}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_watches_forks_is_not_public(kind: type[object], names: set[str]) -> None:
    assert {name for name in dir(kind) if not name.startswith("_")} == names
    assert not hasattr(LocalServer, "after_fork")


@pytest.mark.parametrize("take", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_client_cannot_be_pickled(client: Client, take: Any) -> None:
    with pytest.raises(UsageError, match="make one in each process"):
        take(client)


@pytest.mark.parametrize("take", [pickle.dumps, copy.copy, copy.deepcopy])
def test_nor_can_what_a_call_gives(take: Any) -> None:
    with LocalServer() as server, server.client() as client, server.client(api="gemini") as other:
        apart = server.async_client(), server.async_client(api="gemini")
        given: list[Any] = [
            client.stream_generate_content("m", "x"),
            client.list_cached_contents(),
            other.bidi_generate_content("m"),
            apart[0].stream_generate_content("m", "x"),
            apart[0].list_cached_contents(),
        ]
        for each in given:
            with pytest.raises(UsageError, match=f"{type(each).__name__} cannot be pickled or"):
                take(each)


def test_clients_leave_nothing_behind(server: Server) -> None:
    code = """
        import gc, os, sys, threading, time
        from toolwire.client import Client

        def use():
            with Client(
                api_endpoint=sys.argv[1], insecure=True, project="p", location="l"
            ) as client:
                client.generate_content("m", "x")
                next(client.stream_generate_content("m", "x"))

        def count():
            gc.collect()
            clients = sum(isinstance(each, Client) for each in gc.get_objects())
            return len(os.listdir("/proc/self/fd")), threading.active_count(), clients

        for _ in range(3):
            use()
        before = count()
        for _ in range(20):
            use()
        for _ in range(100):  # gRPC closes sockets a little later
            after = count()
            if after[0] <= before[0] + 3 and after[1] <= before[1] and after[2] == 0:
                break
            time.sleep(0.1)
        else:
            raise AssertionError((before, after))
    """
    run_code(code, server.target)


@pytest.mark.parametrize("kind", ["Client", "AsyncClient"])
def test_calls_and_clients_keep_no_memory(server: Server, kind: str) -> None:
    code = """
        import asyncio, gc, sys
        from toolwire.client import AsyncClient, Client

        target, kind = sys.argv[1:]
        options = dict(api_endpoint=target, insecure=True, project="p", location="l")

        def resident():
            gc.collect()
            with open("/proc/self/statm") as statm:
                return int(statm.read().split()[1]) * 4  # KiB, for pages of 4 KiB

        async def use_async(times):
            async with AsyncClient(**options) as client:
                for _ in range(times):
                    await client.generate_content("m", "x" * 1000)

        def use(times):
            if kind == "AsyncClient":
                return asyncio.run(use_async(times))
            with Client(**options) as client:
                for _ in range(times):
                    client.generate_content("m", "x" * 1000)

        def run():
            for _ in range(30):
                use(1)
            use(1000)

        run()
        run()
        before = resident()
        run()
        run()
        grown = resident() - before
        assert grown < 4000, grown
    """
    run_code(code, server.target, kind)


def test_failed_calls_leave_no_cycles(client: Client) -> None:
    def fail() -> None:
        try:
            client.generate_content("m", "x", timeout=1e-6)
        except Exception as error:  # noqa: BLE001
            assert type(error).__name__ == "DeadlineExceeded"  # noqa: PT017

    fail()
    gc.collect()
    gc.disable()
    try:
        before = len(gc.get_objects())
        for _ in range(50):
            fail()
        grown = len(gc.get_objects()) - before
    finally:
        gc.enable()
    assert grown < 500


def test_importing_the_root_loads_no_grpc() -> None:
    code = """
        import sys
        import toolwire._call_errors, toolwire._apis
        import toolwire
        assert not {"grpc", "google.auth", "google.rpc"} & set(sys.modules)
        for name in ("_headers", "_secrets", "_fork", "endpoints._hosts", "endpoints._proxy",
                     "credentials._identity", "errors._failures", "requests._methods",
                     "requests._inputs", "calls._settings", "calls._core", "calls._types"):
            __import__("toolwire._client." + name)
        assert not {"grpc", "google.auth"} & set(sys.modules)
    """
    run_code(code)


@pytest.mark.parametrize(
    ("client", "options"), [(Client, _types.Options), (AsyncClient, _types.AsyncOptions)]
)
def test_the_options_of_the_overloads_are_the_arguments_of_the_constructor(
    client: type[object], options: Any
) -> None:
    parameters = inspect.signature(client).parameters
    assert set(options.__annotations__) == set(parameters) - {"api"}
    assert options.__total__ is False
    assert all(p.kind is inspect.Parameter.KEYWORD_ONLY for p in parameters.values())


_WITHOUT_THREADS = """
    import asyncio, sys, threading
    import grpc
    from toolwire.client import AsyncClient, Client, Unavailable

    class Lazy(grpc.UnaryStreamClientInterceptor, grpc.StreamStreamClientInterceptor):
        def intercept_unary_stream(self, continuation, details, request):
            yield from continuation(details, request)

        intercept_stream_stream = intercept_unary_stream

    def without_threads(act):
        size = threading.stack_size(1 << 47)  # which no address space has
        try:
            return act()
        except Unavailable as error:
            assert "no thread can be started" in error.message
            print("refused")
        finally:
            threading.stack_size(size)

    def talk(client):
        with client.bidi_generate_content("gemini-live") as session:
            session.send("Hello")
            return session.receive()

    def stream(client):
        return list(client.stream_generate_content("gemini-2.5-flash", "Hello"))

    def call(client):
        return client.generate_content("gemini-2.5-flash", "Hello")

    place = {"api": "gemini", "api_endpoint": sys.argv[1], "insecure": True}
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs threads that cannot be started")
@pytest.mark.parametrize("interceptors", ["()", "[Lazy()]"])
@pytest.mark.parametrize("act", ["stream", "talk"])
def test_a_stream_without_a_thread_takes_no_other_with_it(
    local: LocalServer, act: str, interceptors: str
) -> None:
    code = f"""
    with Client(**place, interceptors={interceptors}) as client:
        call(client)
        without_threads(lambda: {act}(client))
        assert {act}(client)
        print("went on")
    """
    said = run_code(f"{_WITHOUT_THREADS}{code}", local.target)
    assert said.split("\n") == ["refused", "went on", ""]


@pytest.mark.skipif(sys.platform != "linux", reason="needs threads that cannot be started")
def test_nor_does_one_that_lacks_it_when_it_begins_again(local: LocalServer) -> None:
    code = """
    class Failed(grpc.RpcError):
        code = lambda self: grpc.StatusCode.UNAVAILABLE

    class FailsOnce(Lazy):
        has_failed = False
        def intercept_unary_stream(self, continuation, details, request):
            if not self.has_failed:
                self.has_failed = True
                raise Failed
            yield from continuation(details, request)

    with Client(**place, interceptors=[FailsOnce()]) as client:
        client._caller.sleep = lambda seconds: None
        call(client)
        without_threads(lambda: stream(client))
        assert stream(client)
        print("went on")
    """
    said = run_code(f"{_WITHOUT_THREADS}{code}", local.target)
    assert said.split("\n") == ["refused", "went on", ""]


@pytest.mark.skipif(sys.platform != "linux", reason="needs threads that cannot be started")
def test_a_ready_channel_that_lacks_its_thread_is_not_waited_for(local: LocalServer) -> None:
    code = """
    with Client(api="gemini", channel=grpc.insecure_channel(sys.argv[1])) as client:
        without_threads(lambda: stream(client))
        try:
            stream(client)
        except Exception as error:
            print(type(error).__name__, error)
    """
    said = run_code(f"{_WITHOUT_THREADS}{code}", local.target)
    assert said.startswith("refused\nUsageError gRPC lacks a thread")


@pytest.mark.skipif(sys.platform != "linux", reason="needs threads that cannot be started")
def test_a_session_that_cannot_be_waited_for_goes_on(local: LocalServer) -> None:
    code = """
    with Client(**place) as client, client.bidi_generate_content("gemini-live") as session:
        without_threads(lambda: session.receive(timeout=0.1))
        session.send("Hello")
        assert session.receive()
        print("went on")
    """
    said = run_code(f"{_WITHOUT_THREADS}{code}", local.target)
    assert said.split("\n") == ["refused", "went on", ""]


@pytest.mark.skipif(sys.platform != "linux", reason="needs threads that cannot be started")
def test_an_event_loop_without_a_thread_does_not_end_the_process(local: LocalServer) -> None:
    code = """
    async def main():
        async with AsyncClient(**place) as client:
            size = threading.stack_size(1 << 47)
            try:
                await call(client)
            except Unavailable as error:
                print("refused")
            finally:
                threading.stack_size(size)
            assert await call(client)
            print("went on")

    asyncio.run(main())
    """
    said = run_code(f"{_WITHOUT_THREADS}{code}", local.target)
    assert said.split("\n") == ["refused", "went on", ""]


def test_a_program_ends_though_a_thread_holds_what_is_open(local: LocalServer) -> None:
    """Threads stand still for ever when the interpreter ends, with the locks that they hold."""
    code = """
        import sys
        import threading
        import grpc
        from toolwire.client import Client

        class Held(grpc.UnaryStreamClientInterceptor, grpc.StreamStreamClientInterceptor):
            def intercept_unary_stream(self, continuation, details, request):
                call = continuation(details, request)
                call.cancel = threading.Event().wait
                locks.append(call._state.condition)  # which gRPC takes to free the call
                return call

            intercept_stream_stream = intercept_unary_stream

        locks = []
        client = Client(
            api="gemini", api_endpoint=sys.argv[1], insecure=True, interceptors=[Held()]
        )
        session = client.bidi_generate_content("m")
        session.send("Hello")
        stream = client.stream_generate_content("m", "Hello")
        print(session.receive() is not None, next(stream) is not None)
        for lock in locks:
            threading.Thread(target=lock.acquire, daemon=True).start()
        print("done")
    """
    assert run_code(code, local.target).split() == ["True", "True", "done"]
