"""JSON text: strict to RFC 8259, with the line and column of a fault."""

from __future__ import annotations

import inspect
import sys

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
