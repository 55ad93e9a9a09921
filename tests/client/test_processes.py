"""Threads, forks, pickles; what is imported when; what stays behind."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import copy
import gc
import inspect
import os
import pickle
import threading
from typing import Any

import pytest

from support.grpc_servers import Server, text_of
from support.programs import run_code
from toolwire._client import _types
from toolwire.client import AsyncClient, Client, UsageError


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


FORK = """
    import os, sys, time
    import toolwire
    from toolwire.client import Client, UsageError

    target, before = sys.argv[1:]
    client = Client(api_endpoint=target, insecure=True, project="p", location="l", timeout=20)
    if before == "used":
        client.generate_content("m", "x")
    child = os.fork()
    if child == 0:
        began = time.monotonic()
        for each in (client, Client(api_endpoint=target, insecure=True, project="p", location="l")):
            try:
                each.generate_content("m", "x")
                print("child works", flush=True)
            except UsageError as error:
                print("child refuses:", error, flush=True)
            each.close()
        assert time.monotonic() - began < 10
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    client.generate_content("m", "x")
    print("parent works")
    client.close()
"""

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")


@needs_fork
def test_a_fork_before_the_first_call_does_no_harm(server: Server) -> None:
    output = run_code(FORK, server.target, "unused")
    assert output.splitlines() == ["child works", "child works", "parent works"]


@needs_fork
def test_a_child_of_a_parent_that_called_is_refused_at_once(server: Server) -> None:
    lines = run_code(FORK, server.target, "used").splitlines()
    assert [line[:13] for line in lines] == ["child refuses", "child refuses", "parent works"]
    assert "spawn or forkserver" in lines[0]


@needs_fork
def test_or_works_with_grpcs_fork_support(server: Server) -> None:
    output = run_code(FORK, server.target, "used", env={"GRPC_ENABLE_FORK_SUPPORT": "true"})
    assert output.splitlines() == ["child works", "child works", "parent works"]


@needs_fork
def test_a_ready_channel_of_the_parent_is_refused(server: Server) -> None:
    code = """
        import os, sys
        import grpc
        from toolwire.client import Client, UsageError

        client = Client(channel=grpc.insecure_channel(sys.argv[1]), project="p", location="l")
        child = os.fork()
        if child == 0:
            try:
                client.generate_content("m", "x")
            except UsageError as error:
                print(error, flush=True)
            os._exit(0)
        os.waitpid(child, 0)
    """
    assert "made in the parent" in run_code(code, server.target)


@pytest.mark.parametrize("take", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_client_cannot_be_pickled(client: Client, take: Any) -> None:
    with pytest.raises(UsageError, match="make one in each process"):
        take(client)


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
        for name in ("_hosts", "_names", "_headers", "_secrets", "_methods", "_inputs", "_identity",
                     "_settings", "_core", "_failures", "_fork", "_types"):
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
