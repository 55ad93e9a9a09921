"""Booleans, strings, bytes and enums."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.differences import Row
from support.kinds import Kinds
from support.protojson.case import Case, Rule, no_value, reads, refuses, value, writes

if TYPE_CHECKING:
    from collections.abc import Iterator

COLOR = "toolwire.test.Color"


def cases() -> Iterator[Case]:
    """Yields the cases of these types."""
    yield from _bools()
    yield from _strings()
    yield from _bytes()
    yield from _enums()
    yield from _no_enums()
    yield from _unknown_enums()


def _bools() -> Iterator[Case]:
    for text, truth in {"true": True, "false": False}.items():
        yield value(Rule.TYPES, "maybe_bool", text, truth)
    for text in ("0", "1", "1.0", '""', '"true"', '"false"', '"True"', "[]", "{}", "[true]"):
        yield no_value(Rule.TYPES, "one_bool", text, "expected true or false, found")


def _strings() -> Iterator[Case]:
    texts = {
        '""': "",
        '"a b"': "a b",
        '"\\u0000"': "\0",
        '"é😀"': "é😀",
        '"\\"\\\\/"': '"\\/',
        '"\\b\\f\\n\\r\\t"': "\b\f\n\r\t",
        '"</script>\u2028"': "</script>\u2028",
        '"\x7f"': "\x7f",
        '"null"': "null",
    }
    for text, content in texts.items():
        yield value(Rule.TYPES, "maybe_string", text, content, name=ascii(text))
    escapes = {
        '"\\u0041\\u00e9"': ("Aé", '"Aé"'),
        '"\\uD83D\\ude00"': ("😀", '"😀"'),
        '"\\/"': ("/", '"/"'),
        '"\\u0022"': ('"', '"\\""'),
        '"\\u001F"': ("\x1f", '"\\u001f"'),
    }
    for text, (content, written) in escapes.items():
        yield value(Rule.TEXT, "maybe_string", text, content, written)
    for text in ("1", "true", "[]", "{}", '["a"]'):
        yield no_value(Rule.TYPES, "one_string", text, "expected a string, found")


def _bytes() -> Iterator[Case]:
    spellings = {
        '"YQ=="': (b"a", '"YQ=="'),
        '"YQ"': (b"a", '"YQ=="'),
        '"YWI="': (b"ab", '"YWI="'),
        '"YWI"': (b"ab", '"YWI="'),
        '"YWJj"': (b"abc", '"YWJj"'),
        '"+/+/"': (b"\xfb\xff\xbf", '"+/+/"'),
        '"-_-_"': (b"\xfb\xff\xbf", '"+/+/"'),
        '"-_8="': (b"\xfb\xff", '"+/8="'),
        '"-_8"': (b"\xfb\xff", '"+/8="'),
        '"-_"': (b"\xfb", '"+w=="'),  # with spare bits
        '"\\u0059Q"': (b"a", '"YQ=="'),
        '""': (b"", '""'),
    }
    for text, (data, written) in spellings.items():
        yield value(Rule.BASE64, "maybe_bytes", text, data, written)
    reason = "expected base64 text"
    for text in ('"Y"', '"YWJjY"', "1", "true", "[]", "[89]", "{}"):
        yield no_value(Rule.BASE64, "one_bytes", text, reason)
    for text in (
        *('"YQ="', '"YWJj="', '"="', '"===="', '"é"', '"Y Q="', '" YQ=="', '"YQ==YQ=="'),
        *('"Y=Q="', '"YQ==="', '"+_+_"', '"YQ\\n=="', '"YQ.="', '"*"', '"\\u0000"'),
    ):
        yield no_value(Rule.BASE64, "one_bytes", text, reason, differs=Row.BASE64)


def _enums() -> Iterator[Case]:
    values = {
        '"RED"': (1, '"RED"'),
        '"CRIMSON"': (1, '"RED"'),  # an alias
        '"DARK_GREEN"': (2, '"DARK_GREEN"'),
        '"COLOR_UNSPECIFIED"': (0, '"COLOR_UNSPECIFIED"'),
        '"\\u0052ED"': (1, '"RED"'),
        "1": (1, '"RED"'),
        "2.0": (2, '"DARK_GREEN"'),
        "2e0": (2, '"DARK_GREEN"'),
        "-3": (-3, '"NEGATIVE"'),
        "77": (77, "77"),
        "2147483647": (2**31 - 1, "2147483647"),
        "-2147483648": (-(2**31), "-2147483648"),
    }
    for text, (number, written) in values.items():
        yield value(Rule.TYPES, "maybe_color", text, number, written)
        yield reads(
            Rule.TYPES,
            f'{{"colors":[{text}],"colorsByName":{{"a":{text}}}}}',
            Kinds(colors=[number], colors_by_name={"a": number}),
            f'{{"colors":[{written}],"colorsByName":{{"a":{written}}}}}',
        )
    message = Kinds(colors=[1, 77])
    yield writes(Rule.OPTIONS, "enums as ints", message, '{"colors":[1,77]}', enums_as_ints=True)


def _no_enums() -> Iterator[Case]:
    reason = f"is no value of {COLOR}"
    for text in ('"red"', '"Red"', '"dark_green"', '"DARKGREEN"', '"RED "', '""', '"MAUVE"'):
        yield no_value(Rule.TYPES, "color", text, reason)
    for text in ('"1"', '"77"'):
        yield no_value(Rule.TYPES, "color", text, reason, differs=Row.BOOLEANS)
    reason = f"expected a value of {COLOR}, found"
    for text in ("[]", "{}", '["RED"]'):
        yield no_value(Rule.TYPES, "color", text, reason)
    for text in ("true", "false"):
        yield no_value(Rule.TYPES, "color", text, reason, differs=Row.BOOLEANS)
    reason = "expected a whole number from -2147483648 to 2147483647"
    for text in ("2147483648", "-2147483649", "1e300"):
        yield no_value(Rule.RANGE, "color", text, reason)
    yield no_value(Rule.RANGE, "color", "1.5", reason, differs=Row.BOOLEANS)


def _unknown_enums() -> Iterator[Case]:
    """Where what is unknown is passed over, a name is; what is no enum value stays an error."""
    yield reads(
        Rule.OPTIONS,
        '{"color":"NEW","colors":["NEW","RED","NEW"],"colorsByName":{"a":"NEW","b":"RED"}}',
        Kinds(colors=[1], colors_by_name={"b": 1}),
        '{"colors":["RED"],"colorsByName":{"b":"RED"}}',
        name="unknown enum names, ignored",
        lenient=True,
    )
    for text, reason in {"[]": "expected a value", "1e300": "expected a whole number"}.items():
        name = f"color: {text}, where what is unknown is ignored"
        given = f'{{"color":{text}}}'
        yield refuses(Rule.OPTIONS, given, "color", reason, name=name, lenient=True)
