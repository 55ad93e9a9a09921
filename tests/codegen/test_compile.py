"""Somebody's own .proto files in the pool of toolwire_pb: compiled, used, refused."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import toolwire
from support.checkers import CHECKERS
from support.processes import run_python
from toolwire.codegen import common_protos, compile_protos, differences, proto_folder

OWN = Path(__file__).parent.parent / "own_protos"
PROTOS = OWN / "protos"
SYNTAX = 'syntax = "proto3";\n'
TOOL = 'import "google/cloud/aiplatform/v1/tool.proto";\n'


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the compiled files, and a program that uses them."""
    folder = tmp_path_factory.mktemp("project") / "gen"
    made = compile_protos([PROTOS], folder, include=[PROTOS])
    assert (len(made.sources), made.messages, made.services, made.warnings) == (2, 4, 1, "")
    assert made.files == sum(1 for path in folder.rglob("*") if path.is_file())
    for name in ("program.py", "connected.py", "wrong.py"):
        shutil.copy(OWN / name, folder)
    return folder


@pytest.fixture
def protos(tmp_path: Path) -> Path:
    """An empty folder for .proto files."""
    folder = tmp_path / "protos"
    folder.mkdir()
    return folder


def write(folder: Path, **texts: str) -> None:
    """Writes .proto files; two underscores in a name stand for a slash."""
    for name, text in texts.items():
        path = folder / (name.replace("__", "/") + ".proto")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SYNTAX + text)


def refuse(protos: Path, match: str, *, root: str = "", files: list[Path] | None = None) -> None:
    """Expects an error, and nothing written."""
    out = protos.parent / "gen"
    before = sorted(protos.parent.rglob("*"))
    with pytest.raises((toolwire.DescriptorError, toolwire.UsageError), match=match):
        compile_protos(files or [protos], out, include=[protos], root=root)
    assert sorted(protos.parent.rglob("*")) == before


def test_a_users_program_runs(project: Path) -> None:
    assert run_python(project / "program.py") == "weather, news\n"


def test_connected_stubs_are_what_their_types_say(project: Path) -> None:
    assert run_python(project / "connected.py") == "ran\n"


@pytest.mark.tools
@pytest.mark.parametrize("program", ["program.py", "connected.py"])
@pytest.mark.parametrize("checker", CHECKERS)
def test_a_users_program_type_checks(project: Path, checker: str, program: str) -> None:
    complaints = CHECKERS[checker](project / program)
    assert [complaint.text for complaint in complaints] == []


@pytest.mark.tools
@pytest.mark.parametrize("checker", CHECKERS)
def test_what_a_connected_stub_has_not_is_refused(project: Path, checker: str) -> None:
    lines = (project / "wrong.py").read_text().splitlines()
    expected = {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
    complaints = CHECKERS[checker](project / "wrong.py")
    assert {each.line for each in complaints} == expected, [each.text for each in complaints]


def test_every_folder_is_a_typed_package(project: Path) -> None:
    assert (project / "acme" / "py.typed").is_file()
    folders = [path for path in (project / "acme").rglob("*") if path.is_dir()]
    for folder in folders:
        assert folder.name == "__pycache__" or (folder / "__init__.py").is_file()
    assert not (project / "__init__.py").exists()
    assert not (project / "google").exists()


@pytest.mark.parametrize("root", ["acme_pb", "acme.gen"])
def test_an_import_root_of_ones_own(tmp_path: Path, root: str) -> None:
    made = compile_protos([PROTOS], tmp_path, include=[PROTOS], root=root)
    assert made.folder == tmp_path / root.replace(".", "/")
    text = (OWN / "program.py").read_text().replace("from acme.", f"from {root}.acme.")
    (tmp_path / "program.py").write_text(text)
    assert run_python(tmp_path / "program.py") == "weather, news\n"


def test_two_runs_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        compile_protos([PROTOS], tmp_path / name, include=[PROTOS])
    assert list(differences(tmp_path / "a", tmp_path / "b")) == []
    compile_protos([PROTOS], tmp_path / "a", include=[PROTOS])
    assert list(differences(tmp_path / "a", tmp_path / "b")) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_what_is_gone_from_the_files_goes_from_the_output(tmp_path: Path) -> None:
    compile_protos([PROTOS], tmp_path / "gen", include=[PROTOS])
    trace = PROTOS / "acme" / "common" / "trace.proto"
    made = compile_protos([trace], tmp_path / "gen", include=[PROTOS])
    assert made.sources == ("acme/common/trace.proto",)
    assert not (tmp_path / "gen" / "acme" / "agent").exists()


def test_files_are_found_as_the_compiler_finds_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = Path("acme/common/trace.proto")
    for named in (name, PROTOS / name, Path(os.path.relpath(PROTOS / name))):
        made = compile_protos([named], tmp_path / "gen", include=[tmp_path, PROTOS])
        assert made.sources == (name.as_posix(),)
    monkeypatch.chdir(PROTOS)
    assert compile_protos([name], tmp_path / "gen").sources == (name.as_posix(),)


def test_odd_but_valid_files(protos: Path) -> None:
    (protos / "my-team").mkdir()
    (protos / "my-team" / "file-a.proto").write_text(
        'syntax = "proto2"; package odd;\n'
        'import public "google/cloud/aiplatform/v1/tool.proto"; import "options.proto";\n'
        "message Old { optional group Data = 1 { optional string x = 1; }\n"
        '  required string need = 2 [(note) = "hello"]; extensions 100 to 200; }\n'
        "extend Old { optional google.cloud.aiplatform.v1.Tool extra = 101; }\n"
    )
    write(
        protos,
        options='package odd; import "google/protobuf/descriptor.proto";\n'
        "extend google.protobuf.FieldOptions { optional string note = 50001; }",
    )
    (protos / "newest.proto").write_text(
        'edition = "2023"; import "my-team/file-a.proto";'
        "option features.field_presence = IMPLICIT;"
        "message Newest { odd.Old old = 1; Newest self = 2 [features.message_encoding = DELIMITED];"
        " google.cloud.aiplatform.v1.Tool tool = 3; }"
    )
    compile_protos([protos], protos.parent, include=[protos], root="odd_pb")
    program = protos.parent / "program.py"
    program.write_text(
        "import copy, pickle, toolwire\n"
        "from google.protobuf.message_factory import GetMessageClass\n"
        "from odd_pb import newest_pb2, options_pb2\n"
        "from odd_pb.my_team import file_a_pb2\n"
        "assert file_a_pb2.Tool is toolwire.v1.Tool\n"
        "old = file_a_pb2.Old(need='n', data={'x': 'y'})\n"
        "old.Extensions[file_a_pb2.extra].google_search.SetInParent()\n"
        "newest = newest_pb2.Newest(old=old, self={'tool': {}})\n"
        "text = toolwire.to_json(newest)\n"
        "assert toolwire.from_json(newest_pb2.Newest, text) == newest\n"
        "assert pickle.loads(pickle.dumps(newest)) == copy.deepcopy(newest) == newest\n"
        "options = file_a_pb2.Old.DESCRIPTOR.fields_by_name['need'].GetOptions()\n"
        "pool = file_a_pb2.DESCRIPTOR.pool\n"
        "ours = GetMessageClass(pool.FindMessageTypeByName('google.protobuf.FieldOptions'))\n"
        "found = ours.FromString(options.SerializeToString()).Extensions[options_pb2.note]\n"
        "print(found, text)\n"
    )
    assert run_python(program) == (
        'hello {"old":{"data":{"x":"y"},"need":"n","[odd.extra]":{"googleSearch":{}}},'
        '"self":{"tool":{}}}\n'
    )


def test_a_syntax_error_names_file_and_line(protos: Path) -> None:
    write(protos, bad="\nmessage Bad {\n  string name = = 1;\n}")
    refuse(protos, r"bad\.proto:4:17: ")
    refuse(protos, r"bad\.proto:4:17: ", root="folder.of.a.root")


def test_a_missing_import_is_named(protos: Path) -> None:
    write(protos, bad='import "acme/gone.proto";')
    refuse(protos, r'bad\.proto:2:1: Import "acme/gone\.proto" was not found')


def test_an_import_that_nobody_compiles_is_named(protos: Path) -> None:
    write(protos, one="message One {}", two='import "one.proto"; message Two { One one = 1; }')
    message = r"two\.proto: imports one\.proto, of which there is no module: name its file, too"
    refuse(protos, message, files=[protos / "two.proto"])


def test_a_field_of_another_pool_is_refused(protos: Path) -> None:
    operation = "google/longrunning/operations_proto.proto"
    write(
        protos, job=f'import "{operation}"; message Job {{ google.longrunning.Operation o = 1; }}'
    )
    refuse(protos, r"job\.proto: Job\.o is a google\.longrunning\.Operation, .* own pool: name its")
    files = [protos, Path(operation)]
    compile_protos(files, protos.parent, include=[protos], root="jobs_pb")
    program = protos.parent / "program.py"
    program.write_text(
        "from jobs_pb import job_pb2\n"
        "from jobs_pb.google.longrunning.operations_proto_pb2 import Operation\n"
        "print(job_pb2.Job(o=Operation(name='n')).o.name)"
    )
    assert run_python(program) == "n\n"


def test_an_unused_import_of_what_has_no_module_is_refused(protos: Path) -> None:
    write(protos, job='import "google/longrunning/operations_proto.proto"; message Job {}')
    refuse(protos, r"job\.proto: imports .*operations_proto\.proto, .* no module: name its file")
    write(protos, job='import "google/api/annotations.proto"; message Job {}')
    compile_protos([protos], protos.parent / "gen", include=[protos])


def test_options_are_no_values(protos: Path) -> None:
    write(
        protos,
        meta='import "google/protobuf/descriptor.proto";\n'
        "message Meta { google.protobuf.FileDescriptorSet files = 1; }",
    )
    refuse(protos, r"Meta\.files is a google\.protobuf\.FileDescriptorSet, .* for options only")


def test_a_file_of_ours_is_not_compiled_again(protos: Path) -> None:
    ours, options = "google/cloud/aiplatform/v1/tool.proto", "google/api/annotations.proto"
    for folder, name in ((proto_folder(), ours), (common_protos(), options)):
        (protos / name).parent.mkdir(parents=True)
        shutil.copy(folder / name, protos / name)
    refuse(protos, rf"{ours}: is in toolwire_pb: leave it out", files=[protos / ours])
    message = rf"{options}: stays in protobuf's own pool: leave it out"
    refuse(protos, message, files=[protos / options], root="mine_pb")
    refuse(protos, "no .proto files of your own")
    # As mere copies among somebody's own files they are in nobody's way.
    text = "message Mine { google.cloud.aiplatform.v1.Tool tool = 1; }"
    write(protos, mine=TOOL + f'import "{options}";' + text)
    made = compile_protos([protos], protos.parent / "gen", include=[protos])
    assert made.sources == ("mine.proto",)


@pytest.mark.parametrize("package", ["google.cloud.aiplatform.v1", "google.ai.generativelanguage"])
def test_a_type_of_ours_is_not_defined_again(protos: Path, package: str) -> None:
    text = f"package {package}; message Tool {{}}"
    if package.endswith("v1"):
        write(protos, mine=text)
        message = r'mine\.proto:2:45: "google\.cloud\.aiplatform\.v1\.Tool" is already defined in'
        refuse(protos, message)
    else:
        write(protos, mine=text)
        compile_protos([protos], protos.parent / "gen", include=[protos])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("class", r"class\.proto: no Python module can be named 'class'"),
        ("acme__1a", r"acme/1a\.proto: no Python module can be named '1a'"),
        ("my.file", r"my\.file\.proto: no Python module can be named 'my\.file'"),
        ("-x", r"-x\.proto: would be an option"),
        ("google__mine__x", r"google/mine/x\.proto: the package 'google' would hide"),
        ("types__x", r"types/x\.proto: the package 'types' would hide"),
    ],
)
def test_names_that_python_cannot_have(protos: Path, name: str, message: str) -> None:
    write(protos, **{name: "message M {}"})
    refuse(protos, message)


@pytest.mark.parametrize("name", ["from", "None"])
def test_methods_that_no_stub_can_have(protos: Path, name: str) -> None:
    write(protos, bad=f"message M {{}} service S {{ rpc {name}(M) returns (M); }}")
    refuse(protos, rf"bad\.proto: S\.{name}: '{name}' is a keyword of Python, and no gRPC stub")


@pytest.mark.parametrize(
    ("root", "message"),
    [
        ("my-root", "my-root: no Python package can be named 'my-root'"),
        ("a..b", r"a\.\.b: no Python package can be named ''"),
        ("../up", r"\.\./up: no Python package"),
        ("google.mine", r"google\.mine: would hide the package 'google'"),
        ("toolwire_pb", "toolwire_pb: would hide"),
    ],
)
def test_roots_that_python_cannot_have(protos: Path, root: str, message: str) -> None:
    write(protos, fine="message M {}")
    refuse(protos, message, root=root)


def test_files_that_are_not_there(protos: Path) -> None:
    refuse(protos, r"gone\.proto: no such file, here or in ", files=[Path("gone.proto")])
    refuse(protos, r"protos: no \.proto files of your own in this folder")
    (protos.parent / "other.proto").touch()
    refuse(protos, "other.proto: in none of the folders", files=[protos.parent / "other.proto"])
    with pytest.raises(toolwire.UsageError, match=r"no \.proto files are named"):
        compile_protos([], protos.parent / "gen")


def test_a_file_that_another_hides_is_refused(protos: Path) -> None:
    second = protos.parent / "second"
    write(protos, same="message First {}")
    write(second, same="message Second {}")
    include = [protos, second]
    with pytest.raises(toolwire.UsageError, match=r"second/same\.proto: hidden by .*protos/same"):
        compile_protos([second / "same.proto"], protos.parent / "gen", include=include)


def test_an_output_in_the_way_is_left_alone(protos: Path) -> None:
    write(protos, fine="message M {}")
    gen = protos.parent / "gen"
    gen.touch()
    refuse(protos, "gen: in the way: it is no folder")
    gen.unlink()
    gen.mkdir()
    (gen / "notes.txt").write_text("mine")
    refuse(protos, r"gen/notes\.txt: in the way")
    (gen / "notes.txt").unlink()
    compile_protos([protos], gen, include=[protos])
    (gen / "helpers.py").write_text("mine")
    refuse(protos, r"gen/helpers\.py: in the way")
    assert (gen / "fine_pb2.py").exists()


def test_an_output_that_cannot_be_written_is_named(protos: Path) -> None:
    write(protos, fine="message M {}")
    (protos.parent / "file").touch()
    with pytest.raises(toolwire.UsageError, match="file/gen: cannot be written: "):
        compile_protos([protos], protos.parent / "file" / "gen", include=[protos])


def test_a_failure_keeps_the_output_of_before(protos: Path) -> None:
    write(protos, fine="message M {}")
    gen = protos.parent / "gen"
    compile_protos([protos], gen, include=[protos])
    before = (gen / "fine_pb2.py").read_bytes()
    write(protos, fine="message M {")
    refuse(protos, "does not compile")
    assert (gen / "fine_pb2.py").read_bytes() == before


def test_a_warning_is_no_error(protos: Path) -> None:
    write(protos, fine='import "google/type/date.proto"; message M {}')
    made = compile_protos([protos], protos.parent / "gen", include=[protos])
    assert "google/type/date.proto is unused" in made.warnings
