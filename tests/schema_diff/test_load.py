"""Where schemas are read from, and what is said where there is none."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from support.protos import PACKAGE, file, message
from toolwire import DescriptorError, MissingExtraError
from toolwire._apis import APIS
from toolwire._schema_diff import compare, defined, load, narrow

if TYPE_CHECKING:
    from pathlib import Path

    from toolwire.codegen import Toolchain

SCHEMA = f'syntax = "proto3";\npackage {PACKAGE};\nmessage A {{ int32 x = 1; }}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one .proto file."""
    (tmp_path / "proto" / "acme").mkdir(parents=True)
    (tmp_path / "proto" / "acme" / "a.proto").write_text(SCHEMA)
    return tmp_path / "proto"


def commit(repository: Path) -> None:
    """Commits all that is there."""
    identity = ["-c", "user.name=n", "-c", "user.email=e@example.com"]
    for command in (["add", "."], [*identity, "commit", "-q", "-m", "one"]):
        subprocess.run(["git", "-C", repository, *command], check=True)  # noqa: S607


@pytest.fixture
def repository(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository with that folder, and with a descriptor set, in one commit."""
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    top = folder.parent
    monkeypatch.chdir(top)
    described = FileDescriptorSet(file=[file("a.proto", message("A", "int32 x = 1"))])
    (top / "a.binpb").write_bytes(described.SerializeToString())
    (folder / "link.proto").symlink_to("/etc/passwd")
    subprocess.run(["git", "init", "-q"], check=True)  # noqa: S607
    commit(top)
    (folder / "link.proto").unlink()
    return top


def names(files: FileDescriptorSet) -> set[str]:
    return {one.name for one in files.file}


def test_a_folder(folder: Path, toolchain: Toolchain) -> None:
    (folder / ".cache").mkdir()
    (folder / ".cache" / "b.proto").write_text("no schema")
    (folder / "unused.proto").write_text('syntax = "proto3"; import "google/type/date.proto";')
    found = load(str(folder), toolchain)
    assert {"acme/a.proto", "unused.proto"} <= names(found)
    assert compare(found, load(f"{folder}/../proto", toolchain)) == []


def test_a_folder_that_imports_what_toolwire_has(folder: Path, toolchain: Toolchain) -> None:
    (folder / "b.proto").write_text(
        'syntax = "proto3"; import "google/cloud/aiplatform/v1/tool.proto";'
        " message B { google.cloud.aiplatform.v1.Tool tool = 1; }"
    )
    assert f"{APIS['v1'].package}.Tool" in defined(load(str(folder), toolchain))


def test_a_descriptor_set(tmp_path: Path) -> None:
    made = FileDescriptorSet(file=[file("a.proto", message("A", "int32 x = 1"))])
    path = tmp_path / "a.binpb"
    path.write_bytes(made.SerializeToString())
    (tmp_path / "link").symlink_to(path)
    for name in (path, tmp_path / "link", f"{tmp_path}/../{tmp_path.name}/a.binpb"):
        assert load(str(name)) == made


@pytest.mark.usefixtures("repository")
def test_a_git_revision(folder: Path, toolchain: Toolchain) -> None:
    (folder / "acme" / "a.proto").write_text(SCHEMA.replace("x = 1", "x = 2"))
    old = load("HEAD:proto", toolchain)
    [finding] = compare(old, load("proto", toolchain))
    assert finding.rule == "field-renumbered"
    assert names(load("HEAD:", toolchain)) == {"proto/acme/a.proto"}
    assert names(load("HEAD:a.binpb")) == {"a.proto"}


def test_what_does_not_compile_in_a_revision(
    repository: Path, folder: Path, toolchain: Toolchain
) -> None:
    (folder / "acme" / "a.proto").write_text("message {}")
    commit(repository)
    with pytest.raises(DescriptorError) as caught:
        load("HEAD:proto", toolchain)
    fault = "HEAD:proto: the schema does not compile:\nacme/a.proto:1:9: Expected message name."
    assert fault in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "fault"),
    [
        ("nope:proto", "nope:proto: no such git revision"),
        ("-v:proto", "-v:proto: no git revision is named '-v'"),
        (":proto", ":proto: no git revision is named ''"),
        ("--output=x:proto", "no git revision is named '--output=x'"),
        ("HEAD:nope", "HEAD:nope: the revision has no such path"),
        ("HEAD:../proto", "HEAD:../proto: the revision has no such path"),
        ("HEAD:proto/acme/a.proto", "HEAD:proto/acme/a.proto: not a serialized FileDescriptorSet"),
    ],
)
@pytest.mark.usefixtures("repository")
def test_what_git_does_not_have(spec: str, fault: str) -> None:
    with pytest.raises(DescriptorError) as caught:
        load(spec)
    assert fault in str(caught.value)


def test_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(DescriptorError, match="HEAD:x: no such git revision"):
        load("HEAD:x")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(DescriptorError, match="git cannot be run"):
        load("HEAD:x")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            'syntax = "proto3"; message A { int32 x = = 1; }',
            "\nb.proto:1:42: Expected field number.",
        ),
        ('syntax = "proto3"; import "gone.proto";', "\nb.proto:1:20: Import"),
        ('syntax = "proto3"; message A { B b = 1; }', '\nb.proto:1:32: "B" is not defined.'),
    ],
)
def test_what_does_not_compile(folder: Path, toolchain: Toolchain, text: str, fault: str) -> None:
    (folder / "b.proto").write_text(text)
    with pytest.raises(DescriptorError) as caught:
        load(str(folder), toolchain)
    assert str(caught.value).startswith(f"{folder}: the schema does not compile:\n")
    assert fault in str(caught.value)


def test_a_folder_in_which_no_import_path_begins(toolchain: Toolchain, tmp_path: Path) -> None:
    (tmp_path / "google" / "acme").mkdir(parents=True)
    (tmp_path / "google" / "acme" / "a.proto").write_text('syntax = "proto3"; package acme;')
    user = 'syntax = "proto3"; package acme; import "google/acme/a.proto";'
    (tmp_path / "google" / "acme" / "b.proto").write_text(user)
    with pytest.raises(DescriptorError, match="import paths have to begin in the folder"):
        load(str(tmp_path / "google"), toolchain)


@pytest.mark.parametrize("name", ["--help.proto", "@x.proto", "-I.proto"])
def test_names_that_the_compiler_would_misread(
    folder: Path, toolchain: Toolchain, name: str
) -> None:
    (folder / name).write_text(SCHEMA)
    with pytest.raises(DescriptorError, match="the compiler takes no such file name"):
        load(str(folder), toolchain)


def described(**changes: list[str]) -> bytes:
    made = file("a.proto", message("A", "int32 x = 1"), imports=tuple(changes.get("imports", [])))
    return FileDescriptorSet(file=[made]).SerializeToString()


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"\xff\xff", "not a serialized FileDescriptorSet"),
        (b"", "not a serialized FileDescriptorSet, or an empty one"),
        (b'{"tools": []}', "not a serialized FileDescriptorSet"),
        (described(imports=["b.proto"]), "lacks the import b.proto: write it with"),
        (described(imports=["a.proto"]), "imports run in a circle: a.proto"),
        (described().replace(b"test", b"t..t"), "a.proto: invalid name"),
        (described().replace(b"test", b"t\xffst"), "is not UTF-8"),
    ],
)
def test_what_is_no_descriptor_set(tmp_path: Path, data: bytes, fault: str) -> None:
    path = tmp_path / "a.binpb"
    path.write_bytes(data)
    with pytest.raises(DescriptorError) as caught:
        load(str(path))
    assert str(caught.value).startswith(f"{path}: ")
    assert fault in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "fault"),
    [
        ("nope", "nope: no such file or folder"),
        ("", ": no such file or folder"),
        ("x" * 300, "File name too long"),
        ("builtin:v9", "unknown api 'v9': choose one of v1"),
    ],
)
def test_what_is_nothing(spec: str, fault: str) -> None:
    with pytest.raises(DescriptorError) as caught:
        load(spec)
    assert fault in str(caught.value)


def test_what_is_the_wrong_thing(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(DescriptorError, match="name the folder where import paths begin"):
        load(str(folder / "acme" / "a.proto"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(DescriptorError, match="the folder has no"):
        load(str(tmp_path / "empty"))


def test_without_a_compiler(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def find_nothing(_name: str) -> None:
        return None

    monkeypatch.setattr("importlib.util.find_spec", find_nothing)
    with pytest.raises(MissingExtraError, match=r"toolwire\[codegen\]"):
        load(str(folder))


@pytest.mark.parametrize("api", APIS)
def test_one_api_of_the_built_in_schema(api: str) -> None:
    package = APIS[api].package
    own = [name for name in defined(load(f"builtin:{api}")) if name.startswith(f"{package}.")]
    assert f"{package}.Tool" in own or f"{package}.TemplateTool" in own
    others = {other.package for other in APIS.values()} - {package}
    packages = {one.package for one in load(f"builtin:{api}").file}
    assert not packages & others


def test_narrowed_to_what_a_message_needs() -> None:
    found = defined(narrow(load("builtin"), ["google.cloud.aiplatform.v1.Tool", "no.such.Name"]))
    assert "google.cloud.aiplatform.v1.Schema" in found
    assert "google.cloud.aiplatform.v1.GenerateContentRequest" not in found
