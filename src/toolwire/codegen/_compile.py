"""Compiles somebody's own .proto files into the pool of ``toolwire_pb``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from google.protobuf.descriptor_pb2 import FileDescriptorSet

from toolwire._errors import DescriptorError, UsageError
from toolwire.codegen._base import Base
from toolwire.codegen._imports import require_imports, require_new
from toolwire.codegen._inputs import find_files, require_root
from toolwire.codegen._modules import package_files, write_modules, write_texts
from toolwire.codegen._names import module_of
from toolwire.codegen._protoc import Toolchain
from toolwire.codegen._replace import replacing, tree
from toolwire.codegen._rewrite import Rewriter
from toolwire.codegen._sources import provided
from toolwire.codegen._stamp import STAMP, stamp
from toolwire.codegen._walk import count_messages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from google.protobuf.descriptor_pb2 import FileDescriptorProto

_DESCRIPTORS = "described.binpb"


@dataclass(frozen=True, slots=True)
class Compiled:
    """What a compilation made.

    Attributes:
        folder: The folder that was written as a whole.
        sources: Import paths of the files that were compiled.
        messages: Number of their messages, nested ones included.
        services: Number of their services.
        files: Number of files written.
        warnings: What the compiler had to say; empty where all is well.
    """

    folder: Path
    sources: tuple[str, ...]
    messages: int
    services: int
    files: int
    warnings: str


def compile_protos(
    files: Sequence[Path],
    out: Path,
    *,
    include: Sequence[Path] = (Path(),),
    root: str = "",
    toolchain: Toolchain | None = None,
) -> Compiled:
    """Compiles .proto files that may import those of ``toolwire_pb``, and joins its pool.

    What they import of ``toolwire_pb`` is imported from there at run time. The output is a
    folder that is replaced as a whole: ``out``, or the package of the import root below it. It
    may only hold what an earlier call wrote.

    Args:
        files: Paths of files, import paths, or folders that stand for all files in them.
        out: The folder that goes on Python's path.
        include: Folders that import paths start from.
        root: Import root to put all modules below, such as ``acme_pb``; without it the import
            path of a file is the name of its module, as the compiler itself has it.
        toolchain: The compiler; by default that of the running environment.

    Returns:
        What was made.

    Raises:
        DescriptorError: The files do not compile, define again what ``toolwire_pb`` has, or
            import what would be missing at run time.
        UsageError: A file is missing, a name cannot be a Python module's, or the output folder
            holds something else.
        MissingExtraError: The running environment has no compiler.
    """
    base = Base.installed()
    tools = toolchain or Toolchain.installed()
    # Before the user's folders: run time has our files, whatever copy of them lies there.
    folders = [base.protos, *include]
    shared = base.files(tools)
    names = find_files(files, include, tools.provided, {*shared, *provided(*tools.provided)})
    require_new(names, base)
    require_root(root, names)
    target = out.resolve().joinpath(*root.split(".")) if root else out.resolve()
    _require_ours(target)
    try:
        with replacing(target) as (work, new):
            # Together with the base's, which they must not clash with.
            warnings = _describe(tools, folders, [*shared, *names], work / _DESCRIPTORS)
            described = _files(work / _DESCRIPTORS)
            require_imports(names, described, base)
            tools.compile(folders, names, work, strict=False)
            compiled = [described[name] for name in names]
            roots = dict.fromkeys(base.modules, base.root)
            roots |= dict.fromkeys(map(module_of, names), root)
            write_modules(work, new, compiled, Rewriter(roots, pool_root=base.root))
            write_texts(new, package_files(root, map(module_of, names)))
            made = sorted([*(path for path, _ in tree(new)), STAMP])
            sources = {name: _find(name, (*folders, *tools.provided)) for name in names}
            write_texts(new, {STAMP: stamp(sources, tools, files=made)})
    except OSError as error:
        raise UsageError(f"{target}: cannot be written: {error.strerror}") from error
    return Compiled(
        folder=target,
        sources=names,
        messages=count_messages(compiled),
        services=sum(len(file.service) for file in compiled),
        files=len(made),
        warnings=warnings,
    )


def _describe(
    toolchain: Toolchain, folders: Sequence[Path], names: Sequence[str], out: Path
) -> str:
    """Describes files, and returns the warnings but for those about the base's own files."""

    def theirs(said: str) -> str:
        ours = f"{folders[0]}/"
        lines = said.splitlines()
        return "\n".join(n for n in lines if not (n.startswith(ours) and ": warning: " in n))

    try:
        return theirs(toolchain.describe(folders, names, out, strict=False))
    except DescriptorError as error:
        raise DescriptorError(theirs(str(error))) from error


def _files(path: Path) -> dict[str, FileDescriptorProto]:
    return {file.name: file for file in FileDescriptorSet.FromString(path.read_bytes()).file}


def _find(name: str, folders: Sequence[Path]) -> Path:
    """The file that the compiler read."""
    return next(folder / name for folder in folders if (folder / name).is_file())


def _require_ours(folder: Path) -> None:
    """Refuses a folder with anything in it that an earlier run did not write."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise UsageError(f"{folder}: in the way: it is no folder")
    made = _recorded(folder / STAMP)
    for name, path in sorted(tree(folder)):
        if name not in made:
            raise UsageError(
                f"{path}: in the way: the folder is replaced as a whole, and this is not from here"
            )


def _recorded(path: Path) -> frozenset[str]:
    """The files that the run wrote that left this record."""
    try:
        return frozenset(map(str, json.loads(path.read_text(encoding="utf-8"))["files"]))
    except (OSError, ValueError, KeyError, TypeError):
        return frozenset()
