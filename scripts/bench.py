"""Measures the JSON codec beside the others, in one run, and draws docs/json-speed.svg.

Usage: python scripts/bench.py [ROUNDS]

The environment with every codec is kept in .cache/bench; `make clean` removes it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from environments import ROOT, Environment, build_wheel

if TYPE_CHECKING:
    from collections.abc import Iterator

Results: TypeAlias = "dict[str, dict[str, dict[str, float]]]"

FOLDER = ROOT / ".cache" / "bench"
CHART = ROOT / "docs" / "json-speed.svg"
PEERS = ("google-cloud-aiplatform", "google-genai", "protobuf-py", "orjson")
SHOWN = ("protobuf", "proto-plus", *PEERS)
BASE = "json_format"
TITLES = {"to": "to JSON", "from": "from JSON"}
CHARTED = "tool"  # the 45 KB tool that the other figures speak of


def main(rounds: int) -> None:
    """Measures, prints the tables and draws the chart."""
    environment = bench_environment()
    versions = environment.versions(*SHOWN)
    print(", ".join(f"{name} {version}" for name, version in versions.items()), flush=True)
    command = [str(environment.python), "measure.py", str(rounds)]
    folder = ROOT / "tests" / "bench"
    measured = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    results: Results = json.loads(measured.stdout)
    for direction, title in TITLES.items():
        print(f"\n{title}: microseconds, and times as fast as {BASE}; medians of {rounds} rounds")
        print("\n".join(_table(results, direction)))
    CHART.write_text(_chart(results[CHARTED]), encoding="utf-8")
    print(f"\nchart: {CHART.relative_to(ROOT)}")


def bench_environment() -> Environment:
    """The environment of the last run with the wheel of today, or a new one."""
    environment = Environment(FOLDER / "bin" / "python")
    if not environment.python.exists():
        environment = Environment.create(FOLDER)
        environment.install(*PEERS)
    with tempfile.TemporaryDirectory() as scratch:
        environment.install("--reinstall-package", "toolwire", build_wheel(Path(scratch)))
    return environment


def _table(results: Results, direction: str) -> Iterator[str]:
    codecs = list(dict.fromkeys(codec for found in results.values() for codec in found[direction]))
    width = max(map(len, results)) + 2
    yield " " * width + "".join(f"{codec:>22}" for codec in codecs)
    for name, found in results.items():
        row = found[direction]
        cells = (
            f"{row[codec] * 1e6:12.2f} {row[BASE] / row[codec]:8.2f}x" if codec in row else "-"
            for codec in codecs
        )
        yield f"{name:{width}}" + "".join(f"{cell:>22}" for cell in cells)


def _chart(found: dict[str, dict[str, float]]) -> str:
    """Draws one bar for each codec and direction: how many times as fast as json_format."""
    bars = [
        (title, codec, found[direction][BASE] / seconds)
        for direction, title in TITLES.items()
        for codec, seconds in sorted(found[direction].items(), key=lambda item: item[1])
        if codec != "floor"
    ]
    longest = max(ratio for _, _, ratio in bars)
    lines: list[str] = []
    height, top = 22, 34
    for title in TITLES.values():
        lines.append(f'<text x="8" y="{top}" class="title">{title}, times {BASE}</text>')
        for _, codec, ratio in (bar for bar in bars if bar[0] == title):
            top += height
            length = max(2.0, 360 * ratio / longest)
            kind = "ours" if codec.startswith("toolwire") else "other"
            lines.append(
                f'<text x="150" y="{top}" text-anchor="end">{codec}</text>'
                f'<rect x="158" y="{top - 12}" width="{length:.1f}" height="15" class="{kind}"/>'
                f'<text x="{164 + length:.1f}" y="{top}">{ratio:.1f}</text>'
            )
        top += 2 * height
    body = "\n".join(lines)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 {top - 20}" '
        'font-family="sans-serif" font-size="13">\n'
        "<style>text{fill:#444}.title{font-weight:bold}.ours{fill:#2f7d5b}.other{fill:#b8c0c8}"
        "@media (prefers-color-scheme:dark){text{fill:#ddd}.other{fill:#667}}</style>\n"
        f"{body}\n</svg>\n"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
