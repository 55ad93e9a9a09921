"""The command ``toolwire validate``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from support.terminals import on_terminal
from toolwire._rules import described
from toolwire.cli._main import toolwire

if TYPE_CHECKING:
    from pathlib import Path

GOOD: dict[str, Any] = {"functionDeclarations": [{"name": "f"}]}
BAD: dict[str, Any] = {"functionDeclarations": [{"name": "a b"}], "googleSearch": {}}
WARNED: dict[str, Any] = {"retrieval": {}}


def run(*arguments: str, given: object = None) -> Result:
    text = given if isinstance(given, str) else json.dumps(given)
    return CliRunner().invoke(toolwire, ["validate", *arguments], input=text)


def test_a_good_message() -> None:
    result = run("-", given=GOOD)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "0 errors, 0 warnings\n")


def test_violations_have_path_and_rule(tmp_path: Path) -> None:
    file = tmp_path / "tool.json"
    file.write_text(json.dumps(BAD))
    result = run(str(file))
    assert result.exit_code == 1
    first, second = result.stdout.splitlines()
    assert first.startswith("error: has 2 kinds of tool")
    assert first.endswith(" [tool.one-kind]")
    assert second.startswith('error: functionDeclarations[0].name: "a b" contains " "')
    assert second.endswith(" [function.name]")
    assert result.stderr == "2 errors, 0 warnings\n"


def test_warnings_count_in_strict_mode_only() -> None:
    assert run("-", given=WARNED).exit_code == 0
    assert run("-", "--strict", given=WARNED).exit_code == 1


def test_a_list() -> None:
    result = run("-", "--json", given=[GOOD, BAD, {}])
    assert result.exit_code == 1
    found = json.loads(result.stdout)["violations"]
    assert [(each["path"], each["rule"], each["severity"]) for each in found] == [
        ("[1]", "tool.one-kind", "error"),
        ("[1].functionDeclarations[0].name", "function.name", "error"),
        ("[2]", "tool.no-kind", "error"),
    ]
    assert set(found[0]) == {"path", "rule", "severity", "message", "source"}
    assert run("-", given=[]).exit_code == 0


def test_a_bad_element_of_a_list_is_told_and_the_rest_is_checked() -> None:
    result = run("-", given='[{"googleSearch": 1}, {}]')
    first, second = result.stdout.splitlines()
    assert first.startswith("error: [0].googleSearch: expected an object, found the number 1")
    assert second.startswith("error: [1]: has no kind")
    assert result.exit_code == 1


def test_the_api_chooses_message_and_rules() -> None:
    two: dict[str, Any] = {"googleSearch": {}, "codeExecution": {}}
    assert run("-", given=two).exit_code == 1
    assert run("-", "--api", "gemini", given=two).exit_code == 0
    assert run("-", "--type", "gemini.Tool", given=two).exit_code == 0
    assert run("-", "--type", "gemini.Tool", "--api", "v1", given=two).exit_code == 1


def test_older_pages_on_request() -> None:
    colon = {"functionDeclarations": [{"name": "a:b"}]}
    assert "0 warnings" in run("-", given=colon).stderr
    assert "2 warnings" in run("-", "--older", given=colon).stderr


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ('{"googleSearch"', "line 1"),
        ('{"functionDeclarations": 1}', "functionDeclarations: expected a list"),
        ('[{"googleSearch": {}}, {"googleSearch": {}}', "not closed"),
    ],
)
def test_bad_json(given: str, reason: str) -> None:
    result = run("-", given=given)
    assert result.exit_code == 1
    assert "standard input" in result.stderr
    assert reason in result.stderr


MISSPELT: dict[str, Any] = {
    "functionDeclaration": [],
    "functionDeclarations": [
        {"name": "f"},
        {"name": "a b", "parameters": {"type": "OBJECTS", "properties": {"a.b": {"typ": 1}}}},
    ],
}


def test_all_that_is_unknown_is_told_beside_the_rules() -> None:
    result = run("-", "--json", given=MISSPELT)
    assert result.exit_code == 1
    found = json.loads(result.stdout)["violations"]
    parameters = "functionDeclarations[1].parameters"
    assert [(each["path"], each["rule"]) for each in found] == [
        ("functionDeclaration", "json.unknown"),
        (f"{parameters}.type", "json.unknown"),
        (f'{parameters}.properties["a.b"].typ', "json.unknown"),
        ("functionDeclarations[1].name", "function.name"),
        (f'{parameters}.properties["a.b"]', "function.parameter-name"),
        (f'{parameters}.properties["a.b"].type', "schema.type"),
    ]
    assert found[0]["message"] == (
        'unknown field "functionDeclaration"; did you mean "functionDeclarations"?'
    )
    assert 'did you mean "OBJECT"?' in found[1]["message"]
    assert {each["severity"] for each in found} == {"error"}
    assert found[0]["source"] == "schema of google.cloud.aiplatform.v1.Tool"


def test_what_is_unknown_alone_is_an_error() -> None:
    result = run("-", given=GOOD | {"x": 1})
    assert (result.exit_code, result.stderr) == (
        1,
        "1 error, 0 warnings\nread as a google.cloud.aiplatform.v1.Tool: --type names another\n",
    )
    assert result.stdout == 'error: x: unknown field "x" [json.unknown]\n'


GUESSED: list[tuple[Any, str]] = [
    ({"name": "a b", "description": "x"}, "name"),
    ([{"role": "x", "parts": []}], "[0].role"),
    ({"contents": [{"role": "x", "parts": [{"text": "x"}]}], "tools": []}, "contents[0].role"),
    ({"type": "ARRAY", "items": {}}, "items.type"),
]


@pytest.mark.parametrize(
    ("given", "path"), GUESSED, ids=["declaration", "turns", "request", "schema"]
)
def test_what_a_file_holds_is_guessed(given: Any, path: str) -> None:
    found = json.loads(run("-", "--json", given=given).stdout)["violations"]
    assert path in [each["path"] for each in found]
    assert {each["rule"] for each in found}.isdisjoint({"json.unknown"})


def test_what_an_api_alone_has_is_guessed_there() -> None:
    given = {"name": "f", "description": "F.", "inputSchema": {"type": "object"}}
    assert run("-", "--api", "firebase", given=given).exit_code == 1  # it has no descriptions
    del given["description"]
    assert run("-", "--api", "firebase", given=given).stderr == "0 errors, 0 warnings\n"


def test_what_is_unknown_in_a_list() -> None:
    result = run("-", given=[GOOD, {"googleSearch": {"api_key": "sesame"}}, GOOD | {"x": None}])
    assert result.exit_code == 1
    assert [line.partition(": unknown")[0] for line in result.stdout.splitlines()] == [
        "error: [1].googleSearch.api_key",
        "error: [2].x",
    ]
    assert "sesame" not in result.output


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("missing.json",),
        ("-", "--type", "Nothing"),
        ("-", "--api", "v7"),
        ("-", "--rules"),
        ("--rules", "--older"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    assert run(*arguments, given=GOOD).exit_code == 2


def test_the_rules_of_an_api_are_listed() -> None:
    listed = json.loads(run("--rules", "--json", "--api", "firebase").stdout)["rules"]
    assert [each["id"] for each in listed] == [
        rule.id for rule in described() if "firebase" in rule.severities
    ]
    assert len(listed) < len(described())


def test_the_rules_are_listed() -> None:
    text = run("--rules").stdout
    listed = json.loads(run("--rules", "--json").stdout)["rules"]
    assert [rule["id"] for rule in listed] == [rule.id for rule in described()]
    for rule in listed:
        assert f"{rule['id']}\n" in text
        assert rule["breaks"]
        assert rule["source"]
        assert rule["severities"]
    assert (
        "  error in v1, v1beta1, firebase; warning in gemini: a tool with several kinds\n" in text
    )


def test_a_terminal_obeys_nothing_that_stands_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "tool.json"
    path.write_text(json.dumps({"googleSearch": {}, "a\x1b[31m\x9b31m\x7f": 1}))
    result = CliRunner().invoke(toolwire, ["validate", str(path)])
    assert r'unknown field "a\u001b[31m\u009b31m\u007f"' in result.stdout


LINES = "".join(f"{json.dumps(each)}\n" for each in (GOOD, BAD, {}))


@pytest.mark.parametrize("name", ["tools.jsonl", "tools.NDJSON", "tools.txt"])
def test_json_lines(tmp_path: Path, name: str) -> None:
    """Known by their name, or by a second document."""
    file = tmp_path / name
    file.write_text(LINES)
    result = run(str(file))
    assert (result.exit_code, result.stderr) == (1, "3 errors, 0 warnings\n")
    first, second, third = result.stdout.splitlines()
    assert first.startswith("error: record 2: has 2 kinds of tool")
    assert second.startswith("error: record 2: functionDeclarations[0].name: ")
    assert third.startswith("error: record 3: has no kind")
    result = run(str(file), "--json")
    lines = [json.loads(line)["violations"] for line in result.stdout.splitlines()]
    assert [[each["path"] for each in line] for line in lines] == [
        [],
        ["", "functionDeclarations[0].name"],
        [""],
    ]
    assert run("-", given=json.dumps(GOOD) + "\n").stderr == "0 errors, 0 warnings\n"


def test_json_lines_that_are_bad_are_told_by_their_record_and_the_rest_is_checked(
    tmp_path: Path,
) -> None:
    file = tmp_path / "tools.jsonl"
    file.write_text(f'{json.dumps(GOOD)}\n\n{{"googleSearch": 1}}\n{{}}\n{{\n')
    result = run(str(file))
    assert (result.exit_code, result.stderr) == (1, "3 errors, 0 warnings\n")
    first, second, third = result.stdout.splitlines()
    assert first == (
        "error: record 2: googleSearch: expected an object, found the number 1, "
        "at line 3, column 1 [json.unreadable]"
    )
    assert second.startswith("error: record 3: has no kind")
    assert third.startswith("error: record 4: not JSON: ")
    result = run(str(file), "--json")
    found = [json.loads(line)["violations"] for line in result.stdout.splitlines()]
    assert [[each["path"] for each in one] for one in found] == [[], ["googleSearch"], [""], [""]]
    file.write_text("")
    assert run(str(file)).exit_code == 0


def test_a_message_on_many_lines_is_no_json_lines() -> None:
    result = run("-", given=json.dumps(BAD, indent=2))
    assert result.stdout.startswith("error: has 2 kinds of tool")
    result = run("-", given="{}\n{")
    assert "error: record 2: not JSON" in result.stdout


BODY = {"contents": [{"role": "user", "parts": [{"text": "x"}]}]}


def test_a_body_saved_from_rest_gets_its_model() -> None:
    """Over REST the model stands in the URL."""
    result = run("-", given=BODY)
    assert (result.exit_code, result.stdout.count("\n")) == (1, 1)
    assert "over REST it stands in the URL" in result.stdout
    result = run("-", "--model", "gemini-2.5-flash", given=BODY)
    assert (result.exit_code, result.stderr) == (0, "0 errors, 1 warning\n")
    full = "projects/p/locations/l/publishers/google/models/m"
    result = run("-", "--model", full, given=BODY)
    assert (result.exit_code, result.output) == (0, "0 errors, 0 warnings\n")
    result = run("-", "--model", "models/m", "--api", "gemini", given=[BODY, BODY])
    assert (result.exit_code, result.output) == (0, "0 errors, 0 warnings\n")
    counted = {"contents": BODY["contents"]}
    result = run("-", "--type", "CountTokensRequest", "--model", full, given=counted)
    assert (result.exit_code, result.output) == (0, "0 errors, 0 warnings\n")
    result = run("-", "--model", "m", given=GOOD)
    assert result.exit_code == 2
    assert "this is a google.cloud.aiplatform.v1.Tool" in result.stderr


def test_the_rules_of_one_api_have_its_severities_alone() -> None:
    text = run("--rules", "--api", "gemini").stdout
    assert "  warning in gemini: a tool with several kinds\n" in text
    assert "v1" not in {line.partition(":")[0].split()[-1] for line in text.splitlines() if line}
    listed = json.loads(run("--rules", "--json", "--api", "gemini").stdout)["rules"]
    assert {tuple(rule["severities"]) for rule in listed} == {("gemini",)}


def test_lines_are_wrapped_between_words_on_a_terminal_only(tmp_path: Path) -> None:
    file = tmp_path / "tool.json"
    file.write_text(json.dumps(BAD))
    whole = run(str(file)).stdout
    shown = on_terminal(["validate", str(file)], columns=60)
    assert max(map(len, shown.splitlines())) <= 60
    assert shown.split() == [*whole.split(), "2", "errors,", "0", "warnings"]


def test_a_tool_of_others_is_no_message() -> None:
    openai: object = {"type": "function", "function": {"name": "f", "parameters": {}}}
    of_mcp: object = {"name": "f", "inputSchema": {}}
    givens: list[object] = [openai, [openai], {"tools": [openai]}, of_mcp]
    for given in givens:
        result = run("-", given=given)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith("error: standard input: this is a tool as MCP")
        assert "toolwire declare makes one of it" in result.stderr
    own = {"model": "m", "contents": [{"parts": [{"text": "x"}]}], "tools": [GOOD]}
    assert run("-", given=own).exit_code == 0
    of_firebase = {"name": "f", "inputSchema": {"type": "object"}}
    assert run("-", "--api", "firebase", given=of_firebase).exit_code == 0


@pytest.mark.parametrize(
    ("name", "form"), [("t.binpb", "binary"), ("t.delim", "delimited"), ("t.txtpb", "text")]
)
def test_what_is_no_json_by_its_name(tmp_path: Path, name: str, form: str) -> None:
    file = tmp_path / name
    file.write_bytes(b"")
    for arguments in (
        ["validate", str(file)],
        ["convert", str(file), "--to", "gemini"],
        ["declare", str(file)],
    ):
        result = CliRunner().invoke(toolwire, arguments)
        assert (result.exit_code, result.stdout) == (1, "")
        reason = f"by its name it is {form}, and no JSON: `toolwire json` makes it JSON"
        assert result.stderr == f"error: {file}: {reason}\n"
