"""The built wheel, in environments that hold nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from environments import ROOT, Environment, build_wheel
from support.checkers import CHECKERS

pytestmark = pytest.mark.wheel

TYPING = ROOT / "tests" / "typing"


def run(environment: Environment, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [environment.python, "-W", "error", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")


def names(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


def test_the_wheel_holds_both_roots_and_nothing_else(wheel: Path) -> None:
    found = names(wheel)
    tops = {name.split("/")[0] for name in found}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"toolwire", "toolwire_pb"}
    assert {
        "toolwire/py.typed",
        "toolwire_pb/py.typed",
        "toolwire_pb/descriptors.binpb",
        "toolwire_pb/stamp.json",
    } <= found
    assert any(name.endswith("licenses/NOTICE") for name in found)
    assert not any("__pycache__" in name for name in found)
    assert not any(name.endswith((".c", ".h")) for name in found)


def compiled(wheel: Path) -> list[str]:
    return [name for name in names(wheel) if name.endswith((".so", ".pyd"))]


def test_the_wheel_is_compiled_for_this_platform(wheel: Path, bare: Environment) -> None:
    assert [name.rpartition("/")[0] for name in compiled(wheel)] == ["toolwire/_json"]
    assert not wheel.name.endswith("-none-any.whl")
    made = run(bare, "-c", "from toolwire._json import JSON_CODEC; print(JSON_CODEC)")
    assert made.stdout == "compiled\n"


@pytest.mark.parametrize(
    "variables", [{"TOOLWIRE_PURE": "1"}, {"CC": "no-such-compiler"}], ids=["asked", "no-compiler"]
)
def test_without_a_compiler_the_wheel_is_for_all_platforms(
    wheel: Path, variables: dict[str, str], tmp_path: Path
) -> None:
    pure = build_wheel(tmp_path, variables={"TOOLWIRE_REQUIRE_COMPILED": "", **variables})
    assert pure.name.endswith("-py3-none-any.whl")
    assert names(pure) == names(wheel) - set(compiled(wheel))


def test_a_wheel_without_the_core_can_be_refused(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="no C compiler"):
        build_wheel(
            tmp_path, variables={"CC": "no-such-compiler", "TOOLWIRE_REQUIRE_COMPILED": "1"}
        )


def test_what_does_not_compile_is_no_wheel(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="does not compile"):
        build_wheel(tmp_path, variables={"CC": "false"})


def test_the_pure_wheel_works(tmp_path: Path) -> None:
    environment = Environment.create(tmp_path / "env")
    environment.install(build_wheel(tmp_path, variables={"TOOLWIRE_PURE": "1"}))
    assert run(environment, TYPING / "sample.py").returncode == 0
    made = run(environment, "-c", "from toolwire._json import JSON_CODEC; print(JSON_CODEC)")
    assert made.stdout == "pure\n"


def test_the_sdist_gives_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = (path for path in tmp_path.iterdir() if path.is_dir())
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (again,) = tmp_path.glob("*.whl")
    assert names(again) == names(wheel)


def test_no_extra_is_needed_for_messages_json_and_the_client(bare: Environment) -> None:
    result = run(bare, TYPING / "sample.py")
    assert result.returncode == 0, result.stderr
    made = run(bare, "-c", "import toolwire; print(toolwire.Client(project='p', location='eu'))")
    assert made.returncode == 0, made.stderr


def test_missing_extras_are_named(bare: Environment) -> None:
    command = subprocess.run(
        [bare.python.parent / "toolwire", "demo"], capture_output=True, text=True, check=False
    )
    assert command.returncode == 1
    assert command.stderr == 'error: the command line needs click: pip install "toolwire[cli]"\n'
    result = run(bare, "-c", "from toolwire.testing import LocalServer; LocalServer()")
    assert "toolwire[testing]" in result.stderr
    result = run(bare, "-c", "from toolwire import functions as f; f.response_schema(int)")
    assert "toolwire[functions]" in result.stderr


def test_the_demonstration_runs(full: Environment) -> None:
    result = subprocess.run(
        [full.python.parent / "toolwire", "demo"], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert "functionResponse" in result.stdout


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_users_program_type_checks(bare: Environment, checker: str, tmp_path: Path) -> None:
    program = Path(shutil.copy(TYPING / "sample.py", tmp_path))
    complaints = CHECKERS[checker](program, python=bare.python)
    assert [complaint.text for complaint in complaints] == []


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_users_mistakes_are_found(bare: Environment, checker: str, tmp_path: Path) -> None:
    program = Path(shutil.copy(TYPING / "wrong.py", tmp_path))
    lines = program.read_text().splitlines()
    expected = {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
    found = {complaint.line for complaint in CHECKERS[checker](program, python=bare.python)}
    assert found == expected
