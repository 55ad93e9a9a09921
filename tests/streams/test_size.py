"""Size: memory does not grow with the stream, nor time faster than it."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

import pytest

from support.streams import FORMATS, Format, written
from toolwire import v1

if TYPE_CHECKING:
    from collections.abc import Iterator

RECORD = 100_000
MANY = 550  # 55 MB
MOST = 6_000_000  # bytes of memory at any time


class Nowhere:
    """A file that counts."""

    def __init__(self) -> None:
        self.size = 0

    def write(self, data: bytes, /) -> None:
        self.size += len(data)


def tool(size: int = RECORD) -> v1.Tool:
    return v1.Tool(
        function_declarations=[{"name": "f", "description": 'an "x" in []\n' * (size // 13)}]
    )


def stream(form: Format) -> Iterator[bytes]:
    """Yields 55 MB of a format in chunks that end anywhere."""
    first, both = (len(written(form, [tool()] * count)) for count in (1, 2))
    data = written(form, [tool()] * 3)
    head, body, tail = data[:first], data[first:both], data[both:]
    # An array's first bytes and its last belong to the brackets: the middle repeats.
    yield from (head[: RECORD // 3], head[RECORD // 3 :])
    for _ in range(MANY):
        yield from (body[: RECORD // 2], body[RECORD // 2 :])
    yield tail


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_memory_is_that_of_a_record(form: Format) -> None:
    source, target = stream(form), Nowhere()
    tracemalloc.start()
    try:
        count = form.write(form.read(v1.Tool, source), target)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == MANY + 2
    assert target.size > 50_000_000
    assert peak < MOST


def test_endless_input_without_newlines_takes_no_more_than_the_limit() -> None:
    def endless(start: bytes) -> Iterator[bytes]:
        yield start
        while True:
            yield b"x" * 100_000

    tracemalloc.start()
    try:
        for form, start in zip(FORMATS, (b"", b'["', b"\xff\xff\x7f"), strict=True):
            with pytest.raises(ValueError, match="longer than max_record, which is 1000000"):
                next(form.read(v1.Tool, endless(start), max_record=1_000_000))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MOST


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_a_record_in_many_small_chunks_is_not_looked_at_again_with_each(form: Format) -> None:
    """Or this takes hours."""
    data = written(form, [tool(6_000_000)])
    chunks = (data[at : at + 5] for at in range(0, len(data), 5))
    assert len(list(form.read(v1.Tool, chunks))) == 1
