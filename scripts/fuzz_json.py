"""Compares our JSON codecs with each other and with json_format on random input.

Usage: python scripts/fuzz_json.py [SECONDS] [SEED]

Random messages of every type, their JSON in many spellings, and what is nearly JSON. The native
core must give what the Python codec gives, or leave it alone; json_format must agree but for the
listed differences; what is accepted must come back. Whatever does not is printed with the input
that shows it, also where the input ended the process. Exits with 1 after a finding.
"""

from __future__ import annotations

import mmap
import os
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from support.kinds import Edition, Kinds, Nulls, Old
from support.messages import random_message, seeded
from support.mutations import mutate
from support.native import binary, check_reading, check_writing, python_writes
from support.oracle import compare_reading
from support.pool import pool_classes
from support.soundness import check_sound, unknown_of
from support.spellings import spelled
from toolwire._json import from_json
from toolwire._json._native import CODEC

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from google.protobuf.message import Message

MUTANTS = 10
DEPTHS = [100, 100, 100, 0, 1, 2, 3, 5, 8]
MOST_FINDINGS = 10
INPUTS = ["messages", "texts", "mutated texts"]
SHOWN = 2000  # characters of a finding
CLEAR = "\r\033[K" if sys.stdout.isatty() else ""  # the line that shows progress
ROOM = 1 << 20  # bytes for the input that is being tried


class Fuzzer:
    """Makes inputs from a seed, tries them, and counts.

    Args:
        seed: Where the choices begin.
        now: Memory that outlives the process, for the input that is being tried.
    """

    def __init__(self, seed: int, now: mmap.mmap) -> None:
        self.findings = 0
        self.counts: Counter[str] = Counter()
        self._now = now
        self._rng = seeded(seed)
        self._classes: list[type[Message]] = [Kinds, Nulls, Old, Edition, *pool_classes()]
        self._texts = [b'{"a":[1,null]}']

    def run(self, seconds: float) -> None:
        """Tries inputs for as long as told, or until there are findings enough."""
        start = shown = now = time.monotonic()
        try:
            while now - start < seconds and self.findings < MOST_FINDINGS:
                self._round()
                now = time.monotonic()
                if CLEAR and now - shown > 1:
                    shown = now
                    print(f"{CLEAR}{self._progress(now - start)}", end="", flush=True)
        except KeyboardInterrupt:  # what was counted so far is worth to be said
            pass
        self._report(now - start)

    def _report(self, seconds: float) -> None:
        print(CLEAR, end="", flush=True)
        for name, count in sorted(self.counts.items()):
            print(f"{name:36} {count:10,}")
        print(self._progress(seconds), flush=True)

    def _progress(self, seconds: float) -> str:
        tried = ", ".join(f"{self.counts[name]:,} {name}" for name in INPUTS)
        return f"{seconds:.0f} s: {tried}, {self.findings} findings"

    def _round(self) -> None:
        """Tries a message, its JSON, and what is nearly its JSON."""
        rng = self._rng
        cls = Kinds if rng.random() < 0.3 else rng.choice(self._classes)  # noqa: PLR2004
        odd = rng.random() < 0.4  # noqa: PLR2004
        message = random_message(rng, cls, rng.randrange(6), odd=odd)
        self._write("messages", message)
        texts = [spelled(rng, message), python_writes(message, rng.random() < 0.3, odd)]  # noqa: PLR2004
        for text in texts:
            if text is not None:
                self._read(cls, text.encode(), None if odd else message)
        altered = _from_mutated_binary(rng, message)
        if altered is not None:
            self._write("messages from mutated binary", altered)

    def _write(self, name: str, message: Message) -> None:
        flags = self._rng.random() < 0.3, self._rng.random() < 0.3  # noqa: PLR2004
        self.counts[name] += 1

        def check() -> None:
            is_native = check_writing(message, proto_names=flags[0], enums_as_ints=flags[1])
            self.counts[f"{name}, natively"] += is_native

        self._try(check, type(message), binary(message))

    def _read(self, cls: type[Message], raw: bytes, message: Message | None) -> None:
        rng = self._rng
        self.counts["texts"] += 1

        def check() -> None:
            self.counts["texts, natively"] += check_reading(cls, raw)
            self._compare(cls, raw)
            if message is not None:
                read = from_json(cls, raw)
                if binary(read) != binary(message):
                    raise AssertionError(f"another message came back: {read!r}")

        self._try(check, cls, raw)
        for _ in range(MUTANTS):
            self._read_mutant(cls, mutate(rng, raw, rng.choice(self._texts)))
        if len(self._texts) < 1000:  # noqa: PLR2004
            self._texts.append(raw)
        else:
            self._texts[rng.randrange(len(self._texts))] = raw

    def _read_mutant(self, cls: type[Message], mutant: bytes) -> None:
        rng = self._rng
        depth, kind = rng.choice(DEPTHS), rng.randrange(3)
        policy = rng.choice(["ignore", "collect"])
        self.counts["mutated texts"] += 1

        def check() -> None:
            self.counts["mutated texts, natively"] += check_reading(cls, mutant, depth)
            if kind == 0:
                self._compare(cls, mutant)
            elif kind == 1:
                is_read = check_sound(cls, mutant, unknown_of(policy))
                self.counts["mutated texts, read leniently"] += is_read

        self._try(check, cls, mutant)

    def _compare(self, cls: type[Message], raw: bytes) -> None:
        self.counts[f"json_format: {compare_reading(cls, raw)}"] += 1

    def _try(self, check: Callable[[], None], cls: type[Message], data: bytes) -> None:
        self._now.seek(0)
        self._now.write(f"{cls.DESCRIPTOR.full_name} {data!r}\0".encode()[:ROOM])
        try:
            check()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
            reason = f"{type(error).__name__}: {error}"[:SHOWN]
            self.findings += 1
            print(
                f"{CLEAR}finding: {cls.DESCRIPTOR.full_name}: {reason}\n  input: {data!r}",
                flush=True,
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


def main(seconds: int = 60, seed: int = 1) -> int:
    """Fuzzes in a process of its own, which may end, and returns 1 after a finding."""
    if CODEC is None:
        print("error: the native core is not there", file=sys.stderr)
        return 1
    print(f"seed {seed}, for {seconds} s", flush=True)
    now = mmap.mmap(-1, ROOM)
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        fuzzer = Fuzzer(seed, now)
        fuzzer.run(seconds)
        sys.stdout.flush()
        os._exit(bool(fuzzer.findings))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the child ends, and says what it has
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        data, _, _ = now[:].partition(b"\0")
        print(f"finding: the process ended by {name}\n  input: {data.decode()}")
    return int(status != 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
