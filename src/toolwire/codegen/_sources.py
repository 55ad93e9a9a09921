"""Finds the .proto files that go into a generated tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolwire.codegen._names import require_names

if TYPE_CHECKING:
    from pathlib import Path

# Files whose messages appear as fields of ours are generated into our root too, so that every
# class a user meets comes from one pool. descriptor.proto stays protobuf's own: options are
# always read with the default pool's classes.
_COMMON = ("google/type/*.proto", "google/rpc/**/*.proto", "google/api/httpbody.proto")
_WELL_KNOWN = "google/protobuf/*.proto"
_NOT_COPIED = frozenset({"google/protobuf/descriptor.proto"})
_OPTIONS = "google/api/*.proto"  # hold options only, which are read with the default pool


@dataclass(frozen=True, slots=True)
class Sources:
    """The files of one generated tree.

    Attributes:
        root: Folder of the schema.
        own: Files below it, as import paths, in order.
        common: Well-known and common files generated beside them, as import paths, in order.
    """

    root: Path
    own: tuple[str, ...]
    common: tuple[str, ...]


def find_sources(root: Path, common_protos: Path, well_known: Path) -> Sources:
    """Lists what to compile.

    Args:
        root: Folder that holds the schema at its upstream paths.
        common_protos: Folder that holds ``google/api`` and its siblings.
        well_known: Folder that holds ``google/protobuf``.

    Returns:
        The import paths, sorted, so that every run sees the same order.

    Raises:
        DescriptorError: A file or folder has a name that no Python module can have.
    """
    own = _paths(root, "**/*.proto")
    for path in own:
        require_names(path)
    common = _paths(well_known, _WELL_KNOWN)
    for pattern in _COMMON:
        common |= _paths(common_protos, pattern)
    return Sources(
        root=root,
        own=tuple(sorted(own)),
        common=tuple(sorted(common - own - _NOT_COPIED)),
    )


def provided(common_protos: Path, well_known: Path) -> frozenset[str]:
    """Lists the import paths that a schema may use without holding the files.

    Args:
        common_protos: As in ``find_sources``.
        well_known: As in ``find_sources``.

    Returns:
        The import paths.
    """
    found = _paths(well_known, _WELL_KNOWN)
    for pattern in (*_COMMON, _OPTIONS):
        found |= _paths(common_protos, pattern)
    return frozenset(found)


def _paths(folder: Path, pattern: str) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.glob(pattern)}
