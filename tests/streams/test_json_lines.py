"""JSON Lines: what is read, and what an error says."""

from __future__ import annotations

import codecs
import pickle
from typing import Any

import pytest

import toolwire
from toolwire import streams, v1

A, B = '{"googleSearch":{}}', '{"functionDeclarations":[{"name":"é"}]}'


def read(data: bytes | str, **options: Any) -> list[str]:
    messages = streams.read_json_lines(v1.Tool, [data], **options)
    return [toolwire.to_json(message) for message in messages]


def failure(data: bytes | str, **options: Any) -> toolwire.JsonError:
    with pytest.raises(toolwire.JsonError) as caught:
        read(data, **options)
    return caught.value


@pytest.mark.parametrize(
    "data",
    [
        f"{A}\n{B}\n",
        f"{A}\n{B}",
        f"{A}\r\n{B}\r\n",
        f"\n\n  \n{A}\n\r\n\t\n  {B}  \n \n\n",
        f"\ufeff{A}\n{B}\n",
        (f"{A}\n{B}\n").encode("utf-8-sig"),
    ],
    ids=["newlines", "no last newline", "CRLF", "blank lines", "mark in text", "mark in bytes"],
)
def test_it_reads(data: bytes | str) -> None:
    assert read(data) == [A, B]


@pytest.mark.parametrize("data", ["", "\n", " \r\n\t", "\ufeff", "\ufeff\n"])
def test_there_may_be_no_messages(data: str) -> None:
    assert read(data) == []


def test_an_error_has_its_place() -> None:
    error = failure(f'{A}\n\n{B}\r\n{{"functionDeclarations":[{{}},{{"name":5}}]}}\n')
    assert str(error) == (
        "record 3 at line 4, column 1: functionDeclarations[1].name: "
        "expected a string, found the number 5"
    )
    assert (error.record, error.line, error.column) == (3, 4, 1)
    assert error.offset == len(f"{A}\n\n{B}\r\n".encode())
    assert error.path == "functionDeclarations[1].name"
    assert error.reason == "expected a string, found the number 5"
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), vars(again)) == (str(error), vars(error))


@pytest.mark.parametrize(
    ("line", "column"),
    [('{"é": x}', 7), ("{", 2), ('  {"googleSearch":{}} {}', 23), ('{"googleSearch":{}}]', 20)],
)
def test_text_that_is_no_json_has_its_place_in_the_file(line: str, column: int) -> None:
    error = failure(f"\ufeff{A}\n{line}\n{A}")
    assert (error.record, error.line, error.column, error.path) == (2, 2, column, "")
    assert str(error).startswith(f"record 2 at line 2, column {column}: not JSON: ")
    assert "(line" not in str(error)


def test_a_record_ends_with_its_line() -> None:
    error = failure('{"googleSearch":\n{}}')
    assert (error.record, error.line) == (1, 1)


def test_lines_end_with_newlines_only() -> None:
    assert failure(f"{A}\r{B}").record == 1
    assert read(b'{"functionDeclarations":[{"name":"\xe2\x80\xa8\xc2\x85"}]}')  # of Unicode


@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
def test_other_encodings_are_named(mark: bytes) -> None:
    encoding = "utf-16-le" if mark == codecs.BOM_UTF16_LE else "utf-16-be"
    assert "UTF-16" in str(failure(mark + A.encode(encoding)))
    error = failure(f"{A}\n".encode() + b'{"\xff"}')
    assert (error.record, error.line, error.column) == (2, 2, 3)
    assert "UTF-8" in error.reason


def test_a_long_record_is_refused_before_it_fills_the_memory() -> None:
    taken = 0

    def endless() -> Any:
        nonlocal taken
        yield f"{A}\n"
        while True:
            taken += 1
            yield " " * 1000

    with pytest.raises(toolwire.JsonError, match="longer than max_record, which is 5000") as caught:
        list(streams.read_json_lines(v1.Tool, endless(), max_record=5000))
    assert (caught.value.record, caught.value.line, caught.value.offset) == (2, 2, len(A) + 1)
    assert taken == 6
    assert read(f"{A}\n{A}\n", max_record=len(A)) == [A, A]
    assert failure(f"{A}\n", max_record=len(A) - 1).record == 1


def test_reading_goes_on_when_errors_are_taken() -> None:
    errors: list[toolwire.JsonError] = []
    data = f'{A}\n{{"x":1}}\n\n{B}\n{" " * 200}\n[\n{A}'
    kept = read(data, on_error=errors.append, max_record=100)
    assert kept == [A, B, A]
    assert [(error.record, error.line) for error in errors] == [(2, 2), (4, 5), (5, 6)]
    assert failure(data, on_error=None).record == 2


def test_an_unknown_field_is_treated_as_in_from_json() -> None:
    data = f'{{"new":1}}\n{A}\n{{"new":[2]}}\n'
    assert failure(data).path == "new"
    assert read(data, unknown="ignore") == ["{}", A, "{}"]
    collector = toolwire.UnknownFields()
    messages = streams.read_json_lines(v1.Tool, [data], unknown=collector)
    assert [dict(collector) for _ in messages] == [{"new": 1}, {}, {"new": [2]}]


def test_the_depth_is_that_of_from_json() -> None:
    deep = '{"functionDeclarations":[{"parameters":' + '{"items":' * 9 + "{}" + "}" * 9 + "}]}"
    assert read(deep, max_depth=11)
    assert failure(deep, max_depth=10).record == 1


def test_a_secret_stays_out_of_errors() -> None:
    data = '{"retrieval":{"externalApi":{"apiAuth":{"apiKeyConfig":{"apiKeyString":["s3cret"]}}}}}'
    assert "s3cret" not in str(failure(data))


@pytest.mark.parametrize(
    "options",
    [{"unknown": "drop"}, {"max_depth": -1}, {"max_record": 0}, {"max_record": True}],
    ids=str,
)
def test_wrong_options_are_refused_at_once(options: dict[str, Any]) -> None:
    taken: list[toolwire.JsonError] = []
    with pytest.raises(toolwire.Error) as caught:
        streams.read_json_lines(v1.Tool, [A], on_error=taken.append, **options)
    assert "record 1" not in str(caught.value)
    assert taken == []
