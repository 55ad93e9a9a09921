"""Texts that are nearly JSON: for fuzzing with a seeded random."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

TOKENS = [
    *("null", "true", "false", "{}", "[]", '""', "0", "-0", "1", "-1", "01", "+1", "1.0", "1.5"),
    *("1e2", "1E+2", "1e-2", "10e-1", ".5", "1.", "-", "1e", "1e400", "-1e400", "1e-400", "5e-324"),
    *("2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296"),
    *("9007199254740992", "9007199254740993", "9223372036854775807", "9223372036854775808"),
    *("-9223372036854775808", "-9223372036854775809", "18446744073709551615"),
    *("18446744073709551616", "99999999999999999999", "100000000000000000000000"),
    *("0.1", "0.30000001", "3.4028235e38", "3.4028236e38", "1.7976931348623157e308", "1.8e308"),
    *("0.0001", "123456789.125", '"0"', '"-0"', '"1.0"', '"1e2"', '"01"', '" 1"', '"1 "', '"+1"'),
    *('"NaN"', '"Infinity"', '"-Infinity"', '"inf"', "NaN", "Infinity", "-Infinity"),
    *('"true"', '"false"', '"RED"', '"CRIMSON"', '"STRING"', '"NULL_VALUE"', '"@type"', '"a,bC"'),
    *('"AAAA"', '"AA=="', '"AA="', '"AA"', '"A"', '"-_-_"', '"+/+/"', '"+_"', '"AB=="'),
    *('"1970-01-01T00:00:00Z"', '"2000-02-29T23:59:59.123+01:00"', '"2001-02-29T00:00:00Z"'),
    *('"0001-01-01T00:00:00Z"', '"9999-12-31T23:59:59-00:01"', '"1.5s"', '"-0.5s"'),
    *('"315576000000s"', '"315576000001s"', '"x/toolwire.test.Kinds"', '"x/google.protobuf.Value"'),
    *(
        '"\\u0000"',
        '"\\ud83d\\ude00"',
        '"\\ud83d"',
        '"\\udc00\\ud800"',
        '"\\u00e9\\n\\/\\b"',
        '"\\x"',
    ),
    *('"\\', '"\x01"', '"é😀"', '"\x7f"', "\u00a0", "\x00", "\ufeff"),
    *(" ", "\n", "\t", "\r", ",", ":", "{", "}", "[", "]", '"', "\\"),
    *('{"a":1,"a":2}', '{"a":{"b":[1,{"c":null}]}}', "[[[[1]]]]", '{"":{}}', "[1,]", '{"a":1,}'),
]
_PLACES = b'{}[],:" '
_KEY = re.compile(rb'"[^"\\]*"(?=\s*:)')


def mutate(rng: random.Random, text: bytes, other: bytes) -> bytes:
    """Changes a text in a few places."""
    changed = bytearray(text)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        _change(rng, changed, other)
    return bytes(changed)


def _change(rng: random.Random, text: bytearray, other: bytes) -> None:
    start = _place(rng, text)
    end = min(len(text), start + rng.choice([0, 1, 2, 4, rng.randrange(40)]))
    kind = rng.randrange(9)
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
    elif kind == 5:
        _replace_key(rng, text, other)
    else:
        _replace_value(rng, text, start)


def _replace_value(rng: random.Random, text: bytearray, start: int) -> None:
    """Puts another token where a value seems to stand."""
    token = rng.choice(TOKENS).encode()
    at = max(text.find(mark, start) for mark in (b":", b"[")) + 1
    ends = [found for mark in (b",", b"}", b"]") if (found := text.find(mark, at)) >= 0]
    text[at : min(ends, default=len(text))] = token


def _replace_key(rng: random.Random, text: bytearray, other: bytes) -> None:
    """Puts another name in the place of one: unknown, of another type, or there already."""
    keys = list(_KEY.finditer(text))
    if keys:
        start, end = rng.choice(keys).span()
        text[start:end] = rng.choice([*_KEY.findall(text), *_KEY.findall(other)])


def _place(rng: random.Random, text: bytes | bytearray) -> int:
    """Returns a place in a text, mostly one where something starts or ends."""
    start = rng.randrange(len(text) + 1)
    if rng.random() < 0.5:
        while start < len(text) and text[start] not in _PLACES:
            start += 1
    return start
