"""Generates a tree of modules as a whole, and compares it with the one that is there."""

from __future__ import annotations

import difflib
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from google.protobuf.descriptor_pb2 import FileDescriptorSet

from toolwire.codegen._facade import facades
from toolwire.codegen._names import module_of
from toolwire.codegen._oneofs import oneof_types
from toolwire.codegen._rewrite import Rewriter
from toolwire.codegen._sources import Sources, find_sources
from toolwire.codegen._stamp import STAMP, stamp
from toolwire.codegen._widen import widen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolwire.codegen._protoc import Toolchain

_RUNTIME = Path(__file__).parent / "runtime"
_DESCRIPTORS = "descriptors.binpb"
_SCRATCH = ".generate-"


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
    proto: Path, out: Path, toolchain: Toolchain, *, revision: str, root: str = "toolwire_pb"
) -> Generated:
    """Compiles a schema into a package, replacing the package as a whole.

    One run at a time: what an earlier one left behind in ``out`` is removed.

    Args:
        proto: Folder that holds the schema at its upstream paths.
        out: Folder that holds, or will hold, the package.
        toolchain: The compiler's environment.
        revision: Which published schema this is, for the stamp.
        root: Name of the package.

    Returns:
        What was made.

    Raises:
        DescriptorError: The schema does not compile, or the compiler's output is not known.
    """
    sources = find_sources(proto, toolchain.common_protos, toolchain.well_known)
    out.mkdir(parents=True, exist_ok=True)
    for left in out.glob(f"{_SCRATCH}*"):  # by a run that was killed
        shutil.rmtree(left, ignore_errors=True)
    # Beside the target, so that moving it there is one rename.
    with tempfile.TemporaryDirectory(dir=out, prefix=_SCRATCH) as scratch:
        raw, package = Path(scratch, "raw"), Path(scratch, root)
        raw.mkdir()
        package.mkdir()
        toolchain.compile(proto, [*sources.own, *sources.common], raw)
        toolchain.describe(proto, sources.own, package / _DESCRIPTORS)
        described = Path(scratch, "described.binpb")
        toolchain.describe(proto, [*sources.own, *sources.common], described)
        files = FileDescriptorSet.FromString(described.read_bytes())
        _write(raw, package, root, sources, files)
        (package / STAMP).write_text(stamp(proto, revision, toolchain))
        result = Generated(
            own=len(sources.own),
            common=len(sources.common),
            messages=_count_messages(sources, files),
            files=sum(1 for _ in _tree(package)),
        )
        if (out / root).exists():
            (out / root).rename(Path(scratch, "old"))
        package.rename(out / root)
    return result


def _write(raw: Path, package: Path, root: str, sources: Sources, files: FileDescriptorSet) -> None:
    """Moves the compiler's output into the package, rewritten and widened."""
    by_name = {file.name: file for file in files.file}
    compiled = [*sources.own, *sources.common]
    modules = frozenset(map(module_of, compiled))
    rewriter = Rewriter(root, modules, pool_root=root)
    for name in compiled:
        module = module_of(name)
        stem = module.replace(".", "/")
        _put(package / f"{stem}.py", rewriter.messages(_get(raw / f"{stem}.py"), module))
        stub = rewriter.imports(_get(raw / f"{stem}.pyi"))
        _put(package / f"{stem}.pyi", widen(stub, by_name[name]))
        if by_name[name].service:
            for suffix in ("_grpc.py", "_grpc.pyi"):
                _put(package / f"{stem}{suffix}", rewriter.imports(_get(raw / f"{stem}{suffix}")))
    own = [by_name[name] for name in sources.own]
    for path, text in facades(root, own, modules).items():
        _put(package / path, text)
    _put(package / "oneofs.py", oneof_types(root, [by_name[name] for name in compiled], own))
    shutil.copy(_RUNTIME / "_pool.py", package / "_pool.py")
    (package / "py.typed").touch()


def _get(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _count_messages(sources: Sources, files: FileDescriptorSet) -> int:
    pending = [
        message for file in files.file if file.name in sources.own for message in file.message_type
    ]
    count = 0
    while pending:
        message = pending.pop()
        if not message.options.map_entry:
            count += 1
            pending += message.nested_type
    return count


def differences(expected: Path, actual: Path) -> Iterator[str]:
    """Compares two folders of generated code, bytecode left out.

    Args:
        expected: The folder as it should be.
        actual: The folder as it is.

    Yields:
        A line for each file that differs or that only one side has, and for text the lines of
        a unified diff.
    """
    wanted, found = dict(_tree(expected)), dict(_tree(actual))
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


def _tree(package: Path) -> Iterator[tuple[str, Path]]:
    for path in package.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(package).as_posix(), path
