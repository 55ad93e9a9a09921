"""``toolwire proto diff``, as somebody types it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorSet

from environments import ROOT
from generate import CODEGEN_PYTHON
from support.protos import PACKAGE, file, message

TOOLWIRE = Path(sys.executable).parent / "toolwire"
NAME = f"{PACKAGE}.A"


def diff(*arguments: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [TOOLWIRE, "proto", "diff", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, **env},
    )


@pytest.fixture
def described(tmp_path: Path) -> Any:
    """Writes a descriptor set of a message with these fields, and returns its path."""

    def write(*fields: str, others: tuple[DescriptorProto, ...] = ()) -> Path:
        made = FileDescriptorSet(file=[file("a.proto", message("A", *fields), *others)])
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.binpb"
        path.write_bytes(made.SerializeToString())
        return path

    return write


@pytest.fixture
def moved(described: Any) -> tuple[Path, Path]:
    """A field that has another number, and one that is new."""
    return described("string a = 1"), described("string a = 2", "bool b = 3")


def test_the_report_is_for_people(moved: tuple[Path, Path]) -> None:
    result = diff(*moved, "--no-buf")
    assert result.returncode == 0, result.stderr
    assert result.stdout == (
        "breaks the wire (1)\n"
        f"  {NAME}.a: 1 -> 2  [field-renumbered]\n"
        "      a new peer reads field 1 as unknown; an old peer reads field 2 as unknown\n"
        "\n"
        "adds (1)\n"
        f"  {NAME}.b: bool b = 3  [field-added]\n"
        "      an old peer reads field 3 as unknown\n"
        "\n"
        "2 changes: wire 1, additions 1\n"
        "without buf: --no-buf\n"
    )


def test_json_is_for_programs(moved: tuple[Path, Path]) -> None:
    answer = json.loads(diff(*moved, "--no-buf", "--json").stdout)
    assert answer["summary"] == {"wire": 1, "json": 0, "source": 0, "behaviour": 0, "addition": 1}
    assert answer["note"] == "without buf: --no-buf"
    assert answer["findings"][0] == {
        "rule": "field-renumbered",
        "path": f"{NAME}.a",
        "new_path": f"{NAME}.a",
        "consequences": ["wire"],
        "old": "1",
        "new": "2",
        "explanation": "a new peer reads field 1 as unknown; an old peer reads field 2 as unknown",
        "buf": [],
        "buf_breaks": [],
    }


def test_one_change_is_no_changes(described: Any) -> None:
    one, both = described("string a = 1"), described("string a = 1", "bool b = 2")
    assert "\n1 change: additions 1\n" in diff(one, both, "--no-buf").stdout


def test_changes_are_for_a_changelog(moved: tuple[Path, Path]) -> None:
    assert diff(*moved, "--changes", "--no-buf").stdout == (
        "- Breaks the wire:\n"
        f"  - `{NAME}.a`: `1 -> 2`; a new peer reads field 1 as unknown; "
        "an old peer reads field 2 as unknown\n"
        "- Adds:\n"
        f"  - field `b` in `{NAME}`\n"
    )
    assert diff(moved[0], moved[0], "--changes").stdout == "- No changes.\n"


@pytest.mark.tools
def test_buf_gives_a_second_opinion(moved: tuple[Path, Path]) -> None:
    result = diff(*moved)
    assert "      buf: FIELD_NO_DELETE, " in result.stdout
    assert "says so of 1 of them, too\n" in result.stdout
    assert "found nothing, either" in diff(moved[0], moved[0]).stdout


@pytest.mark.tools
def test_buf_is_shown_where_it_is_stricter(described: Any) -> None:
    result = diff(described("string a = 1"), described("repeated string a = 1"))
    assert "COMPATIBLE_CARDINALITY, which breaks the wire by its rules\n" in result.stdout


def test_a_buf_that_is_broken_is_done_without(moved: tuple[Path, Path], tmp_path: Path) -> None:
    program = tmp_path / "bin" / "buf"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho no such command >&2\nexit 1\n")
    program.chmod(0o755)
    # Another interpreter, so that no buf is beside it.
    command = (
        "import sys; sys.executable = '/'; from toolwire.cli import main;"
        f"sys.argv[1:] = ['proto', 'diff', {str(moved[0])!r}, {str(moved[1])!r}]; main()"
    )
    for path, said in ((program.parent, "no such command"), (tmp_path, "it is not installed")):
        result = subprocess.run(
            [sys.executable, "-c", command],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PATH": str(path)},
        )
        assert result.returncode == 0
        assert result.stdout.splitlines()[-1].startswith("without buf: ")
        assert said in result.stdout


@pytest.mark.parametrize(
    ("fields", "codes"),
    [
        (("string a = 2",), (1, 1, 1)),
        (("string a = 1 json=x",), (0, 1, 1)),
        (("optional string a = 1",), (0, 0, 1)),
        (("string a = 1", "bool b = 2"), (0, 0, 0)),
    ],
    ids=["wire", "json", "source", "addition"],
)
def test_exit_codes(described: Any, fields: tuple[str, ...], codes: tuple[int, ...]) -> None:
    old, new = described("string a = 1"), described(*fields)
    for grade, code in zip(("wire", "json", "source"), codes, strict=True):
        assert diff(old, new, "--no-buf", "--fail-on", grade).returncode == code
    assert diff(old, new, "--no-buf").returncode == 0


def test_roots_narrow_it(described: Any) -> None:
    others = (message("B", "int32 x = 1"), message("C", "int32 x = 1"))
    changed = (message("B", "int32 x = 2"), message("C", "int32 x = 2"))
    old = described("message B b = 1", others=others)
    new = described("message B b = 1", others=changed)
    assert f"{PACKAGE}.C.x" in diff(old, new, "--no-buf").stdout
    narrowed = diff(old, new, "--no-buf", "--root", NAME).stdout
    assert f"{PACKAGE}.B.x" in narrowed
    assert f"{PACKAGE}.C.x" not in narrowed
    wrong = diff(old, new, "--root", "acme.D")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    assert "neither side has a message, enum, service or method acme.D" in wrong.stderr


def test_folders_are_compiled(tmp_path: Path) -> None:
    for name, number in (("old", 1), ("new", 2)):
        (tmp_path / name).mkdir()
        text = f'syntax = "proto3"; message A {{ string a = {number}; }}'
        (tmp_path / name / "a.proto").write_text(text)
    result = diff(tmp_path / "old", tmp_path / "new", "--compiler", CODEGEN_PYTHON)
    assert "A.a: 1 -> 2  [field-renumbered]" in result.stdout


def test_the_checkout_is_what_is_built_in() -> None:
    result = diff(ROOT / "proto", "builtin", "--compiler", CODEGEN_PYTHON, "--no-buf")
    assert result.stdout == "no changes\nwithout buf: --no-buf\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["builtin"],
        ["builtin", "nope"],
        ["builtin", "builtin:v9"],
        ["builtin", "nope:proto"],
        ["--", "builtin", "-x:proto"],
        ["builtin", __file__],
        ["builtin", "builtin", "--json", "--changes"],
        ["builtin", "builtin", "--fail-on", "behaviour"],
        ["builtin", "builtin", "--compiler", __file__],
        ["builtin", "builtin", "--compiler", "/none"],
    ],
    ids=lambda arguments: " ".join(map(str, arguments)).replace(__file__, "FILE"),
)
def test_wrong_usage_and_what_is_no_schema_exit_with_2(arguments: list[str]) -> None:
    result = diff(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert "rror: " in result.stderr
    assert "Traceback" not in result.stderr


def test_nothing_in_a_schema_moves_the_cursor(described: Any) -> None:
    result = diff(described("string a = 1"), described("string a = 1 json=\x1b[31m"), "--no-buf")
    assert "\x1b" not in result.stdout
    assert "\\x1b[31m" in result.stdout
