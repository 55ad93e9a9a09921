"""Runs the tests against the built wheel, on the lowest and highest versions that it promises.

Usage: python scripts/matrix.py [PYTHON ...]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from environments import ROOT, Environment, build_wheel, find_python

PYTHONS = ("3.10", "3.13")
LOCKS = {"lowest": "requirements/lowest.txt", "highest": "requirements/dev.txt"}
SHOWN = ("protobuf", "grpcio", "google-auth")


def main(pythons: list[str]) -> int:
    """Runs every combination and returns 1 where one fails."""
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        for version in pythons or PYTHONS:
            python = find_python(version)
            if python is None:
                print(f"python {version}: not found", file=sys.stderr)
                failed = True
                continue
            wheel = _build(python, Path(scratch, version))
            for name, lock in LOCKS.items():
                folder = Path(scratch, f"{version}-{name}")
                failed |= not _run(
                    version, name, lock, wheel, Environment.create(folder, python=python)
                )
    return int(failed)


def _build(python: Path, folder: Path) -> Path:
    """Builds the wheel for one version of Python, which its native core is compiled for."""
    environment = Environment.create(folder / "env", python=python)
    environment.install("hatchling>=1.27")
    return build_wheel(
        folder, python=environment.python, variables={"TOOLWIRE_REQUIRE_COMPILED": "1"}
    )


def _run(version: str, name: str, lock: str, wheel: Path, environment: Environment) -> bool:
    environment.install("-r", ROOT / lock)
    environment.install("--no-deps", wheel)
    versions = ", ".join(f"{n} {v}" for n, v in environment.versions(*SHOWN).items())
    print(f"\npython {version}, {name}: {versions}", flush=True)
    started = time.monotonic()
    tests = [str(environment.python), "-m", "pytest", "-q", "-m", "not wheel and not tools"]
    passed = subprocess.run(tests, cwd=ROOT, check=False).returncode == 0
    print(f"{'ok' if passed else 'FAILED'} in {time.monotonic() - started:.0f} s", flush=True)
    return passed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
