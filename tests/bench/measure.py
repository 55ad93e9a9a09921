"""Run in an environment with every codec: measures them in turn and prints JSON.

Usage: python measure.py ROUNDS
"""

from __future__ import annotations

import json
import statistics
import sys
from collections import defaultdict

import subjects
from corpus import CORPUS

import toolwire

DIRECTIONS = ("to", "from")
CHARACTERS = 10_000  # of JSON that one measure takes at least
OTHERS = {
    "json_format": subjects.google_json_format,
    "proto-plus": subjects.proto_plus,
    "google-genai": subjects.genai,
    "protobuf-py": subjects.protobuf_py,
    "floor": subjects.floor,
}


def main(rounds: int) -> None:
    """Interleaves the codecs round by round, so that a slow moment hits all of them."""
    pure = subjects.Pure()
    ours = f"toolwire ({toolwire.JSON_CODEC})"
    results: dict[str, dict[str, dict[str, float]]] = {}
    for name, (kind, value) in CORPUS.items():
        sample = subjects.Sample(kind, value, json.dumps(value))
        calls = {ours: subjects.own(sample)}
        calls |= {other: pair for other, make in OTHERS.items() if (pair := make(sample))}
        repeats = max(1, CHARACTERS // len(sample.text))  # the timer's own cost must not count
        found: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
        for _ in range(rounds):
            for index, direction in enumerate(DIRECTIONS):
                for codec, pair in calls.items():
                    found[codec, direction].append(subjects.best(pair[index], repeats))
                seconds = pure.timed(name, direction, repeats)
                found["toolwire (pure)", direction].append(seconds)
        results[name] = {
            direction: {
                codec: statistics.median(times)
                for (codec, its), times in found.items()
                if its == direction
            }
            for direction in DIRECTIONS
        }
        print(f"{name}: done", file=sys.stderr, flush=True)
    pure.close()
    print(json.dumps(results))


if __name__ == "__main__":
    main(int(sys.argv[1]))
