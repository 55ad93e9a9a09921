"""Numbers: integers of every width, floats and doubles, and what only looks like a number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from support.differences import Row
from support.kinds import Kinds
from support.protojson.case import Case, Rule, no_value, value, writes

if TYPE_CHECKING:
    from collections.abc import Iterator

LIMITS = {
    **dict.fromkeys(["int32", "sint32", "sfixed32"], (-(2**31), 2**31 - 1)),
    **dict.fromkeys(["uint32", "fixed32"], (0, 2**32 - 1)),
    **dict.fromkeys(["int64", "sint64", "sfixed64"], (-(2**63), 2**63 - 1)),
    **dict.fromkeys(["uint64", "fixed64"], (0, 2**64 - 1)),
}
FLOAT_MAX = 3.4028234663852886e38

NO_NUMBER = 'expected a number, "NaN", "Infinity" or "-Infinity"'
LONG = "1" * 5000


def cases() -> Iterator[Case]:
    """Yields the cases of all numbers."""
    for kind in LIMITS:
        yield from _limits(kind)
    for kind in ("int32", "uint32", "int64", "uint64"):
        yield from _spellings_of_integers(kind)
        yield from _no_integers(kind)
    yield from _exact_integers()
    for kind in ("float", "double"):
        yield from _spellings_of_floats(kind)
        yield from _no_floats(kind)
    yield from _precision()
    yield from _beyond_floats()


def _limits(kind: str) -> Iterator[Case]:
    field, (low, high) = f"maybe_{kind}", LIMITS[kind]
    for limit in (low, high) if low else (high,):
        written = f'"{limit}"' if kind.endswith("64") else f"{limit}"
        for text in (f"{limit}", f'"{limit}"'):
            yield value(Rule.RANGE, field, text, limit, written)
        rounded = Row.EXACT if int(float(limit)) != limit else None
        yield value(Rule.RANGE, field, f'"{limit}.0"', limit, written, differs=rounded)
    reason = f"expected a whole number from {low} to {high}, found"
    for beyond in (low - 1, high + 1):
        # Without quotes, a fraction makes it a double, which may round into the range.
        bare = [f"{beyond}.0"] if float(beyond) == beyond else []
        for text in (f"{beyond}", f'"{beyond}"', *bare):
            yield no_value(Rule.RANGE, field, text, reason)
        rounded = Row.EXACT if low <= int(float(beyond)) <= high else None
        yield no_value(Rule.RANGE, field, f'"{beyond}.0"', reason, differs=rounded)


def _spellings_of_integers(kind: str) -> Iterator[Case]:
    field, quote = f"maybe_{kind}", '"' if kind.endswith("64") else ""
    whole = {"1": 1, "1.0": 1, "1.000": 1, "0": 0, "-0": 0, "0.0": 0, "-0.0": 0}
    exponents = {"1e2": 100, "1E+2": 100, "1.5e1": 15, "100e-2": 1, "0e7": 0, "0e-7": 0}
    for rule, spellings in ((Rule.RANGE, whole), (Rule.TYPES, exponents)):
        for text, number in spellings.items():
            written = f"{quote}{number}{quote}"
            yield value(rule, field, text, number, written)
            yield value(rule, field, f'"{text}"', number, written)
    yield value(Rule.TEXT, field, '"\\u0031"', 1, f"{quote}1{quote}")
    yield value(Rule.TYPES, field, '"0e99999999"', 0, f"{quote}0{quote}")


def _no_integers(kind: str) -> Iterator[Case]:
    field, (low, high) = f"one_{kind}", LIMITS[kind]
    reason = f"expected a whole number from {low} to {high}, found"
    for text in (
        *("1.5", '"1.5"', "1e-1", '"1e-1"', "1e30", '"1e400"', '"1e999999999999999999999"'),
        '"99999999999999999999"',
    ):
        yield no_value(Rule.RANGE, field, text, reason)
    for text in (
        *('""', '"one"', '"NaN"', '"Infinity"', '"0x1"', '"1e"', '"1 2"', '"--1"', '"-"', '"1L"'),
        *('"1,0"', '" 1"', '"1 "', "true", "false", "[]", "{}", "[1]"),
    ):
        yield no_value(Rule.TYPES, field, text, reason)
    for text in ('"+1"', '"01"', '"1_0"', '"1."', '".0"', '"\\n1"', '"\\u0661"'):
        yield no_value(Rule.TYPES, field, text, reason, differs=Row.LOOSE_NUMBERS)
    yield no_value(Rule.RANGE, field, f'"{LONG}"', reason, name="5000 digits in quotes")
    text, name = f'"0.{"0" * 5000}"', "5000 decimals in quotes"
    yield no_value(Rule.RANGE, field, text, reason, name=name, differs=Row.LONG_NUMBERS)


def _exact_integers() -> Iterator[Case]:
    """Beyond 2**53 not every number is a double."""
    odd = 2**53 + 1
    for text in (f"{odd}", f'"{odd}"'):
        yield value(Rule.TYPES, "one_int64", text, odd, f'"{odd}"')
    for text in (f'"{odd}.0"', f'"{odd}e0"', '"9.007199254740993e15"'):
        yield value(Rule.TYPES, "one_int64", text, odd, f'"{odd}"', differs=Row.EXACT)
    for text in ('"1.00000000000000000001"', '"4503599627370496.7"'):
        reason = "expected a whole number from"
        yield no_value(Rule.RANGE, "one_int64", text, reason, differs=Row.EXACT)


def _spellings_of_floats(kind: str) -> Iterator[Case]:
    field = f"maybe_{kind}"
    whole = {"1": 1.0, "0": 0.0, "-1e2": -100.0, "1E+2": 100.0}
    for text, number in (whole | {"1.5": 1.5, "25e-1": 2.5, "0.1": 0.1, "1e-400": 0.0}).items():
        for spelling in (text, f'"{text}"'):
            yield value(Rule.TYPES, field, spelling, number, f"{number}")
    for text, number in {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}.items():
        yield value(Rule.TYPES, field, f'"{text}"', number)
    yield value(Rule.TYPES, field, "-0.0", -0.0)
    yield value(Rule.TYPES, field, '"-0"', -0.0, "-0.0")
    yield value(Rule.TYPES, field, "-0", -0.0, "-0.0", differs=Row.SMALL)


def _no_floats(kind: str) -> Iterator[Case]:
    field = f"one_{kind}"
    for text in ('""', '"one"', '"nan"', '"0x1p3"', '"1e"', '"1,5"', "[]", "{}", "[1.5]"):
        yield no_value(Rule.TYPES, field, text, NO_NUMBER)
    for text in (
        *('"NAN"', '"inf"', '"-inf"', '"infinity"', '"INFINITY"', '"+Infinity"', '"-NaN"'),
        *('" 1"', '"1 "', '"+1"', '"01"', '"1_0"', '"1."', '".5"', '"\\u0661"'),
    ):
        yield no_value(Rule.TYPES, field, text, NO_NUMBER, differs=Row.LOOSE_NUMBERS)
    for text in ("true", "false"):
        yield no_value(Rule.TYPES, field, text, NO_NUMBER, differs=Row.BOOLEANS)
    for text in ('"1e400"', '"-1e400"'):
        yield no_value(Rule.RANGE, field, text, NO_NUMBER, differs=Row.BEYOND)
    name = "5000 digits in quotes"
    yield no_value(Rule.RANGE, field, f'"{LONG}"', NO_NUMBER, name=name, differs=Row.BEYOND)


def _precision() -> Iterator[Case]:
    """Numbers are written as short as reads back."""
    doubles = ["5e-324", "2.2250738585072014e-308", "1.7976931348623157e+308", "1e+16", "1e-05"]
    for text in (*doubles, "0.30000000000000004", "1e+300", "9007199254740992.0"):
        yield value(Rule.TYPES, "one_double", text, float(text))
    floats = {
        "16777216.0": 16777216.0,
        "8589974000.0": 8.589974e9,
        "1.1754944e-38": 1.1754944e-38,
        "1e+37": 1e37,
        "0.33333334": 1 / 3,
    }
    for text, number in floats.items():
        yield value(Rule.TYPES, "one_float", text, number)
    yield value(Rule.TYPES, "one_float", "1e-45", 1e-45, differs=Row.SMALL)
    whole = Kinds(one_double=1.0, one_float=1.0)
    yield writes(Rule.TYPES, "whole numbers", whole, '{"oneFloat":1.0,"oneDouble":1.0}')
    for field in ("one_float", "one_double"):
        text = f"0.1{'0' * 3900}"
        yield value(Rule.TYPES, field, text, 0.1, "0.1", name="3901 decimals")


def _beyond_floats() -> Iterator[Case]:
    largest = "3.4028235e+38"
    yield value(Rule.RANGE, "one_float", largest, FLOAT_MAX, differs=Row.LARGEST)
    for text in (f'"{largest}"', f'"-{largest}"'):
        sign = -1 if "-" in text else 1
        number = sign * FLOAT_MAX
        yield value(Rule.RANGE, "one_float", text, number, text.strip('"'))
    reason = "expected a number within 32-bit floats, up to 3.4028235e38"
    for text in ("3.4028236e38", "-3.5e38", "1e39"):
        yield no_value(Rule.RANGE, "one_float", text, reason)
    for text in ('"3.4028236e38"', '"1e39"', f"1{'0' * 39}"):
        yield no_value(Rule.RANGE, "one_float", text, reason, differs=Row.BEYOND)
