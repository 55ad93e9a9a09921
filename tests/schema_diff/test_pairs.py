"""Each kind of change, by hand: found, rated, and seen by buf where it has a rule for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from support.field_pairs import FIELD_PAIRS
from support.other_pairs import OTHER_PAIRS
from toolwire._schema_diff import CONSEQUENCES, Buf, Finding, compare, cross_check

if TYPE_CHECKING:
    from support.schema_pairs import Pair

    Sides = dict[str, tuple[FileDescriptorSet, FileDescriptorSet]]

PAIRS = [*FIELD_PAIRS, *OTHER_PAIRS]


def summary(findings: list[Finding], package: str) -> dict[str, str]:
    """What was found in the form that pairs have it."""
    found: dict[str, str] = {}
    for finding in findings:
        path = finding.path.removeprefix(package).removeprefix(".") if "." in finding.path else ""
        ordered = [one for one in CONSEQUENCES if one in finding.consequences]
        found[f"{finding.rule} {path}"] = " ".join(ordered)
    return found


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_a_change_is_found_and_rated(pair: Pair, sides: Sides) -> None:
    findings = compare(*sides[pair.name])
    assert summary(findings, pair.name) == pair.found


@pytest.fixture(scope="module")
def checked(sides: Sides) -> list[Finding]:
    """All pairs in one schema, which buf sees at once."""
    buf = Buf.find()
    assert buf is not None
    old, new = (
        FileDescriptorSet(file={file.name: file for side in column for file in side.file}.values())
        for column in zip(*sides.values(), strict=True)
    )
    return cross_check(compare(old, new), buf.breaking(old, new))


@pytest.mark.tools
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_buf_agrees(pair: Pair, checked: list[Finding]) -> None:
    own = [finding for finding in checked if f"{finding.path}.".startswith(f"{pair.name}.")]
    assert summary(own, pair.name) == pair.found
    first = next(iter(pair.found), "")
    agreed = [finding.buf for finding in own if summary([finding], pair.name).keys() == {first}]
    if pair.buf:
        assert pair.buf in agreed[0]
    else:
        assert not any(finding.buf for finding in own)


@pytest.mark.tools
def test_buf_finds_nothing_else(checked: list[Finding]) -> None:
    assert [finding for finding in checked if finding.rule.startswith("buf:")] == []
