"""Pairs of small schemas, each with one kind of change, and what has to be found."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from google.protobuf.descriptor_pb2 import FileDescriptorSet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolwire.codegen import Toolchain

_HEAD = """\
syntax = "proto3";
import "google/api/annotations.proto";
import "google/api/client.proto";
import "google/api/field_behavior.proto";
import "google/api/resource.proto";
import "google/protobuf/timestamp.proto";
"""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two schemas.

    Attributes:
        name: What changes, as a proto package can be named.
        old: A file without syntax and package; or, for other syntaxes, with its own first line.
        new: The same, later.
        found: ``rule path`` of each finding, with the path below the package, to its consequences.
        buf: The rule by which buf has to say so, too; empty where it has none.
    """

    name: str
    old: str
    new: str
    found: Mapping[str, str]
    buf: str = ""


def compiled(
    pairs: Sequence[Pair], toolchain: Toolchain
) -> dict[str, tuple[FileDescriptorSet, FileDescriptorSet]]:
    """Compiles the pairs, all at once, and returns both sides of each by its name."""
    olds = _sides({pair.name: pair.old for pair in pairs}, toolchain)
    news = _sides({pair.name: pair.new for pair in pairs}, toolchain)
    return {pair.name: (olds[pair.name], news[pair.name]) for pair in pairs}


def compile_text(text: str, toolchain: Toolchain, name: str = "t") -> FileDescriptorSet:
    """Compiles one file in the form of a pair's."""
    return _sides({name: text}, toolchain)[name]


def _sides(texts: Mapping[str, str], toolchain: Toolchain) -> dict[str, FileDescriptorSet]:
    with tempfile.TemporaryDirectory() as scratch:
        for name, text in texts.items():
            own = text if text.startswith(("syntax", "edition")) else _HEAD + text
            first, _, rest = own.partition("\n")
            Path(scratch, f"{name}.proto").write_text(f"{first}\npackage {name};\n{rest}")
        names = [f"{name}.proto" for name in texts]
        out = Path(scratch, "out.binpb")
        toolchain.describe([Path(scratch)], names, out, strict=False)
        everything = FileDescriptorSet.FromString(out.read_bytes())
    own_names = set(names)
    common = [file for file in everything.file if file.name not in own_names]
    return {
        file.package: FileDescriptorSet(file=[*common, file])
        for file in everything.file
        if file.name in own_names
    }
