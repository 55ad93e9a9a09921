"""Generation as a whole: repeatable, checked, all or nothing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import generate as program
import toolwire
from environments import ROOT
from support.checkers import CHECKERS
from support.processes import run_python
from toolwire.codegen import Toolchain, differences, generate
from toolwire.codegen._rewrite import Rewriter

HERE = Path(__file__).parent
PACKAGE = ROOT / "generated" / program.PACKAGE
PROTOS = sorted(path.relative_to(ROOT) for path in (ROOT / "proto").rglob("*.*"))
# One file of each kind of output.
OUTPUTS = (
    "__init__.py",
    "_pool.py",
    "descriptors.binpb",
    "oneofs.py",
    "stamp.json",
    "google/cloud/aiplatform/v1/__init__.py",
    "google/cloud/aiplatform/v1/grpc.py",
    "google/cloud/aiplatform/v1/tool_pb2.py",
    "google/cloud/aiplatform/v1/tool_pb2.pyi",
    "google/cloud/aiplatform/v1/prediction_service_pb2_grpc.py",
    "google/cloud/aiplatform/v1/prediction_service_pb2_grpc.pyi",
    "google/protobuf/struct_pb2.pyi",
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of proto/ and generated/, to be changed."""
    for name in ("proto", "generated"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def change_one_character(path: Path) -> None:
    """Changes one byte in the middle of a file, in a comment where the file has one there."""
    content = bytearray(path.read_bytes())
    middle = content.find(b"e", len(content) // 2)
    content[middle] = ord("a")
    path.write_bytes(content)


def check(tree: Path) -> int:
    return program.main(["--check", "--root", str(tree)])


def test_what_is_committed_is_what_the_schema_gives(tree: Path) -> None:
    assert check(tree) == 0


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_changed_output_is_found(
    tree: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change_one_character(tree / "generated" / program.PACKAGE / name)
    assert check(tree) == 1
    assert name in capsys.readouterr().out


@pytest.mark.parametrize("name", PROTOS, ids=lambda path: path.name)
def test_a_changed_source_is_found(
    tree: Path, name: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change_one_character(tree / name)
    assert check(tree) == 1
    printed = capsys.readouterr()
    assert printed.out + printed.err


def test_new_and_deleted_files_are_found(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    package = tree / "generated" / program.PACKAGE
    (package / "google" / "new.py").touch()
    (package / "oneofs.py").unlink()
    (tree / "proto" / "extra.proto").write_text('syntax = "proto3"; package extra;')
    assert check(tree) == 1
    out = capsys.readouterr().out
    assert "not generated: toolwire_pb/google/new.py" in out
    assert "missing: toolwire_pb/oneofs.py" in out
    assert "missing: toolwire_pb/extra_pb2.py" in out
    assert "has no entry for extra.proto" in out


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"\n", b""), (b"\n", b"\r\n"), (b"\n", b"\x0c"), (b"\n", b"\x1c"), (b" ", b"\t")],
    ids=["last line feed", "carriage return", "form feed", "separator", "tab"],
)
def test_a_change_that_no_diff_shows_is_found(
    tree: Path, old: bytes, new: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tree / "generated" / program.PACKAGE / "oneofs.py"
    head, _, tail = path.read_bytes().rpartition(old)
    path.write_bytes(head + new + tail)
    assert check(tree) == 1
    assert "differs: toolwire_pb/oneofs.py" in capsys.readouterr().out


def test_a_file_beside_the_package_is_found(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "generated" / "x.py").touch()
    assert check(tree) == 1
    assert "not generated: x.py" in capsys.readouterr().out


def test_runs_at_the_same_time_take_turns(tree: Path) -> None:
    script = ROOT / "scripts" / "generate.py"
    command = [sys.executable, str(script), "--root", str(tree)]
    processes = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(4)]
    assert [process.wait(timeout=120) for process in processes] == [0] * 4
    assert check(tree) == 0


def test_what_a_killed_run_left_is_removed(toolchain: Toolchain, tmp_path: Path) -> None:
    left = tmp_path / ".generate-killed"
    left.mkdir()
    (tmp_path / "proto").mkdir()
    shutil.copy(HERE / "kinds.proto", tmp_path / "proto")
    generate(tmp_path / "proto", tmp_path, toolchain, revision="r", root="kinds_pb")
    assert not left.exists()


def test_a_message_that_would_hide_the_stubs_of_its_package(
    toolchain: Toolchain, tmp_path: Path
) -> None:
    proto = tmp_path / "proto" / "acme"
    proto.mkdir(parents=True)
    start = 'syntax = "proto3"; package acme;'
    (proto / "names.proto").write_text(f"{start} message grpc {{}}")
    generate(proto.parent, tmp_path, toolchain, revision="r", root="acme_pb")  # nothing to hide
    (proto / "service.proto").write_text(f"{start} service Service {{}}")
    with pytest.raises(toolwire.DescriptorError) as caught:
        generate(proto.parent, tmp_path, toolchain, revision="r", root="acme_pb")
    assert str(caught.value) == (
        "acme/names.proto: acme.grpc would hide the module for the services of the package"
    )


def test_names_that_python_cannot_spell(toolchain: Toolchain, tmp_path: Path) -> None:
    proto = tmp_path / "proto"
    proto.mkdir()
    (proto / "base.proto").write_text('syntax = "proto3"; package odd; message Base {}')
    (proto / "odd.proto").write_text(
        'syntax = "proto3"; package odd; import public "base.proto";\n'
        "// A comment with a line separator \u2028 and a next line \x85 in it.\n"
        "message None { oneof class { string def = 1; Base base = 2; } }\n"
        "message Retrieval { oneof source { Inner inner = 1; Retrieval other = 2; }"
        " message Inner { string name = 1; } }\n"
    )
    generate(proto, tmp_path, toolchain, revision="r", root="odd_pb")
    use = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from odd_pb import odd_pb2, oneofs\n"
        "cls = getattr(odd_pb2, 'None')\n"
        "print(cls(**{'def': 'x'}).WhichOneof('class'), odd_pb2.Base.__name__)"
    )
    assert run_python("-c", use) == "def Base\n"
    for name in ("class.proto", "1a.proto"):
        (proto / name).write_text('syntax = "proto3"; package odd;')
        with pytest.raises(toolwire.DescriptorError, match="no Python module can be named"):
            generate(proto, tmp_path, toolchain, revision="r", root="odd_pb")
        (proto / name).unlink()


def test_two_runs_give_the_same_bytes(toolchain: Toolchain, tmp_path: Path) -> None:
    proto = ROOT / "proto"
    for name in ("a", "b"):
        generate(proto, tmp_path / name, toolchain, revision="r")
    assert list(differences(tmp_path / "a", tmp_path / "b")) == []


def test_a_syntax_error_names_file_and_line_and_changes_nothing(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tree / "proto" / "google" / "cloud" / "aiplatform" / "v1" / "content.proto"
    broken.write_text(broken.read_text().replace("string role = 1", "string role = = 1", 1))
    assert program.main(["--root", str(tree)]) == 1
    assert "google/cloud/aiplatform/v1/content.proto:" in capsys.readouterr().err
    assert list(differences(PACKAGE, tree / "generated" / program.PACKAGE)) == []


def test_our_own_digests_are_renewed_and_a_vendored_file_stays(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tree / "proto" / "google" / "cloud" / "aiplatform" / "v1"
    with (folder / "openapi.proto").open("a") as file:
        file.write("\n// One more comment.\n")
    assert program.main(["--root", str(tree)]) == 0
    assert "openapi.proto: changed" in capsys.readouterr().out
    assert check(tree) == 0
    record = tree / "proto" / "UPSTREAM.toml"
    record.write_text(record.read_text().replace("vendored = false", "vendored = true"))
    with (folder / "tool.proto").open("a") as file:
        file.write("\n// One more comment.\n")
    assert program.main(["--root", str(tree)]) == 1
    assert "tool.proto is not the recorded text" in capsys.readouterr().err


def test_missing_tools_are_named(tmp_path: Path) -> None:
    with pytest.raises(toolwire.DescriptorError, match="no Python interpreter"):
        Toolchain.of(tmp_path / "python")


def test_output_of_an_unknown_compiler_is_refused() -> None:
    rewriter = Rewriter({"a_pb2": "root"}, pool_root="root")
    with pytest.raises(toolwire.DescriptorError, match="version of the compiler is not known"):
        rewriter.messages("import something_else\n", "a_pb2")


@pytest.fixture(scope="module")
def kinds(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a package generated from kinds.proto, and a program that uses it."""
    folder = tmp_path_factory.mktemp("kinds")
    (folder / "proto").mkdir()
    shutil.copy(HERE / "kinds.proto", folder / "proto")
    made = generate(folder / "proto", folder, toolchain, revision="r", root="kinds_pb")
    assert (made.own, made.messages) == (1, 3)
    shutil.copy(HERE / "kinds_program.py", folder)
    return folder


def test_every_kind_of_field_takes_what_its_stub_says(kinds: Path) -> None:
    assert run_python(kinds / "kinds_program.py").strip() == "kinds"


@pytest.mark.tools
@pytest.mark.parametrize("checker", CHECKERS)
def test_every_kind_of_field_type_checks(kinds: Path, checker: str) -> None:
    complaints = CHECKERS[checker](kinds / "kinds_program.py")
    assert [complaint.text for complaint in complaints] == []


def test_a_widened_stub_keeps_its_comments(kinds: Path) -> None:
    stub = (kinds / "kinds_pb" / "kinds_pb2.pyi").read_text()
    assert '"""The first line of a comment,\n        and the second.\n        """' in stub
