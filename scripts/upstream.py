"""Reads and renews proto/UPSTREAM.toml, the record of where each .proto file comes from."""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import tomli

from toolwire._errors import DescriptorError
from toolwire.codegen import sha256

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

RECORD = "UPSTREAM.toml"


@dataclass(frozen=True, slots=True)
class Upstream:
    """What UPSTREAM.toml says.

    Attributes:
        revisions: Name of a source to the state of upstream's schema it has.
        vendored: Names of the sources whose files are somebody else's text.
        files: Path of a file to the name of its source and its sha256, in hex.
    """

    revisions: dict[str, str]
    vendored: frozenset[str]
    files: dict[str, tuple[str, str]]

    @classmethod
    def read(cls, proto: Path) -> Upstream:
        """Reads the record of a schema folder.

        Raises:
            DescriptorError: The record is missing or is not what it should be.
        """
        path = proto / RECORD
        try:
            record = tomli.loads(path.read_text(encoding="utf-8"))
            sources = record["source"]
            return cls(
                revisions={name: source["revision"] for name, source in sources.items()},
                vendored=frozenset(n for n, source in sources.items() if source["vendored"]),
                files={
                    name: (file["source"], file["sha256"]) for name, file in record["file"].items()
                },
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise DescriptorError(f"{path}: no usable record of the schema: {error!r}") from error

    def revision(self) -> str:
        """The state of upstream's schema that each source has, in a line."""
        return ", ".join(f"{name} {revision}" for name, revision in self.revisions.items())

    def problems(self, proto: Path) -> list[str]:
        """Compares the record with the files, and says what does not agree."""
        found = {path.relative_to(proto).as_posix() for path in proto.rglob("*.proto")}
        problems = [f"{RECORD} has no entry for {name}" for name in sorted(found - set(self.files))]
        problems += [f"{name} is gone" for name in sorted(set(self.files) - found)]
        problems += [
            f"{name} is not the recorded text{self._hint(name)}" for name in self.changed(proto)
        ]
        return problems

    def _hint(self, name: str) -> str:
        """What to do about a changed file."""
        if self.files[name][0] not in self.vendored:
            return ""
        return ": it is somebody else's, kept byte for byte; take the edit back"

    def changed(self, proto: Path) -> list[str]:
        """Files whose text is not the recorded one."""
        return [
            name
            for name, (_, digest) in sorted(self.files.items())
            if (proto / name).is_file() and sha256(proto / name) != digest
        ]


@contextlib.contextmanager
def renewed(proto: Path) -> Generator[list[str]]:
    """Writes the digests of our own changed files into the record, unless the body fails.

    Args:
        proto: The schema folder.

    Yields:
        The files whose digest is renewed.

    Raises:
        DescriptorError: A file was added, removed, or is vendored and was edited.
    """
    upstream = Upstream.read(proto)
    changed = upstream.changed(proto)
    own = [name for name in changed if upstream.files[name][0] not in upstream.vendored]
    path = proto / RECORD
    before = text = path.read_text(encoding="utf-8")
    for name in own:
        entry = re.compile(rf'(\[file\."{re.escape(name)}"\][^\[]*?sha256 = ")[0-9a-f]*')
        text = entry.sub(rf"\g<1>{sha256(proto / name)}", text, count=1)
    _replace(path, text)
    try:
        _require_none(Upstream.read(proto).problems(proto))
        yield own
    except BaseException:
        _replace(path, before)
        raise


def _replace(path: Path, text: str) -> None:
    """Puts a text in place of another as a whole: nobody ever reads a half of it."""
    if path.read_text(encoding="utf-8") != text:
        new = path.with_suffix(".new")
        new.write_text(text, encoding="utf-8")
        new.replace(path)


def _require_none(problems: list[str]) -> None:
    if problems:
        raise DescriptorError("\n".join(["the schema is not what its record says:", *problems]))
