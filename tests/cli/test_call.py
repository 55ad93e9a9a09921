"""``toolwire call``, as somebody types it, against a local server."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import toolwire
from toolwire import gemini, v1
from toolwire.cli._main import toolwire as command
from toolwire.testing import LocalServer

DECLARED: dict[str, Any] = {
    "name": "get_weather",
    "parameters": {
        "type": "OBJECT",
        "properties": {"city": {"type": "STRING"}},
        "required": ["city"],
    },
}


@pytest.fixture(scope="module")
def server() -> Iterator[LocalServer]:
    with LocalServer() as running:
        yield running


def call(server: LocalServer, *arguments: str | Path, text: str | None = None) -> Result:
    where = ["--endpoint", server.target, "--insecure", "--timeout", "20"]
    return CliRunner().invoke(command, ["call", *where, *map(str, arguments)], input=text)


def test_a_prompt(server: LocalServer) -> None:
    result = call(server, "m", "Hello there")
    assert result.exit_code == 0, result.output
    with server.client() as client:
        expected = toolwire.text(client.generate_content("m", "Hello there"))
    assert result.stdout == f"{expected}\n"
    assert result.stderr == ""
    assert call(server, "m", "-", text="Hello there").stdout == result.stdout


@pytest.mark.parametrize("api", ["v1", "v1beta1", "gemini"])
def test_json_is_the_response(server: LocalServer, api: str) -> None:
    result = call(server, "m", "Hello", "--json", "--api", api)
    assert result.exit_code == 0, result.output
    kind: Any = gemini if api == "gemini" else v1
    assert toolwire.text(toolwire.from_json(kind.GenerateContentResponse, result.stdout))


def test_json_lines_are_the_chunks(server: LocalServer) -> None:
    result = call(server, "m", "Tell me a long story about a ship", "--json-lines")
    chunks = [toolwire.from_json(v1.GenerateContentResponse, x) for x in result.stdout.splitlines()]
    assert len(chunks) > 1
    told = call(server, "m", "Tell me a long story about a ship").stdout
    assert toolwire.text(toolwire.join_chunks(chunks)) == told.rstrip("\n")


@pytest.mark.parametrize(
    "content", [DECLARED, [DECLARED], {"functionDeclarations": [DECLARED]}], ids=["f", "[f]", "t"]
)
def test_tools(server: LocalServer, tmp_path: Path, content: object) -> None:
    file = tmp_path / "tool.json"
    file.write_text(json.dumps(content))
    result = call(server, "m", "What is the weather in Paris?", "--tool", file)
    assert result.stdout == 'call: get_weather {"city":"Paris"}\n'
    assert result.exit_code == 0


SHOP = '''
from toolwire import functions

def stock(item: str) -> int:
    """Counts what is there."""
    return len(item)

def price(item: str) -> float:
    """Tells the price."""
    raise LookupError("none")

box = functions.Toolbox([price])
wrong = 3
'''


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module of functions in the current folder."""
    name = f"shop_{abs(hash(tmp_path))}"
    (tmp_path / f"{name}.py").write_text(SHOP)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    return name


def test_functions_run(server: LocalServer, shop: str, tmp_path: Path) -> None:
    tools = ["--tools", f"{shop}:stock", "--tools", f"{shop}:box"]
    result = call(server, "m", "Use stock and price.", *tools)
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines() == [
        'call: stock {"item":"item"}',
        'call: price {"item":"item"}',
        'result: stock {"output": 4}',
        'result: price {"error": {"type": "LookupError", "message": "none"}}',
        'stock returned 4. price returned {"error": {"message": "none", "type": "LookupError"}}.',
    ]
    whole = call(server, "m", "Use stock and price.", *tools, "--json")
    response = toolwire.from_json(v1.GenerateContentResponse, whole.stdout)
    assert toolwire.text(response) == result.stdout.splitlines()[-1]
    lines = call(server, "m", "Use stock and price.", *tools, "--json-lines").stdout.splitlines()
    assert len([toolwire.from_json(v1.GenerateContentResponse, line) for line in lines]) > 2
    limited = call(server, "m", "Use stock.", *tools, "--max-turns", "1")
    assert limited.exit_code == 1
    assert "still calls functions in turn 1: stock" in limited.stderr
    file = tmp_path / "tool.json"
    file.write_text(json.dumps(DECLARED))
    mixed = call(server, "m", "Use get_weather.", *tools, "--tool", file)
    assert (mixed.exit_code, mixed.stdout.count("call: get_weather")) == (0, 1)


def test_what_cannot_run(server: LocalServer, shop: str) -> None:
    assert call(server, "m", "x", "--tools", f"{shop}:missing").exit_code == 2
    assert call(server, "m", "x", "--tools", "no_such_module:f").exit_code == 2
    wrong = call(server, "m", "x", "--tools", f"{shop}:wrong")
    assert wrong.exit_code == 1
    assert "tools[0]" in wrong.stderr


def test_a_whole_request(server: LocalServer, tmp_path: Path) -> None:
    file = tmp_path / "request.json"
    file.write_text(json.dumps({"model": "m", "contents": [{"parts": [{"text": "Hello"}]}]}))
    with_file = call(server, "--request", file)
    assert with_file.stdout == call(server, "m", "Hello").stdout
    assert call(server, "missing-model", "--request", file).exit_code == 1


def test_an_instruction(server: LocalServer) -> None:
    result = call(server, "m", "Hello", "--system", "Be brief.")
    assert result.exit_code == 0, result.output


def test_what_fails(server: LocalServer, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    for content, said in (
        ('{"functionDeclarations": [{"nam": "f"}]}', "functionDeclarations[0].nam"),
        ("[", "no JSON"),
        ("5", "expected"),
    ):
        bad.write_text(content)
        result = call(server, "m", "x", "--tool", bad)
        assert (result.exit_code, result.stdout) == (1, "")
        assert f"{bad}: " in result.stderr
        assert said in result.stderr
    missing = call(server, "missing-model", "x")
    assert missing.exit_code == 1
    assert missing.stderr.startswith("error: call of StreamGenerateContent at ")
    assert "NOT_FOUND" in missing.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("m",),
        ("m", "x", "--json", "--json-lines"),
        ("m", "x", "--api", "firebase"),
        ("m", "x", "--request", __file__),
        ("m", "--request", __file__, "--system", "x"),
        ("m", "x", "--timeout", "0"),
        ("m", "x", "--tool", "no-such-file"),
    ],
)
def test_wrong_usage(server: LocalServer, arguments: tuple[str, ...]) -> None:
    assert call(server, *arguments).exit_code == 2


def test_a_key_file_and_another_server(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("some-secret-key\n")
    arguments = ["call", "m", "x", "--api", "gemini", "--api-key-file", str(key), "--timeout", "2"]
    result = CliRunner().invoke(command, [*arguments, "--endpoint", "127.0.0.1:1"])
    assert result.exit_code == 1
    assert "UNAVAILABLE" in result.stderr or "DEADLINE_EXCEEDED" in result.stderr
    assert "some-secret-key" not in result.output


def test_the_program(server: LocalServer) -> None:
    program = Path(sys.executable).parent / "toolwire"
    arguments = ["call", "m", "Hello", "--endpoint", server.target, "--insecure", "-v"]
    result = subprocess.run(
        [program, *arguments], capture_output=True, text=True, check=False, timeout=60
    )
    assert result.returncode == 0, result.stderr
    assert "StreamGenerateContent at" in result.stderr
    assert "OK after" in result.stderr
