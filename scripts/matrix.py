"""Runs the tests against the built wheel, on the lowest and highest versions that it promises.

Usage: python scripts/matrix.py [--all]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from environments import ROOT, Environment, build_wheel, find_python

LOCKS = {"lowest": "requirements/lowest.txt", "highest": "requirements/dev.txt"}
CORNERS = (("3.10", "lowest"), ("3.13", "highest"))
ALL = tuple((version, name) for version in ("3.10", "3.11", "3.12", "3.13") for name in LOCKS)
SHOWN = ("protobuf", "grpcio", "google-auth", "orjson")


def main(arguments: list[str]) -> int:
    """Runs the corners of the matrix, or all of it, and returns 1 where one fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--all", action="store_true", help="every Python with every lock")
    passed = [
        _combination(version, name)
        for version, name in (ALL if parser.parse_args(arguments).all else CORNERS)
    ]
    return int(not all(passed))


def _combination(version: str, name: str) -> bool:
    python = find_python(version)
    if python is None:
        print(f"python {version}: not found", file=sys.stderr)
        return False
    with tempfile.TemporaryDirectory() as scratch:
        wheel = _build(python, Path(scratch, "wheel"))
        environment = Environment.create(Path(scratch, "env"), python=python)
        return _run(version, name, LOCKS[name], wheel, environment)


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
    tests = [str(environment.python), "-m", "pytest", "-q", "-n", "auto"]
    tests += ["-m", "not wheel and not tools"]
    passed = subprocess.run(tests, cwd=ROOT, check=False).returncode == 0
    print(f"{'ok' if passed else 'FAILED'} in {time.monotonic() - started:.0f} s", flush=True)
    return passed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
