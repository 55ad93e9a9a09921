"""JSON text: strict to RFC 8259, with the line and column of a fault."""

from __future__ import annotations

import inspect
import re
import sys
import time

import pytest

from support.kinds import Kinds
from toolwire._errors import JsonError
from toolwire._json import from_json, to_json, to_json_bytes


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        pytest.param("", 1, 1, id="empty"),
        pytest.param("   ", 1, 4, id="blank"),
        pytest.param('{"oneInt32": 1', 1, 15, id="unfinished"),
        pytest.param('{\n "oneInt32" 1}', 2, 13, id="no-colon"),
        pytest.param('{"oneInt32": 1} {}', 1, 17, id="two-documents"),
        pytest.param('{\n\n"oneDouble":\tNaN}', 3, 14, id="nan"),
        pytest.param('{"oneString": "NaN", "oneDouble": -Infinity}', 1, 35, id="infinity"),
        pytest.param('{"oneDouble": 1e400}', 1, 15, id="beyond-double"),
        pytest.param('{"oneInt32": 01}', 1, 15, id="leading-zero"),
        pytest.param('{"oneInt32": +1}', 1, 14, id="plus"),
        pytest.param("{'oneInt32': 1}", 1, 2, id="single-quotes"),
        pytest.param('{"oneString": "a\nb"}', 1, 17, id="raw-newline"),
        pytest.param('{"oneString": "\\x41"}', 1, 16, id="bad-escape"),
        pytest.param("\ufeff{}", 1, 1, id="byte-order-mark"),
        pytest.param(b"\xef\xbb\xbf{}", 1, 1, id="byte-order-mark-in-utf8"),
        pytest.param(b'{"oneString":\n "\xc3"}', 2, 3, id="bad-utf8"),
        pytest.param(b"\xff\xfe{\x00}\x00", 1, 1, id="utf16"),
        pytest.param("{}\x00", 1, 3, id="nul"),
        pytest.param("\u00a0{}", 1, 1, id="no-break-space"),
    ],
)
def test_a_fault_in_the_text_has_line_and_column(data: str | bytes, line: int, column: int) -> None:
    with pytest.raises(JsonError) as caught:
        from_json(Kinds, data)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert caught.value.path == ""
    assert f"(line {line}, column {column})" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ['{"oneInt32": 1,}', '{"allInt32": [1,]}', "{,}", "// no\n{}", "{} // no", "{oneInt32: 1}"],
)
def test_loose_json_is_refused(text: str) -> None:
    with pytest.raises(JsonError, match="not JSON: "):
        from_json(Kinds, text)


@pytest.mark.parametrize("text", ['{"oneInt32":1}', ' \t\r\n{ "oneInt32" :\n1 }\r\n'])
def test_text_is_read_from_every_type(text: str) -> None:
    raw = text.encode()
    for data in (text, raw, bytearray(raw), memoryview(raw), memoryview(raw + raw)[: len(raw)]):
        assert from_json(Kinds, data) == Kinds(one_int32=1)


@pytest.mark.parametrize("data", [None, 1, ["{}"], object()])
def test_what_is_no_text_is_refused(data: object) -> None:
    with pytest.raises(JsonError, match="expected text or bytes, found"):
        from_json(Kinds, data)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def test_text_is_compact_or_indented() -> None:
    message = Kinds(one_string="é", all_int32=[1, 2], wk_struct={"a": {}})
    compact = '{"oneString":"é","allInt32":[1,2],"wkStruct":{"a":{}}}'
    assert to_json(message) == compact
    assert to_json_bytes(message) == compact.encode()
    assert to_json(message, indent=1) == (
        '{\n "oneString": "é",\n "allInt32": [\n  1,\n  2\n ],\n "wkStruct": {\n  "a": {}\n }\n}'
    )
    assert to_json_bytes(message, indent=4) == to_json(message, indent=4).encode()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[" * 100_000, id="open-lists"),
        pytest.param('{"child":' * 100_000, id="open-objects"),
        pytest.param('{"wkValue":' + "[" * 100_000 + "]" * 100_000 + "}", id="lists"),
        pytest.param('{"unknown":' + '{"a":' * 50_000 + "1" + "}" * 50_000 + "}", id="unknown"),
        pytest.param("1" * 1_000_000, id="digits"),
        pytest.param('{"oneInt64":' + "1" * 1_000_000 + "}", id="digits-in-a-field"),
        pytest.param('{"oneDouble":0.' + "1" * 1_000_000 + "}", id="decimals"),
        pytest.param('{"oneInt64":"' + "1" * 1_000_000 + '"}', id="quoted-digits"),
        pytest.param('{"oneDouble":"' + "1" * 1_000_000 + '"}', id="quoted-double"),
        pytest.param('{"byInt64":{"' + "1" * 1_000_000 + '":"a"}}', id="digits-as-key"),
        pytest.param('{"wkDuration":"' + "1" * 1_000_000 + 's"}', id="duration"),
        pytest.param('{"' + "a" * 1_000_000 + '":1}', id="long-name"),
        pytest.param('{"color":"' + "R" * 1_000_000 + '"}', id="long-enum-name"),
        pytest.param(
            "{" + ",".join(f'"{number}":1' for number in range(100_000)) + ',"0":1}',
            id="many-keys-and-a-repeated-one",
        ),
    ],
)
def test_bombs_are_refused_quickly(text: str) -> None:
    start = time.monotonic()
    with pytest.raises(JsonError) as caught:
        from_json(Kinds, text)
    assert time.monotonic() - start < 2
    assert len(str(caught.value)) < 300


def test_a_full_stack_is_an_error_of_ours() -> None:
    """However little of Python's stack the caller has left: of the Python codec, that is."""
    text = '{"child":' * 90 + "{}" + "}" * 90
    message = from_json(Kinds, text)

    def deep(levels: int) -> None:
        if levels:
            deep(levels - 1)
            return
        with pytest.raises(JsonError, match="what is left of Python's stack"):
            from_json(Kinds, text, unknown="ignore")
        with pytest.raises(JsonError, match="what is left of Python's stack"):
            to_json(message, indent=1)

    deep(sys.getrecursionlimit() - len(inspect.stack(0)) - 120)


@pytest.mark.parametrize(
    ("text", "path", "key"),
    [
        ('{"oneInt32":1,"oneInt32":1}', "", "oneInt32"),
        ('{"child":{"child":{"a":1,"b":2,"a":1}}}', "child.child", "a"),
        ('{"children":[{},{"color":1,"color":1}]}', "children[1]", "color"),
        ('{"byString":{"x":"1","x":"2"}}', "byString", "x"),
        ('{"wkStruct":{"a b":{"x":1,"x":1}}}', 'wkStruct["a b"]', "x"),
        ('{"wkAny":{"@type":"x/y","@type":"x/y"}}', "wkAny", "@type"),
    ],
)
def test_a_repeated_key_is_refused_with_its_place(text: str, path: str, key: str) -> None:
    with pytest.raises(JsonError, match=f'duplicate key "{re.escape(key)}"') as caught:
        from_json(Kinds, text)
    assert caught.value.path == path


def test_a_repeated_key_is_refused_even_where_ignored() -> None:
    with pytest.raises(JsonError, match='duplicate key "x"'):
        from_json(Kinds, '{"nowhere":{"x":1,"x":1}}', unknown="ignore")
