"""``toolwire call``, as somebody types it, against a local server."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import toolwire
from toolwire import gemini, v1, v1beta1
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


OTHER = {"name": "get_weather", "description": "Tells the weather."}
MCP: dict[str, Any] = {
    **OTHER,
    "inputSchema": {
        "type": "object",
        "properties": {"city": {"type": "string"}},
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
    "content",
    [
        DECLARED,
        [DECLARED],
        {"functionDeclarations": [DECLARED]},
        MCP,
        [MCP],
        {"tools": [MCP]},
        {"type": "function", "function": {**OTHER, "parameters": MCP["inputSchema"]}},
        {**OTHER, "input_schema": MCP["inputSchema"]},
        {**OTHER, "parameters": MCP["inputSchema"]},
        {**MCP["inputSchema"], "title": "get_weather"},
        [DECLARED | {"name": "other"}, {**MCP["inputSchema"], "title": "get_weather"}],
    ],
    ids=[
        *("f", "[f]", "t", "mcp", "[mcp]", "{mcp}", "openai", "anthropic"),
        *("function", "schema", "[f, schema]"),
    ],
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

def loud() -> None:
    """Says something."""
    print("LOUD")

box = functions.Toolbox([price])
wrong = 3
schema = {"properties": {"city": {"type": "string"}}, "required": ["city"]}
mcp = {"name": "get_weather", "inputSchema": schema}
mcps = {"tools": [mcp]}
declaration = functions.declare(mcp)
message = functions.tool([mcp])

class Remote:
    name, description, inputSchema = "get_weather", "Tells.", mcp["inputSchema"]

remote = Remote()
several = [stock, box, mcp]
answer = {"tools": several}
mixed = (stock, 3)
nothing = ()
no_tools = {"tools": []}

def anything(what: object) -> int:
    """Takes anything."""
    return 7

reported = functions.declare(mcp, report=True)
anything_declared = (functions.declare(anything, untyped="STRING", report=True), anything)
pairs = [(functions.declare(anything, untyped="STRING"), anything), stock]
titled = {**schema, "title": "get_weather", "type": "object"}

class Kind:
    pass

def each(item: str) -> str:
    """Hands out."""
    yield item
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


@pytest.mark.parametrize(
    "name", ["mcp", "mcps", "message", "declaration", "remote", "reported", "titled"]
)
def test_tools_in_python(server: LocalServer, shop: str, name: str) -> None:
    for tools in (
        ["--tools", f"{shop}:{name}"],
        ["--tools", f"{shop}:{name}", "--tool", f"{shop}:box"],
    ):
        result = call(server, "m", "Use get_weather.", *tools)
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout == 'call: get_weather {"city":"city"}\n'


@pytest.mark.parametrize("name", ["several", "answer"])
def test_a_list_of_functions_and_tools(server: LocalServer, shop: str, name: str) -> None:
    ran = call(server, "m", "Use stock and price.", "--tools", f"{shop}:{name}")
    assert (ran.exit_code, ran.stdout.count("result: ")) == (0, 2)
    shown = call(server, "m", "Use get_weather.", "--tools", f"{shop}:{name}")
    assert shown.stdout == 'call: get_weather {"city":"city"}\n'


def test_what_a_function_needs_an_option_for_is_given_as_the_error_says(
    server: LocalServer, shop: str
) -> None:
    refused = call(server, "m", "Use anything.", "--tools", f"{shop}:anything")
    assert refused.exit_code == 1
    advice = "in place of anything give (functions.declare(..., report=True), anything)"
    assert refused.stderr.endswith(f"{advice}\n")
    for name in ("anything_declared", "pairs"):
        ran = call(server, "m", "Use anything.", "--tools", f"{shop}:{name}")
        assert (ran.exit_code, ran.stderr) == (0, "")
        assert 'result: anything {"output": 7}' in ran.stdout


@pytest.mark.parametrize("name", ["nothing", "no_tools"])
def test_a_list_of_nothing(server: LocalServer, shop: str, name: str) -> None:
    result = call(server, "m", "x", "--tools", f"{shop}:{name}")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"there are no functions in {shop}:{name}" in " ".join(result.stderr.split())


@pytest.mark.parametrize("content", ["[]", '{"tools": []}'])
def test_a_file_of_nothing(server: LocalServer, tmp_path: Path, content: str) -> None:
    (tmp_path / "none.json").write_text(content)
    result = call(server, "m", "x", "--tool", tmp_path / "none.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "there are no functions in" in " ".join(result.stderr.split())


NODE = {"type": "object", "properties": {"next": {"$ref": "#"}}}
ANYTHING: dict[str, Any] = {"properties": {"city": {}}}


@pytest.mark.parametrize(
    ("content", "reason", "option"),
    [
        (
            {**OTHER, "inputSchema": NODE},
            "carry the reference with --refs, or the whole with --json-schema",
            "--json-schema",
        ),
        (
            [{**OTHER, "inputSchema": ANYTHING}],
            "choose a type with --untyped, or use --json-schema",
            "--untyped=STRING",
        ),
        (MCP["inputSchema"], "has no name: pass --name", "--name=get_weather"),
    ],
    ids=["recursive", "untyped", "nameless"],
)
def test_what_a_tool_of_others_needs_an_option_for_is_a_command(
    server: LocalServer, tmp_path: Path, content: object, reason: str, option: str
) -> None:
    """The command of the error, with one of the options that it names, makes what can be called."""
    file = tmp_path / "my tools.json"
    file.write_text(json.dumps(content))
    refused = call(server, "m", "x", "--tool", file)
    assert refused.exit_code == 1
    line = f"toolwire declare '{file}'{' --tool' if isinstance(content, list) else ''} --api v1"
    said = f"{reason}: options of `{line}`, which writes what --tool takes\n"
    assert refused.stderr.endswith(said)
    made = CliRunner().invoke(command, [*shlex.split(line)[1:], option])
    assert made.exit_code == 0, made.output
    file.write_text(made.stdout)
    result = call(server, "m", "Use get_weather.", "--tool", file)
    assert (result.exit_code, result.stdout.count("call: get_weather")) == (0, 1)


@pytest.mark.parametrize("api", [v1, v1beta1, gemini], ids=["v1", "v1beta1", "gemini"])
def test_no_message_is_taken_for_a_schema(api: Any) -> None:
    """A field of such a name in a newer schema would need another way to tell them apart."""
    for kind in (api.Tool, api.FunctionDeclaration):
        names = {name for each in kind.DESCRIPTOR.fields for name in (each.name, each.json_name)}
        assert names.isdisjoint({"type", "properties", "$ref", "inputSchema", "input_schema"})


def test_a_misspelt_declaration_is_not_taken_for_a_tool_of_others(
    server: LocalServer, tmp_path: Path
) -> None:
    file = tmp_path / "tool.json"
    file.write_text(json.dumps({"name": "f", "descripton": "x", "parameters": {"type": "object"}}))
    result = call(server, "m", "x", "--tool", file)
    assert result.exit_code == 1
    assert 'unknown field "descripton"; did you mean "description"?' in result.stderr


def test_what_an_mcp_server_answers(server: LocalServer, tmp_path: Path) -> None:
    file = tmp_path / "answer.json"
    file.write_text(json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"tools": [MCP]}}))
    result = call(server, "m", "Use get_weather.", "--tool", file)
    assert (result.exit_code, result.stdout.count("call: get_weather")) == (0, 1)


def test_what_a_tool_of_mcp_loses_is_told(server: LocalServer, tmp_path: Path) -> None:
    file = tmp_path / "tool.json"
    file.write_text(json.dumps({**MCP, "inputSchema": {"type": "object", "not": {}}}))
    result = call(server, "m", "Use get_weather.", "--tool", file)
    assert result.exit_code == 0
    assert result.stderr.startswith(f"{file}: ")
    assert "inputSchema.not" in result.stderr


def test_what_cannot_be_called_is_not_offered_and_options_are_spelled_as_here(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"):
        monkeypatch.delenv(name, raising=False)
    result = CliRunner().invoke(command, ["call", "m", "x", "--project", "p"])
    assert result.exit_code == 1
    assert "no location: pass --location or set GOOGLE_CLOUD_LOCATION" in result.stderr
    wrong = call(server, "m", "x", "--api", "firebase").stderr
    assert "'firebase' is not one of 'v1', 'v1beta1', 'gemini'" in " ".join(wrong.split())
    elsewhere = CliRunner().invoke(command, ["call", "m", "x", "--endpoint", "a b", "--insecure"])
    assert elsewhere.stderr.startswith("error: --endpoint takes host or host:port, found 'a b'")
    nowhere = CliRunner().invoke(command, ["call", "m", "x", "--insecure"])
    assert nowhere.exit_code == 2
    assert "--insecure needs --endpoint" in nowhere.stderr


def test_what_cannot_run(server: LocalServer, shop: str) -> None:
    assert call(server, "m", "x", "--tools", f"{shop}:missing").exit_code == 2
    assert call(server, "m", "x", "--tools", "no_such_module:f").exit_code == 2
    for name, what in (
        ("wrong", "the number 3"),
        ("Kind", "a class, Kind"),
        ("__name__", f'the string "{shop}"'),
    ):
        wrong = call(server, "m", "x", "--tools", f"{shop}:{name}")
        assert wrong.exit_code == 2
        expected = f"expected a function, a Toolbox or a Tool as {shop}:{name}, found {what}"
        assert " ".join(wrong.stderr.split()).endswith(expected)
    mixed = " ".join(call(server, "m", "x", "--tools", f"{shop}:mixed").stderr.split())
    assert mixed.endswith(f"as {shop}:mixed[1], found the number 3")
    generator = call(server, "m", "x", "--tools", f"{shop}:each")
    assert generator.exit_code == 1
    assert "tools[0] (function 'each'): a generator hands out its values" in generator.stderr


def test_a_whole_request(server: LocalServer, tmp_path: Path) -> None:
    file = tmp_path / "request.json"
    file.write_text(json.dumps({"model": "m", "contents": [{"parts": [{"text": "Hello"}]}]}))
    with_file = call(server, "--request", file)
    assert with_file.stdout == call(server, "m", "Hello").stdout
    assert call(server, "missing-model", "--request", file).exit_code == 1
    assert call(server, "--request", "-", text=file.read_text()).stdout == with_file.stdout
    file.write_text(file.read_text(), "utf-8-sig")  # as an editor on Windows leaves it
    assert call(server, "--request", file).stdout == with_file.stdout


def test_a_request_is_sent_to_where_what_it_names_lies(server: LocalServer, tmp_path: Path) -> None:
    """Without --location, which a local server does not need."""
    with server.client(location="europe-west4", project="p") as client:
        content = {"model": "m", "contents": [{"role": "user", "parts": [{"text": "Hello"}]}]}
        cached = client.create_cached_content(cached_content={**content, "ttl": "3600s"})
    file = tmp_path / "request.json"
    turns = [{"role": "user", "parts": [{"text": "Hello"}]}]
    file.write_text(json.dumps({"cachedContent": cached.name, "contents": turns}))
    result = call(server, "m", "--request", file)
    assert (result.exit_code, result.stderr) == (0, "")
    result = call(server, "m", "--request", file, "--location", "us-central1")
    assert result.exit_code == 1
    assert "--location says 'us-central1'" in result.stderr


def test_an_instruction(server: LocalServer) -> None:
    result = call(server, "m", "Hello", "--system", "Be brief.")
    assert result.exit_code == 0, result.output


def test_what_fails(server: LocalServer, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    for content, said in (
        ('{"functionDeclarations": [{"nam": "f"}]}', "functionDeclarations[0].nam"),
        ("[", "not JSON"),
        ("5", "expected"),
    ):
        bad.write_text(content)
        result = call(server, "m", "x", "--tool", bad)
        assert (result.exit_code, result.stdout) == (1, "")
        assert f"{bad}: " in result.stderr
        assert said in result.stderr
    missing = call(server, "missing-model", "x")
    assert missing.exit_code == 1
    assert missing.stderr.startswith("error: call of PredictionService.StreamGenerateContent at ")
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


@pytest.mark.parametrize(
    "arguments",
    [
        ("m", "-", "--tool", "-"),
        ("m", "--request", "-", "--tool", "-"),
        ("m", "x", "--tool", "-", "--tool", "-"),
    ],
)
def test_standard_input_is_read_once(server: LocalServer, arguments: tuple[str, ...]) -> None:
    result = call(server, *arguments, text="{")
    assert result.exit_code == 2
    assert "- stands twice, and standard input can be read only once" in result.stderr


def test_a_key_file_and_another_server(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("some-secret-key\n")
    arguments = ["call", "m", "x", "--api", "gemini", "--api-key-file", str(key), "--timeout", "2"]
    result = CliRunner().invoke(command, [*arguments, "--endpoint", "127.0.0.1:1"])
    assert result.exit_code == 1
    assert "UNAVAILABLE" in result.stderr or "DEADLINE_EXCEEDED" in result.stderr
    assert "some-secret-key" not in result.output
    key.write_bytes(b"\xef\xbb\xbfsome-secret-key\r\n")  # as an editor on Windows leaves it
    result = CliRunner().invoke(command, [*arguments, "--endpoint", "127.0.0.1:1"])
    assert result.exit_code == 1
    for content in (
        b"",
        b"\n",
        b"two words\n",
        b"two\nlines",
        "schlüssel".encode(),
        b"\xff\xfeA\0",
    ):
        key.write_bytes(content)
        result = CliRunner().invoke(command, arguments)
        assert result.exit_code == 2
        assert "holds no API key" in result.stderr


def test_the_program(server: LocalServer) -> None:
    program = Path(sys.executable).parent / "toolwire"
    arguments = ["call", "m", "Hello", "--endpoint", server.target, "--insecure", "-v"]
    result = subprocess.run(
        [program, *arguments], capture_output=True, text=True, check=False, timeout=60
    )
    assert result.returncode == 0, result.stderr
    assert "StreamGenerateContent at" in result.stderr
    assert "OK after" in result.stderr


def test_an_element_of_a_list_is_named(server: LocalServer, tmp_path: Path) -> None:
    file = tmp_path / "tools.json"
    file.write_text('[{"googleSearch": {}}, {"googleSeach": {}}]')
    result = call(server, "m", "x", "--tool", file)
    assert f"{file}: [1]: googleSeach: unknown field" in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell of Unix")
@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        (b'm "$BAD"', 2, "PROMPT: byte 1 is not UTF-8"),
        (b'"$BAD" x', 2, "MODEL: byte 1 is not UTF-8"),
        (b'm x --system "$BAD"', 2, "--system: byte 1 is not UTF-8"),
        (b'm - <<< "$BAD"', 2, "standard input: byte 1 is not UTF-8"),
        (b"m - <&-", 1, "standard input is closed"),
        (b"m x > /dev/full", 1, "No space left on device"),
        (b"--request /proc/self/mem", 1, "error: /proc/self/mem: "),
        (b"m x --api-key-file /proc/self/mem", 1, "error: /proc/self/mem: "),
        (b"m x --root-certificates /proc/self/mem", 1, "error: /proc/self/mem: "),
        (b"m x --root-certificates /dev/null", 1, "error: --root-certificates was given"),
    ],
)
def test_what_a_shell_can_do_to_it(server: LocalServer, line: bytes, code: int, says: str) -> None:
    program = Path(sys.executable).parent / "toolwire"
    where = f"--endpoint {server.target} --insecure"
    script = b"BAD=$'a\\xff'; %s call %s %s" % (bytes(program), where.encode(), line)
    result = subprocess.run(
        ["/bin/bash", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert says in result.stderr
    assert "Traceback" not in result.stderr
    assert result.returncode == code


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b'{"name": "f", "name": "g"}', 'the key "name" stands twice'),
        (b'{"a":' * 100_000, "nested"),
        ('{"name": "f"}'.encode("utf-16"), "UTF-8"),
        (b"", "not JSON"),
    ],
)
def test_files_of_tools_that_are_no_json(
    server: LocalServer, tmp_path: Path, content: bytes, says: str
) -> None:
    file = tmp_path / "tool.json"
    file.write_bytes(content)
    result = call(server, "m", "x", "--tool", file)
    assert result.exit_code == 1
    assert f"error: {file}: " in result.stderr
    assert says in result.stderr
