"""The text itself: what is JSON, in which encoding, and what text protobuf can carry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.differences import Row
from support.kinds import Kinds
from support.protojson.case import Case, Reads, Rule, no_value, refuses, value

if TYPE_CHECKING:
    from collections.abc import Iterator

MARK = "\ufeff"


def cases() -> Iterator[Case]:
    """Yields the cases of text."""
    yield from _good()
    yield from _no_json()
    yield from _encodings()
    yield from _surrogates()
    yield from _long_numbers()


def _good() -> Iterator[Case]:
    texts: dict[str, str | bytes] = {
        "white space": ' \t\r\n{ "oneInt32" :\n1 }\r\n ',
        "in UTF-8": b'{"oneInt32":1}',
        "escaped name": '{"\\u006fneInt32":1}',
    }
    for name, text in texts.items():
        yield Reads(
            name=f"text: {name}",
            rule=Rule.TEXT,
            cls=Kinds,
            text=text,
            message=Kinds(one_int32=1),
            written='{"oneInt32":1}',
        )
    raw = '{"oneString":"é😀\U0010ffff"}'
    yield Reads(
        name="text: other scripts in UTF-8",
        rule=Rule.TEXT,
        cls=Kinds,
        text=raw.encode(),
        message=Kinds(one_string="é😀\U0010ffff"),
        written=raw,
    )


def _no_json() -> Iterator[Case]:
    for text in (
        *("", "   ", "{", "}", '{"oneInt32":1', '{"oneInt32":}', '{"oneInt32" 1}', "{} {}", "{}x"),
        *('{"oneInt32":1,}', '{"allInt32":[1,]}', '{"allInt32":[,1]}', "{,}", "{'oneInt32':1}"),
        *("{oneInt32:1}", "// no\n{}", "{} // no", "/**/{}", '{"oneInt32":1;}', "{}\x00", "\x00{}"),
        *('{"oneInt32":01}', '{"oneInt32":+1}', '{"oneInt32":-01}', '{"oneInt32":1.}'),
        *('{"oneInt32":.5}', '{"oneInt32":1e}', '{"oneInt32":-}', '{"oneInt32":0x1}'),
        *('{"oneInt32":1_0}', '{"oneInt32":\u0661}', '{"oneInt32":- 1}', '{"oneInt32":1 2}'),
        *('{"oneBool":True}', '{"oneBool":TRUE}', '{"oneBool":nul}', '{"oneBool":undefined}'),
        *('{"oneString":"a\nb"}', '{"oneString":"\x00"}', '{"oneString":"\t"}', '{"oneString":"}'),
        *('{"oneString":"\\x41"}', '{"oneString":"\\u12"}', '{"oneString":"\\u12G4"}'),
        *('{"oneString":"\\"}', "\u00a0{}", "\u2028{}", "\x0b{}", "\x0c{}", '{"oneInt32"\u00a0:1}'),
    ):
        yield refuses(Rule.TEXT, text, "", "not JSON: ", name=ascii(text))
    for text in ("NaN", "Infinity", "-Infinity"):
        reason = f"not JSON: {text} is no number there; write it as a string"
        yield refuses(Rule.TEXT, f'{{"oneDouble":{text}}}', "", reason)
        yield refuses(Rule.TEXT, f'{{"oneInt32":{text}}}', "", reason)
    for text in ("NaN", "-Infinity"):
        reason = f"not JSON: {text} is no number there; write it as a string"
        given = f'{{"wkValue":{text}}}'
        yield refuses(Rule.STRUCT_PROTO, given, "", reason, differs=Row.BEYOND_VALUE)


def _encodings() -> Iterator[Case]:
    reason = "starts with a byte order mark (U+FEFF)"
    marked = f"{MARK}{{}}"
    texts: dict[str, str | bytes] = {"a mark": marked, "a mark in UTF-8": marked.encode()}
    for name, text in texts.items():
        yield refuses(Rule.TEXT, text, "", reason, name=name)
    for name, raw in {
        "UTF-16, little end first": b"\xff\xfe{\x00}\x00",
        "UTF-16, big end first": b"\xfe\xff\x00{\x00}",
        "a continuation byte alone": b'{"oneString":"\x80"}',
        "a character cut off": b'{"oneString":"\xc3"}',
        "an overlong slash": b'{"oneString":"\xc0\xaf"}',
        "an overlong nul": b'{"oneString":"\xc0\x80"}',
        "a surrogate in UTF-8": b'{"oneString":"\xed\xa0\x80"}',
        "beyond the last character": b'{"oneString":"\xf4\x90\x80\x80"}',
        "a byte that UTF-8 has not": b'{"oneString":"\xff"}',
        "Latin-1 in a name": b'{"\xe9":1}',
    }.items():
        yield refuses(Rule.TEXT, raw, "", "not UTF-8: byte 0x", name=name)
    for name, raw in {
        "UTF-16 without a mark": "{}".encode("utf-16-le"),
        "UTF-32": "{}".encode("utf-32-be"),
    }.items():
        yield refuses(Rule.TEXT, raw, "", "not JSON: ", name=name)
    inside = f'"{MARK}a"'
    yield value(Rule.TEXT, "maybe_string", inside, f"{MARK}a", name="a mark within text")


def _surrogates() -> Iterator[Case]:
    reason = "text with a lone surrogate; it cannot be written as UTF-8"
    for text in ('"\\ud800"', '"\\udc00"', '"\\udc00\\ud800"', '"a\\ud83d"', '"\\ud83dx\\ude00"'):
        yield no_value(Rule.LANGUAGE, "one_string", text, reason)
        yield no_value(Rule.LANGUAGE, "wk_value", text, reason)
        yield no_value(Rule.LANGUAGE, "wk_stringvalue", text, reason)
        yield no_value(Rule.LANGUAGE, "all_string", f'["",{text}]', reason, below="[1]")
        yield no_value(Rule.LANGUAGE, "by_string", f'{{{text}:""}}', reason)
    for field in ("wk_timestamp", "wk_duration", "one_bytes", "one_int32", "color", "wk_fieldmask"):
        yield no_value(Rule.LANGUAGE, field, '"\\ud800"', "")
    for text, path in (
        ('{"wkStruct":{"\\ud800":1}}', "wkStruct"),
        ('{"\\ud800":1}', '["\\ud800"]'),
        ('{"wkAny":{"@type":"x/\\ud800"}}', 'wkAny["@type"]'),
    ):
        yield refuses(Rule.LANGUAGE, text, path, "")


def _long_numbers() -> Iterator[Case]:
    reason = "number of 5002 characters"
    for field in ("oneDouble", "wkValue"):
        text, name = f'{{"{field}":0.{"1" * 5000}}}', f"{field}: 5000 decimals"
        yield refuses(Rule.RANGE, text, "", reason, name=name, differs=Row.LONG_NUMBERS)
    text, reason = f'{{"oneDouble":{"1" * 401}}}', "number of 401 digits; no field holds that"
    yield refuses(Rule.RANGE, text, "", reason, name="oneDouble: 401 digits")
    reason = "number beyond a double"
    for number in ("1e400", "-1e400"):
        yield refuses(Rule.RANGE, f'{{"oneDouble":{number}}}', "", reason)
        text = f'{{"wkValue":{number}}}'
        yield refuses(Rule.RANGE, text, "", reason, differs=Row.BEYOND_VALUE)
    text = '{"new":1e400}'
    yield refuses(Rule.RANGE, text, "", reason, lenient=True, differs=Row.BEYOND_VALUE)
