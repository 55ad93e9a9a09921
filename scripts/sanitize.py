"""Runs the tests and the fuzzer of the native core under the address and undefined sanitizers.

Usage: python scripts/sanitize.py [SECONDS] [SEED]

The core is compiled into a copy of the package, so that the checkout keeps its own. Needs a gcc
with its sanitizer libraries.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import build_native
from environments import ROOT

COPY = ROOT / ".cache" / "sanitize"
OPTIONS = (
    *("-O1", "-g", "-fno-omit-frame-pointer"),
    *("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
)


def main(seconds: str = "60", seed: str = "1") -> int:
    """Returns 0 where all of it passes."""
    shutil.rmtree(COPY, ignore_errors=True)
    compiled = shutil.ignore_patterns("*.so", "__pycache__")
    shutil.copytree(ROOT / "src", COPY, ignore=compiled)
    try:
        build_native.build(COPY / "toolwire" / "_json", *OPTIONS)
    except RuntimeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    environment = {
        **os.environ,
        "LD_PRELOAD": _library("libasan.so"),
        "PYTHONMALLOC": "malloc",  # else most of what is allocated is out of their sight
        "PYTHONPATH": str(COPY),
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1",  # Python itself leaves things behind
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    check = ["-c", f"from toolwire._json import _codec; assert '{COPY}' in _codec.__file__"]
    tests = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/json", "-k", "not stack"]
    fuzzer = ["scripts/fuzz_json.py", seconds, seed]
    for arguments in (check, fuzzer, tests):
        command = [sys.executable, *arguments]
        if subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode:
            print(f"error: failed under the sanitizers: {' '.join(arguments)}", file=sys.stderr)
            return 1
    return 0


def _library(name: str) -> str:
    command = ["gcc", f"-print-file-name={name}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
