"""``toolwire protoc``, and what other commands do with its modules."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TOOLWIRE = Path(sys.executable).parent / "toolwire"
PROTOS = Path(__file__).parent.parent / "own_protos" / "protos"


def run(
    *arguments: str | Path, cwd: Path, text: str = "", path: str = ""
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [TOOLWIRE, *arguments],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": path},
    )


def test_it_says_what_it_made(tmp_path: Path) -> None:
    made = run("protoc", "-I", PROTOS, "acme/common/trace.proto", "--out", "gen", cwd=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")
    assert made.stdout == "gen: 6 files from 1 .proto file (1 message)\n"
    made = run("protoc", f"-I{PROTOS}", PROTOS, "--out", ".", "--root", "acme_pb", cwd=tmp_path)
    assert made.stdout == "acme_pb: 13 files from 2 .proto files (4 messages, 1 service)\n"


def test_this_folder_is_where_imports_start(tmp_path: Path) -> None:
    (tmp_path / "my.proto").write_text(
        'syntax = "proto3"; import "google/cloud/aiplatform/v1/tool.proto";\n'
        "message My { google.cloud.aiplatform.v1.Tool tool = 1; }"
    )
    assert run("protoc", "my.proto", "--out", "gen", cwd=tmp_path).returncode == 0
    data = run(
        *("json", "--import", "my_pb2", "--type", "My", "--to", "text"),
        cwd=tmp_path,
        path="gen",
        text='{"tool": {"googleSearch": {}}}',
    )
    assert (data.stderr, data.stdout) == ("", "tool {\n  google_search {\n  }\n}\n")


def test_messages_of_ones_own_go_by_their_short_names(tmp_path: Path) -> None:
    (tmp_path / "my.proto").write_text(
        'syntax = "proto3"; package shop.v1; import "google/cloud/aiplatform/v1/tool.proto";\n'
        "message ChooseRequest { google.cloud.aiplatform.v1.Tool tool = 1; }\n"
        "message Part { message Kind { string name = 1; } }"
    )
    assert run("protoc", "my.proto", "--out", "gen", cwd=tmp_path).returncode == 0

    def own(command: str, name: str, data: str) -> subprocess.CompletedProcess[str]:
        arguments = (command, "-", "--import", "my_pb2", "--type", name)
        return run(*arguments, cwd=tmp_path, path="gen", text=data)

    bad = '{"tool": {"googleSearch": {}, "codeExecution": {}}}'
    for name in ("ChooseRequest", "shop.v1.ChooseRequest"):
        assert own("json", name, '{"tool": {}}').stdout == '{"tool":{}}\n'
        checked = own("validate", name, bad)
        assert (checked.returncode, checked.stderr) == (1, "1 error, 0 warnings\n")
        assert checked.stdout.startswith("error: tool: has 2 kinds of tool")
    assert own("json", "Part.Kind", '{"name": "x"}').stdout == '{"name":"x"}\n'
    assert own("json", "v1.Part", '{"text": "x"}').stdout == '{"text":"x"}\n'
    wrong = own("json", "ChoseRequest", "{}")
    assert wrong.returncode == 2
    assert 'did you mean "ChooseRequest"?' in wrong.stderr


def test_a_module_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    result = run("json", "--import", "gone_pb2", "--type", "My", cwd=tmp_path)
    assert result.returncode == 2
    assert "no module gone_pb2 in the current folder or on Python's path" in result.stderr
    assert "--out of `toolwire protoc`" in result.stderr
    (tmp_path / "lame_pb2.py").write_text("import gone_pb2\n")
    result = run("json", "--import", "lame_pb2", "--type", "My", cwd=tmp_path)
    assert "No module named 'gone_pb2'" in result.stderr


def test_a_module_that_cannot_be_imported_is_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "clash_pb2.py").write_text("print('hello')\nraise TypeError('duplicate symbol')\n")
    result = run("json", "--import", "clash_pb2", "--type", "My", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert "clash_pb2 failed with TypeError: duplicate symbol" in result.stderr


def test_what_is_bad_is_an_error_and_exit_code_1(tmp_path: Path) -> None:
    (tmp_path / "bad.proto").write_text('syntax = "proto3";\nmessage {}\n')
    result = run("protoc", "bad.proto", "--out", "gen", cwd=tmp_path)
    assert result.returncode == 1
    assert result.stderr.startswith("error: the schema does not compile:\nbad.proto:2:9: ")
    assert [path.name for path in tmp_path.iterdir()] == ["bad.proto"]
    result = run("protoc", "gone.proto", "--out", "gen", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (
        1,
        "error: gone.proto: no such file, here or in .\n",
    )


def test_warnings_are_shown(tmp_path: Path) -> None:
    (tmp_path / "my.proto").write_text('syntax = "proto3";\nimport "google/type/date.proto";\n')
    result = run("protoc", "my.proto", "--out", "gen", cwd=tmp_path)
    assert result.returncode == 0
    assert "my.proto:2:1: warning: Import google/type/date.proto is unused." in result.stderr


def test_wrong_usage_exits_with_2(tmp_path: Path) -> None:
    for arguments in (["my.proto"], ["--out", "gen"], ["-I", "gone", "my.proto", "--out", "gen"]):
        assert run("protoc", *arguments, cwd=tmp_path).returncode == 2


def test_modules_are_found_in_the_current_folder(tmp_path: Path) -> None:
    run("protoc", "-I", PROTOS, "acme/common/trace.proto", "--out", "gen", cwd=tmp_path)
    done = run(
        *("json", "--import", "acme.common.trace_pb2", "--type", "acme.common.Trace"),
        cwd=tmp_path / "gen",
        text="{}",
    )
    assert (done.stdout, done.stderr, done.returncode) == ("{}\n", "", 0)
