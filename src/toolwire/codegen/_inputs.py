"""Finds the .proto files that somebody named, as the compiler would."""

from __future__ import annotations

import os
import sys
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from toolwire._errors import UsageError
from toolwire.codegen._names import is_name, require_names

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

# A package of that name on Python's path would hide the one that everything relies on.
_TAKEN = sys.stdlib_module_names | {"google", "grpc", "toolwire", "toolwire_pb"}


def find_files(
    named: Sequence[Path],
    include: Sequence[Path],
    provided: Sequence[Path],
    known: Collection[str],
) -> tuple[str, ...]:
    """Turns the names of files into import paths.

    Args:
        named: Paths of files, import paths, or folders with files.
        include: The folders that import paths start from; the first that has a file wins.
        provided: Folders of the environment, which come after them.
        known: Import paths that everybody may use without holding the files: copies of them in
            a folder are not meant.

    Returns:
        The import paths, sorted.

    Raises:
        UsageError: A file is missing, is outside of the folders, or is hidden by another one.
        DescriptorError: A file has a path that Python cannot spell.
    """
    found: set[str] = set()
    for path in named:
        if path.is_dir():
            inside = {_import_path(file, include, ()) for file in path.rglob("*.proto")}
            if not inside.difference(known):
                raise UsageError(f"{path}: no .proto files of your own in this folder")
            found |= inside.difference(known)
        else:
            found.add(_import_path(path, include, provided))
    if not found:
        raise UsageError("no .proto files are named")
    for name in found:
        require_names(name)
    return tuple(sorted(found))


def _import_path(path: Path, include: Sequence[Path], provided: Sequence[Path]) -> str:
    if path.exists():
        for folder in include:
            relative = _below(folder, path)
            if relative is not None:
                _require_first(path, relative, include)
                return relative
    for folder in (*include, *provided):
        if not path.is_absolute() and (folder / path).is_file():
            return PurePosixPath(os.path.normpath(path)).as_posix()
    folders = ", ".join(map(str, include))
    if path.exists():
        raise UsageError(f"{path}: in none of the folders that imports start from: {folders}")
    raise UsageError(f"{path}: no such file, here or in {folders}")


def _below(folder: Path, path: Path) -> str | None:
    # By name, as the compiler does it: a link to a file elsewhere stands where it stands.
    absolute, start = Path(os.path.abspath(path)), Path(os.path.abspath(folder))  # noqa: PTH100
    return absolute.relative_to(start).as_posix() if absolute.is_relative_to(start) else None


def _require_first(path: Path, relative: str, include: Sequence[Path]) -> None:
    first = next(folder / relative for folder in include if (folder / relative).is_file())
    if not first.samefile(path):
        raise UsageError(f"{path}: hidden by {first}, which has the same import path")


def require_root(root: str, files: Sequence[str]) -> None:
    """Refuses an import root, or without one the folders of the files, that Python cannot have.

    Args:
        root: The import root; empty where import paths are module names.
        files: Import paths.

    Raises:
        UsageError: A name is no name, or is that of a package that would be hidden.
    """
    parts = root.split(".") if root else []
    for part in parts:
        if not is_name(part):
            raise UsageError(f"{root}: no Python package can be named {part!r}")
    if parts:
        if parts[0] in _TAKEN:
            raise UsageError(f"{root}: would hide the package {parts[0]!r} that is there already")
        return
    for file in files:
        first, *rest = PurePosixPath(file).parts
        if rest and first.replace("-", "_") in _TAKEN:
            raise UsageError(
                f"{file}: the package {first!r} would hide the one of that name: "
                "give the modules an import root (--root)"
            )
