"""Reads and renews proto/UPSTREAM.toml, the record of where each .proto file comes from."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from toolwire._errors import DescriptorError
from toolwire.codegen import sha256

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Mapping
    from pathlib import Path

    from tomlkit.items import Table

RECORD = "UPSTREAM.toml"


@dataclass(frozen=True, slots=True)
class Upstream:
    """What UPSTREAM.toml says.

    Attributes:
        revisions: Name of a source to the state of upstream's schema it has.
        vendored: Names of the sources whose files are somebody else's text.
        files: Path of a file to the name of its source and its sha256, in hex.
        roots: Full names of the services and messages that the schema is kept for.
        gone: Those of them that an update did not find upstream any more.
    """

    revisions: dict[str, str]
    vendored: frozenset[str]
    files: dict[str, tuple[str, str]]
    roots: tuple[str, ...]
    gone: frozenset[str]

    @classmethod
    def read(cls, proto: Path) -> Upstream:
        """Reads the record of a schema folder.

        Raises:
            DescriptorError: The record is missing or is not what it should be.
        """
        path = proto / RECORD
        try:
            record = tomlkit.parse(path.read_text(encoding="utf-8")).unwrap()
            sources = record["source"]
            return cls(
                revisions={name: source["revision"] for name, source in sources.items()},
                vendored=frozenset(n for n, source in sources.items() if source["vendored"]),
                files={
                    name: (file["source"], file["sha256"]) for name, file in record["file"].items()
                },
                roots=tuple(map(str, record["roots"])),
                gone=frozenset(map(str, record.get("gone", ()))),
            )
        except (OSError, TOMLKitError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise DescriptorError(f"{path}: no usable record of the schema: {error!r}") from error

    def revision(self) -> str:
        """The state of upstream's schema that each source of files has, in a line."""
        used = {source for source, _ in self.files.values()}
        return ", ".join(f"{name} {self.revisions[name]}" for name in sorted(used))

    @property
    def strict(self) -> bool:
        """Whether the compiler has to have no warnings: nobody here mends somebody else's text."""
        return all(source not in self.vendored for source, _ in self.files.values())

    def digest(self, name: str) -> str:
        """The recorded sha256 of a file, "" if there is none."""
        return self.files[name][1] if name in self.files else ""

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
    before = path.read_text(encoding="utf-8")
    record: Any = tomlkit.parse(before)
    for name in own:
        record["file"][name]["sha256"] = sha256(proto / name)
    _replace(path, tomlkit.dumps(record))
    try:
        _require_none(Upstream.read(proto).problems(proto))
        yield own
    except BaseException:
        _replace(path, before)
        raise


def record_update(
    proto: Path,
    source: str,
    revision: str,
    methods: Mapping[str, Collection[str]],
    gone: Collection[str],
) -> None:
    """Records the files that a schema folder has now.

    Files that are new or changed come from ``source``; the others keep theirs.

    Args:
        proto: The schema folder, with its record of before.
        source: Name of the source, in the record.
        revision: The state of upstream's schema that it has.
        methods: Full name of each service to its methods. A service that has more of them than
            the record says is no longer trimmed.
        gone: Roots that upstream no longer has.
    """
    path = proto / RECORD
    before = Upstream.read(proto)
    record: Any = tomlkit.parse(path.read_text(encoding="utf-8"))
    present = {file.relative_to(proto).as_posix(): sha256(file) for file in proto.rglob("*.proto")}
    sources = {
        name: before.files[name][0] if before.digest(name) == digest else source
        for name, digest in present.items()
    }
    record["file"] = tomlkit.table(is_super_table=True)
    for name in sorted(present):
        record["file"].append(tomlkit.key(name), _entry(sources[name], present[name]))
    record["source"][source]["revision"] = revision
    if sorted(gone) != sorted(before.gone):
        record["gone"] = sorted(gone)
    for service, kept in list(record["methods"].items()):
        if not set(methods.get(service, kept)) <= set(kept):
            del record["methods"][service]
    path.write_text(f"{tomlkit.dumps(record).rstrip()}\n", encoding="utf-8")


def _entry(source: str, digest: str) -> Table:
    entry = tomlkit.table()
    entry.add("source", source)
    entry.add("sha256", digest)
    entry.add(tomlkit.nl())
    return entry


def _replace(path: Path, text: str) -> None:
    """Puts a text in place of another as a whole: nobody ever reads a half of it."""
    if path.read_text(encoding="utf-8") != text:
        new = path.with_suffix(".new")
        new.write_text(text, encoding="utf-8")
        new.replace(path)


def _require_none(problems: list[str]) -> None:
    if problems:
        raise DescriptorError("\n".join(["the schema is not what its record says:", *problems]))
