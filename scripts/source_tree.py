"""The schema that an update takes from: a folder at googleapis-style paths, or a revision of it."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import subprocess
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from toolwire._errors import DescriptorError

if TYPE_CHECKING:
    from collections.abc import Collection, Generator

_PROTOS = ":(glob)**/*.proto"
_DIGITS = 12  # of a digest, where there is no revision


@dataclass(frozen=True, slots=True)
class SourceTree:
    """A folder of .proto files.

    Attributes:
        root: The folder that import paths start from.
        names: Import paths of all files below it.
        revision: The git commit that it is; "" where it is none.
    """

    root: Path
    names: frozenset[str]
    revision: str

    def read(self, name: str) -> bytes:
        """Returns the content of a file.

        Raises:
            DescriptorError: The file is a link that leads out of the tree, or cannot be read.
        """
        path = self.root / name
        if not path.resolve().is_relative_to(self.root.resolve()):
            raise DescriptorError(f"{name}: leads out of {self.root}")
        if path.exists() and not path.is_file():  # a pipe would be waited for
            raise DescriptorError(f"{name}: is no file in {self.root}")
        try:
            return path.read_bytes()
        except OSError as error:
            raise DescriptorError(f"{name}: {error.strerror} in {self.root}") from error

    def label(self, names: Collection[str]) -> str:
        """Says which state of the schema this is: the commit, or else a digest of some files."""
        if self.revision:
            return self.revision
        digest = hashlib.sha256()
        for name in sorted(names):
            digest.update(hashlib.sha256(self.read(name)).digest())
        return f"sha256:{digest.hexdigest()[:_DIGITS]}"


@contextlib.contextmanager
def opened(folder: Path, revision: str | None, packages: Collection[str]) -> Generator[SourceTree]:
    """Opens a folder, or a git revision of it.

    Args:
        folder: A checkout of googleapis, an unpacked package, or one root of .proto files; with
            a revision, a folder in a git repository.
        revision: A commit, tag or branch.
        packages: The proto packages that are looked for; they tell where import paths start.

    Yields:
        The tree.

    Raises:
        DescriptorError: There is no such folder or revision, or it has none of the packages.
    """
    if not folder.is_dir():
        raise DescriptorError(f"{folder}: no such folder")
    if revision is None:
        yield _tree(folder, packages, "")
        return
    commit = _commit(folder, revision)
    with tempfile.TemporaryDirectory() as scratch:
        archive = _git(folder, "archive", "--format=tar", commit, "--", _PROTOS)
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(scratch, filter="data")  # refuses what would land elsewhere
        yield _tree(Path(scratch), packages, commit)


def _commit(folder: Path, revision: str) -> str:
    if revision.startswith("-"):
        raise DescriptorError(f"{revision}: no revision begins with a dash")
    name = f"{revision}^{{commit}}"
    return _git(folder, "rev-parse", "--verify", "--end-of-options", name).decode().strip()


def _git(folder: Path, *arguments: str) -> bytes:
    try:
        result = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, check=False
        )
    except OSError as error:
        raise DescriptorError(f"git: {error.strerror}") from error
    if result.returncode:
        last = (result.stderr.decode(errors="replace").strip().splitlines() or ["no message"])[-1]
        raise DescriptorError(f"{folder}: git {arguments[0]}: {last}")
    return result.stdout


def _tree(folder: Path, packages: Collection[str], revision: str) -> SourceTree:
    found = _proto_files(folder)
    places = {package.replace(".", "/") for package in packages}
    starts = {
        path.parent.as_posix().removesuffix(place).rstrip("/")
        for path in map(Path, found)
        for place in places
        if f"/{path.parent.as_posix()}".endswith(f"/{place}")
    }
    if not starts:
        raise DescriptorError(f"{folder}: no .proto files in {', '.join(sorted(places))}")
    start = "" if "" in starts else min(starts)
    if len(starts) > 1 and start:
        raise DescriptorError(
            f"{folder}: several folders could be the root: {', '.join(sorted(starts))}; name one"
        )
    prefix = f"{start}/" if start else ""
    names = frozenset(name.removeprefix(prefix) for name in found if name.startswith(prefix))
    return SourceTree(folder / start, names, revision)


def _proto_files(folder: Path) -> list[str]:
    """Returns the paths below a folder, without following links to folders."""
    return [
        Path(place, name).relative_to(folder).as_posix()
        for place, _, names in os.walk(folder)
        for name in names
        if name.endswith(".proto")
    ]
