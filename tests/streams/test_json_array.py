"""A JSON array: what is read, and what an error says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from google.protobuf import struct_pb2, timestamp_pb2

import toolwire
from support.streams import cut
from toolwire import streams, v1

ODD = '{"functionDeclarations":[{"name":"é ]},[{ \\" \\\\"},{"description":"\\\\\\\\"}]}'
A = '{"googleSearch":{}}'
Value: type[Any] = struct_pb2.Value


def read(data: bytes | str, cls: type[Any] = v1.Tool, **options: Any) -> list[Any]:
    return list(streams.read_json_array(cls, [data], **options))


def failure(data: bytes | str, **options: Any) -> toolwire.JsonError:
    with pytest.raises(toolwire.JsonError) as caught:
        read(data, **options)
    return caught.value


@pytest.mark.parametrize(
    "data",
    [
        f"[{A},{ODD}]",
        f"\ufeff\n [ {A}\r\n,\n\t{ODD} ] \n",
        json.dumps([json.loads(A), json.loads(ODD)], indent=4),
        json.dumps([json.loads(A), json.loads(ODD)]),
    ],
)
def test_it_reads(data: str) -> None:
    for size in (1, 2, 3, 7, 1000):
        read_back = streams.read_json_array(v1.Tool, cut(data.encode(), size))
        assert [toolwire.to_json(tool) for tool in read_back] == [A, ODD]


def test_it_may_be_empty() -> None:
    assert read("[]") == read(" [\n] ") == []


def test_elements_may_be_no_objects() -> None:
    values: list[Any] = ["a,]", 1, -2.5e3, True, None, [], [[1, "]"]], {"a": [{}]}]
    assert [json.loads(toolwire.to_json(value)) for value in read(json.dumps(values), Value)] == (
        values
    )
    times = read('["2026-01-02T03:04:05Z" , "1970-01-01T00:00:01Z"]', timestamp_pb2.Timestamp)
    assert [time.seconds for time in times] == [1767323045, 1]


@pytest.mark.parametrize(
    ("data", "record", "offset", "place"),
    [
        ("", None, 0, (1, 1)),
        (" \n", None, 2, (2, 1)),
        (A, None, 0, (1, 1)),
        ("null", None, 0, (1, 1)),
        ("[", None, 1, (1, 2)),
        (f"[{A}", 1, 1, (1, 2)),
        (f"[{A},", None, 21, (1, 22)),
        (f"[{A},\n{A[:9]}", 2, 22, (2, 1)),
        ('["é\\"]', 1, 1, (1, 2)),
        (f"[{A}]\n x", None, 23, (2, 2)),
        (f"[{A}],", None, 21, (1, 22)),
        ("[][]", None, 2, (1, 3)),
        ("[,]", 1, 1, (1, 2)),
        (f"[\n,{A}]", 1, 2, (2, 1)),
        (f"[{A},]", 2, 21, (1, 22)),
        (f"[{A},,{A}]", 2, 21, (1, 22)),
        (f"[{A} {A}]", 1, 1, (1, 22)),
        (f"[{A}, é]", 2, 22, (1, 23)),
        (f'["é", {A}]', 1, 1, (1, 2)),
        ('[{"é":1},\n {"googleSearch":\n {x}}]', 1, 1, (1, 2)),
        (f'[{A},\n {{"googleSearch":\n {{x}}}}]', 2, 23, (3, 3)),
        ('[{"functionDeclarations":[{"name":"éé"}]},{x}]', 2, 44, (1, 44)),
        ("[{]", 1, 1, (1, 2)),
        ("[[}]", 1, 1, (1, 3)),
        (f"[{A}}}]", 1, 1, (1, 21)),
    ],
)
def test_a_broken_array_is_an_error_with_its_place(
    data: str, record: int | None, offset: int, place: tuple[int, int]
) -> None:
    for size in (1, 4, 1000):
        with pytest.raises(toolwire.JsonError) as caught:
            list(streams.read_json_array(v1.Tool, cut(data.encode(), size)))
        error = caught.value
        assert (error.record, error.offset, (error.line, error.column)) == (record, offset, place)
        assert f"line {place[0]}, column {place[1]}" in str(error)
        assert str(error).count("line ") == 1


def test_what_comes_before_an_error_is_read() -> None:
    reader = streams.read_json_array(v1.Tool, [f"[{A},"])
    assert toolwire.to_json(next(reader)) == A
    with pytest.raises(toolwire.JsonError, match="expected a value or ], found the end"):
        next(reader)


def test_reading_goes_on_when_errors_are_taken() -> None:
    errors: list[toolwire.JsonError] = []
    data = f'[{A},{{"x":"]"}},{{x}},,"{"a" * 200}",{A},]'
    kept = read(data, on_error=errors.append, max_record=100)
    assert [toolwire.to_json(tool) for tool in kept] == [A, A]
    assert [error.record for error in errors] == [2, 3, 4, 5, 7]
    with pytest.raises(toolwire.JsonError):  # where the array is broken, nothing can go on
        read(f"[{A}", on_error=errors.append)


def test_a_long_element_is_refused_before_it_fills_the_memory() -> None:
    taken = 0

    def endless() -> Any:
        nonlocal taken
        yield f'[{A}, "'
        while True:
            taken += 1
            yield "[" * 1000

    with pytest.raises(toolwire.JsonError, match="longer than max_record, which is 5000") as caught:
        list(streams.read_json_array(v1.Tool, endless(), max_record=5000))
    assert (caught.value.record, caught.value.offset, taken) == (2, 22, 5)
    assert len(read(f"[{A}]", max_record=len(A))) == 1


def test_depth_is_that_of_the_message() -> None:
    deep = "[" * 5000 + "]" * 5000
    assert failure(deep).record == 1
    assert failure("[" * 100_000).record == 1
    assert "UTF-16" in str(failure(f"[{A}]".encode("utf-16")))
