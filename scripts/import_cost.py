"""Time and memory of importing toolwire.v1 beside google.cloud.aiplatform_v1.

Usage: python scripts/import_cost.py [RUNS]

Fresh processes in turn, in one environment; medians are compared as ratios, since times alone
say more about the machine. Exits with 1 where toolwire is over its budget.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from environments import Environment, build_wheel

OURS = "import toolwire, toolwire.v1"
THEIRS = "import google.cloud.aiplatform_v1"
MOST_TIME = 1 / 12
MOST_MEMORY = 1 / 4

# Memory is the peak of the whole process; a bare interpreter is measured beside.
PROGRAM = """
import json, resource, sys, time
start = time.perf_counter()
{statement}
seconds = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
heavy = [m for m in ("grpc", "google.auth", "pydantic") if m in sys.modules]
print(json.dumps([seconds, peak, heavy]))
"""


def main(runs: int) -> int:
    """Measures, prints the table, and returns 1 over the budget."""
    with tempfile.TemporaryDirectory() as scratch:
        environment = Environment.create(Path(scratch, "env"))
        # As pip does, and uv does not: else every import would compile its source anew.
        environment.install(
            "--compile-bytecode", build_wheel(Path(scratch)), "google-cloud-aiplatform"
        )
        figures: dict[str, list[tuple[float, float]]] = {"pass": [], OURS: [], THEIRS: []}
        for run in range(runs + 1):
            for statement, found in figures.items():
                seconds, peak, heavy = _measure(environment, statement)
                if heavy and statement == OURS:
                    print(f"error: {OURS} loads {', '.join(heavy)}", file=sys.stderr)
                    return 1
                if run:  # the first round only warms up
                    found.append((seconds, peak))
    medians = {
        statement: [statistics.median(column) for column in zip(*found, strict=True)]
        for statement, found in figures.items()
    }
    print(f"medians of {runs} interleaved runs, python {sys.version.split()[0]}")
    for statement, (seconds, peak) in medians.items():
        name = "a bare interpreter" if statement == "pass" else statement
        print(f"{name:36} {seconds * 1000:8.0f} ms {peak:8.1f} MB at the peak")
    time_ratio, memory_ratio = (
        ours / theirs for ours, theirs in zip(medians[OURS], medians[THEIRS], strict=True)
    )
    print(f"{'ratio':36} {time_ratio:8.3f}    {memory_ratio:8.3f}")
    print(f"{'budget':36} {MOST_TIME:8.3f}    {MOST_MEMORY:8.3f}")
    return int(time_ratio > MOST_TIME or memory_ratio > MOST_MEMORY)


def _measure(environment: Environment, statement: str) -> tuple[float, float, list[str]]:
    result = subprocess.run(
        [environment.python, "-c", PROGRAM.format(statement=statement)],
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, peak, heavy = json.loads(result.stdout)
    return seconds, peak, heavy


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 9))
