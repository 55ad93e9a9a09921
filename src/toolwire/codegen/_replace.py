"""Replaces a folder of generated code as a whole."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

_SCRATCH = ".generate-"


@contextlib.contextmanager
def replacing(target: Path) -> Generator[tuple[Path, Path]]:
    """Puts what the body makes in the place of a folder; with an exception the folder stays.

    Args:
        target: The folder. It may be missing, and so may those above it.

    Yields:
        A folder for work in between, and the folder that becomes the target.
    """
    # Beside the target, so that moving it there is one rename.
    beside = next(folder for folder in target.parents if folder.is_dir())
    with tempfile.TemporaryDirectory(dir=beside, prefix=_SCRATCH) as scratch:
        work, new = Path(scratch, "work"), Path(scratch, "new")
        work.mkdir()
        new.mkdir()
        yield work, new
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            target.rename(Path(scratch, "old"))
        new.rename(target)


def sweep(folder: Path) -> None:
    """Removes what killed runs left in a folder, where no other run can be at work."""
    for left in folder.glob(f"{_SCRATCH}*"):
        shutil.rmtree(left, ignore_errors=True)


def tree(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yields path below a folder and path of each file in it, bytecode left out."""
    for path in folder.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(folder).as_posix(), path
