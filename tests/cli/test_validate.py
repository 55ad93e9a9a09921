"""The command ``toolwire validate``."""

from __future__ import annotations

import json
import os
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
    assert set(found[0]) == {"file", "path", "rule", "severity", "message", "source"}
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


TWO_SOURCES = '{"retrieval": {"vertexAiSearch": {}, "vertexRagStore": {}}}'


@pytest.mark.parametrize(
    ("given", "path", "reason"),
    [
        ('{"googleSearch"', "", "not JSON: expecting ':' delimiter (line 1, column 16)"),
        ("", "", "not JSON: expecting value (line 1, column 1)"),
        ('{"functionDeclarations": 1}', "functionDeclarations", "expected a list"),
        (TWO_SOURCES, "retrieval", '"vertexAiSearch" and "vertexRagStore" are both set'),
        ('[{"googleSearch": {}}, {"googleSearch": {}}', "", "the array is not closed"),
    ],
)
def test_what_cannot_be_read_is_in_the_report(given: str, path: str, reason: str) -> None:
    result = run("-", "--json", given=given)
    assert (result.exit_code, result.stderr) == (1, "")
    (found,) = json.loads(result.stdout)["violations"]
    assert (found["file"], found["path"], found["rule"]) == ("-", path, "json.unreadable")
    assert found["severity"] == "error"
    assert reason in found["message"]
    assert found["message"].count("line 1") <= 1
    result = run("-", given=given)
    assert (result.exit_code, result.stderr) == (1, "1 error, 0 warnings\n")
    place = f"{path}: " if path else ""
    assert result.stdout == f"error: {place}{found['message']} [json.unreadable]\n"


def test_a_file_of_json_lines_that_cannot_be_read_is_told_on_a_line(tmp_path: Path) -> None:
    file = tmp_path / "tools.jsonl"
    file.write_text(json.dumps(GOOD), "utf-16")
    result = run(str(file), "--json")
    (line,) = result.stdout.splitlines()
    (found,) = json.loads(line)["violations"]
    assert (result.exit_code, found["rule"]) == (1, "json.unreadable")
    assert "UTF-16" in found["message"]


NO_BYTES = "/proc/self/mem"  # opens, and cannot be read from its beginning


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Files of several kinds, some of which cannot be read."""
    written = {
        "good.json": json.dumps(GOOD),
        "syntax.json": "{",
        "sources.json": TWO_SOURCES,
        "mcp.json": '{"name": "f", "inputSchema": {}}',
        "tool.binpb": "",
        "schema.json": '{"type": "ARRAY", "itmes": {}}',
        "lines.jsonl": f"{json.dumps(GOOD)}\n{json.dumps(WARNED)}\n",
        "list.json": json.dumps([GOOD, BAD]),
    }
    for name, text in written.items():
        (tmp_path / name).write_text(text)
    return [NO_BYTES, *(str(tmp_path / name) for name in written)]


def test_several_files_are_read_each_by_itself(files: list[str]) -> None:
    result = run(*files)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    nothing, good, syntax, sources, mcp, binary, schema, in_lines, in_list = files
    told = [(line.split(": ")[1], line.rpartition(" ")[2]) for line in lines]
    assert told == [
        (nothing, "[json.unreadable]"),
        (syntax, "[json.unreadable]"),
        (sources, "[json.unreadable]"),
        (mcp, "[json.unreadable]"),
        (binary, "[json.unreadable]"),
        (schema, "[json.unknown]"),
        (schema, "[schema.items]"),
        (in_lines, "[retrieval.source]"),
        (in_list, "[tool.one-kind]"),
        (in_list, "[function.name]"),
    ]
    assert lines[2].startswith(f'error: {sources}: retrieval: "vertexAiSearch" and ')
    assert lines[7].startswith(f"warning: {in_lines}: record 2: retrieval")
    assert lines[9].startswith(f"error: {in_list}: [1].functionDeclarations[0].name: ")
    assert good not in result.output
    assert result.stderr == (
        f"9 errors, 1 warning in 9 files\n"
        f"{schema}: read as a google.cloud.aiplatform.v1.Schema: --type names another\n"
    )


def test_several_files_make_one_object(files: list[str]) -> None:
    result = run(*files, "--json")
    assert (result.exit_code, result.stderr) == (1, "")
    found = json.loads(result.stdout)["violations"]
    assert len(found) == 10
    assert {each["file"] for each in found} == set(files) - {files[1]}
    places = [(each["file"], each["path"]) for each in found]
    assert places[2] == (files[3], "retrieval")
    assert places[9] == (files[8], "[1].functionDeclarations[0].name")


def test_the_exit_code_for_several_files_is_that_of_one(tmp_path: Path) -> None:
    good, warned = tmp_path / "good.json", tmp_path / "warned.json"
    good.write_text(json.dumps(GOOD))
    warned.write_text(json.dumps(WARNED))
    result = run(str(good), str(warned))
    assert (result.exit_code, result.stderr) == (0, "0 errors, 1 warning in 2 files\n")
    assert run(str(good), str(warned), "--strict").exit_code == 1
    result = run(str(good), str(good), "--json")
    assert (result.exit_code, json.loads(result.stdout)) == (0, {"violations": []})
    result = run(str(good), "missing.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "missing.json" in result.stderr
    result = run("-", str(good), "--type", "Part", given={"text": "x"})
    assert result.exit_code == 1
    assert result.stdout.startswith(f"error: {good}: functionDeclarations: unknown field")


def test_the_name_of_a_file_need_not_be_text(tmp_path: Path) -> None:
    file = tmp_path / os.fsdecode(b"\xff.json")
    file.write_text(json.dumps(BAD))
    found = json.loads(run(str(file), "--json").stdout)["violations"]
    assert {each["file"] for each in found} == {f"{tmp_path}/\N{REPLACEMENT CHARACTER}.json"}


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
    assert "standard input holds a google.cloud.aiplatform.v1.Tool" in result.stderr


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
        assert (result.exit_code, result.stderr) == (1, "1 error, 0 warnings\n")
        assert result.stdout.startswith("error: this is a tool as MCP")
        assert "toolwire declare makes one of it" in result.stdout
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
    reason = f"by its name it is {form}, and no JSON: `toolwire json` makes it JSON"
    for arguments in (["convert", str(file), "--to", "gemini"], ["declare", str(file)]):
        result = CliRunner().invoke(toolwire, arguments)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == f"error: {file}: {reason}\n"
    result = run(str(file))
    assert (result.exit_code, result.stdout) == (1, f"error: {reason} [json.unreadable]\n")


def test_standard_input_is_read_once() -> None:
    result = run("-", "-", given="{")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "- stands twice, and standard input can be read only once" in result.stderr
