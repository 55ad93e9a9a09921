"""The native core: it gives what the Python codec gives, or leaves the work to it."""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import subprocess
import sys
import tracemalloc
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf import struct_pb2
from hypothesis import given
from hypothesis import strategies as st

import build_native
from support.kinds import Edition, Kinds, Nulls, Old
from support.messages import fill, messages, random_message, seeded
from support.mutations import TOKENS, mutate
from support.native import (
    binary,
    check_outcome,
    check_reading,
    check_writing,
    python_reads,
    python_writes,
)
from support.pool import full_name, pool_classes
from support.samples import SAMPLES
from support.spellings import spelled
from toolwire import v1
from toolwire._json import from_json, to_json
from toolwire._json._native import CODEC

if TYPE_CHECKING:
    from google.protobuf.message import Message

needs_native = pytest.mark.skipif(CODEC is None, reason="the native core is not there")

CLASSES: list[type[Message]] = [Kinds, Nulls, *pool_classes()]
ANY_CLASS = st.sampled_from([Kinds, Nulls, Old, Edition]) | st.sampled_from(CLASSES)
ANY_MESSAGE = ANY_CLASS.flatmap(lambda cls: messages(cls, odd=True))


def codec() -> Any:
    assert CODEC is not None
    return CODEC


@needs_native
def test_the_module_is_made_of_the_sources_beside_it() -> None:
    from toolwire._json import _codec  # noqa: PLC0415 - it is not always there

    assert build_native.digest() == _codec.SOURCES, "stale: run make setup"


@pytest.mark.parametrize("pure", ["1", "0", ""])
def test_the_environment_can_ask_for_the_python_codec(pure: str) -> None:
    code = "from toolwire._json import JSON_CODEC; print(JSON_CODEC)"
    made = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "TOOLWIRE_PURE": pure},
        capture_output=True,
        text=True,
        check=True,
    )
    is_there = importlib.util.find_spec("toolwire._json._codec") is not None
    assert made.stdout.strip() == ("compiled" if is_there and pure != "1" else "pure")


@needs_native
@pytest.mark.parametrize("name", SAMPLES)
def test_samples_are_converted_natively(name: str) -> None:
    cls, value = SAMPLES[name]
    text = json.dumps(value)
    message = from_json(cls, text)
    assert check_reading(cls, text)
    assert check_reading(cls, text.encode())
    for flag in (False, True):
        assert check_writing(message, proto_names=flag, enums_as_ints=flag)


@needs_native
@given(ANY_MESSAGE, st.booleans(), st.booleans())
def test_both_write_the_same(message: Message, proto_names: bool, enums_as_ints: bool) -> None:
    check_writing(message, proto_names=proto_names, enums_as_ints=enums_as_ints)


@given(ANY_MESSAGE, st.booleans(), st.integers(0, 2**32 - 1))
def test_both_read_the_same(message: Message, proto_names: bool, seed: int) -> None:
    rng = seeded(seed)
    for text in (
        python_writes(message, proto_names, enums_as_ints=False),
        spelled(rng, message),
    ):
        if text is not None:
            check_outcome(type(message), text)
            for _ in range(5):
                check_outcome(type(message), mutate(rng, text.encode(), b'{"a":[1,null]}'))


@needs_native
@pytest.mark.parametrize("cls", CLASSES, ids=full_name)
def test_ordinary_messages_of_every_type_are_converted_natively(cls: type[Message]) -> None:
    rng = seeded(full_name(cls))
    natively = 0
    for _ in range(20):
        message = random_message(rng, cls, 2)
        natively += check_writing(message)
        text = spelled(rng, message)
        natively += text is not None and check_reading(cls, text)
    assert (natively > 0) is not full_name(cls).endswith((".Any", ".FieldMask"))


@needs_native
@pytest.mark.parametrize("token", TOKENS)
def test_every_field_takes_and_refuses_what_the_python_codec_does(token: str) -> None:
    """The core is to do what is plainly right, so it may not refuse all of it either."""
    for field in Kinds.DESCRIPTOR.fields:
        check_reading(Kinds, f'{{"{field.json_name}":{token}}}')
        check_reading(Kinds, f'{{"{field.name}":[{token},{token}]}}')
        check_reading(Kinds, f'{{"{field.name}":{{{token}:"1","b":{token}}}}}')
        check_reading(Kinds, f'{{"{field.name}":{{"1":{token}}}}}')
    for cls in (struct_pb2.Value, struct_pb2.Struct, struct_pb2.ListValue):
        check_reading(cls, token)
        check_reading(cls, f"[{token}]")
        check_reading(cls, f'{{"a":{token},"b":[{token}]}}')


@needs_native
@pytest.mark.parametrize(
    ("text", "is_native"),
    [
        ('{"oneInt32":1}', True),
        ('{"one_int32":"-7","oneUint64":"18446744073709551615"}', True),
        ('{"oneInt32":1e2,"oneDouble":"1e2"}', True),
        ('{"oneString":"\\u00e9\\ud83d\\ude00"}', True),
        ('{"oneInt32":null,"wkTimestamp":null,"children":null,"byString":null}', True),
        ('{"nothing":null,"wkValue":null}', True),
        ('{"color":"RED","colors":[7,"CRIMSON"]}', True),
        ('{"wkFieldmask":null}', True),
        ('{"wkFieldmask":"a"}', False),
        ('{"wkAny":{}}', False),
        ('{"oneInt32":1,"one_int32":1}', False),
        ('{"oneInt32":1,"oneInt32":1}', False),
        ('{"choiceString":"a","choiceBool":true}', False),
        ('{"choiceString":"a","choiceBool":null}', True),
        ('{"byString":{"a":"b","\\u0061":"c"}}', False),
        ('{"byInt32":{"0":"b","-0":"c"}}', False),
        ('{"unknown":1}', False),
        ('{"color":"MAUVE"}', False),
        ('{"color":true}', False),
        ('{"oneString":"\\ud800"}', False),
        ('{"one\\u0049nt32":1}', False),
        ('{"oneFloat":3.5e38}', False),
        ("{} {}", False),
    ],
)
def test_what_is_left_to_python(text: str, is_native: bool) -> None:
    assert check_reading(Kinds, text) is is_native


@needs_native
def test_many_keys_are_told_apart() -> None:
    for count in (7, 8, 9, 31, 32, 33, 5000):
        keys = [f"key {number}" for number in range(count)]
        text = json.dumps(
            {"byString": dict.fromkeys(keys, "a"), "wkStruct": dict.fromkeys(keys, 1)}
        )
        assert check_reading(Kinds, text)
        twice = text.replace('"key 6"', '"key 3"')
        assert not check_reading(Kinds, twice)


@needs_native
@pytest.mark.parametrize("cls", [Old, Edition], ids=full_name)
def test_rare_types_are_left_to_python(cls: type[Message]) -> None:
    assert codec().from_text(cls, "{}", 100) is None
    assert codec().to_text(cls(), False, False) is None


@needs_native
@pytest.mark.parametrize("depth", range(8))
def test_depth_counts_as_in_the_python_codec(depth: int) -> None:
    for text in (
        '{"child":{"child":{"child":{}}}}',
        '{"children":[{"childrenByName":{"a":{}}}]}',
        '{"byString":{"a":"b"},"wkTimestamp":"1970-01-01T00:00:00Z"}',
        '{"wkStruct":{"a":{"b":[]}}}',
        '{"wkValue":[[{}]],"wkListvalue":[1]}',
        '{"wkmStruct":{"a":{}},"wkStruct":{}}',
    ):
        native = check_reading(Kinds, text, depth)
        assert native == (python_reads(Kinds, text, depth) is not None)


@needs_native
def test_fields_that_the_schema_does_not_know_are_passed_over() -> None:
    message = Kinds.FromString(binary(Kinds(one_int32=1, children=[Kinds()])) + b"\xf2\x7f\x03abc")
    assert check_writing(message)
    assert to_json(message) == '{"oneInt32":1,"children":[{}]}'


@needs_native
def test_arguments_of_other_types_are_left_to_python() -> None:
    core = codec()
    for cls in (None, int, "x", Kinds(), object, type):
        assert core.from_text(cls, "{}", 100) is None
    for data in (None, 1, ["{}"], object(), "\ud800", memoryview(b"{}  ")[::2]):
        assert core.from_text(Kinds, data, 100) is None
    for depth in (None, True, 101, -1, 1.0, 10**30):
        assert core.from_text(Kinds, "{}", depth) is None
    for message in (None, Kinds, "x", object()):
        assert core.to_text(message, False, False) is None
    with pytest.raises(TypeError):
        core.to_text(Kinds())
    with pytest.raises(TypeError):
        core.from_text(Kinds, "{}")


@needs_native
def test_nothing_is_left_behind() -> None:
    message = Kinds()
    fill(seeded(3), message, 3)
    text = to_json(from_json(Kinds, '{"wkStruct":{"a":[1,"é",{}]},"byInt32":{"1":"x"}}'))
    faulty = text[:-1]
    many = json.dumps({"wkStruct": dict.fromkeys(map(str, range(50)), 1)})[:-1]

    def work() -> None:
        for _ in range(300):
            codec().to_text(message, False, False)
            codec().to_bytes(message, True, True)
            for data in (text, faulty, many, text.encode(), bytearray(text.encode())):
                codec().from_text(Kinds, data, 100)

    sizes: list[int] = []
    tracemalloc.start()
    try:
        for _ in range(8):
            work()
            gc.collect()
            sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    # A leak grows in every round; Python's caches of freed objects fill up in some.
    assert min(after - before for before, after in pairwise(sizes)) < 2_000


@needs_native
@pytest.mark.parametrize(
    "text",
    [
        '{"wkStruct":{' + ",".join(f'"{n}":[{n},"{n}"]' for n in range(50_000)) + "}}",
        '{"allInt64":[' + ",".join(f'"{n}"' for n in range(200_000)) + "]}",
        '{"oneBytes":"' + "AAAA" * 500_000 + '"}',
        '{"oneString":"' + "\\n\\u00e9 text" * 100_000 + '"}',
    ],
    ids=["struct", "numbers", "bytes", "escapes"],
)
def test_memory_is_in_proportion(text: str) -> None:
    message = from_json(Kinds, text)
    size = len(text) + len(binary(message))
    for work in (lambda: codec().from_text(Kinds, text, 100), lambda: to_json(message)):
        tracemalloc.start()
        try:
            assert work() is not None
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < 3 * size


@needs_native
def test_shortest_floats_are_those_of_the_python_codec() -> None:
    rng = seeded(5)
    for _ in range(300):
        message = Kinds()
        for _ in range(50):
            scale = 10.0 ** rng.randrange(-12, 12)
            message.all_float.append(rng.uniform(-1, 1) * scale)
            message.all_double.append(round(rng.uniform(-1, 1) * scale, rng.randrange(12)))
            message.wks_value.add(number_value=rng.uniform(-1, 1) * scale)
        assert check_writing(message)


@needs_native
def test_a_schema_is_written_natively_whoever_made_it() -> None:
    schema = v1.Schema(type="OBJECT", properties={"a": v1.Schema(type="STRING"), "B": v1.Schema()})
    assert check_writing(schema)
    assert to_json(schema) == '{"type":"OBJECT","properties":{"B":{},"a":{"type":"STRING"}}}'
