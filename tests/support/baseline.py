"""v1's tool.proto as it was published in May 2025, the file that this project began with."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from google.protobuf import descriptor_pool
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.message_factory import GetMessageClass

from environments import ROOT
from generate import CODEGEN_PYTHON
from toolwire._schema_diff import compare, load
from toolwire.codegen import Toolchain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.descriptor import Descriptor
    from google.protobuf.message import Message

FILE = "google/cloud/aiplatform/v1/tool.proto"
FOLDER = ROOT / "tests" / "baseline"
BEFORE = "google/cloud/aiplatform/v1/openapi.proto"  # what the file imports of its neighbours


@cache
def baseline_files() -> FileDescriptorSet:
    """Compiles the file, with today's openapi.proto, which it imports."""
    with tempfile.TemporaryDirectory() as scratch:
        proto, out = Path(scratch, "proto"), Path(scratch, "descriptors.binpb")
        for folder, name in ((FOLDER, FILE), (ROOT / "proto", BEFORE)):
            (proto / name).parent.mkdir(parents=True, exist_ok=True)
            (proto / name).write_bytes((folder / name).read_bytes())
        Toolchain.of(CODEGEN_PYTHON).describe([proto], [FILE], out)
        return FileDescriptorSet.FromString(out.read_bytes())


@cache
def baseline_classes() -> dict[str, type[Message]]:
    """Classes of all its messages, in a pool of their own, by name below the package."""
    pool = descriptor_pool.DescriptorPool()
    for file in baseline_files().file:
        pool.Add(file)
    pending: list[Descriptor] = [*pool.FindFileByName(FILE).message_types_by_name.values()]
    found: dict[str, type[Message]] = {}
    while pending:
        kind = pending.pop(0)
        found[kind.full_name.removeprefix(f"{kind.file.package}.")] = GetMessageClass(kind)
        pending += kind.nested_types
    return found


@cache
def changed_since() -> dict[str, frozenset[str]]:
    """Full name of each message or field that changed since, to what that breaks."""
    found = compare(baseline_files(), load("builtin:v1"))
    return {finding.path: frozenset(finding.consequences) for finding in found}


def broken(message: Message) -> set[str]:
    """What the changes since break for the fields that are set in a message of the baseline."""
    changed = changed_since()
    names = [message.DESCRIPTOR.full_name, *_fields(message)]
    return {kind for name in names for kind in changed.get(name, ())}


def _fields(message: Message) -> Iterator[str]:
    """Full names of all fields that are set, at any level."""
    for field, value in message.ListFields():
        yield field.full_name
        if field.message_type is None:
            continue
        items = [value]
        if field.is_repeated:
            items = value.values() if hasattr(value, "values") else value
        for item in items:
            if hasattr(item, "ListFields"):  # a map's values may be texts
                yield from _fields(item)
