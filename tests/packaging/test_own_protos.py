"""Somebody's own protos, compiled by what the wheel installs; and the .proto files in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from environments import ROOT, Environment
from support.checkers import CHECKERS

pytestmark = pytest.mark.wheel

OWN = ROOT / "tests" / "own_protos"
TOOL = "google/cloud/aiplatform/v1/tool.proto"


@pytest.fixture(scope="session")
def compiler(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """With the extras that compile."""
    environment = Environment.create(tmp_path_factory.mktemp("compiler") / "env")
    environment.install(f"{wheel}[cli,codegen]")
    return environment


@pytest.fixture(scope="session")
def project(compiler: Environment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's modules, with a program that uses them."""
    folder = tmp_path_factory.mktemp("project") / "gen"
    made = toolwire(compiler, "protoc", "-I", OWN / "protos", OWN / "protos", "--out", folder)
    assert made.returncode == 0, made.stderr
    shutil.copy(OWN / "program.py", folder)
    return folder


def toolwire(environment: Environment, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [environment.python.parent / "toolwire", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )


def test_a_users_service_runs(compiler: Environment, project: Path) -> None:
    check_program(compiler, project, "-W", "error")


def check_program(environment: Environment, project: Path, *options: str) -> None:
    result = subprocess.run(
        [environment.python, *options, project / "program.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        # Without it gRPC tells there now and then that a connection was closed.
        env={**os.environ, "GRPC_VERBOSITY": "ERROR"},
    )
    assert (result.stderr, result.stdout) == ("", "weather, news\n")


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_users_service_type_checks(compiler: Environment, project: Path, checker: str) -> None:
    complaints = CHECKERS[checker](project / "program.py", python=compiler.python)
    assert [complaint.text for complaint in complaints] == []


def test_the_modules_need_no_compiler(bare: Environment, project: Path) -> None:
    check_program(bare, project)


def test_without_the_extra_it_is_named(full: Environment, tmp_path: Path) -> None:
    result = toolwire(full, "protoc", "-I", OWN / "protos", OWN / "protos", "--out", tmp_path / "x")
    assert result.returncode == 1
    assert result.stderr == (
        "error: compiling .proto files needs grpcio-tools and mypy-protobuf: "
        'pip install "toolwire[codegen]"\n'
    )
    assert list(tmp_path.iterdir()) == []


def test_the_wheel_has_every_proto_file_once(wheel: Path) -> None:
    folder = ROOT / "proto"
    wanted = {path.relative_to(folder).as_posix() for path in folder.rglob("*.proto")}
    found = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".proto")]
    assert sorted(found) == sorted(f"toolwire/include/{name}" for name in wanted)


def test_the_path_is_one_for_protoc(compiler: Environment, tmp_path: Path) -> None:
    folder = toolwire(compiler, "proto", "path").stdout.strip()
    assert (Path(folder) / TOOL).read_bytes() == (ROOT / "proto" / TOOL).read_bytes()
    assert Path(folder).is_relative_to(compiler.python.parent.parent)
    both = toolwire(compiler, "proto", "path", "--all").stdout.strip()
    assert len(both.split(os.pathsep)) == 2
    command: list[str | Path] = [compiler.python, "-m", "grpc_tools.protoc", "-I", both]
    subprocess.run([*command, f"-o{tmp_path / 'out'}", TOOL], check=True)
    descriptors = toolwire(compiler, "proto", "path", "--descriptors").stdout.strip()
    assert Path(descriptors).stat().st_size


def test_the_schema_is_shown(full: Environment) -> None:
    shown = toolwire(full, "proto", "show", "v1.Tool")
    assert shown.stdout.startswith("message google.cloud.aiplatform.v1.Tool\n")
