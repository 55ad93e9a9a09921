"""``toolwire convert`` as a script calls it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

TOOLWIRE = str(Path(sys.executable).parent / "toolwire")
SEARCH = '{"googleSearch": {}}'
BOTH = '{"googleSearch": {}, "retrieval": {"vertexAiSearch": {"engine": "e"}}}'


def run(*arguments: str | Path, data: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [TOOLWIRE, "convert", *arguments],
        input=data,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_a_file_is_converted(tmp_path: Path) -> None:
    path = tmp_path / "tool.json"
    path.write_text(SEARCH)
    result = run(path, "--to", "gemini")
    assert (result.returncode, result.stderr) == (0, "")
    assert json.loads(result.stdout) == {"googleSearch": {}}


def test_losses_are_said_with_their_places() -> None:
    result = run("-", "--to", "gemini", data=BOTH)
    assert result.returncode == 3
    assert json.loads(result.stdout) == {"googleSearch": {}}
    assert result.stderr == "lost: retrieval: gemini.Tool has no such field\n"


def test_strict_writes_nothing() -> None:
    result = run("-", "--to", "gemini", "--strict", data=BOTH)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == "would be lost: retrieval: gemini.Tool has no such field\n"
    assert run("-", "--to", "gemini", "--strict", data=SEARCH).returncode == 0


@pytest.mark.parametrize("strict", [False, True])
def test_losses_are_there_as_json(strict: bool) -> None:
    result = run("-", "--to", "gemini", "--json", *["--strict"] * strict, data=BOTH)
    assert result.returncode == (1 if strict else 3)
    reason = "gemini.Tool has no such field"
    assert json.loads(result.stdout) == {
        "message": None if strict else {"googleSearch": {}},
        "losses": [{"path": "retrieval", "kind": "Retrieval", "reason": reason}],
    }


def test_a_type_is_named_with_its_api() -> None:
    data = '{"model": "models/m", "contents": [{"parts": [{"text": "x"}]}]}'
    result = run("-", "--type", "gemini.GenerateContentRequest", "--to", "v1", data=data)
    assert result.returncode == 0
    assert json.loads(result.stdout)["model"] == "publishers/google/models/m"
    data = '{"name": "f", "inputSchema": {"type": "object"}}'
    result = run("-", "--type", "TemplateFunction", "--to", "gemini", data=data)
    assert json.loads(result.stdout)["parametersJsonSchema"] == {"type": "object"}


def test_what_the_schema_does_not_know_is_reported() -> None:
    result = run("-", "--to", "v1beta1", data='{"googleSearch": {"new": 1}}')
    assert result.returncode == 3
    assert result.stderr.startswith("lost: googleSearch.new: is unknown")


@pytest.mark.parametrize(
    ("arguments", "data", "code", "message"),
    [
        (["-", "--to", "gemini"], "{", 1, "standard input: not JSON"),
        (["-", "--to", "gemini"], "[]", 1, "standard input: "),
        (["-", "--to", "gemini"], '{"googleSearch": 1}', 1, "standard input: googleSearch"),
        (["-", "--to", "v3"], SEARCH, 2, "'v3' is not one of"),
        (["-"], SEARCH, 2, "--to"),
        (["/no/such/file", "--to", "gemini"], "", 2, "does not exist"),
        (["-", "--to", "gemini", "--type", "Tol"], SEARCH, 2, "no message is named"),
        (["-", "--to", "firebase", "--type", "Content"], "{}", 2, "firebase has no Content"),
        (["-", "--to", "gemini", "--type", "google.protobuf.Struct"], "{}", 2, "gemini has no"),
    ],
)
def test_bad_input_is_one_error(arguments: list[str], data: str, code: int, message: str) -> None:
    result = run(*arguments, data=data)
    assert (result.returncode, result.stdout) == (code, "")
    assert message in result.stderr
    assert "Traceback" not in result.stderr
