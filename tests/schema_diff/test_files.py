"""Changes of files, packages, and of what is in which file."""

from __future__ import annotations

import re

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

from environments import ROOT
from support.protos import enum, file, message
from toolwire._schema_diff import Buf, Finding, compare, cross_check

POINT = message("Point", "int32 x = 1", "int32 y = 2")
LINE = message("Line", "message Point start = 1", "message Point end = 2")
COLOR = enum("Color", NONE=0, RED=1)


def moved(made: FileDescriptorProto, package: str) -> FileDescriptorProto:
    """The file in another package, and all its references with it."""
    text = made.SerializeToString()
    old, new = made.package.encode(), package.encode()
    assert len(old) == len(new)  # so that no length in the bytes changes
    return FileDescriptorProto.FromString(text.replace(old, new))


def with_service(made: FileDescriptorProto) -> FileDescriptorProto:
    """The file with a service in it."""
    point = f".{made.package}.Point"
    service = made.service.add(name="Finder")
    service.method.add(name="Find", input_type=point, output_type=point)
    return made


def files(*made: FileDescriptorProto) -> FileDescriptorSet:
    return FileDescriptorSet(file=made)


CASES = {
    "added": (
        files(file("a.proto", POINT)),
        files(file("a.proto", POINT), file("b.proto", COLOR)),
        {"file-added b.proto", "enum-added toolwire.test.Color"},
    ),
    "removed": (
        files(file("a.proto", POINT), file("b.proto", COLOR)),
        files(file("a.proto", POINT)),
        {"file-removed b.proto", "enum-removed toolwire.test.Color"},
    ),
    "renamed": (
        files(file("a.proto", POINT, COLOR)),
        files(file("b.proto", POINT, COLOR)),
        {"file-renamed a.proto"},
    ),
    "split": (
        files(file("a.proto", POINT, COLOR)),
        files(file("a.proto", POINT), file("b.proto", COLOR)),
        {"file-added b.proto", "enum-moved toolwire.test.Color"},
    ),
    "moved": (
        files(with_service(file("a.proto", POINT, COLOR))),
        files(file("a.proto", COLOR), with_service(file("b.proto", POINT))),
        {
            "file-added b.proto",
            "message-moved toolwire.test.Point",
            "service-moved toolwire.test.Finder",
        },
    ),
    "merged": (
        files(file("a.proto", POINT), file("b.proto", COLOR)),
        files(file("a.proto", POINT, COLOR)),
        {"file-removed b.proto", "enum-moved toolwire.test.Color"},
    ),
    "package": (
        files(file("a.proto", POINT, LINE, COLOR)),
        files(moved(file("a.proto", POINT, LINE, COLOR), "toolwire.text")),
        {"package-changed a.proto"},
    ),
    "package and path": (
        files(file("a.proto", POINT, LINE, COLOR)),
        files(moved(file("b.proto", POINT, LINE, COLOR), "toolwire.text")),
        {
            "file-renamed a.proto",
            "package-changed a.proto",
            "message-renamed toolwire.test.Point",
            "message-renamed toolwire.test.Line",
            "enum-renamed toolwire.test.Color",
        },
    ),
    "kind": (
        files(file("a.proto", POINT)),
        files(file("a.proto", enum("Point", NONE=0, ONE=1))),
        {"message-removed toolwire.test.Point", "enum-added toolwire.test.Point"},
    ),
}


def rules(findings: list[Finding]) -> set[str]:
    return {f"{finding.rule} {finding.path}" for finding in findings}


@pytest.mark.parametrize("name", CASES)
def test_a_change_of_files_is_found(name: str) -> None:
    old, new, expected = CASES[name]
    assert rules(compare(old, new)) == expected


@pytest.mark.tools
@pytest.mark.parametrize("name", CASES)
def test_buf_knows_no_more(name: str) -> None:
    buf = Buf.find()
    assert buf is not None
    old, new, expected = CASES[name]
    checked = cross_check(compare(old, new), buf.breaking(old, new))
    assert rules(checked) == expected
    assert any(finding.buf for finding in checked) == (name != "added")


def test_files_that_come_with_the_compiler_are_not_compared() -> None:
    own = file("a.proto", POINT)
    old = files(file("google/api/x.proto", COLOR), own)
    assert compare(old, files(file("google/type/y.proto", LINE), own)) == []


def test_the_docs_have_every_rule(
    sides: dict[str, tuple[FileDescriptorSet, FileDescriptorSet]],
) -> None:
    pairs = [*sides.values(), *((old, new) for old, new, _ in CASES.values())]
    found = {
        finding.rule for old, new in pairs for finding in (*compare(old, new), *compare(new, old))
    }
    page = (ROOT / "docs" / "schema-diff.md").read_text()
    table = page.partition("## The rules")[2].partition("\n\nWhat a rule means")[0]
    assert set(re.findall(r"`([a-z0-9]+-[a-z0-9-]+)`", table)) == found
