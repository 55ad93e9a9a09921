"""Python environments that the checks are run in: made by uv, thrown away after use."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parent.parent
UV = Path(sys.executable).parent / "uv"


def build_wheel(
    folder: Path, *, python: Path | None = None, variables: Mapping[str, str] | None = None
) -> Path:
    """Builds the wheel of this checkout.

    Args:
        folder: Where to put it.
        python: The interpreter to build with and for, which has hatchling; by default this one.
        variables: Environment variables to build with.

    Returns:
        The wheel.

    Raises:
        RuntimeError: It cannot be built; the message is hatchling's.
    """
    command: list[str | Path] = [python or sys.executable, "-m", "hatchling", "build"]
    command += ["-t", "wheel", "-d", folder]
    environment = {**os.environ, **(variables or {})}
    result = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if result.returncode:
        raise RuntimeError(result.stderr.strip())
    (wheel,) = folder.glob("*.whl")
    return wheel


def find_python(version: str) -> Path | None:
    """Finds an interpreter on the path, or among pyenv's versions.

    Args:
        version: Major and minor version, such as ``3.10``.

    Returns:
        The interpreter, or None where there is none.
    """
    on_path = shutil.which(f"python{version}")
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    candidates = [Path(on_path)] if on_path else []
    candidates += sorted(pyenv.glob(f"{version}.*/bin/python{version}"), reverse=True)
    for candidate in candidates:  # a shim of pyenv's may stand for nothing
        works = subprocess.run([candidate, "-c", ""], capture_output=True, check=False)
        if works.returncode == 0:
            return candidate
    return None


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment.

    Attributes:
        python: Its interpreter.
    """

    python: Path

    @classmethod
    def create(cls, folder: Path, *, python: Path | None = None) -> Environment:
        """Makes an empty environment, by default for the running version of Python."""
        base = str(python or sys.executable)
        subprocess.run([UV, "venv", "--quiet", "--python", base, folder], check=True)
        return cls(folder / "bin" / "python")

    def install(self, *arguments: str | Path) -> None:
        """Installs what the arguments of ``uv pip install`` say.

        Raises:
            RuntimeError: It cannot be installed; the message is uv's.
        """
        command = [UV, "pip", "install", "--quiet", "--python", self.python, *arguments]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode:
            raise RuntimeError(result.stderr.strip())

    def versions(self, *names: str) -> dict[str, str]:
        """Tells which versions of distributions are installed; those that are not are left out."""
        command: list[str | Path] = [UV, "pip", "list", "--format", "json"]
        command += ["--python", self.python]
        listed = subprocess.run(command, capture_output=True, text=True, check=True)
        found = {entry["name"]: entry["version"] for entry in json.loads(listed.stdout)}
        return {name: found[name] for name in names if name in found}
