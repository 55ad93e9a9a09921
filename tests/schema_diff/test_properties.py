"""What holds for any two schemas."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from hypothesis import given, settings
from hypothesis import strategies as st

from support.descriptor_mutations import mutated
from support.field_pairs import FIELD_PAIRS
from support.other_pairs import OTHER_PAIRS
from toolwire import DescriptorError
from toolwire._apis import APIS
from toolwire._schema_diff import CONSEQUENCES, changes, compare, defined, load, narrow, report
from toolwire._schema_diff._descriptor_set import parse

if TYPE_CHECKING:
    from support.schema_pairs import Pair

V1 = load("builtin:v1")
PART = narrow(
    V1, ["google.cloud.aiplatform.v1.Tool", "google.cloud.aiplatform.v1.LlmUtilityService"]
)
for one in PART.file:
    one.ClearField("source_code_info")
OWN = FileDescriptorSet(file=[one for one in PART.file if "aiplatform" in one.package])


@pytest.mark.parametrize("spec", ["builtin", *(f"builtin:{name}" for name in APIS)])
def test_a_schema_is_like_itself(spec: str) -> None:
    files = load(spec)
    assert compare(files, files) == []
    without_comments = load(spec)
    for file in without_comments.file:
        file.ClearField("source_code_info")
    assert compare(files, without_comments) == []


def counted(old: FileDescriptorSet, new: FileDescriptorSet, end: str) -> set[tuple[str, str]]:
    return {
        (finding.rule.removesuffix(end), finding.path)
        for finding in compare(old, new)
        if finding.rule.endswith(end) and not finding.rule.startswith("reserved")
    }


@pytest.mark.parametrize("pair", [*FIELD_PAIRS, *OTHER_PAIRS], ids=lambda pair: pair.name)
def test_what_one_side_adds_the_other_one_removes(
    pair: Pair, sides: dict[str, tuple[FileDescriptorSet, FileDescriptorSet]]
) -> None:
    old, new = sides[pair.name]
    assert counted(old, new, "-added") == counted(new, old, "-removed")
    assert counted(old, new, "-removed") == counted(new, old, "-added")


@settings(max_examples=30)
@given(st.lists(st.sampled_from(sorted(defined(V1))), min_size=1, max_size=3, unique=True))
def test_parts_of_a_schema_are_added_and_removed(roots: list[str]) -> None:
    part = narrow(V1, roots)
    assert counted(part, V1, "-added") == counted(V1, part, "-removed") != set()
    assert counted(V1, part, "-added") == set()
    assert set(roots) <= defined(part).keys()


@given(st.integers(0, 2**32), st.integers(1, 20))
def test_any_descriptors_can_be_compared(seed: int, count: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    other = mutated(OWN, rng, count)
    for old, new in ((OWN, other), (other, OWN), (other, mutated(other, rng, count))):
        findings = compare(old, new)
        assert all(finding.consequences <= set(CONSEQUENCES) for finding in findings)
        assert "\x1b" not in report(findings) + changes(findings)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_schema_or_an_error(data: bytes) -> None:
    with pytest.raises(DescriptorError, match="x: "):
        parse(data, "x")


@given(st.integers(0, 2**32))
def test_broken_bytes_are_a_schema_or_an_error(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    data = bytearray(PART.SerializeToString())
    for _ in range(rng.randrange(1, 4)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    try:
        found = parse(bytes(data), "x")
    except DescriptorError:
        return
    compare(PART, found)
