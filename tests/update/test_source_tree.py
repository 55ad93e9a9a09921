"""Where an update takes its files from: folders, git revisions, and nothing outside of them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from source_tree import SourceTree, opened
from toolwire import DescriptorError

PACKAGES = ("acme.v1",)
TEXT = 'syntax = "proto3"; package acme.v1; message Root {}'


def put(folder: Path, name: str, text: str = TEXT) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def open_tree(folder: Path, revision: str | None = None) -> SourceTree:
    with opened(folder, revision, PACKAGES) as tree:
        return tree


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A git repository with two revisions of a schema."""
    put(tmp_path, "acme/v1/root.proto", TEXT.replace("Root", "Old"))
    git(tmp_path, "init", "--quiet")
    for message in ("old", "new"):
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "--quiet", "--message", message)
        put(tmp_path, "acme/v1/root.proto")
    return tmp_path


@pytest.mark.parametrize("prefix", ["", "protos/", "package-1.0/src/protos/"])
def test_the_root_is_found_wherever_it_lies(tmp_path: Path, prefix: str) -> None:
    put(tmp_path, f"{prefix}acme/v1/root.proto")
    put(tmp_path, f"{prefix}other/thing.proto")
    put(tmp_path, "docs/notes.txt")
    tree = open_tree(tmp_path)
    assert tree.names == {"acme/v1/root.proto", "other/thing.proto"}
    assert tree.read("acme/v1/root.proto") == TEXT.encode()


def test_two_possible_roots_are_named(tmp_path: Path) -> None:
    for prefix in ("a/", "b/"):
        put(tmp_path, f"{prefix}acme/v1/root.proto")
    with pytest.raises(DescriptorError, match="several folders could be the root: a, b; name one"):
        open_tree(tmp_path)


def test_the_folder_itself_comes_before_copies_below_it(tmp_path: Path) -> None:
    for prefix in ("", "third_party/"):
        put(tmp_path, f"{prefix}acme/v1/root.proto")
    assert open_tree(tmp_path).root == tmp_path


def test_a_folder_without_the_packages(tmp_path: Path) -> None:
    put(tmp_path, "acme/v2/root.proto")
    with pytest.raises(DescriptorError, match=r"no \.proto files in acme/v1"):
        open_tree(tmp_path)
    with pytest.raises(DescriptorError, match="nowhere: no such folder"):
        open_tree(tmp_path / "nowhere")


def test_links_out_of_the_tree_are_refused(tmp_path: Path) -> None:
    put(tmp_path, "tree/acme/v1/root.proto")
    put(tmp_path, "secret.proto")
    link = tmp_path / "tree" / "acme" / "v1" / "link.proto"
    link.symlink_to(tmp_path / "secret.proto")
    tree = open_tree(tmp_path / "tree")
    with pytest.raises(DescriptorError, match=r"acme/v1/link\.proto: leads out of"):
        tree.read("acme/v1/link.proto")
    link.unlink()
    link.symlink_to(link.with_name("root.proto"))
    assert tree.read("acme/v1/link.proto") == TEXT.encode()


def test_a_dangling_link_is_an_error_of_ours(tmp_path: Path) -> None:
    put(tmp_path, "acme/v1/root.proto")
    (tmp_path / "acme" / "v1" / "gone.proto").symlink_to("nothing.proto")
    with pytest.raises(DescriptorError, match=r"gone\.proto: No such file"):
        open_tree(tmp_path).read("acme/v1/gone.proto")


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    put(tmp_path, "acme/v1/root.proto")
    os.mkfifo(tmp_path / "acme" / "v1" / "pipe.proto")
    with pytest.raises(DescriptorError, match=r"pipe\.proto: is no file"):
        open_tree(tmp_path).read("acme/v1/pipe.proto")


def test_a_revision_is_read_whatever_the_folder_has_now(checkout: Path) -> None:
    commit = git(checkout, "rev-parse", "HEAD~1")
    for revision in ("HEAD~1", commit, commit[:8]):
        with opened(checkout, revision, PACKAGES) as tree:
            assert tree.revision == commit
            assert b"message Old" in tree.read("acme/v1/root.proto")
            assert tree.label(tree.names) == commit


def test_a_folder_has_a_digest_for_a_revision(checkout: Path) -> None:
    label = open_tree(checkout).label({"acme/v1/root.proto"})
    assert label.startswith("sha256:")
    put(checkout, "acme/v1/root.proto", TEXT + "\n")
    assert open_tree(checkout).label({"acme/v1/root.proto"}) != label


@pytest.mark.parametrize(
    ("revision", "reason"),
    [
        ("--output=x", "no revision begins with a dash"),
        ("-h", "no revision begins with a dash"),
        ("nowhere", "git rev-parse"),
        ("HEAD:acme", "git rev-parse"),
        ("", "git rev-parse"),
    ],
)
def test_what_is_no_revision(checkout: Path, revision: str, reason: str) -> None:
    with pytest.raises(DescriptorError, match=reason):
        open_tree(checkout, revision)
    assert not (checkout / "x").exists()


def test_a_folder_that_is_no_checkout_has_no_revisions(tmp_path: Path) -> None:
    with pytest.raises(DescriptorError, match="git rev-parse"):
        open_tree(tmp_path, "HEAD")
