"""What is said of peers is what protobuf does."""

from __future__ import annotations

import itertools
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.unknown_fields import UnknownFieldSet

import toolwire
from support.field_pairs import FIELD_PAIRS
from support.fill import filled
from support.protos import PACKAGE, enum, file, message
from toolwire._schema_diff import compare

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from support.schema_pairs import Pair

SMALL = [0, 1, 5]
UNSIGNED_32 = [*SMALL, 2**32 - 1]
UNSIGNED_64 = [*SMALL, 2**40, 2**64 - 1]
SIGNED_32 = [*SMALL, -1, -(2**31)]
SIGNED_64 = [*SMALL, -1, 2**40, -(2**63)]
VALUES: dict[str, list[Any]] = {
    "uint32": UNSIGNED_32,
    "fixed32": UNSIGNED_32,
    "uint64": UNSIGNED_64,
    "fixed64": UNSIGNED_64,
    "int32": SIGNED_32,
    "sint32": SIGNED_32,
    "sfixed32": SIGNED_32,
    "int64": SIGNED_64,
    "sint64": SIGNED_64,
    "sfixed64": SIGNED_64,
    "float": [0.5, 1.5],
    "double": [0.5, 1.5],
    "bool": [True],
    "string": ["", "é"],
    "bytes": [b"", b"\xff"],
    "enum E": [1, 5, -1],
}
TYPES = list(itertools.permutations(VALUES, 2))


def classes(files: FileDescriptorSet, name: str) -> type[Message]:
    pool = DescriptorPool()
    for one in files.file:
        pool.AddSerializedFile(one.SerializeToString())
    return GetMessageClass(pool.FindMessageTypeByName(name))


def unknown(cls: type[Message], data: bytes) -> set[int]:
    fields: Any = UnknownFieldSet(cls.FromString(data))
    return {field.field_number for field in fields}


def schema(kind: str) -> FileDescriptorProto:
    return file("a.proto", message("M", f"{kind} a = 1"), enum("E", NONE=0, ONE=1))


class Sent:
    """What becomes of the values of one type where another one is expected."""

    def __init__(self, kind: str, sender: type[Message], reader: type[Message]) -> None:
        self.unknown = self.changed = self.refused = False
        for value in VALUES[kind]:
            data = sender(a=value).SerializeToString()
            try:
                read: Any = reader.FromString(data)
            except DecodeError:
                self.refused = True
                continue
            self.unknown |= bool(unknown(reader, data))
            same = read.a == value or (isinstance(value, str) and read.a == value.encode())
            self.changed |= not same


@pytest.mark.parametrize(("old", "new"), TYPES, ids=" to ".join)
def test_another_type_means_what_is_said(old: str, new: str) -> None:
    files = [FileDescriptorSet(file=[schema(kind)]) for kind in (old, new)]
    olds, news = (classes(one, f"{PACKAGE}.M") for one in files)
    there, back = Sent(old, olds, news), Sent(new, news, olds)
    [finding] = compare(*files)
    says_unknown = "for an unknown field" in finding.explanation
    assert (there.unknown and back.unknown) == says_unknown
    misread = there.changed or back.changed or there.refused or back.refused
    assert misread == bool(finding.consequences & {"wire", "behaviour"})
    samples: list[Any] = [cls(a=VALUES[kind][-1]) for cls, kind in ((olds, old), (news, new))]
    if "json" not in finding.consequences:
        values: list[Any] = [json.loads(toolwire.to_json(one))["a"] for one in samples]
        assert isinstance(values[0], str) == isinstance(values[1], str)
        assert isinstance(values[0], bool) == isinstance(values[1], bool)
    differs = type(samples[0].a) is not type(samples[1].a)
    assert ("source" in finding.consequences) == (differs or "enum E" in {old, new})


@pytest.mark.parametrize(
    "pair",
    [pair for pair in FIELD_PAIRS if re.search(r"removed|renumbered|swapped", pair.name)],
    ids=lambda pair: pair.name,
)
def test_what_is_said_to_be_unknown_is(
    pair: Pair, sides: dict[str, tuple[FileDescriptorSet, FileDescriptorSet]]
) -> None:
    old, new = sides[pair.name]
    said = " ".join(finding.explanation for finding in compare(old, new))
    olds, news = (classes(one, f"{pair.name}.M") for one in (old, new))
    for age, sender, reader in (("new", olds, news), ("old", news, olds)):
        claimed = {int(n) for n in re.findall(rf"{age} peer reads field (\d+) as unknown", said)}
        sent = filled(sender).SerializeToString()
        assert unknown(reader, sent) == claimed
