"""Takes a newer schema into proto/, generates from it, and reports what that means.

Usage: python scripts/update.py FROM [--ref REVISION] [--source NAME] [--label TEXT] [--dry]

FROM is a checkout of googleapis, an unpacked package, or any folder of .proto files at the same
paths. All of it happens or, after any error or interruption, none (see transaction.py).
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from google.protobuf.descriptor_pb2 import FileDescriptorSet

from closure import Closure, code, find_closure, package_of
from environments import ROOT
from generate import CODEGEN_PYTHON, PACKAGE, generate_recorded
from history import HISTORY, with_entry
from source_tree import SourceTree, opened
from statements import summary
from toolwire._errors import DescriptorError
from toolwire._schema_diff import compare, report
from toolwire.codegen import Toolchain, provided
from transaction import has_stage, one_at_a_time, replacing
from upstream import RECORD, Upstream, record_update

if TYPE_CHECKING:
    from collections.abc import Collection, Generator

    from toolwire._schema_diff import Finding

DRY = "a dry run: nothing was written"
PLACES = ("proto", f"generated/{PACKAGE}", HISTORY)


@dataclass(frozen=True, slots=True)
class Update:
    """One update on its way.

    Attributes:
        root: The checkout.
        toolchain: The compiler's environment.
        source: Name of the source that new and changed files come from, in the record.
        label: What to call the state of the schema that they have; empty for the commit, or for
            a digest where there is none.
    """

    root: Path
    toolchain: Toolchain
    source: str
    label: str

    def run(self, tree: SourceTree, *, is_dry: bool) -> str:
        """Takes a tree in and returns the report.

        Raises:
            DescriptorError: The tree does not have what the record wants, or does not compile.
        """
        proto = self.root / "proto"
        upstream = Upstream.read(proto)
        if self.source not in upstream.revisions:
            known = ", ".join(upstream.revisions)
            raise DescriptorError(f"{RECORD}: no source {self.source!r}; there are {known}")
        if problems := upstream.problems(proto):
            reason = ["proto/ is not what its record says, and would be replaced:", *problems]
            raise DescriptorError("\n".join(reason))
        common = provided(self.toolchain.common_protos, self.toolchain.well_known)
        closure = find_closure(tree, upstream.roots, common)
        before, _ = self._described(proto)
        _require_roots(proto, closure, upstream, before)
        kept = find_closure(
            SourceTree(proto, frozenset(upstream.files), ""),
            [root for root in upstream.roots if package_of(root) in closure.absent],
            common,
        )
        files = {**kept.files, **closure.files}
        changes = list(_changes(proto, upstream, files))
        lines = [*changes, *_remarks(closure, len(files)), *_left(closure, self.toolchain)]
        if not changes:
            return "\n".join([*lines, "the schema is what it was"])
        with _stage(self.root, is_dry=is_dry) as stage:
            _lay_out(proto, stage / "proto", files)
            after, warnings = self._described(stage / "proto")
            findings = compare(before, after)
            if not is_dry:
                label = self.label or tree.label(closure.files)
                self._complete(stage, label, after, findings, _gone(upstream, closure))
        lines += [*warnings, "", report(findings), *summary(after)]
        return "\n".join([*lines, *(["", DRY] if is_dry else [])])

    def _complete(
        self,
        stage: Path,
        revision: str,
        after: FileDescriptorSet,
        findings: list[Finding],
        gone: Collection[str],
    ) -> None:
        """Adds to a stage with the new .proto files what belongs to them."""
        proto = stage / "proto"
        record_update(proto, self.source, revision, _methods(after), gone)
        _show("generating")
        generate_recorded(proto, stage / "generated", self.toolchain)
        history = self.root / HISTORY
        text = history.read_text(encoding="utf-8") if history.exists() else ""
        today = datetime.datetime.now(tz=datetime.timezone.utc).date()
        title = f"{today}: {self.source} {revision}"
        (stage / HISTORY).write_text(with_entry(text, title, findings), encoding="utf-8")

    def _described(self, proto: Path) -> tuple[FileDescriptorSet, list[str]]:
        """Compiles a schema folder, and returns what it has and the compiler's warnings.

        Upstream's files have some, such as imports that are not used: its text stays as it is.
        """
        _show(f"compiling {proto}")
        names = sorted(path.relative_to(proto).as_posix() for path in proto.rglob("*.proto"))
        with tempfile.TemporaryDirectory() as scratch:
            out = Path(scratch, "descriptors.binpb")
            try:
                warnings = self.toolchain.describe([proto], names, out, strict=False)
            except DescriptorError as error:
                raise DescriptorError(str(error).replace(f"{proto}/", "")) from error
            lines = warnings.replace(f"{proto}/", "").splitlines()
            return FileDescriptorSet.FromString(out.read_bytes()), lines


def main(arguments: list[str] | None = None) -> int:
    """Runs the program and returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", metavar="FROM", help="the newer schema")
    parser.add_argument("--ref", help="a git revision of FROM")
    parser.add_argument("--source", default="googleapis", help="its name in proto/UPSTREAM.toml")
    parser.add_argument("--label", default="", help="what to record in place of a commit or digest")
    parser.add_argument("--dry", action="store_true", help="report only, write nothing")
    parser.add_argument("--root", type=Path, default=ROOT, help="holds proto/ and generated/")
    options = parser.parse_args(arguments)
    if not options.folder:  # as from `make update` alone
        parser.error("say where the newer schema is: make update FROM=folder")
    try:
        with one_at_a_time(options.root):
            packages = {package_of(root) for root in Upstream.read(options.root / "proto").roots}
            with opened(Path(options.folder), options.ref or None, packages) as tree:
                toolchain = Toolchain.of(CODEGEN_PYTHON)
                update = Update(options.root, toolchain, options.source, options.label)
                print(update.run(tree, is_dry=options.dry))
    except (DescriptorError, OSError) as error:
        print(f"error: {error}\n{_state(options.root)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"interrupted\n{_state(options.root)}", file=sys.stderr)
        return 130
    return 0


def _state(root: Path) -> str:
    """Says what became of an update that was ended."""
    return "the next make finishes or undoes it" if has_stage(root) else "nothing was changed"


@contextlib.contextmanager
def _stage(root: Path, *, is_dry: bool) -> Generator[Path]:
    """Gives a folder for what is to come; what is made there takes its place unless it is dry."""
    if not is_dry:
        with replacing(root, PLACES) as stage:
            yield stage
        return
    with tempfile.TemporaryDirectory() as scratch:
        yield Path(scratch)


def _require_roots(
    proto: Path, closure: Closure, upstream: Upstream, before: FileDescriptorSet
) -> None:
    """Refuses roots that are neither in the tree nor in the schema so far, and lost packages."""
    known = {*_names(before), *upstream.gone}
    record = (proto / RECORD).read_text(encoding="utf-8").splitlines()
    for name in closure.missing:
        if name not in known:
            line = next(n for n, text in enumerate(record, 1) if f'"{name}"' in text)
            raise DescriptorError(f"proto/{RECORD}:{line}: the tree has no {name}")
    lost = set(map(package_of, closure.missing)) - set(map(package_of, closure.found))
    if lost:
        raise DescriptorError(f"the tree has no root of {', '.join(sorted(lost))} any more")


def _gone(upstream: Upstream, closure: Closure) -> set[str]:
    """Returns the roots that upstream no longer has, as far as the tree can tell."""
    untold = {root for root in upstream.gone if package_of(root) in closure.absent}
    return untold | set(closure.missing)


def _names(files: FileDescriptorSet) -> Generator[str]:
    """Yields the full names of what the files define outermost."""
    for file in files.file:
        for kind in (file.message_type, file.service, file.enum_type):
            yield from (f"{file.package}.{item.name}" for item in kind)


def _methods(files: FileDescriptorSet) -> dict[str, list[str]]:
    return {
        f"{file.package}.{service.name}": [method.name for method in service.method]
        for file in files.file
        for service in file.service
    }


def _lay_out(before: Path, proto: Path, files: dict[str, bytes]) -> None:
    """Fills a folder with .proto files, and with whatever else is beside those of before."""
    for path in before.rglob("*"):
        if path.is_file() and path.suffix != ".proto":
            kept = proto / path.relative_to(before)
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, kept)
    for name, content in files.items():
        path = proto / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _changes(proto: Path, upstream: Upstream, files: dict[str, bytes]) -> Generator[str]:
    """Says which files are no longer what they were."""
    for name in sorted(files.keys() | upstream.files.keys()):
        if name not in files:
            yield f"removed: {name}"
        elif name not in upstream.files:
            yield f"new:     {name}"
        elif files[name] != (proto / name).read_bytes():
            yield f"changed: {name}"


def _remarks(closure: Closure, count: int) -> Generator[str]:
    """Says what the tree did not have, and how many files it gave."""
    for name in closure.absent:
        yield f"left as it is, since the tree has nothing of it: {name}"
    for name in closure.missing:
        yield f"warning: {name} is gone upstream, and with it whatever only it refers to"
    yield f"{len(closure.files)} of {count} files are from there"


def _left(closure: Closure, toolchain: Toolchain) -> Generator[str]:
    """Names the files of the tree that are not taken, though they are not what is used instead."""
    for name, content in sorted(closure.left.items()):
        pinned = next(folder / name for folder in toolchain.provided if (folder / name).is_file())
        if code(content).split() != code(pinned.read_bytes()).split():
            yield f"not taken, though it differs from that of requirements/codegen.txt: {name}"


def _show(step: str) -> None:
    if sys.stderr.isatty():
        print(f"{step} ...", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
