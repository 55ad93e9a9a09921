"""``toolwire convert`` as a script calls it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.terminals import on_terminal

TOOLWIRE = str(Path(sys.executable).parent / "toolwire")
SEARCH = '{"googleSearch": {}}'
BOTH = '{"googleSearch": {}, "retrieval": {"vertexAiSearch": {"engine": "e"}}}'
OTHERS = '{"name": "look", "inputSchema": {"type": "object"}}'


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
    assert json.loads(result.stdout)["model"] == "m"
    data = '{"name": "f", "inputSchema": {"type": "object"}}'
    result = run("-", "--type", "TemplateFunction", "--to", "gemini", data=data)
    assert json.loads(result.stdout)["parametersJsonSchema"] == {"type": "object"}


def test_a_list_is_converted_one_by_one() -> None:
    result = run("-", "--to", "gemini", data=f"[{SEARCH}, {BOTH}]")
    assert (result.returncode, json.loads(result.stdout)) == (3, [{"googleSearch": {}}] * 2)
    assert result.stderr == "lost: [1].retrieval: gemini.Tool has no such field\n"
    result = run("-", "--to", "gemini", "--json", data=f"[{SEARCH}]")
    assert json.loads(result.stdout) == {"message": [{"googleSearch": {}}], "losses": []}
    assert run("-", "--to", "gemini", data="[]").stdout == "[]\n"
    result = run("-", "--to", "gemini", data=f'[{{"enterpriseWebSearch": {{}}}}, {SEARCH}]')
    assert json.loads(result.stdout) == [{"googleSearch": {}}]
    assert result.stderr.splitlines()[1:] == ["lost: [0]: left out: nothing of it is left"]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ('{"name": "f", "parameters": {"type": "OBJECT"}}', "parameters"),
        ('[{"role": "user", "parts": [{"text": "x"}]}]', "parts"),
        ('{"model": "m", "contents": []}', "model"),
        ('{"function_call": {"name": "f"}}', "functionCall"),
    ],
)
def test_what_a_file_holds_is_guessed(data: str, expected: str) -> None:
    result = run("-", "--to", "v1beta1", data=data)
    assert (result.returncode, result.stderr) == (0, "")
    assert f'"{expected}"' in result.stdout


LINES = f"{SEARCH}\n\n{BOTH}\n"


@pytest.mark.parametrize("name", ["tools.jsonl", "tools.ndjson", "tools.txt"])
def test_json_lines_become_json_lines(tmp_path: Path, name: str) -> None:
    """Known by their name, or by a second document."""
    path = tmp_path / name
    path.write_text(LINES)
    result = run(path, "--to", "gemini")
    assert (result.returncode, result.stdout) == (3, '{"googleSearch":{}}\n' * 2)
    assert result.stderr == "lost: record 2: retrieval: gemini.Tool has no such field\n"
    result = run(path, "--to", "gemini", "--strict")
    assert (result.returncode, result.stdout) == (1, "")
    path.write_text(f"{SEARCH}\n")
    result = run(path, "--to", "gemini")
    assert (result.returncode, json.loads(result.stdout)) == (0, {"googleSearch": {}})


@pytest.mark.parametrize("strict", [False, True])
def test_json_lines_have_an_object_with_the_losses_each(strict: bool) -> None:
    data = f'{SEARCH}\n{BOTH}\n{{"enterpriseWebSearch": {{}}}}\n'
    result = run("-", "--to", "gemini", "--json", *["--strict"] * strict, data=data)
    assert result.returncode == (1 if strict else 3)
    first, second, third = map(json.loads, result.stdout.splitlines())
    assert first == {"message": {"googleSearch": {}}, "losses": []}
    assert second["message"] == (None if strict else {"googleSearch": {}})
    assert [loss["path"] for loss in second["losses"]] == ["retrieval"]
    assert third["message"] is None
    assert third["losses"][-1]["reason"] == "left out: nothing of it is left"


def test_of_json_lines_with_a_bad_record_nothing_is_written(tmp_path: Path) -> None:
    path = tmp_path / "tools.jsonl"
    path.write_text(f'{SEARCH}\n{{"googleSearch": 1}}\n')
    result = run(path, "--to", "gemini")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith(f"error: {path}: record 2 at line 2, column 1: googleSearch: ")
    path.write_text(f'{SEARCH}\n{{"x": 1}}\n')
    result = run(path, "--to", "gemini")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith(f"error: {path}: record 2: nothing in it is of a ")
    path.write_text("")
    assert run(path, "--to", "gemini").returncode == 0


@pytest.mark.parametrize("command", [["validate"], ["convert", "--to", "gemini"]])
@pytest.mark.parametrize("is_array", [False, True])
def test_memory_does_not_grow_with_the_input(command: list[str], is_array: bool) -> None:
    """The most memory of a run over 60 MB is that of a run over one record, and a little."""
    code = (
        "import resource, sys\n"
        "from toolwire.cli import main\n"
        f"sys.argv[:] = ['toolwire', *{command!r}, '-']\n"
        "try:\n"
        "    main()\n"
        "finally:\n"
        "    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)\n"
    )
    line = json.dumps({"functionDeclarations": [{"name": "f", "description": "x" * 60_000}]})
    before, between, end = ("[", ",\n", "]") if is_array else ("", "\n", "\n")

    def kilobytes(count: int) -> int:
        with subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdin is not None
            assert process.stderr is not None
            process.stdin.write(f"{before}{line}")
            for _ in range(count):
                process.stdin.write(f"{between}{line}")
            process.stdin.write(end)
            process.stdin.close()
            said = process.stderr.read()
            assert process.wait(timeout=60) == 0
        return int(said.split()[-1])

    assert kilobytes(1000) < kilobytes(1) + 10_000


def test_lines_are_wrapped_between_words_on_a_terminal_only(tmp_path: Path) -> None:
    path = tmp_path / "tool.json"
    path.write_text('{"retrieval": {"vertexAiSearch": {"engine": "e"}}, "googleSearch": {}}')
    whole = run(path, "--to", "gemini").stderr
    shown = on_terminal(["convert", str(path), "--to", "gemini"], columns=40)
    lines = shown.splitlines()
    told = lines[: next(n for n, line in enumerate(lines) if line.startswith("{"))]
    assert len(told) > 1
    assert max(map(len, told)) <= 40
    assert " ".join(told).split() == whole.split()


def test_what_the_schema_does_not_know_is_reported() -> None:
    result = run("-", "--to", "v1beta1", data='{"googleSearch": {"new": 1}}')
    assert result.returncode == 3
    assert result.stderr.startswith("lost: googleSearch.new: is unknown")


@pytest.mark.parametrize(
    ("arguments", "data", "code", "message"),
    [
        (["-", "--to", "gemini"], "{", 1, "standard input: not JSON"),
        (["-", "--to", "gemini"], "[1]", 1, "standard input: record 1 at line 1"),
        (["-", "--to", "gemini"], f"[{OTHERS}]", 1, "toolwire declare makes one of it"),
        (["-", "--to", "gemini"], f'{{"tools": [{OTHERS}]}}', 1, "a tool as MCP, OpenAI or"),
        (["-", "--to", "gemini", "--type", "Content"], SEARCH, 1, "say with --type what it is"),
        (["-", "--to", "gemini"], '{"bogus": 1}', 1, "nothing in it is of a google.cloud.aipl"),
        (
            ["-", "--to", "gemini"],
            f'[{SEARCH}, {{"x": 1}}]',
            1,
            "input: [1]: nothing in it is of a",
        ),
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
