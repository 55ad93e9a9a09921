"""The quick parser: the tree of the exact one, or no tree."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from support.kinds import Kinds
from toolwire._errors import JsonError
from toolwire._json import UnknownFields, from_json, to_json
from toolwire._json._quick_text import UNSURE, parse_quickly
from toolwire._json._text import parse_text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"a":1,"a":1}', id="twice"),
        pytest.param('{"a":1,"\\u0061":2}', id="twice-by-an-escape"),
        pytest.param('{"a" :1 , "a" :2}', id="twice-with-spaces"),
        pytest.param('[{"a":{"b":1,"c":{},"b":2}}]', id="twice-below"),
        pytest.param('{"a":"\\u003a","b":1,"b":2}', id="twice-beside-an-escaped-colon"),
        pytest.param('{"a":"\\u003A","b":"x:","b":2}', id="twice-with-colons-in-text"),
        pytest.param("-0", id="minus-zero"),
        pytest.param('{"a":[ -0]}', id="minus-zero-in-a-list"),
        pytest.param('{"a":-0,"b":1e-7}', id="minus-zero-and-an-exponent"),
        pytest.param('{"a": -0\n}', id="minus-zero-and-a-line"),
        pytest.param("-9223372036854775809", id="beyond-64-bits-that-rounds-into-them"),
        pytest.param("-9223372036854776832", id="the-last-that-does"),
        pytest.param("1e400", id="beyond-a-double"),
        pytest.param("0." + "1" * 5000, id="long-number"),
        pytest.param("[" * 300 + "]" * 300, id="deep"),
        pytest.param('"\\ud800"', id="surrogate"),
        pytest.param("\ufeff{}", id="byte-order-mark"),
        pytest.param("NaN", id="nan"),
        pytest.param("{} {}", id="two-documents"),
        pytest.param("", id="empty"),
    ],
)
def test_what_could_differ_is_left_to_the_exact_parser(text: str) -> None:
    assert parse_quickly(text) is UNSURE
    assert parse_quickly(text.encode("utf-8", "surrogatepass")) is UNSURE


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1,"b":{"a":":"},"c":[{"a":"x\\":"},{"a":2}]}',
        '{ "a" : 1 , "b" :\t[ 1.50 , -1E+2 , -0.0 , "2026-01-02" , "-0x" ] }',
        '{"é":"\\u00e9\\ud83d\\ude00","a:b":"c:d"}',
        "9223372036854775807",
        "18446744073709551615",
        "-9223372036854775808",
    ],
)
def test_ordinary_documents_are_read_quickly(text: str) -> None:
    tree, repeated = parse_text(text)
    assert repeated is None
    assert repr(parse_quickly(text)) == repr(tree)
    assert repr(parse_quickly(bytearray(text.encode()))) == repr(tree)


KEYS = st.sampled_from(['"a"', '"b"', '"\\u0061"', '":"', '"\\u003a"', '"a\\":"', '"é"'])
NUMBERS = ["0", "-0", "-0.0", "1e-7", "1e-400", "-1E2", "-5", "1.50", "9007199254740993"]
LEAVES = st.sampled_from(NUMBERS) | KEYS | st.sampled_from(["true", "null", "[]", "{}"])
COLONS = st.sampled_from([":", " : ", "\n:"])
OBJECTS = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
        | st.lists(st.tuples(KEYS, COLONS, inner).map("".join), max_size=4).map(
            lambda items: f"{{{','.join(items)}}}"
        )
    ),
    max_leaves=12,
)


@example('{"a":"\\u003a","b":0,"b":0}')
@given(OBJECTS)
def test_a_quick_tree_is_the_exact_tree(text: str) -> None:
    quick = parse_quickly(text)
    tree, repeated = parse_text(text)
    assert quick is UNSURE or (repeated is None and repr(quick) == repr(tree))


def test_what_is_collected_is_exact() -> None:
    unknown = UnknownFields()
    text = '{"oneInt32":1,"new":[12345678901234567890123,-9223372036854775809,1e-07,1e+16]}'
    message = from_json(Kinds, text, unknown=unknown)
    assert dict(unknown) == {"new": [12345678901234567890123, -9223372036854775809, 1e-7, 1e16]}
    assert to_json(message, unknown=unknown) == text


@given(st.floats(allow_nan=False, allow_infinity=False) | st.floats(width=32, allow_nan=False))
@example(1e16)
@example(1e-4)
@example(9.999999999999999e-05)
@example(9999999999999998.0)
@example(5e-324)
def test_numbers_are_spelled_as_python_spells_them(number: float) -> None:
    if number not in {float("inf"), -float("inf")}:
        assert to_json(Kinds(maybe_double=number)) == f'{{"maybeDouble":{json.dumps(number)}}}'
        assert to_json(Kinds(all_double=[number])) == f'{{"allDouble":[{json.dumps(number)}]}}'


@pytest.mark.parametrize("number", ["18446744073709551616", "-9223372036854775809"])
def test_no_integer_beyond_64_bits_is_rounded_into_them(number: str) -> None:
    with pytest.raises(JsonError, match="expected a whole number"):
        from_json(Kinds, f'{{"allInt64":[{number}]}}')
    with pytest.raises(JsonError, match="expected a whole number"):
        from_json(Kinds, f'{{"allUint64":[{number}]}}')
