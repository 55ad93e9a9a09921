"""The rules of the ProtoJSON specification, case by case, on both codecs and on json_format."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, TypeVar, cast

import pytest

from support.differences import Row
from support.native import CODECS, binary
from support.oracle import ordered, theirs_read, theirs_written
from support.protojson import CASES
from support.protojson.case import CannotWrite, Case, Reads, Refuses, Writes
from toolwire._errors import JsonError
from toolwire._json import from_json, to_json

C = TypeVar("C", bound=Case)

PAGE = Path(__file__).parents[2] / "docs" / "json.md"


def of(kind: type[C]) -> list[C]:
    return [case for case in CASES if isinstance(case, kind)]


def policy(case: Reads | Refuses) -> Any:
    return "ignore" if case.lenient else "error"


@pytest.mark.parametrize("case", of(Reads), ids=str)
def test_what_is_read(case: Reads) -> None:
    for codec in CODECS.values():
        with codec():
            read = from_json(case.cls, case.text, unknown=policy(case))
            assert binary(read) == binary(case.message)
            assert to_json(read) == case.written
            assert binary(from_json(case.cls, case.written)) == binary(case.message)
    theirs = theirs_read(case.cls, case.text, lenient=case.lenient)
    is_read_alike = theirs is not None and binary(theirs) == binary(case.message)
    is_written_alike = ordered(theirs_written(case.message)) == ordered(case.written)
    assert (is_read_alike and is_written_alike) is (case.differs is None)


@pytest.mark.parametrize("case", of(Refuses), ids=str)
def test_what_is_refused(case: Refuses) -> None:
    for codec in CODECS.values():
        with codec(), pytest.raises(JsonError) as caught:
            from_json(case.cls, case.text, unknown=policy(case))
        assert caught.value.path == case.path
        assert case.reason in caught.value.reason
    theirs = theirs_read(case.cls, case.text, lenient=case.lenient)
    assert (theirs is not None) is (case.differs is not None)


@pytest.mark.parametrize("case", of(Writes), ids=str)
def test_what_is_written(case: Writes) -> None:
    for codec in CODECS.values():
        with codec():
            assert to_json(case.message, **cast("Any", case.options)) == case.written
    names = {
        "include_defaults": "always_print_fields_with_no_presence",
        "proto_names": "preserving_proto_field_name",
        "enums_as_ints": "use_integers_for_enums",
    }
    options = {names[option]: is_set for option, is_set in case.options.items()}
    theirs = theirs_written(case.message, **options)
    assert (ordered(theirs) == ordered(case.written)) is (case.differs is None)


@pytest.mark.parametrize("case", of(CannotWrite), ids=str)
def test_what_cannot_be_written(case: CannotWrite) -> None:
    for codec in CODECS.values():
        with codec(), pytest.raises(JsonError) as caught:
            to_json(case.message)
        assert caught.value.path == case.path
        assert case.reason in caught.value.reason
    assert (theirs_written(case.message) is not None) is (case.differs is not None)


def test_every_case_has_a_name_of_its_own() -> None:
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)


def test_the_page_lists_every_difference_that_a_case_shows() -> None:
    _, _, table = PAGE.read_text(encoding="utf-8").partition("| what | here | json_format |\n")
    listed = re.findall(r"^\| (?!-)(.+?) \|", table, re.MULTILINE)
    assert listed == [row.value for row in Row]
    assert {case.differs for case in CASES} == {None, *Row}
