"""Measures the client beside the generated stub and google-cloud-aiplatform's, in one run.

Usage: python scripts/bench_client.py [ROUNDS]

The environment is the one of scripts/bench.py, in .cache/bench; `make clean` removes it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from bench import bench_environment
from environments import ROOT

SHOWN = ("grpcio", "protobuf", "google-cloud-aiplatform")


def main(rounds: int) -> None:
    """Measures, and prints the tables."""
    environment = bench_environment()
    versions = environment.versions(*SHOWN)
    print(", ".join(f"{name} {version}" for name, version in versions.items()), flush=True)
    program = ROOT / "tests" / "bench" / "client.py"
    command = [str(environment.python), str(program), str(rounds)]
    measured = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    results: dict[str, Any] = json.loads(measured.stdout)
    print(f"medians of {rounds} rounds, each in turns; python {sys.version.split()[0]}")
    for title in ("unary", "stream"):
        what = "call" if title == "unary" else "chunk"
        ratios = results[title]["ratio"]["toolwire"]
        for name, microseconds in results[title]["microseconds"].items():
            beside = f"   toolwire / it = {ratios[name]:.3f}" if name in ratios else ""
            print(f"{title:8} {name:32} {microseconds:8.1f} us a {what}{beside}")
    print(f"construction of a client: {results['construction'] / 1000:.2f} ms")
    for name, seconds in results["async"].items():
        print(f"1000 calls in flight, {name}: {seconds:.2f} s (of which the server holds 0.5)")
    for title, what in (("calls", "20,000 calls"), ("clients", "500 clients")):
        before, halfway, after = results[title]
        print(f"memory over {what}: {before:.1f}, {halfway:.1f}, {after:.1f} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
