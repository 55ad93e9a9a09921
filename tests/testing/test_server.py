"""The life of a server: start, stop, ports, TLS, and nothing left behind."""

from __future__ import annotations

import os
import ssl
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography import x509

from support.calls import ask, text
from support.programs import run_code
from toolwire import v1
from toolwire._call_errors import NotFound
from toolwire._errors import Error, UsageError
from toolwire.testing import LocalServer

FDS = Path("/proc/self/fd")


def hello(server: LocalServer) -> str:
    with server.channel() as channel:
        return text(v1.grpc.PredictionServiceStub(channel).GenerateContent(ask("Hello")))


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(filter(None, sys.path))
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )


def test_start_and_stop() -> None:
    server = LocalServer()
    assert repr(server) == "<LocalServer stopped>"
    server.start()
    host, port = server.target.split(":")
    assert host == "127.0.0.1"
    assert repr(server) == f"<LocalServer on {server.target}>"
    assert int(port) > 0
    assert server.root_certificates is None
    assert hello(server) == "You said: Hello"
    server.stop()
    server.stop()
    with pytest.raises(Error, match="does not run"):
        _ = server.target


def test_a_second_start_is_an_error() -> None:
    with LocalServer() as server, pytest.raises(Error, match="runs already"):
        server.start()


def test_a_stopped_server_starts_again_on_its_port() -> None:
    with LocalServer() as server:
        port = int(server.target.rpartition(":")[2])
    again = LocalServer(port=port)
    for _ in range(2):
        with again:
            assert again.target == f"127.0.0.1:{port}"
            assert hello(again) == "You said: Hello"


def test_a_taken_port_is_an_error() -> None:
    with LocalServer() as server:
        other = LocalServer(port=int(server.target.rpartition(":")[2]))
        with pytest.raises(Error, match=r"cannot listen on 127\.0\.0\.1:\d+: the port is in use$"):
            other.start()
        assert repr(other).endswith("stopped>")


def test_two_servers_at_once() -> None:
    with LocalServer() as one, LocalServer(tls=True) as other:
        assert one.target != other.target
        assert hello(one) == hello(other)


@pytest.mark.parametrize(
    ("api", "text"), [("v7", "v1, v1beta1, gemini$"), ("firebase", "JSON alone")]
)
def test_a_client_of_an_api_that_is_not_served(server: LocalServer, api: Any, text: str) -> None:
    for make in (server.client, server.async_client):
        with pytest.raises(UsageError, match=text):
            make(api=api)


def test_tls_is_trusted_by_its_own_certificate_only() -> None:
    with LocalServer(tls=True) as server:
        assert hello(server) == "You said: Hello"
        pem = server.root_certificates
        assert pem is not None
        port = server.target.rpartition(":")[2]
        credentials = grpc.ssl_channel_credentials(pem)
        with grpc.secure_channel(f"localhost:{port}", credentials) as channel:
            stub = v1.grpc.PredictionServiceStub(channel)
            assert text(stub.GenerateContent(ask("x"))) == "You said: x"
        with grpc.secure_channel(server.target, grpc.ssl_channel_credentials()) as channel:
            stub = v1.grpc.PredictionServiceStub(channel)
            with pytest.raises(grpc.RpcError, match="UNAVAILABLE"):
                stub.GenerateContent(ask("x"))
        ssl.create_default_context(cadata=pem.decode())


def test_the_certificate_is_short_lived_and_names_the_host() -> None:
    with LocalServer(tls=True) as server:
        certificate = x509.load_pem_x509_certificate(server.root_certificates or b"")
    lifetime = certificate.not_valid_after_utc - certificate.not_valid_before_utc
    assert lifetime.days <= 2
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["localhost"]
    assert [str(ip) for ip in names.get_values_for_type(x509.IPAddress)] == ["127.0.0.1"]


def test_a_restart_keeps_the_certificate() -> None:
    server = LocalServer(tls=True)
    with server:
        first = server.root_certificates
    with server:
        assert server.root_certificates == first


def test_an_error_in_the_block_stops_the_server() -> None:
    server = LocalServer()
    with pytest.raises(ZeroDivisionError), server:
        _ = 1 / 0
    assert repr(server).endswith("stopped>")


@pytest.mark.skipif(not FDS.exists(), reason="counts open files in /proc")
def test_many_servers_leave_nothing_behind() -> None:
    code = """
        import os, threading, time
        from toolwire.testing import LocalServer

        def use():
            with LocalServer(tls=True) as server, server.client() as client:
                client.count_tokens("gemini-2.5-flash", "Hello")

        def held():
            return threading.active_count(), len(os.listdir("/proc/self/fd"))

        use()  # gRPC's own threads and files stay
        threads, files = held()
        for _ in range(15):
            use()
        end = time.monotonic() + 30  # gRPC lets go of some a little later
        while held()[0] > threads or held()[1] > files + 3:
            assert time.monotonic() < end, (threads, files, held())
            time.sleep(0.05)
    """
    run_code(code)


def test_stop_ends_streams_under_way() -> None:
    before = set(threading.enumerate())
    server = LocalServer()
    server.start()
    with server.channel() as channel:
        stub = v1.grpc.PredictionServiceStub(channel)
        stream = stub.StreamGenerateContent(ask("word " * 50_000))
        next(stream)
        server.stop()
        left = {thread.name for thread in set(threading.enumerate()) - before}
    assert not [name for name in left if name.startswith("toolwire-local-server")]


def test_a_grace_lets_calls_finish() -> None:
    server = LocalServer()
    server.start()
    with server.channel() as channel:
        stub = v1.grpc.PredictionServiceStub(channel)
        stream = stub.StreamGenerateContent(ask("word " * 10))
        first = next(stream)
        stopper = threading.Thread(target=server.stop, kwargs={"grace": 30})
        stopper.start()
        assert "".join(map(text, (first, *stream))) == "You said: " + "word " * 10
        stopper.join()


def test_calls_from_many_threads(server: LocalServer) -> None:
    failures: list[BaseException] = []

    def call() -> None:
        try:
            assert hello(server) == "You said: Hello"
        except BaseException as error:  # noqa: BLE001 - told below
            failures.append(error)

    threads = [threading.Thread(target=call) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_a_program_that_forgets_to_stop_still_ends() -> None:
    program = (
        "from toolwire.testing import LocalServer\ns = LocalServer()\ns.start()\nprint(s.target)"
    )
    done = run(program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("127.0.0.1:")


@pytest.mark.parametrize("package", ["grpc_health", "grpc_reflection", "cryptography"])
def test_a_missing_extra_names_the_command(package: str) -> None:
    program = (
        "import sys\n"
        f"sys.modules[{package!r}] = None\n"
        "from toolwire.testing import LocalServer\n"
        "from toolwire._errors import Error\n"
        "try:\n    LocalServer()\n"
        "except ImportError as error:\n    assert isinstance(error, Error)\n    print(error)\n"
    )
    done = run(program)
    assert done.returncode == 0, done.stderr
    assert 'pip install "toolwire[testing]"' in done.stdout
    assert package in done.stdout


def test_the_package_itself_loads_no_server() -> None:
    done = run(
        "import sys, toolwire\n"
        "from toolwire import v1, retrieval\n"
        "print([name for name in sys.modules if name.startswith('grpc')])\n"
    )
    assert done.stdout.strip() == "[]", done.stderr


def test_the_client_talks_to_the_server() -> None:
    pytest.importorskip("toolwire.client")
    for tls in (False, True):
        with LocalServer(tls=tls) as server, server.client() as client:
            response = client.generate_content("gemini-2.5-flash", "Hello")
            assert text(response) == "You said: Hello"
            assert response.model_version == "gemini-2.5-flash"


def test_a_client_takes_other_credentials_and_channels() -> None:
    with LocalServer(tls=True) as server, server.client(api_key="k") as client:
        assert text(client.generate_content("m", "Hello")) == "You said: Hello"
    for tls in (False, True):
        with LocalServer(tls=tls) as server, server.channel() as channel:
            with server.client(channel=channel) as client:
                assert text(client.generate_content("m", "Hello")) == "You said: Hello"
            with server.client(channel=None, api_key=None) as client:
                assert text(client.generate_content("m", "Hello")) == "You said: Hello"


@pytest.mark.parametrize("port", [-1, 65536, "80", None, True, 1.5])
def test_a_port_that_is_none(port: Any) -> None:
    with pytest.raises(UsageError, match="port: expected a whole number from 0 to 65535"):
        LocalServer(port=port)


@pytest.mark.parametrize("workers", [0, -1, "8", None, True, 2.5])
def test_a_number_of_workers_that_is_none(workers: Any) -> None:
    with pytest.raises(UsageError, match="workers: expected a whole number at least 1"):
        LocalServer(workers=workers)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
@pytest.mark.parametrize("ending", ["os._exit(0)", "sys.exit(0)"])
def test_a_forked_child_leaves_the_server_alone(ending: str) -> None:
    done = run(f"""if True:
        import os, sys, time
        from toolwire.testing import LocalServer
        from toolwire._errors import UsageError
        with LocalServer() as server:
            with server.client() as client:
                client.generate_content("m", "x")
            target = server.target
            child = os.fork()
            if child == 0:
                assert server.target == target
                server.stop()
                try:
                    server.start()
                except UsageError as error:
                    print("refused:", error, flush=True)
                {ending}
            assert os.waitpid(child, 0)[1] == 0
            with server.client() as client:
                client.generate_content("m", "x")
        print("parent works")
    """)
    assert done.returncode == 0, done.stderr
    refused, parent = done.stdout.splitlines()
    assert refused.startswith("refused: this process was forked")
    assert parent == "parent works"


@pytest.mark.parametrize("api", ["v1", "v1beta1", "gemini"])
def test_a_cached_content_that_is_not_there(server: LocalServer, api: Any) -> None:
    make: Any = server.client
    client = make(api=api)
    with client:
        made = client.create_cached_content(cached_content={"model": "m", "contents": "long"})
        assert client.generate_content("m", "x", cached_content=made.name).candidates
        client.delete_cached_content(made.name)
        with pytest.raises(NotFound, match="cached content"):
            client.generate_content("m", "x", cached_content=made.name)
        with pytest.raises(NotFound, match="cached content"):
            list(client.stream_generate_content("m", "x", cached_content="12345"))


def test_the_default_location_gives_way_to_a_full_name(server: LocalServer) -> None:
    model = "projects/p/locations/eu/publishers/google/models/m"
    with server.client() as client:
        assert client.generate_content(model, "x").candidates
    client = server.client(location="us-central1")
    with client, pytest.raises(UsageError, match="location= says 'us-central1'"):
        client.generate_content(model, "x")
