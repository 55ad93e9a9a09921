"""Texts that are nearly JSON, and messages of odd values: for fuzzing with a seeded random."""

from __future__ import annotations

import random
import struct
from typing import TYPE_CHECKING, Any, cast

from google.protobuf.descriptor import FieldDescriptor

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor
    from google.protobuf.message import Message

TOKENS = [
    *("null", "true", "false", "{}", "[]", '""', "0", "-0", "1", "-1", "01", "+1", "1.0", "1.5"),
    *("1e2", "1E+2", "1e-2", "10e-1", ".5", "1.", "-", "1e", "1e400", "-1e400", "1e-400", "5e-324"),
    *("2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296"),
    *("9007199254740992", "9007199254740993", "9223372036854775807", "9223372036854775808"),
    *("-9223372036854775808", "-9223372036854775809", "18446744073709551615"),
    *(
        "18446744073709551616",
        "99999999999999999999",
        "100000000000000000000000",
        "0.1",
        "0.30000001",
    ),
    *(
        "3.4028235e38",
        "3.4028236e38",
        "1.7976931348623157e308",
        "1.8e308",
        "0.0001",
        "123456789.125",
    ),
    *('"0"', '"-0"', '"1.0"', '"1e2"', '"01"', '" 1"', '"1 "', '"+1"', '"NaN"', '"Infinity"'),
    *(
        '"-Infinity"',
        '"inf"',
        "NaN",
        "Infinity",
        "-Infinity",
        '"true"',
        '"false"',
        '"RED"',
        '"CRIMSON"',
    ),
    *('"STRING"', '"NULL_VALUE"', '"AAAA"', '"AA=="', '"AA="', '"AA"', '"A"', '"-_-_"', '"+/+/"'),
    *('"+_"', '"AB=="', '"1970-01-01T00:00:00Z"', '"2000-02-29T23:59:59.123+01:00"', '"1.5s"'),
    *('"2001-02-29T00:00:00Z"', '"0001-01-01T00:00:00Z"', '"9999-12-31T23:59:59-00:01"', '"-0.5s"'),
    *('"315576000000s"', '"315576000001s"', '"a,bC"', '"\\u0000"', '"\\ud83d\\ude00"', '"\\ud83d"'),
    *(
        '"\\udc00\\ud800"',
        '"\\u00e9\\n\\/\\b"',
        '"\\x"',
        '"\\',
        '"\x01"',
        '"é😀"',
        '"\x7f"',
        '"@type"',
    ),
    *(" ", "\n", "\t", "\r", "\u00a0", ",", ":", "{", "}", "[", "]", '"', "\\", "\x00", "\ufeff"),
    *('{"a":1,"a":2}', '{"a":{"b":[1,{"c":null}]}}', "[[[[1]]]]", '{"":{}}', "[1,]", '{"a":1,}'),
]
_DOUBLES = [0.0, -0.0, 1.0, -1.5, 0.1, 1e15, 1e16, 1e22, 2.0**53, 2.0**53 + 2, 1e-5, 1e-4, 5e-324]
_TEXTS = ["", "a", 'quo"te', "back\\slash", "é", "😀", "\x00\x1f\x7f", "line\n", "x" * 40, "</s>"]
_PLACES = b'{}[],:" '


def seeded(seed: int | str) -> random.Random:
    """Makes the same choices each time, so that what is found can be found again."""
    return random.Random(seed)  # noqa: S311 - nothing here is a secret


def mutate(rng: random.Random, text: bytes, other: bytes) -> bytes:
    """Changes a text in a few places."""
    changed = bytearray(text)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        _change(rng, changed, other)
    return bytes(changed)


def _change(rng: random.Random, text: bytearray, other: bytes) -> None:
    start = _place(rng, text)
    end = min(len(text), start + rng.choice([0, 1, 2, 4, rng.randrange(40)]))
    kind = rng.randrange(8)
    if kind == 0 and text:
        text[min(start, len(text) - 1)] ^= 1 << rng.randrange(8)
    elif kind == 1:
        del text[start:]
    elif kind == 2:
        del text[start:end]
    elif kind == 3:
        text[start:start] = text[start:end]
    elif kind == 4 and other:
        cut = _place(rng, other)
        text[start:end] = other[cut : cut + rng.randrange(60)]
    else:
        _replace_value(rng, text, start)


def _replace_value(rng: random.Random, text: bytearray, start: int) -> None:
    """Puts another token where a value seems to stand."""
    token = rng.choice(TOKENS).encode()
    at = max(text.find(mark, start) for mark in (b":", b"[")) + 1
    ends = [found for mark in (b",", b"}", b"]") if (found := text.find(mark, at)) >= 0]
    text[at : min(ends, default=len(text))] = token


def _place(rng: random.Random, text: bytes | bytearray) -> int:
    """Returns a place in a text, mostly one where something starts or ends."""
    start = rng.randrange(len(text) + 1)
    if rng.random() < 0.5:
        while start < len(text) and text[start] not in _PLACES:
            start += 1
    return start


def fill(rng: random.Random, message: Message, depth: int) -> None:
    """Sets a few fields of a message to random values, good or not so good for JSON."""
    kind = cast("Descriptor", message.DESCRIPTOR)
    if not kind.fields:
        return
    for field in rng.choices(list(kind.fields), k=rng.choice([1, 1, 2, 4, 8])):
        if depth or field.message_type is None:
            _set(rng, message, field, depth)


def _set(rng: random.Random, message: Message, field: FieldDescriptor, depth: int) -> None:
    target: Any = getattr(message, field.name)
    kind = field.message_type
    if kind is not None and kind.has_options and kind.GetOptions().map_entry:
        key, value = kind.fields_by_name["key"], kind.fields_by_name["value"]
        for _ in range(rng.choice([1, 2, 3, 12])):
            if value.message_type is None:
                target[scalar(rng, key)] = scalar(rng, value)
            else:
                fill(rng, target[scalar(rng, key)], depth - 1)
    elif field.is_repeated:
        for _ in range(rng.choice([1, 2, 3])):
            if kind is None:
                target.append(scalar(rng, field))
            else:
                fill(rng, target.add(), depth - 1)
    elif kind is None:
        setattr(message, field.name, scalar(rng, field))
    else:
        target.SetInParent()
        if rng.random() < 0.9:
            fill(rng, target, depth - 1)


def scalar(rng: random.Random, field: FieldDescriptor) -> Any:
    """Returns a value of a field that is no message."""
    if field.enum_type is not None:
        known = [value.number for value in field.enum_type.values]
        is_odd = not field.enum_type.is_closed and rng.random() < 0.2
        return rng.choice([-1, 77, 2**31 - 1, -(2**31)]) if is_odd else rng.choice(known)
    if field.type == FieldDescriptor.TYPE_STRING:
        return rng.choice(_TEXTS) if rng.random() < 0.5 else f"k{rng.randrange(1000)}"
    if field.type == FieldDescriptor.TYPE_BYTES:
        return rng.randbytes(rng.choice([0, 1, 2, 3, 11, 40]))
    if field.type == FieldDescriptor.TYPE_BOOL:
        return rng.random() < 0.5
    if field.type in {FieldDescriptor.TYPE_DOUBLE, FieldDescriptor.TYPE_FLOAT}:
        return _floating(rng)
    is_signed = field.cpp_type in {FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_INT64}
    is_small = field.cpp_type in {FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_UINT32}
    bits = 32 if is_small else 64
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
    return rng.choice([0, 1, low, high, rng.randint(low, high), max(low, -rng.randrange(100))])


def _floating(rng: random.Random) -> Any:
    kind = rng.randrange(5)
    if kind == 0:
        return rng.choice(_DOUBLES)
    if kind == 1:  # any bits: also NaN, infinities, and more than a float holds
        return struct.unpack("<d", rng.randbytes(8))[0]
    if kind == 2:
        return struct.unpack("<f", rng.randbytes(4))[0]
    if kind == 3:
        return float(rng.randrange(-(10**6), 10**6))
    return round(rng.uniform(-1000, 1000), rng.randrange(9))
