"""The command line, as somebody types it."""

from __future__ import annotations

import http.server
import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import toolwire
from support.terminals import on_terminal
from toolwire import v1
from toolwire.testing import LocalServer

if TYPE_CHECKING:
    from collections.abc import Iterator

TOOLWIRE = Path(sys.executable).parent / "toolwire"
COLOUR = "\x1b["


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [TOOLWIRE, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def blocks(output: str, label: str) -> list[dict[str, object]]:
    """The JSON that the demonstration printed under a label."""
    found: list[dict[str, object]] = []
    for match in re.finditer(rf"^{label}: (?=\{{)", output, re.MULTILINE):
        value, _ = json.JSONDecoder().raw_decode(output, match.end())
        found.append(value)
    return found


def test_the_demonstration_tells_the_whole_story() -> None:
    result = run("demo")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert COLOUR not in result.stdout
    tools = [toolwire.from_dict(v1.Tool, tool) for tool in blocks(result.stdout, "tool")]
    assert [len(tool.function_declarations) for tool in tools] == [2, 0]
    assert tools[1].HasField("retrieval")
    turns = [toolwire.from_dict(v1.Content, turn) for turn in blocks(result.stdout, "user")]
    calls = blocks(result.stdout, "model")[0]
    called = toolwire.from_dict(v1.Content, calls).parts
    assert len(called) == 2
    names = [part.function_call.name for part in called]
    assert [part.function_response.name for part in turns[1].parts] == names
    answer = toolwire.from_dict(v1.Content, blocks(result.stdout, "model")[1]).parts[0].text
    assert "shipped on Monday" in answer
    chunks = re.findall(r"^chunk \d+: '(.*)'$", result.stdout, re.MULTILINE)
    assert len(chunks) > 1
    assert "".join(chunks) == answer


@pytest.mark.parametrize("no_color", ["", "1"], ids=["colour", "NO_COLOR"])
def test_colours_are_for_terminals(no_color: str) -> None:
    parent, child = pty.openpty()
    environment = {**os.environ, "NO_COLOR": no_color, "TERM": "xterm"}
    with subprocess.Popen([TOOLWIRE, "demo"], stdout=child, env=environment) as process:
        os.close(child)
        output = b"".join(iter(lambda: _read(parent), b"")).decode()
        assert process.wait(timeout=60) == 0
    os.close(parent)
    assert (COLOUR in output) == (not no_color)


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux says so when the other side is closed
        return b""


def test_a_taken_port_is_said_to_be_in_use() -> None:
    with LocalServer() as server:
        target = server.target
        result = run("serve", "--port", target.rpartition(":")[2])
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == f"error: cannot listen on {target}: the port is in use\n"


@pytest.mark.parametrize("group", [[], ["proto"]], ids=["toolwire", "proto"])
def test_summaries_are_whole_in_80_columns(group: list[str]) -> None:
    shown = on_terminal([*group, "--help"], columns=80)
    commands = shown.partition("Commands:\n")[2].splitlines()
    assert len(commands) >= 3
    assert all(line.endswith(".") and not line.endswith("..") for line in commands)


@pytest.mark.parametrize(
    "command",
    [
        *("call", "convert", "declare", "demo", "json", "protoc", "serve", "validate"),
        *("proto diff", "proto path", "proto show"),
    ],
)
def test_helps_fit_into_80_columns(command: str) -> None:
    shown = on_terminal([*command.split(), "--help"], columns=80)
    assert max(map(len, shown.splitlines())) <= 80


def test_it_calls_a_running_server(tmp_path: Path) -> None:
    with LocalServer() as server:
        assert run("demo", "--target", server.target, "--insecure").returncode == 0
    with LocalServer(tls=True) as server:
        pem = tmp_path / "roots.pem"
        pem.write_bytes(server.root_certificates or b"")
        result = run("demo", "--target", server.target, "--root-certificates", pem)
        assert result.returncode == 0, result.stderr


class Quiet(http.server.BaseHTTPRequestHandler):
    """Answers everything with an error page, and does not talk about it."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def web_server() -> Iterator[str]:
    """A server that speaks HTTP/1.1 and no gRPC."""
    server = http.server.HTTPServer(("127.0.0.1", 0), Quiet)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_what_cannot_be_called_is_one_line(web_server: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.pem"
    bad.write_text("no certificate")
    with LocalServer() as plain, LocalServer(tls=True) as tls:
        for arguments in (
            ("--target", "127.0.0.1:1"),
            ("--target", "127.0.0.1:1", "--insecure"),
            ("--target", web_server, "--insecure"),
            ("--target", web_server),
            ("--target", tls.target),  # not signed by anybody known
            ("--target", tls.target, "--insecure"),
            ("--target", tls.target, "--root-certificates", str(bad)),
            ("--target", plain.target),
            ("--target", "no port here"),
        ):
            result = run("demo", *arguments, "--timeout", "5")
            assert result.returncode == 1, arguments
            assert result.stderr.startswith("error: "), arguments
            assert result.stderr.count("\n") == 1, result.stderr
            assert "api_endpoint" not in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [["demo", "--timeout", "0"], ["demo", "--root-certificates", "/none"], ["demos"], ["--wrong"]],
    ids=" ".join,
)
def test_wrong_usage_exits_with_2(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("ended_by", [signal.SIGINT, signal.SIGTERM], ids=lambda s: s.name)
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_serve_until_interrupted(tls: bool, ended_by: signal.Signals) -> None:
    command = [str(TOOLWIRE), "serve", *(["--tls"] if tls else [])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            target = process.stdout.readline().strip()
            pem = "".join(iter(process.stdout.readline, "\n")) if tls else ""
            from google.auth.credentials import AnonymousCredentials  # noqa: PLC0415

            with toolwire.Client(
                project="p",
                location="us-central1",
                api_endpoint=target,
                insecure=not tls,
                credentials=AnonymousCredentials() if tls else None,  # type: ignore[no-untyped-call]
                root_certificates=pem.encode() or None,
                timeout=30,
            ) as client:
                assert client.count_tokens("gemini-2.5-flash", "Hello").total_tokens > 0
            process.send_signal(ended_by)
            assert process.wait(timeout=30) == 0
        finally:
            process.kill()


def test_version_and_help() -> None:
    assert toolwire.__version__ in run("--version").stdout
    assert "demo" in run("--help").stdout
