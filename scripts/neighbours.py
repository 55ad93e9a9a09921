"""Imports toolwire beside the official packages, before and after, each in a fresh process.

Usage: python scripts/neighbours.py

Each package in its newest version has an environment of its own, and one environment has all
that resolve together. The clients of those that speak gRPC talk to the local server, what each has
for messages goes through our functions, and a service of somebody's own protos runs in one process
with google-cloud-aiplatform.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from environments import ROOT, Environment, build_wheel

PACKAGES = {
    "google-cloud-aiplatform": ("google.cloud.aiplatform_v1", "google.cloud.aiplatform_v1beta1"),
    "google-genai": ("google.genai",),
    "google-ai-generativelanguage": ("google.ai.generativelanguage_v1beta",),
}
TOGETHER = "all of them together"
SHOWN = (*PACKAGES, "protobuf", "grpcio", "proto-plus")
WITHOUT_GRPC = {"google.genai"}
AIPLATFORM = "google-cloud-aiplatform"
OTEL = ("opentelemetry-instrumentation-grpc", "opentelemetry-sdk")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    environment: str
    check: str
    result: str

    @property
    def passed(self) -> bool:
        """Whether the check succeeded."""
        return self.result.startswith("ok")


def main() -> int:
    """Runs every combination, prints the table, and returns 1 where one fails."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as scratch:
        wheel = f"{build_wheel(Path(scratch))}[testing,cli,codegen]"
        for name in (*PACKAGES, TOGETHER):
            wanted = tuple(PACKAGES) if name == TOGETHER else (name,)
            environment = Environment.create(Path(scratch, name))
            environment.install(wheel, *wanted)
            versions = environment.versions(*SHOWN)
            print(f"{name}: {', '.join(f'{n} {v}' for n, v in versions.items())}", flush=True)
            rows += _rows(name, wanted, environment)
        watched = Environment.create(Path(scratch, "opentelemetry"))
        watched.install(wheel, *OTEL)
        rows.append(Row("opentelemetry", "spans of our calls", _result(watched, "otel.py")))
    width = max(len(row.check) for row in rows)
    print("\n".join(f"{row.environment:30} {row.check:{width}} {row.result}" for row in rows))
    return int(not all(row.passed for row in rows))


def _rows(name: str, packages: tuple[str, ...], environment: Environment) -> list[Row]:
    rows = [
        Row(name, f"toolwire {order} {module}", _result(environment, "beside.py", module, order))
        for package in packages
        for module in PACKAGES[package]
        for order in ("before", "after")
    ]
    rows += [
        Row(name, f"client of {module}", _result(environment, "official_client.py", module))
        for package in packages
        for module in PACKAGES[package]
        if module not in WITHOUT_GRPC
    ]
    rows += [
        Row(name, f"messages of {module}", _result(environment, "official_messages.py", module))
        for package in packages
        for module in PACKAGES[package]
    ]
    if AIPLATFORM in packages:
        rows += [
            Row(name, f"own protos {order} it", _result(environment, "own_protos.py", order))
            for order in ("before", "after")
        ]
    return rows


def _result(environment: Environment, program: str, *arguments: str) -> str:
    """Runs one program and returns the last line of what it has to say."""
    path = ROOT / "tests" / "peers" / program
    result = subprocess.run(
        [environment.python, path, *arguments], capture_output=True, text=True, check=False
    )
    text = result.stdout if result.returncode == 0 else result.stderr
    return (text.strip().splitlines() or ["no output"])[-1]


if __name__ == "__main__":
    sys.exit(main())
