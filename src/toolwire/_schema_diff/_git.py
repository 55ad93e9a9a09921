"""Reads what a git revision holds."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from toolwire._errors import DescriptorError

if TYPE_CHECKING:
    from pathlib import Path

_UNKNOWN = "Needed a single revision"  # git's way to say that it does not know a name


def at_revision(revision: str, path: str, scratch: Path) -> bytes | Path:
    """Returns a file of a revision, or a folder as it was.

    Args:
        revision: Whatever git takes for one.
        path: Path of the file or folder below the top of the repository.
        scratch: Empty folder, which receives the .proto files of a folder.

    Raises:
        DescriptorError: If git has no such revision, or the revision no such path.
    """
    spec = f"{revision}:{path}"
    if not revision or revision.startswith("-"):
        raise DescriptorError(f"{spec}: no git revision is named {revision!r}")
    _git("rev-parse", "--verify", f"{revision}^{{tree}}", fault=f"{spec}: no such git revision")
    found = _git("rev-parse", "--verify", spec, fault=f"{spec}: the revision has no such path")
    name = found.decode().strip()
    if _git("cat-file", "-t", name, fault=spec) == b"blob\n":
        return _git("cat-file", "blob", name, fault=spec)
    _unpack(_git("archive", "--format=tar", name, fault=spec), scratch)
    return scratch


def _unpack(archive: bytes, folder: Path) -> None:
    """Writes the .proto files of an archive; links are left out."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for member in tar:
            name = PurePosixPath(member.name)
            if not member.isfile() or name.suffix != ".proto":
                continue
            if name.is_absolute() or ".." in name.parts:
                raise DescriptorError(f"{name}: the revision has a path that leads out of it")
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            content = tar.extractfile(member)
            target.write_bytes(content.read() if content else b"")


def _git(command: str, *arguments: str, fault: str) -> bytes:
    """Runs git and returns what it printed."""
    # What comes after this option is never taken for an option.
    options = ["--end-of-options"] if command == "rev-parse" else []
    *flags, last = arguments
    try:
        result = subprocess.run(
            ["git", command, *flags, *options, last],  # noqa: S607 - whichever git the user has
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise DescriptorError(f"{fault}: git cannot be run: {error.strerror}") from None
    if result.returncode:
        said = result.stderr.decode(errors="replace").strip().removeprefix("fatal: ")
        raise DescriptorError(fault if said in {"", _UNKNOWN} else f"{fault}: {said}")
    return result.stdout
