"""Tells which demands of the schemas' comments are new or reworded since somebody judged them.

Usage: python scripts/statements.py [--seen]

The table of statements says which rules hold the demand of a comment, or why none does. Beside that
stands a digest of the sentences that demand it: where they change, somebody has to look again. What
is new needs a row. Then --seen notes that the schema, as it is recorded, was judged.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from contextlib import suppress
from importlib import resources
from typing import NamedTuple, TypeAlias

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool

from environments import ROOT
from toolwire._definitions._comments import comments
from toolwire._rules._methods import side_of
from toolwire._rules._profile import PROFILES
from upstream import Upstream

TABLE = ROOT / "tests" / "rules" / "statements.tsv"
COMMAND = "python scripts/statements.py"
_JUDGED = "# Judged: "
_MOST = 20  # lines of a report that only names what there is to do
_MARK = re.compile(r"(Required|(Input|Output) only|Optional)\. ")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_DEMAND = re.compile(
    r"must|should|do not|cannot|(only|exactly|required|requires|at most|at least|up to|maximum"
    r"|range|excludes?|exclusive|not valid|supported|never|always|set one|unset beside"
    r"|needed|matched)\b|from 0 to",
    re.IGNORECASE,
)

Texts: TypeAlias = "dict[str, list[str]]"
"""The comments on each element."""


class Row(NamedTuple):
    """A row of the table.

    Attributes:
        element: What has the comment, without its package.
        seen: Digest of the demand when somebody looked at it.
        held: The rules that hold it, or ``-`` and why none does.
    """

    element: str
    seen: str
    held: str


class Judgement(NamedTuple):
    """One thing to be judged.

    Attributes:
        element: What has the comment, without its package.
        todo: What is to be done.
        said: What its comments demand now.
    """

    element: str
    todo: str
    said: str

    def __str__(self) -> str:
        return f"{self.element}: {self.todo}"


def main(arguments: list[str] | None = None) -> int:
    """Runs the program; its exit code is 1 where there is something to look at."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seen", action="store_true", help="note that all were looked at")
    is_seen = parser.parse_args(arguments).seen
    found = texts()
    left = [*new(found), *([] if is_seen else [*reworded(found), *gone(found)])]
    for each in left:
        print(f"{each}: {each.said}" if each.said else each)
    if is_seen and not left:
        _note(found)
    elif not left:
        print("no demand is new or was reworded")
    return int(bool(left))


def rows() -> list[Row]:
    """Returns the rows of the table."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return [Row(*line.split("\t")) for line in lines if not line.startswith("#")]


def judged() -> str:
    """Returns the state of the schema that the table was judged for."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return next(line.removeprefix(_JUDGED) for line in lines if line.startswith(_JUDGED))


def state() -> str:
    """Returns the state of the schema that is there: an update changes it, an edit of ours not."""
    return Upstream.read(ROOT / "proto").revision()


def summary(files: FileDescriptorSet) -> list[str]:
    """Says in a few lines what there is to judge in a schema, and how all of it is told."""
    found = texts(files)
    left = [*new(found), *reworded(found), *gone(found)]
    if not left:
        return []
    more = f"... and {len(left) - _MOST} more"
    return [
        f"demands of comments to be judged, which the tests do not wait for: {len(left)}",
        *(f"  {each}" for each in left[:_MOST]),
        *([f"  {more}"] if len(left) > _MOST else []),
        f"`{COMMAND}` tells all, and what they say; with --seen it notes that it was done",
    ]


def new(found: Texts) -> list[Judgement]:
    """Returns the demands that have no row."""
    known = {row.element for row in rows()}
    return [
        Judgement(name, "new, needs a row", _said(name, found))
        for name, each in sorted(found.items())
        if name not in known and any(map(demands, each))
    ]


def reworded(found: Texts) -> list[Judgement]:
    """Returns the demands that are not what they were when somebody judged them."""
    return [
        Judgement(row.element, f"judge again ({row.held})", _said(row.element, found))
        for row in rows()
        if row.element in found and row.seen != digest(row.element, found)
    ]


def gone(found: Texts) -> list[Judgement]:
    """Returns what has a row and is no longer there."""
    return [
        Judgement(row.element, f"gone, with --seen its row goes, too ({row.held})", "")
        for row in rows()
        if row.element not in found
    ]


def _said(element: str, found: Texts) -> str:
    return " | ".join(demand(element, found))


def digest(element: str, found: Texts) -> str:
    """Returns a digest of what the comments on an element demand."""
    return hashlib.sha256("\n".join(demand(element, found)).encode()).hexdigest()[:8]


def demand(element: str, found: Texts) -> list[str]:
    """Returns what the comments on an element demand: if no sentence does, each of them counts."""
    comments_on = found.get(element, ())
    said = [each for text in comments_on for each in demands(text)] or [
        " ".join(each.split()) for each in comments_on
    ]
    return list(dict.fromkeys(said))


def demands(text: str) -> list[str]:
    """Returns the sentences of a comment that demand something."""
    sentences = _SENTENCE_END.split(_MARK.sub("", text))
    return [" ".join(each.split()) for each in sentences if _DEMAND.search(each)]


def texts(files: FileDescriptorSet | None = None) -> Texts:
    """Returns the comments by element without its package, but those on services and answers.

    Args:
        files: A schema with all that it imports; by default the one that is there.
    """
    if files is None:
        data = resources.files("toolwire_pb").joinpath("descriptors.binpb").read_bytes()
        files = FileDescriptorSet.FromString(data)
    pool = DescriptorPool()
    for file in files.file:
        pool.AddSerializedFile(file.SerializeToString())
    found: dict[str, list[str]] = {}
    for file in files.file:
        if file.package not in PROFILES:
            continue
        services = {service.name for service in file.service}
        for full, text in comments(file).items():
            name = full.removeprefix(f"{file.package}.")
            if name.partition(".")[0] in services or _only_received(full, file.package, pool):
                continue
            found.setdefault(name, []).append(text)
    return found


def _only_received(name: str, package: str, pool: DescriptorPool) -> bool:
    """Tells whether an element lies in a message that only a server sends."""
    while name != package:
        with suppress(KeyError):
            return side_of(pool.FindMessageTypeByName(name), PROFILES[package]) == "response"
        name = name.rpartition(".")[0]
    return False


def _note(found: Texts) -> None:
    """Writes the digests and the state of today into the table, without what is gone."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    remarks = [
        f"{_JUDGED}{state()}" if line.startswith(_JUDGED) else line
        for line in lines
        if line.startswith("#")
    ]
    seen = [row._replace(seen=digest(row.element, found)) for row in rows() if row.element in found]
    TABLE.write_text("\n".join([*remarks, *map("\t".join, seen), ""]), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
