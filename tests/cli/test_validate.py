"""The command ``toolwire validate``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

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
    assert second.startswith('error: functionDeclarations[0].name: "a b", function 1 of the list')
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
        ('{"x": 1}', "x: "),
        ('{"googleSearch"', "line 1"),
        ('[{"googleSearch": {}}, {"x": 1}]', "record 2"),
    ],
)
def test_bad_json(given: str, reason: str) -> None:
    result = run("-", given=given)
    assert result.exit_code == 1
    assert "standard input" in result.stderr
    assert reason in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [(), ("missing.json",), ("-", "--type", "Nothing"), ("-", "--api", "v7"), ("-", "--rules")],
)
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    assert run(*arguments, given=GOOD).exit_code == 2


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
