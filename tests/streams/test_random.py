"""Random messages survive every format however it is cut; random bytes give only our errors."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf import struct_pb2
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import toolwire
from support.kinds import Edition, Kinds, Old
from support.messages import messages
from support.schema import message_classes
from support.streams import ARRAY, DELIMITED, FORMATS, Format, binary, written
from toolwire import streams, v1

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

RANDOM = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
CLASSES: list[type[Message]] = [Kinds, Old, Edition, *message_classes()]
LISTS = st.sampled_from(CLASSES).flatmap(
    lambda cls: st.tuples(st.just(cls), st.lists(messages(cls, 2), max_size=4))
)
SIZES = st.lists(st.integers(1, 40), min_size=1, max_size=8)


def cut(data: Any, sizes: list[int]) -> Iterator[Any]:
    """Yields data in chunks of these sizes, over and over."""
    at, turn = 0, 0
    while at < len(data):
        size = sizes[turn % len(sizes)]
        yield data[at : at + size]
        at, turn = at + size, turn + 1


@pytest.mark.parametrize("form", FORMATS, ids=str)
@RANDOM
@given(LISTS, SIZES, st.booleans())
def test_messages_survive(
    form: Format, made: tuple[type[Message], list[Message]], sizes: list[int], as_text: bool
) -> None:
    cls, sent = made
    data: Any = written(form, sent)
    if as_text and form is not DELIMITED:
        data = data.decode()
    assert binary(form.read(cls, cut(data, sizes))) == binary(sent)


@RANDOM
@given(LISTS, SIZES, st.integers(0, 3))
def test_an_array_survives_any_indentation(
    made: tuple[type[Message], list[Message]], sizes: list[int], indent: int
) -> None:
    cls, sent = made
    data = written(ARRAY, sent, indent=indent)
    assert binary(ARRAY.read(cls, cut(data, sizes))) == binary(sent)


# Enough of each to make documents, and much that is nearly one.
JSON_TEXT = st.lists(
    st.sampled_from([*'[]{},:" \n\\', '"a"', '":', "1", "[]", "{}", '"]"', '"\\"', "null", "é"]),
    max_size=25,
).map("".join)
Value: type[Any] = struct_pb2.Value


@settings(RANDOM, max_examples=300)
@given(JSON_TEXT, SIZES, st.booleans())
@example('["\\\\"]', [3], True)
@example('["\\\\\\"",1]', [1], True)
def test_an_array_is_read_where_it_is_one(text: str, sizes: list[int], wrapped: bool) -> None:
    if wrapped:
        text = f"[{text}]"
    try:
        expected: Any = json.loads(text)
    except ValueError:
        expected = None
    read = streams.read_json_array(Value, cut(text.encode(), sizes))
    if isinstance(expected, list) and text.count('":') < 2:  # no duplicate keys
        assert [json.loads(toolwire.to_json(value)) for value in read] == expected
    elif not isinstance(expected, list):
        with pytest.raises(toolwire.JsonError):
            list(read)


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@settings(RANDOM, max_examples=150)
@given(st.lists(JSON_TEXT, max_size=5), SIZES)
def test_lines_are_read_where_each_is_json(lines: list[str], sizes: list[int]) -> None:
    text = "\n".join(lines)
    good = [json.loads(line) for line in text.split("\n") if is_json(line)]
    bad = sum(1 for line in text.split("\n") if line.strip(" ") and not is_json(line))
    errors: list[toolwire.JsonError] = []
    read = streams.read_json_lines(Value, cut(text.encode(), sizes), on_error=errors.append)
    values = [json.loads(toolwire.to_json(value)) for value in read]
    if text.count('":') < 2:
        assert values == good
        assert len(errors) == bad


BYTES = st.one_of(
    st.binary(max_size=60),
    st.text(max_size=30).map(lambda text: text.encode("utf-8", "replace")),
    st.lists(st.sampled_from([b"[", b"]", b'{"', b"\\", b"\n", b"\xff", b"\x00", b"\x05"])).map(
        b"".join
    ),
)


@settings(RANDOM, max_examples=200)
@given(BYTES, SIZES, st.sampled_from([v1.Tool, Kinds, Value]), st.integers(1, 100))
def test_random_bytes_give_only_our_errors(
    data: bytes, sizes: list[int], cls: type[Any], max_record: int
) -> None:
    for form in FORMATS:
        ours = toolwire.DecodeError if form is DELIMITED else toolwire.JsonError
        errors: list[Exception] = []
        for on_error in (None, errors.append):
            source = cut(data, sizes)
            with suppress(ours):
                list(form.read(cls, source, max_record=max_record, on_error=on_error))
        assert all(isinstance(error, ours) for error in errors)


def failure(
    form: Format, cls: type[Message], source: Iterator[bytes]
) -> toolwire.DecodeError | toolwire.JsonError | None:
    try:
        list(form.read(cls, source))
    except (toolwire.DecodeError, toolwire.JsonError) as error:
        return error
    return None


@RANDOM
@given(LISTS, SIZES, st.integers(0, 10_000), st.binary(min_size=1, max_size=3))
def test_a_damaged_stream_gives_only_our_errors(
    made: tuple[type[Message], list[Message]], sizes: list[int], at: int, damage: bytes
) -> None:
    cls, sent = made
    for form in FORMATS:
        data = written(form, sent)
        at %= len(data) + 1
        for broken in (data[:at], data[:at] + damage + data[at:], damage + data[at:]):
            error = failure(form, cls, cut(broken, sizes))
            if error is not None:
                assert isinstance(error, toolwire.DecodeError) == (form is DELIMITED)
                assert error.offset is not None
                assert 0 <= error.offset <= len(broken)
