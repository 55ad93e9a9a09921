"""Replacing several things at once: all or none, whenever the process is killed."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from environments import ROOT
from transaction import STAGE, has_stage, one_at_a_time, recover, replacing

NAMES = ("proto", "generated/package", "docs/history.md")
SCRIPTS = ROOT / "scripts"

# Replaces everything that says "old" by "new", slowly enough to be killed in between.
PROGRAM = f"""
import os, sys, time
from pathlib import Path
sys.path.insert(0, {str(SCRIPTS)!r})
import transaction
root = Path(sys.argv[1])
rename = Path.rename
def slow(self, target):
    time.sleep(0.004)
    made = rename(self, target)
    time.sleep(0.004)
    return made
Path.rename = slow
with transaction.one_at_a_time(root), transaction.replacing(root, {NAMES!r}) as stage:
    print("begun", flush=True)
    for name in ("proto/a/b.proto", "generated/package/x.py", "docs/history.md"):
        time.sleep(0.004)
        (stage / name).parent.mkdir(parents=True, exist_ok=True)
        (stage / name).write_text("new")
"""


def make(root: Path) -> None:
    for name in ("proto/a/b.proto", "proto/a/old.proto", "generated/package/x.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("old")


def content(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): path.read_text()
        for path in root.rglob("*")
        if path.is_file() and not str(path.relative_to(root)).startswith(".")
    }


OLD = {"proto/a/b.proto": "old", "proto/a/old.proto": "old", "generated/package/x.py": "old"}
NEW = {"proto/a/b.proto": "new", "generated/package/x.py": "new", "docs/history.md": "new"}


def test_everything_is_replaced_as_a_whole(tmp_path: Path) -> None:
    make(tmp_path)
    subprocess.run([sys.executable, "-c", PROGRAM, str(tmp_path)], check=True)
    assert content(tmp_path) == NEW
    assert not (tmp_path / STAGE).exists()
    assert recover(tmp_path) == ""


def test_an_exception_leaves_everything(tmp_path: Path) -> None:
    make(tmp_path)

    def fail() -> None:
        with one_at_a_time(tmp_path), replacing(tmp_path, NAMES) as stage:
            (stage / "docs" / "history.md").write_text("new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert content(tmp_path) == OLD
    assert not (tmp_path / STAGE).exists()


def test_killed_at_any_moment_it_is_old_or_new(tmp_path: Path) -> None:
    rng = random.Random(5)  # noqa: S311
    seen: set[str] = set()
    for number in range(40):
        root = tmp_path / str(number)
        make(root)
        command = [sys.executable, "-c", PROGRAM, str(root)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"begun\n"
            time.sleep(rng.uniform(0, 0.08))
            process.send_signal(signal.SIGKILL)
        seen.add(recover(root))
        assert content(root) in (OLD, NEW)
        assert not (root / STAGE).exists()
    assert seen >= {
        "an update was interrupted; nothing of it was kept",
        "an update was interrupted; it is finished now",
    }


def test_killed_between_any_two_renames_it_is_finished(tmp_path: Path) -> None:
    """Cuts at every rename in turn, the last one after all of them."""
    cut = PROGRAM.replace("time.sleep(0.004)\n    made", "cut()\n    made").replace(
        "def slow",
        "left = [int(sys.argv[2])]\ndef cut():\n    left[0] -= 1\n"
        "    if left[0] < 0: os.kill(os.getpid(), 9)\ndef slow",
    )
    results: list[str] = []
    for number in range(8):
        root = tmp_path / str(number)
        make(root)
        command = [sys.executable, "-c", cut, str(root), str(number)]
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
        results.append(recover(root))
        assert content(root) == (OLD if number == 0 else NEW)
    assert "nothing of it was kept" in results[0]
    assert all("finished now" in result for result in results[1:6])
    assert results[-1] == ""


def test_recovery_keeps_its_hands_off_a_running_update(tmp_path: Path) -> None:
    make(tmp_path)
    with one_at_a_time(tmp_path), replacing(tmp_path, NAMES) as stage:
        assert recover(tmp_path) == "an update is running"
        assert stage.exists()
        for name in NAMES:
            (stage / name).write_text("new")
    assert not (tmp_path / STAGE).exists()


def test_what_no_rename_reaches_is_found_before_anything_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path)
    (tmp_path / "docs").mkdir()
    replace = Path.replace

    def to_another_disk(self: Path, target: Path) -> Path:
        if target.parent.name == "docs":
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        return replace(self, target)

    def is_proto(path: Path) -> bool:
        return path.name == "proto"

    def update() -> None:
        with one_at_a_time(tmp_path), replacing(tmp_path, NAMES):
            pytest.fail("nothing can be made ready")

    monkeypatch.setattr(Path, "replace", to_another_disk)
    with pytest.raises(OSError, match="cross-device"):
        update()
    monkeypatch.setattr(Path, "is_mount", is_proto)
    with pytest.raises(OSError, match="is mounted"):
        update()
    assert content(tmp_path) == OLD
    assert not has_stage(tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="make")
def test_make_recovers_before_anything_else(tmp_path: Path) -> None:
    for name in ("Makefile", "scripts/transaction.py", "scripts/environments.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / STAGE / "new" / "proto").mkdir(parents=True)
    command = ["make", "-C", str(tmp_path), "help", f"PYTHON={sys.executable}"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "an update was interrupted; nothing of it was kept" in printed
    assert not (tmp_path / STAGE).exists()


@pytest.mark.skipif(os.name != "posix", reason="make")
def test_make_stops_where_it_cannot_recover(tmp_path: Path) -> None:
    for name in ("Makefile", "scripts/transaction.py", "scripts/environments.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / STAGE / "new" / "proto").mkdir(parents=True)
    (tmp_path / STAGE / "ready").write_text('["proto"]')
    (tmp_path / STAGE / "old").write_text("in the way")
    command = ["make", "-C", str(tmp_path), "help", f"PYTHON={sys.executable}"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "error: an update was interrupted, and the rest of it fails" in done.stderr
    assert "help" not in done.stdout
