"""Scalars, by the rules of the ProtoJSON specification: what is written, read and refused."""

from __future__ import annotations

import json
import math

import pytest

from support.kinds import Kinds
from toolwire._errors import JsonError
from toolwire._json import from_json, to_json

INTEGERS = {
    **dict.fromkeys(["int32", "sint32", "sfixed32"], (-(2**31), 2**31 - 1)),
    **dict.fromkeys(["uint32", "fixed32"], (0, 2**32 - 1)),
    **dict.fromkeys(["int64", "sint64", "sfixed64"], (-(2**63), 2**63 - 1)),
    **dict.fromkeys(["uint64", "fixed64"], (0, 2**64 - 1)),
}
FLOAT_MAX = 3.4028234663852886e38


def read(name: str, json_text: str) -> object:
    """Reads one field from the JSON text of its value."""
    return getattr(from_json(Kinds, f'{{"{name}": {json_text}}}'), name)


def written(name: str, value: object) -> str:
    """Writes one field and returns the JSON text of its value."""
    text = to_json(Kinds(**{name: value}))
    assert text.startswith("{")
    assert text.endswith("}")
    return text.partition(":")[2][:-1]


@pytest.mark.parametrize("kind", INTEGERS)
def test_integers_keep_their_limits(kind: str) -> None:
    quote = '"' if kind.endswith("64") else ""
    for limit in INTEGERS[kind]:
        if limit:
            assert written(f"one_{kind}", limit) == f"{quote}{limit}{quote}"
        assert read(f"one_{kind}", f"{limit}") == limit
        assert read(f"one_{kind}", f'"{limit}"') == limit


@pytest.mark.parametrize("kind", INTEGERS)
def test_integers_beyond_their_limits_are_refused(kind: str) -> None:
    low, high = INTEGERS[kind]
    for beyond in (low - 1, high + 1):
        bare_fraction = [f"{beyond}.0"] if float(beyond) == beyond else []  # else in range
        for text in (f"{beyond}", f'"{beyond}"', f'"{beyond}.0"', *bare_fraction):
            with pytest.raises(JsonError, match=f"whole number from {low} to {high}, found"):
                read(f"one_{kind}", text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("1.0", 1, id="zero-fraction"),
        pytest.param("1e2", 100, id="exponent"),
        pytest.param("-2.5E+1", -25, id="fraction-and-exponent"),
        pytest.param("-0", 0, id="minus-zero"),
        pytest.param('"1.0"', 1, id="quoted-zero-fraction"),
        pytest.param('"1e2"', 100, id="quoted-exponent"),
        pytest.param('"100e-2"', 1, id="quoted-negative-exponent"),
        pytest.param('"0e99999999"', 0, id="quoted-zero-with-exponent"),
        pytest.param('"9007199254740993.0"', 9007199254740993, id="quoted-beyond-double"),
        pytest.param('"9.223372036854775807e18"', 2**63 - 1, id="quoted-exact-exponent"),
        pytest.param("9007199254740993", 9007199254740993, id="bare-integers-are-exact"),
    ],
)
def test_integers_are_read_in_every_spelling(text: str, value: int) -> None:
    assert read("one_int64", text) == value


@pytest.mark.parametrize(
    "text",
    [
        *('"1 "', '" 1"', '"+1"', '"01"', '"1_0"', '"0x1"', '"1."', '".5"', '""', '"\\u0661"'),
        *('"1.5"', "1.5", '"1e-1"', '"1e400"', '"1e999999999999999999999"', '"NaN"', '"one"'),
        *("true", "false", "[]", "{}", "[1]", '"99999999999999999999999"', "99999999999999999999"),
        pytest.param('"' + "1" * 5000 + '"', id="5000-digits"),
        pytest.param('"0.' + "0" * 5000 + '"', id="5000-decimals"),
    ],
)
def test_what_is_no_integer_is_refused(text: str) -> None:
    with pytest.raises(JsonError, match="oneInt64: expected a whole number from"):
        read("one_int64", text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(1.0, "1.0", id="whole"),
        pytest.param(0.1, "0.1", id="shortest"),
        pytest.param(1e300, "1e+300", id="exponent"),
        pytest.param(5e-324, "5e-324", id="smallest"),
        pytest.param(-0.0, "-0.0", id="minus-zero"),
        pytest.param(math.nan, '"NaN"', id="nan"),
        pytest.param(math.inf, '"Infinity"', id="infinity"),
        pytest.param(-math.inf, '"-Infinity"', id="minus-infinity"),
    ],
)
def test_doubles_are_written_short_and_read_back(value: float, text: str) -> None:
    assert written("one_double", value) == text
    again = read("one_double", text)
    assert json.dumps(again) == json.dumps(value)  # tells -0.0 and NaN from the others


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(0.1, "0.1", id="shortest"),
        pytest.param(16777216.0, "16777216.0", id="first-odd-that-is-lost"),
        pytest.param(8.589974e9, "8589974000.0", id="seven-digits"),
        pytest.param(FLOAT_MAX, "3.4028235e+38", id="largest"),
        pytest.param(1e-45, "1e-45", id="smallest"),
        pytest.param(1.1754944e-38, "1.1754944e-38", id="smallest-normal"),
        pytest.param(math.nan, '"NaN"', id="nan"),
        pytest.param(-math.inf, '"-Infinity"', id="minus-infinity"),
    ],
)
def test_floats_are_written_as_short_as_32_bits_allow(value: float, text: str) -> None:
    message = Kinds(one_float=value)
    assert written("one_float", value) == text
    assert from_json(Kinds, to_json(message)).SerializeToString() == message.SerializeToString()


@pytest.mark.parametrize("kind", ["float", "double"])
@pytest.mark.parametrize(
    ("text", "value"),
    [("1", 1.0), ('"1"', 1.0), ('"1.5"', 1.5), ('"-1e2"', -100.0), ("1e-400", 0.0), ("3", 3.0)],
)
def test_floats_are_read_in_every_spelling(kind: str, text: str, value: float) -> None:
    assert read(f"one_{kind}", text) == value


@pytest.mark.parametrize("kind", ["float", "double"])
@pytest.mark.parametrize(
    "text",
    [
        *('""', '" 1"', '"nan"', '"inf"', '"+1"', '"1_0"', '".5"', '"1."', '"0x1p3"'),
        *('"1e400"', "true", "[]"),
        pytest.param('"' + "1" * 5000 + '"', id="5000-digits"),
    ],
)
def test_what_is_no_float_is_refused(kind: str, text: str) -> None:
    with pytest.raises(JsonError, match=r"expected a number, .NaN., .Infinity. or .-Infinity."):
        read(f"one_{kind}", text)


@pytest.mark.parametrize("text", ["3.4028236e38", "-3.5e38", "1e39", '"1e39"'])
def test_floats_that_round_beyond_the_largest_are_refused(text: str) -> None:
    with pytest.raises(JsonError, match="a number within 32-bit floats"):
        read("one_float", text)


@pytest.mark.parametrize("text", ["0", "1", '"true"', '"false"', '""', "[]", "1.0"])
def test_bool_is_true_or_false_only(text: str) -> None:
    assert read("one_bool", "true") is True
    assert written("one_bool", True) == "true"
    with pytest.raises(JsonError, match="oneBool: expected true or false, found"):
        read("one_bool", text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param('"YQ=="', b"a", id="padded"),
        pytest.param('"YQ"', b"a", id="unpadded"),
        pytest.param('"+/+/"', b"\xfb\xff\xbf", id="standard"),
        pytest.param('"-_-_"', b"\xfb\xff\xbf", id="url-safe"),
        pytest.param('"-_8="', b"\xfb\xff", id="url-safe-padded"),
        pytest.param('"-_"', b"\xfb", id="spare-bits"),
        pytest.param('""', b"", id="empty"),
    ],
)
def test_bytes_are_read_from_either_base64(text: str, value: bytes) -> None:
    assert read("one_bytes", text) == value


def test_bytes_are_written_as_standard_base64_with_padding() -> None:
    assert written("one_bytes", b"\xfb\xff") == '"+/8="'


@pytest.mark.parametrize(
    "text", ['"Y"', '"YQ="', '"YQ==="', '"Y Q="', '"YQ==YQ=="', '"+_+_"', '"é"', "1", "[89]"]
)
def test_what_is_no_base64_is_refused(text: str) -> None:
    with pytest.raises(JsonError, match="oneBytes: expected base64 text"):
        read("one_bytes", text)


@pytest.mark.parametrize(
    "text", ['"a\\u0000b"', '"\\u00e9"', '"é😀"', '"\\ud83d\\ude00"', '"\\u2028"']
)
def test_strings_survive(text: str) -> None:
    value = json.loads(text)
    assert read("one_string", text) == value
    assert json.loads(written("one_string", value)) == value


def test_non_ascii_text_is_written_as_it_is() -> None:
    assert written("one_string", "é😀 </script>") == '"é😀 </script>"'


@pytest.mark.parametrize("text", ["1", "true", "[]", "{}"])
def test_what_is_no_string_is_refused(text: str) -> None:
    with pytest.raises(JsonError, match="oneString: expected a string, found"):
        read("one_string", text)


@pytest.mark.parametrize("text", ['"\\ud800"', '"\\udc00"', '"\\udc00\\ud800"', '"a\\ud83d"'])
def test_lone_surrogates_are_refused_wherever_text_stands(text: str) -> None:
    places = ["oneString", "wkStringvalue", "wkValue", "color", "wkTimestamp", "wkFieldmask"]
    for place in places:
        with pytest.raises(JsonError) as caught:
            from_json(Kinds, f'{{"{place}": {text}}}')
        assert str(caught.value).isascii()
    for place in ["wkStruct", "byString", "children", "nowhere"]:
        with pytest.raises(JsonError):
            from_json(Kinds, f'{{"{place}": {{{text}: 1}}}}')


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ('"RED"', 1),
        ('"CRIMSON"', 1),
        ('"DARK_GREEN"', 2),
        ("2", 2),
        ("2.0", 2),
        ("-3", -3),
        ("77", 77),
        ("2147483647", 2**31 - 1),
    ],
)
def test_enums_are_read_by_name_and_number(text: str, number: int) -> None:
    assert read("color", text) == number
    assert list(from_json(Kinds, f'{{"colors": [{text}]}}').colors) == [number]


@pytest.mark.parametrize(
    ("number", "text"), [(1, '"RED"'), (2, '"DARK_GREEN"'), (-3, '"NEGATIVE"'), (77, "77")]
)
def test_enums_are_written_by_their_first_name(number: int, text: str) -> None:
    assert written("color", number) == text
    assert to_json(Kinds(color=number), enums_as_ints=True) == f'{{"color":{number}}}'


@pytest.mark.parametrize(
    "text",
    ['"red"', '"Dark_Green"', '"1"', '""', "true", "1.5", "2147483648", "[]", "{}"],
)
def test_what_is_no_enum_value_is_refused(text: str) -> None:
    with pytest.raises(JsonError, match="color: "):
        read("color", text)
