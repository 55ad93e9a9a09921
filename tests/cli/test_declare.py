"""The command ``toolwire declare``."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from toolwire.cli import _main

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

SHOP = '''
from typing import Annotated

from pydantic import Field


class Shop:
    def close(self) -> None:
        """Closes it."""


def find(order: str, count: Annotated[int, Field(ge=0)] = 1) -> str:
    """Finds an order."""


def dashed(**more: int) -> None: ...


def anything(given: object) -> int:
    """Takes anything."""


several = [find, {"name": "look", "inputSchema": {"properties": {"city": {"type": "string"}}}}]
SCHEMA = {"name": "tool", "inputSchema": {"properties": {"a-b": {"type": "string"}}}}
'''


@pytest.fixture(autouse=True)
def _shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shop_of_tests.py").write_text(SHOP)
    (tmp_path / "broken_of_tests.py").write_text("1 / 0\n")
    (tmp_path / "leaving_of_tests.py").write_text("import sys\nsys.exit(0)\n")
    (tmp_path / "talking_of_tests.py").write_text(f"print('made it', flush=True)\n{SHOP}")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])


def run(*arguments: str, given: str = "") -> Result:
    return CliRunner().invoke(_main.toolwire, ["declare", *arguments], input=given)


def test_a_function() -> None:
    result = run("shop_of_tests:find")
    assert result.exit_code == 0
    made: dict[str, Any] = json.loads(result.stdout)
    assert made["name"] == "find"
    assert made["parameters"]["properties"]["count"]["default"] == 1
    assert result.stderr == (
        'dropped: properties["count"].minimum: 0 cannot be told from absent in v1: '
        "said in the description\n"
    )


def test_what_a_module_prints_is_no_part_of_the_output() -> None:
    result = run("talking_of_tests:find", "--api", "gemini")
    assert json.loads(result.stdout)["name"] == "find"
    assert result.stderr == "made it\n"


def test_another_api_and_a_name() -> None:
    result = run("shop_of_tests:find", "--api", "gemini", "--name", "look")
    made = json.loads(result.stdout)
    assert (made["name"], result.stderr) == ("look", "")
    assert made["parameters"]["properties"]["count"]["minimum"] == 0.0
    assert json.loads(run("shop_of_tests:Shop.close").stdout)["name"] == "close"


def test_the_report_as_json() -> None:
    found = json.loads(run("shop_of_tests:find", "--json").stdout)
    assert found["declaration"]["name"] == "find"
    assert [change["action"] for change in found["changes"]] == ["dropped"]


def test_strict() -> None:
    result = run("shop_of_tests:find", "--strict")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "error: strict mode allows no change" in result.stderr
    result = run("shop_of_tests:find", "--strict", "--json")
    assert (result.exit_code, json.loads(result.stdout)["declaration"]) == (1, None)
    assert run("shop_of_tests:find", "--strict", "--api", "gemini").exit_code == 0


def test_what_cannot_be_declared() -> None:
    result = run("shop_of_tests:dashed")
    assert result.exit_code == 1
    assert 'error: properties["more"]: **more cannot be declared' in result.stderr
    assert run("shop_of_tests:SCHEMA").exit_code == 1
    assert '"a_b"' in run("shop_of_tests:SCHEMA", "--rename").stdout


def test_errors_name_the_options_of_the_command_line() -> None:
    assert (
        "choose a type with --untyped, or use --json-schema" in run("shop_of_tests:anything").stderr
    )
    assert "pass --rename" in run("shop_of_tests:SCHEMA").stderr
    assert "pass --name, or --rename" in run("shop_of_tests:find", "--name", "1").stderr
    assert "or pass --description" in run("shop_of_tests:SCHEMA", "--api", "gemini").stderr
    assert "--untyped takes one of" in run("shop_of_tests:anything", "--untyped", "x").stderr


def test_options_of_declare() -> None:
    options = ("--untyped", "STRING", "--response", "--description", "Own words.", "--older")
    made = json.loads(run("shop_of_tests:anything", *options, "--name", "a:b").stdout)
    assert made["parameters"]["properties"]["given"] == {"type": "STRING"}
    assert (made["response"], made["description"]) == ({"type": "INTEGER"}, "Own words.")
    assert "older pages refuse" in run("shop_of_tests:find", "--older", "--name", "a:b").stderr


MCP = {
    "name": "look",
    "description": "Looks.",
    "inputSchema": {"properties": {"at": {"type": "string"}}},
}
OPENAI = {"type": "function", "function": {"name": "go", "parameters": {"type": "object"}}}


@pytest.mark.parametrize(
    ("content", "names"),
    [
        (MCP, ["look"]),
        ({"tools": [MCP, OPENAI]}, ["look", "go"]),
        ({"jsonrpc": "2.0", "id": 1, "result": {"tools": [MCP]}}, ["look"]),
        ([OPENAI, MCP], ["go", "look"]),
        ({"name": "count", "parameters": {"type": "OBJECT"}}, ["count"]),
    ],
)
def test_files_of_others(tmp_path: Path, content: object, names: list[str]) -> None:
    file = tmp_path / "others.json"
    file.write_text(json.dumps(content))
    made = json.loads(run(str(file), "--tool").stdout)
    assert [each["name"] for each in made["functionDeclarations"]] == names
    assert json.loads(run("-", "--tool", given=json.dumps(content)).stdout) == made
    alone = run(str(file))
    if len(names) == 1:
        assert json.loads(alone.stdout) == made["functionDeclarations"][0]
    else:
        assert (alone.exit_code, alone.stdout) == (2, "")
        assert "found 2 functions: one Tool takes --tool" in alone.stderr


def test_a_file_with_a_schema(tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text('{"properties": {"order": {"type": "string"}}}')
    made = json.loads(run("schema.json", "--name", "find", "--description", "Finds it.").stdout)
    assert (made["name"], made["description"]) == ("find", "Finds it.")
    assert made["parameters"]["properties"] == {"order": {"type": "STRING"}}


def test_one_tool_of_files_and_functions(tmp_path: Path) -> None:
    (tmp_path / "look.json").write_text(json.dumps(OPENAI))
    result = run("shop_of_tests:several", "look.json", "--tool", "--api", "gemini")
    made = json.loads(result.stdout)
    assert [each["name"] for each in made["functionDeclarations"]] == ["find", "look", "go"]
    assert "dropped: functionDeclarations[1].description" in result.stderr
    whole = json.loads(run("shop_of_tests:find", "look.json", "--tool", "--json").stdout)
    assert whole["changes"][0]["path"].startswith("functionDeclarations[0].properties")
    assert len(whole["tool"]["functionDeclarations"]) == 2
    strict = run("shop_of_tests:find", "look.json", "--tool", "--json", "--strict")
    assert (strict.exit_code, json.loads(strict.stdout)["tool"]) == (1, None)


@pytest.mark.parametrize(
    ("content", "code", "reason"),
    [
        ("[", 1, "bad.json: not JSON"),
        ('{"a": 1, "a": 2}', 1, 'bad.json: the key "a" stands twice'),
        ("[]", 2, "there are no functions in bad.json"),
        ('{"tools": []}', 2, "there are no functions in bad.json"),
        ("5", 1, "expected a function, a pydantic model"),
        ('{"googleSearch": {}}', 1, "found a Tool, which stands beside"),
    ],
)
def test_files_that_declare_nothing(tmp_path: Path, content: str, code: int, reason: str) -> None:
    (tmp_path / "bad.json").write_text(content)
    for result in (run("bad.json"), run("bad.json", "--tool")):
        assert (result.exit_code, result.stdout) == (code, "")
        assert reason in result.stderr


def test_an_error_in_a_list_names_the_function() -> None:
    result = run("shop_of_tests:find", "shop_of_tests:anything", "--tool")
    assert result.exit_code == 1
    assert "functionDeclarations[1]" in result.stderr
    assert " (function 'anything'): " in result.stderr


def test_names_are_not_those_of_a_whole_tool() -> None:
    result = run("shop_of_tests:find", "--tool", "--name", "x")
    assert result.exit_code == 2
    assert "--name and --description are of one function" in result.stderr
    assert run().exit_code == 2


def test_a_name_that_is_missing_in_a_whole_tool(tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text('{"type": "object", "properties": {}}')
    assert run("schema.json").stderr == "error: name: has no name: pass --name\n"
    result = run("schema.json", "--tool")
    assert result.stderr.endswith(": has no name: pass --name, without --tool\n")


def test_a_mark_of_windows_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text('{"title": "f", "type": "object"}', "utf-8-sig")
    assert json.loads(run("schema.json").stdout)["name"] == "f"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("shop_of_tests", "'shop_of_tests' is neither a file nor MODULE:NAME"),
        ("shop_of_tests:several", "found 2 functions: one Tool takes --tool"),
        ("nowhere_of_tests:f", "no module nowhere_of_tests in the current folder or on Python's"),
        ("shop_of_tests:nothing", "has no attribute"),
        ("shop_of_tests:fond", "has no attribute 'fond'; did you mean \"find\"?"),
        ("shop_of_tests:Shop.clse", "has no attribute 'clse'; did you mean \"close\"?"),
        ("broken_of_tests:f", "failed with ZeroDivisionError"),
        ("leaving_of_tests:f", "leaving_of_tests failed with SystemExit: 0"),
        ("shop_of_tests.py:find", "found a file: write shop_of_tests:find"),
        ("./tools/shop.py:find", "found a file: write tools.shop:find"),
        ("shop.py", "found a file: write shop:NAME"),
        ("..shop:find", "expected MODULE:NAME, such as shop.tools:find_order"),
    ],
)
def test_wrong_usage(source: str, reason: str) -> None:
    result = run(source)
    assert result.exit_code == 2
    assert reason in result.stderr


def test_standard_input_is_read_once() -> None:
    result = run("--tool", "-", "-", given="{")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "- stands twice, and standard input can be read only once" in result.stderr
