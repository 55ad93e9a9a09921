"""Puts files and folders in the place of others, all or none of them.

Usage: python scripts/transaction.py

What is to come is made ready in ``.update``, and the note ``ready`` there says that all of it is.
Whoever is killed before that note leaves the tree as it was; whoever is killed after it leaves
the rest to ``recover``, which make runs before any target. Python's own library is all that this
relies on: half of the tree may be missing.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from environments import ROOT

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

LOCK = ".generate.lock"
STAGE = ".update"
_READY = "ready"


@contextlib.contextmanager
def one_at_a_time(root: Path) -> Generator[None]:
    """Waits until no other process changes the schema or what is generated from it."""
    with (root / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # let go of when the process ends, however it ends
        yield


@contextlib.contextmanager
def replacing(root: Path, names: Sequence[str]) -> Generator[Path]:
    """Replaces files or folders with what the body makes; with an exception, none of them.

    Args:
        root: The checkout. The caller holds ``one_at_a_time``.
        names: Their paths below it.

    Yields:
        The folder where the body is to make them, at the same paths.

    Raises:
        OSError: Something cannot be written, or no rename reaches it.
    """
    _undo_or_finish(root)
    stage = root / STAGE
    for name in names:
        (stage / "new" / name).parent.mkdir(parents=True, exist_ok=True)
    try:
        for name in names:
            _require_renames(stage, root / name)
        yield stage / "new"
        note = stage / "note"
        note.write_text(json.dumps(list(names)), encoding="utf-8")
        note.rename(stage / _READY)
    except BaseException:
        _discard(stage)
        raise
    _finish(root, stage)


def has_stage(root: Path) -> bool:
    """Tells whether something was begun that is neither finished nor taken back."""
    return (root / STAGE).exists()


def recover(root: Path) -> str:
    """Finishes or takes back what a killed process left, and says which; else "".

    Nothing is done while another process is at it.
    """
    with (root / LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return "an update is running"
        return _undo_or_finish(root)


def _require_renames(stage: Path, target: Path) -> None:
    """Refuses a target that no rename reaches from the stage, such as one on another disk."""
    if target.is_mount():
        raise OSError(errno.EBUSY, "is mounted, and cannot be replaced", str(target))
    parent = next(folder for folder in target.parents if folder.exists())
    probe = stage / "probe"
    probe.touch()
    probe.replace(parent / f"{STAGE}-probe").unlink()


def _undo_or_finish(root: Path) -> str:
    stage = root / STAGE
    if not stage.exists():
        return ""
    if (stage / _READY).exists():
        _finish(root, stage)
        return "an update was interrupted; it is finished now"
    _discard(stage)
    return "an update was interrupted; nothing of it was kept"


def _finish(root: Path, stage: Path) -> None:
    """Moves what is still to be moved. Each step is one rename, so any of them may be the last."""
    names: list[str] = json.loads((stage / _READY).read_text(encoding="utf-8"))
    old = stage / "old"
    old.mkdir(exist_ok=True)
    for name in names:
        new, target = stage / "new" / name, root / name
        if new.exists():
            if target.exists():
                target.rename(old / str(len(list(old.iterdir()))))
            target.parent.mkdir(parents=True, exist_ok=True)
            new.rename(target)
    _discard(stage)


def _discard(stage: Path) -> None:
    """Removes a stage: first its name, since a killed update's compiler may still write there."""
    old = Path(tempfile.mkdtemp(prefix=f"{STAGE}-", dir=stage.parent))
    stage.rename(old / "stage")
    for left in stage.parent.glob(f"{STAGE}-*"):
        shutil.rmtree(left, ignore_errors=True)


if __name__ == "__main__":
    try:
        print(recover(ROOT) or "no update was interrupted", file=sys.stderr)
    except OSError as failure:
        sys.exit(f"error: an update was interrupted, and the rest of it fails: {failure}")
