"""Where json_format does otherwise than we do: the rows of the table in docs/json.md."""

from __future__ import annotations

import enum
import json
import re
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolwire._errors import JsonError


class Row(enum.Enum):
    """The rows, by what stands in their first column."""

    WHOLE_VALUES = "whole numbers in a `Struct`"
    LOOSE_NUMBERS = (
        'text that is no JSON number: `"+1"`, `" 1"`, `"01"`, `"1."`, `"1_0"`, `"inf"`, digits of '
        "other scripts"
    )
    NUMBER_KEYS = 'keys of maps such as `"1.0"` and `"1e2"`'
    SAME_KEYS = 'keys of a map that are the same number, `"0"` and `"-0"`'
    BEYOND = 'quoted numbers and integers beyond a float or double, `"1e400"`'
    BEYOND_VALUE = "`NaN` and `1e400` in a `Value`, or where it is ignored"
    EXACT = 'quoted integers with more digits than a double keeps, `"9007199254740993.0"`'
    LONG_NUMBERS = "numbers of more than 4,000 characters"
    BOOLEANS = "booleans as numbers, and booleans, fractions and quoted numbers as enum values"
    BASE64 = "malformed base64"
    TIMES = 'loose timestamps and durations, `"1970-1-1T00:00:00Z"`, `"+1s"`'
    MASKS = "a field mask with an empty name"
    CAPITALS = 'capitals of other scripts in a field mask, `"É"`'
    NO_OBJECT = '`[]` or `""` for a message'
    BOTH_NAMES = "both names of one field"
    NULL_SIBLING = "a oneof member beside a null of a `NullValue` or `Value` sibling"
    NULL_ITEMS = "null in a list or map of `NullValue`, null for a list of `Value`"
    NULL_NUMBER = "a `NullValue` of another number than 0"
    TYPE_URL = "a type URL without a slash"
    ANY_POOL = "an `Any` of a type that only protobuf's default pool has"
    ANY_BESIDE = 'a field beside the `"value"` of an `Any`'
    ANY_EMPTY = '`"value": {}` for an `Empty` in an `Any`'
    LARGEST = "the largest float, `3.4028235e38`"
    SMALL = "subnormal floats, `-0`"
    REQUIRED = "a missing required field"
    CLOSED = "an unknown number of a closed enum, where what is unknown is ignored"
    EXTENSION = "the name of an extension with more behind it"
    NOT_UTF8 = "text of a proto2 message that is not UTF-8"
    DEPTH = "levels of messages"


_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_TEXT = re.compile(r'found (?:the string )?("(?:[^"\\]|\\.)*")')
_AROUND = re.compile(r'"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?"')
_MINUS_ZERO = re.compile(r'(?<!")-0(?![.0-9eE])')
_LONG = 4000  # characters of a number
_LARGEST = 3.4028234663852886e38  # the largest float; what rounds to it goes a bit further
_ROUNDS = 3.4028235677973366e38

# What our refusals say, where that alone tells the row.
_REASONS = {
    "found true": Row.BOOLEANS,
    "found false": Row.BOOLEANS,
    "expected base64 text, found": Row.BASE64,
    "expected a time": Row.TIMES,
    "expected seconds": Row.TIMES,
    'expected a field name in camelCase, found ""': Row.MASKS,
    "expected an object, found a list": Row.NO_OBJECT,
    'expected an object, found the string ""': Row.NO_OBJECT,
    "are the same field": Row.BOTH_NAMES,
    "expected a type URL": Row.TYPE_URL,
    "required field is missing": Row.REQUIRED,
    "nested deeper than": Row.DEPTH,
    "number beyond a double": Row.BEYOND_VALUE,
    "is no number there": Row.BEYOND_VALUE,
    "number of ": Row.LONG_NUMBERS,
    'unknown field "[': Row.EXTENSION,
}
# What json_format's refusals say.
_THEIR_REASONS = {
    "null is not allowed": Row.NULL_ITEMS,
    "NoneType": Row.NULL_ITEMS,
    "'null_value'": Row.NULL_ITEMS,
    "Can not find message descriptor": Row.ANY_POOL,
    'has no field named "value"': Row.ANY_EMPTY,
    "Message too deep": Row.DEPTH,
}


def row_of_refusal(  # noqa: PLR0911 - one answer a row
    error: JsonError, data: str | bytes
) -> Row | None:
    """Returns the row by which we refuse what json_format reads."""
    reason = error.reason
    for part, row in _REASONS.items():
        if part in reason:
            return row
    if reason == "duplicate key":
        return Row.SAME_KEYS
    if "are both set, but" in reason and "null" in _text(data):
        return Row.NULL_SIBLING
    if reason.startswith("unknown field") and _has_any(data):
        return Row.ANY_BESIDE
    if "expected a whole number" in reason or "expected a number" in reason:
        return _row_of_number(reason, is_long=len(data) > _LONG)
    if "is no value of" in reason and _is_whole(reason.removeprefix("the string ")):
        return Row.BOOLEANS
    return None


def row_of_their_refusal(problem: str, data: str | bytes) -> Row | None:
    """Returns the row by which json_format refuses what we read."""
    for part, row in _THEIR_REASONS.items():
        if part in problem:
            return row
    if "Float value too" in problem:
        return Row.LARGEST if _has_largest(data) else None
    return Row.EXACT if "out of range" in problem and _has_long_quoted(data) else None


def row_of_result(data: str | bytes) -> Row | None:
    """Returns the row by which both read other things."""
    text = _text(data)
    if _MINUS_ZERO.search(text):
        return Row.SMALL
    if _has_long_quoted(data):
        return Row.EXACT
    spelled = json.dumps(json.loads(text), ensure_ascii=False)
    return Row.CAPITALS if any(map(_is_capital, spelled)) else None


def _is_capital(char: str) -> bool:
    return char.isupper() and not char.isascii()


def _row_of_number(  # noqa: PLR0911 - one answer a row
    reason: str, *, is_long: bool
) -> Row | None:
    found = _TEXT.search(reason)
    if found is None:  # a fraction as enum value, an integer beyond a float, or a secret
        if "found a string" in reason:
            return Row.LOOSE_NUMBERS
        return Row.BEYOND if "32-bit floats" in reason else Row.BOOLEANS
    text: str = json.loads(found[1])
    if is_long and text.endswith("..."):
        return Row.LONG_NUMBERS
    if not _NUMBER.fullmatch(text):
        return Row.LOOSE_NUMBERS
    if "as key" in reason:
        return None if _INTEGER.fullmatch(text) else Row.NUMBER_KEYS
    if "expected a number" in reason:
        return Row.BEYOND
    return Row.EXACT if _is_rounded(text) else None


def _is_whole(reason: str) -> bool:
    """Tells whether a refused enum name is what Python takes for a whole number."""
    found = re.match(r'"(?:[^"\\]|\\.)*"', reason)
    try:
        int(json.loads(found[0] if found else '""'))
    except ValueError:
        return False
    return True


def _has_long_quoted(data: str | bytes) -> bool:
    return any(_is_rounded(found.strip('"')) for found in _AROUND.findall(_text(data)))


def _is_rounded(number: str) -> bool:
    """Tells whether a number with a fraction or exponent is another, whole one as a double."""
    double = float(number)
    if _INTEGER.fullmatch(number) or not double.is_integer():
        return False
    try:
        return Decimal(number) != Decimal(double)
    except InvalidOperation:  # an exponent of many digits
        return True


def _has_largest(data: str | bytes) -> bool:
    numbers = map(float, _NUMBER.findall(_text(data)))
    return any(_LARGEST < abs(number) <= _ROUNDS for number in numbers)


def _has_any(data: str | bytes) -> bool:
    return "@type" in _text(data) or "\\u0040" in _text(data)


def _text(data: str | bytes) -> str:
    return data if isinstance(data, str) else data.decode(errors="replace")
