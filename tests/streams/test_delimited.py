"""Length-delimited binary: what is read, and what an error says."""

from __future__ import annotations

import io
import pickle
from typing import Any

import pytest
from google.protobuf import proto, wrappers_pb2

import toolwire
from support.streams import cut
from toolwire import streams, v1

TOOL = v1.Tool(function_declarations=[{"name": "f" * 300, "parameters": {"type": "OBJECT"}}])
SEARCH = v1.Tool(google_search={})


def read(data: bytes, size: int = 1000, **options: Any) -> list[v1.Tool]:
    return list(streams.read_delimited(v1.Tool, cut(data, size), **options))


def failure(data: bytes, size: int = 1000, **options: Any) -> toolwire.DecodeError:
    with pytest.raises(toolwire.DecodeError) as caught:
        read(data, size, **options)
    return caught.value


def test_it_is_protobufs_own_format() -> None:
    theirs = io.BytesIO()
    messages = [TOOL, v1.Tool(), SEARCH]
    for message in messages:
        proto.serialize_length_prefixed(message, theirs)
    ours = io.BytesIO()
    assert streams.write_delimited(messages, ours) == 3
    assert ours.getvalue() == theirs.getvalue()
    for size in (1, 2, 3, 100, 1000):
        assert read(ours.getvalue(), size) == messages


def test_there_may_be_no_messages_and_empty_ones() -> None:
    assert read(b"") == []
    assert read(b"\0\0\0") == [v1.Tool()] * 3


def test_a_length_may_be_padded() -> None:
    assert read(b"\x80\x00\x80\x80\x00") == [v1.Tool(), v1.Tool()]


@pytest.mark.parametrize(
    ("data", "record", "offset", "reason"),
    [
        (b"\x05\0\0", 1, 0, "the input ends after 2 of 5 bytes"),
        (b"\0\x01", 2, 1, "the input ends after 0 of 1 bytes"),
        (b"\0\0\x80", 3, 2, "the input ends within a length"),
        (b"\0" + b"\x80" * 9, 2, 1, "the input ends within a length"),
        (b"\0" + b"\x80" * 10 + b"\0", 2, 1, "a length of more than 10 bytes"),
        (b"\xff" * 20, 1, 0, "a length of more than 10 bytes"),
        (b"\xff" * 9 + b"\x01", 1, 0, "a length of 18446744073709551615 bytes, longer than"),
        (b"\0\x81\x80\x80\x80\x02", 2, 1, "a length of 536870913 bytes, longer than max_record"),
        (b"\0\x02\x0a\x05", 2, 1, "not a valid google.cloud.aiplatform.v1.Tool"),
        (b"\0\0\x01\xff\0", 3, 2, "not a valid google.cloud.aiplatform.v1.Tool"),
    ],
)
def test_an_error_has_its_place(data: bytes, record: int, offset: int, reason: str) -> None:
    for size in (1, 3, 1000):
        error = failure(data, size)
        assert (error.record, error.offset) == (record, offset)
        assert error.reason.startswith(reason)
        assert str(error) == f"record {record} at byte {offset}: {error.reason}"
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), vars(again)) == (str(error), vars(error))


def test_reading_goes_on_when_errors_are_taken() -> None:
    errors: list[toolwire.DecodeError] = []
    assert read(b"\0\x01\xff\0\x02\x0a\x05", on_error=errors.append) == [v1.Tool(), v1.Tool()]
    assert [error.record for error in errors] == [2, 4]
    with pytest.raises(toolwire.DecodeError):  # behind a wrong length nothing can be found
        read(b"\0\x05\0", on_error=errors.append)


def test_the_limit_is_the_callers() -> None:
    data = b"\x04" + SEARCH.SerializeToString()
    data = bytes([len(data) - 1]) + data[1:]
    assert read(data, max_record=len(data) - 1) == [SEARCH]
    assert failure(data, max_record=len(data) - 2).record == 1


def test_unknown_fields_are_kept() -> None:
    file = io.BytesIO()
    streams.write_delimited(read(b"\x03\x98\x06\x01"), file)
    assert file.getvalue() == b"\x03\x98\x06\x01"


def test_equal_messages_give_equal_bytes() -> None:
    names = [f"p{number}" for number in range(20)]
    one, other = v1.Schema(), v1.Schema()
    for name in names:
        one.properties[name].type = v1.Type.STRING
    for name in reversed(names):
        other.properties[name].type = v1.Type.STRING
    files = io.BytesIO(), io.BytesIO()
    for file, schema in zip(files, (one, other), strict=True):
        streams.write_delimited([schema], file)
    assert files[0].getvalue() == files[1].getvalue()


def test_lengths_of_every_width() -> None:
    sizes = [0, 1, 126, 127, 128, 16_380, 16_384, 2_097_152]
    values = [wrappers_pb2.BytesValue(value=bytes(size)) for size in sizes]
    file = io.BytesIO()
    streams.write_delimited(values, file)
    file.seek(0)
    assert list(streams.read_delimited(wrappers_pb2.BytesValue, file)) == values
