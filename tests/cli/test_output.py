"""What the commands write, and what becomes of it where it cannot be written as it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from toolwire.testing import LocalServer

TOOLWIRE = str(Path(sys.executable).parent / "toolwire")
FULL = Path("/dev/full")
NAME = "größe 日本"
COMMANDS = [
    ["validate", "tools.json"],
    ["validate", "--json", "tools.json"],
    ["validate", "--rules"],
    ["convert", "tools.json", "--to", "gemini"],
    ["convert", "tools.json", "--to", "gemini", "--json"],
    ["declare", "declared:FUNCTION"],
    ["declare", "declared:FUNCTION", "--json"],
]
each_command = pytest.mark.parametrize("command", COMMANDS, ids=" ".join)


@pytest.fixture(params=["", "1"], ids=["buffered", "unbuffered"])
def environment(request: pytest.FixtureRequest) -> dict[str, str]:
    return {**os.environ, "PYTHONUNBUFFERED": request.param}


@pytest.fixture(autouse=True)
def _inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the commands read; each writes far more than a pipe holds, but for the rules."""
    tools = [{"functionDeclarations": [{"name": NAME}]}] * 5_000
    Path(tmp_path, "tools.json").write_text(json.dumps(tools))
    schema = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(5_000)}}
    function = {"name": "f", "description": NAME, "parameters": schema}
    Path(tmp_path, "declared.py").write_text(f"FUNCTION = {function!r}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is full")
@pytest.mark.parametrize("command", [*COMMANDS, ["--help"], ["validate", "--help"]], ids=" ".join)
def test_a_full_disk_is_one_error(command: list[str], environment: dict[str, str]) -> None:
    with FULL.open("wb") as full:
        done = subprocess.run(
            [TOOLWIRE, *command],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env=environment,
            timeout=60,
        )
    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert done.stderr.endswith("No space left on device\n")
    assert "Errno" not in done.stderr
    assert done.stderr.count("\n") == 1


@each_command
def test_a_pipe_that_nobody_reads_ends_it_quietly(
    command: list[str], environment: dict[str, str]
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [TOOLWIRE, *command],
            stdout=writer,
            stderr=subprocess.PIPE,
            check=False,
            env=environment,
            timeout=60,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@each_command
def test_json_is_in_utf_8_whatever_the_locale(command: list[str]) -> None:
    done = subprocess.run(
        [TOOLWIRE, *command],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        timeout=60,
    )
    assert b"Traceback" not in done.stderr
    if "validate" in command and "--json" not in command:
        assert done.stdout.splitlines()
        return
    assert NAME in done.stdout.decode()
    assert json.loads(done.stdout)


def closed(descriptor: int, *command: str) -> subprocess.CompletedProcess[str]:
    """Runs a command without its standard output (1) or error (2)."""
    script = f"import os, sys; os.close({descriptor}); os.execv(sys.argv[1], sys.argv[1:])"
    return subprocess.run(
        [sys.executable, "-c", script, TOOLWIRE, *command],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["validate", "unknown.json"], 1),
        (["validate", "--rules"], 0),
        (["convert", "unknown.json", "--to", "gemini", "--json"], 3),
    ],
    ids=["validate", "rules", "convert"],
)
def test_what_is_told_goes_nowhere_where_standard_error_is_closed(
    command: list[str], code: int, tmp_path: Path
) -> None:
    Path(tmp_path, "unknown.json").write_text('{"functionDeclarations": [{"name": "f"}], "x": 1}')
    done = closed(2, *command)
    assert done.returncode == code
    assert done.stdout


@pytest.mark.parametrize(
    "command",
    [
        *(each for each in COMMANDS if each[0] != "validate" or "--rules" in each),
        ["validate", "unknown.json"],
        ["validate", "unknown.json", "--json"],
        ["proto", "show", "Tool"],
        ["proto", "show", "Tool", "--json"],
        ["proto", "path"],
        ["proto", "diff", "builtin:v1", "builtin:v1", "--no-buf"],
        ["demo"],
        ["serve"],
    ],
    ids=" ".join,
)
def test_a_closed_output_is_an_error_where_there_is_something_to_write(
    command: list[str], tmp_path: Path
) -> None:
    Path(tmp_path, "unknown.json").write_text('{"functionDeclarations": [{"name": "f"}], "x": 1}')
    done = closed(1, *command)
    assert (done.returncode, done.stderr) == (1, "error: standard output is closed\n")


def test_a_closed_output_does_not_matter_where_there_is_nothing_to_write(tmp_path: Path) -> None:
    Path(tmp_path, "good.json").write_text('{"functionDeclarations": [{"name": "f"}]}')
    done = closed(1, "validate", "good.json", "--type", "Tool")
    assert (done.returncode, done.stderr) == (0, "0 errors, 0 warnings\n")


@pytest.mark.parametrize("options", [[], ["--json"], ["--json-lines"]], ids="".join)
def test_nothing_is_called_where_the_answer_cannot_be_written(options: list[str]) -> None:
    with LocalServer() as server:
        where = ["--endpoint", server.target, "--insecure", "--verbose"]
        done = closed(1, "call", *where, "m", "Hello", *options)
    assert (done.returncode, done.stderr) == (1, "error: standard output is closed\n")
