"""Compares the native core of the JSON codec with the Python codec on random input.

Usage: python scripts/fuzz_json.py [SECONDS] [SEED]

Messages of every type, their JSON, and what is nearly JSON: the native core must give what the
Python codec gives, or leave it alone. Stops at the first difference and exits with 1.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from support.kinds import Edition, Kinds, Nulls, Old
from support.mutations import fill, mutate, seeded
from support.native import binary, check_reading, check_writing, python_writes
from support.schema import message_classes
from toolwire._json._native import CODEC

if TYPE_CHECKING:
    import random

    from google.protobuf.message import Message

MUTANTS = 12
DEPTHS = [100, 100, 100, 0, 1, 2, 3, 5, 8]


def main(seconds: float, seed: int) -> int:
    """Tries inputs for as long as told, prints how many, and returns 1 after a difference."""
    if CODEC is None:
        print("error: the native core is not there", file=sys.stderr)
        return 1
    rng = seeded(seed)
    classes = [Kinds, Nulls, Old, Edition, *message_classes()]
    counts: Counter[str] = Counter()
    pool = [b"{}"]
    start = time.monotonic()
    while time.monotonic() - start < seconds:
        cls = Kinds if rng.random() < 0.4 else rng.choice(classes)  # noqa: PLR2004
        try:
            _try_class(rng, cls, counts, pool)
        except AssertionError as error:
            print(f"error: a difference, seed {seed}: {error!r}"[:2000], file=sys.stderr)
            return 1
    print(f"seed {seed}, {time.monotonic() - start:.0f} s, no difference")
    for name, count in sorted(counts.items()):
        print(f"{name:36} {count:10}")
    return 0


def _try_class(
    rng: random.Random, cls: type[Message], counts: Counter[str], pool: list[bytes]
) -> None:
    message = cls()
    fill(rng, message, rng.randrange(6))
    _count(counts, "messages", native=_write(rng, message))
    text = python_writes(message, rng.random() < 0.3, rng.random() < 0.3)  # noqa: PLR2004
    if text is not None:
        raw = text.encode()
        _count(counts, "texts", native=check_reading(cls, text))
        for _ in range(MUTANTS):
            mutant = mutate(rng, raw, rng.choice(pool))
            native = check_reading(cls, mutant, rng.choice(DEPTHS))
            _count(counts, "mutated texts", native=native)
        if len(pool) < 1000:  # noqa: PLR2004
            pool.append(raw)
        else:
            pool[rng.randrange(len(pool))] = raw
    odd = _from_mutated_binary(rng, message)
    if odd is not None:
        _count(counts, "messages from mutated binary", native=_write(rng, odd))


def _write(rng: random.Random, message: Message) -> bool:
    return check_writing(
        message,
        proto_names=rng.random() < 0.3,  # noqa: PLR2004
        enums_as_ints=rng.random() < 0.3,  # noqa: PLR2004
    )


def _from_mutated_binary(rng: random.Random, message: Message) -> Message | None:
    """Returns a message with unknown fields and odd values, as an odd sender makes it."""
    wire = bytearray(binary(message))
    for _ in range(rng.choice([1, 2, 4])):
        if wire:
            wire[rng.randrange(len(wire))] = rng.randrange(256)
    try:
        return type(message).FromString(bytes(wire))
    except Exception:  # noqa: BLE001 - protobuf refuses it, with errors of several kinds
        return None


def _count(counts: Counter[str], name: str, *, native: bool) -> None:
    counts[name] += 1
    counts[f"{name}, natively"] += native


if __name__ == "__main__":
    arguments = [int(argument) for argument in sys.argv[1:]]
    sys.exit(main(*[*arguments, *[60, 1][len(arguments) :]]))
