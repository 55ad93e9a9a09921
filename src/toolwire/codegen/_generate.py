"""Generates a tree of modules as a whole, and compares it with the one that is there."""

from __future__ import annotations

import difflib
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from google.protobuf.descriptor_pb2 import FileDescriptorSet

from toolwire.codegen._facade import facades
from toolwire.codegen._methods import method_types
from toolwire.codegen._modules import package_files, write_modules, write_texts
from toolwire.codegen._names import module_of
from toolwire.codegen._oneofs import oneof_types
from toolwire.codegen._replace import replacing, sweep, tree
from toolwire.codegen._rewrite import Rewriter
from toolwire.codegen._sources import Sources, find_sources
from toolwire.codegen._stamp import STAMP, stamp
from toolwire.codegen._walk import count_messages

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from google.protobuf.descriptor_pb2 import FileDescriptorProto

    from toolwire.codegen._protoc import Toolchain

_RUNTIME = Path(__file__).parent / "runtime"
_DESCRIPTORS = "descriptors.binpb"


@dataclass(frozen=True, slots=True)
class Generated:
    """What a generation made.

    Attributes:
        own: Number of files of the schema itself.
        common: Number of well-known and common files beside them.
        messages: Number of messages of the schema, nested ones included.
        files: Number of files written.
    """

    own: int
    common: int
    messages: int
    files: int


def generate(
    proto: Path,
    out: Path,
    toolchain: Toolchain,
    *,
    revision: str,
    root: str = "toolwire_pb",
    strict: bool = True,
) -> Generated:
    """Compiles a schema into a package, replacing the package as a whole.

    One run at a time: what an earlier one left behind in ``out`` is removed.

    Args:
        proto: Folder that holds the schema at its upstream paths.
        out: Folder that holds, or will hold, the package.
        toolchain: The compiler's environment.
        revision: Which published schema this is, for the stamp.
        root: Name of the package.
        strict: Whether a warning of the compiler is an error.

    Returns:
        What was made.

    Raises:
        DescriptorError: The schema does not compile, or the compiler's output is not known.
    """
    sources = find_sources(proto, toolchain.common_protos, toolchain.well_known)
    out.mkdir(parents=True, exist_ok=True)
    sweep(out)
    with replacing(out / root) as (work, package):
        files = _compile(toolchain, sources, work, strict=strict)
        toolchain.describe([proto], sources.own, package / _DESCRIPTORS, strict=strict)
        _write(work, package, root, sources, files)
        schema = {path: proto / path for path, _ in tree(proto)}
        write_texts(package, {STAMP: stamp(schema, toolchain, revision=revision)})
        return Generated(
            own=len(sources.own),
            common=len(sources.common),
            messages=count_messages(files[name] for name in sources.own),
            files=sum(1 for _ in tree(package)),
        )


def _compile(
    toolchain: Toolchain, sources: Sources, work: Path, *, strict: bool
) -> dict[str, FileDescriptorProto]:
    """Runs the compiler, and returns what it knows of each file."""
    described = work / "described.binpb"
    compiled = [*sources.own, *sources.common]
    toolchain.compile([sources.root], compiled, work, strict=strict)
    toolchain.describe([sources.root], compiled, described, strict=strict)
    files = FileDescriptorSet.FromString(described.read_bytes())
    return {file.name: file for file in files.file}


def _write(
    raw: Path, package: Path, root: str, sources: Sources, files: Mapping[str, FileDescriptorProto]
) -> None:
    """Fills the package with all but the record of where it comes from."""
    names = [*sources.own, *sources.common]
    modules = dict.fromkeys(map(module_of, names), root)
    own, compiled = [files[name] for name in sources.own], [files[name] for name in names]
    write_modules(raw, package, compiled, Rewriter(modules, pool_root=root))
    write_texts(package, package_files(root, modules) | facades(root, own))
    write_texts(package, {"oneofs.py": oneof_types(root, compiled, own)})
    write_texts(package, {"methods.pyi": method_types(root, compiled, own, files.values())})
    shutil.copy(_RUNTIME / "_pool.py", package / "_pool.py")


def differences(expected: Path, actual: Path) -> Iterator[str]:
    """Compares two folders of generated code, bytecode left out.

    Args:
        expected: The folder as it should be.
        actual: The folder as it is.

    Yields:
        A line for each file that differs or that only one side has, and for text the lines of
        a unified diff.
    """
    wanted, found = dict(tree(expected)), dict(tree(actual))
    for name in sorted(wanted.keys() | found.keys()):
        if name not in found:
            yield f"missing: {name}"
        elif name not in wanted:
            yield f"not generated: {name}"
        elif (new := wanted[name].read_bytes()) != (old := found[name].read_bytes()):
            yield f"differs: {name} ({len(old)} bytes, expected {len(new)})"
            if b"\0" not in old + new:
                yield from difflib.unified_diff(
                    _lines(old), _lines(new), f"{name} (is)", f"{name} (generated)", lineterm=""
                )


def _lines(content: bytes) -> list[str]:
    """Splits at line feeds only: whatever else ends a line may be what differs."""
    return content.decode(errors="backslashreplace").split("\n")
