"""Compares our schema with the one inside the official packages, message by message.

Usage: python scripts/drift.py [--newest] [--json]

By default the packages are those of requirements/peers.txt. Whatever is not the same is an error;
what they have and we do not is only listed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from environments import ROOT, Environment, build_wheel
from upstream import Upstream

LOCK = ROOT / "requirements" / "peers.txt"
PEERS = ("google-cloud-aiplatform", "google-ai-generativelanguage")


def main(arguments: list[str] | None = None) -> int:
    """Runs the program; its exit code is 1 where something differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--newest", action="store_true", help="not the locked versions")
    parser.add_argument("--json", action="store_true", help="print all that was found, as JSON")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        environment = Environment.create(Path(scratch, "environment"))
        if options.newest:
            environment.install(*PEERS)
        else:
            environment.install("--require-hashes", "-r", LOCK)
        environment.install("--no-deps", build_wheel(Path(scratch)))
        versions = environment.versions(*PEERS)
        found = _compared(environment)
    if options.json:
        print(json.dumps({"versions": versions, "apis": found}, indent=2))
    else:
        print(", ".join(f"{name} {version}" for name, version in versions.items()))
        print("\n".join(line for package, api in found.items() for line in _lines(package, api)))
    return int(any(api["mismatches"] for api in found.values()))


def _compared(environment: Environment) -> dict[str, Any]:
    program = ROOT / "tests" / "peers" / "drift.py"
    roots = Upstream.read(ROOT / "proto").roots
    result = subprocess.run(
        [environment.python, program, *roots], stdout=subprocess.PIPE, text=True, check=True
    )
    compared: dict[str, Any] = json.loads(result.stdout)
    return compared


def _lines(package: str, api: dict[str, Any]) -> list[str]:
    lines = [
        (
            f"{package}: {len(api['mismatches'])} mismatches over {api['fields']} fields, "
            f"{api['values']} enum values, {api['messages']} messages and enums"
        )
    ]
    lines += [f"  {mismatch}" for mismatch in api["mismatches"]]
    lines += [
        f"  declared JSON name, which proto-plus does not keep: {name}"
        for name in api["declared JSON names"]
    ]
    for root, names in api["missing"].items():
        lines += [f"  only theirs, below {root}: {name}" for name in names]
    return lines


if __name__ == "__main__":
    sys.exit(main())
