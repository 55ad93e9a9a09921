"""Runs buf, where it is installed, for a second opinion."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolwire._errors import DescriptorError
from toolwire._schema_diff._build import is_common, joined
from toolwire._schema_diff._finding import JSON, SOURCE, WIRE
from toolwire._schema_diff._marks import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from google.protobuf.descriptor_pb2 import FileDescriptorSet

    from toolwire._schema_diff._finding import Consequence
    from toolwire._schema_diff._marks import Marks

_CATEGORIES = ["FILE", "PACKAGE", "WIRE_JSON", "WIRE"]
_FOUND = 100  # buf's exit code where it complains
_HANG = 60  # seconds
_QUOTED = re.compile(r'"([^"]*)"')


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing that buf found.

    Attributes:
        rule: Its rule.
        message: Its text.
        breaks: What breaks by that rule.
        element: Full name of what it points at in the new schema, or the path of a file.
        names: What it names, as it is and as full names of the old schema.
    """

    rule: str
    message: str
    breaks: frozenset[Consequence]
    element: str
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Buf:
    """An installed buf: its program and its version."""

    program: str
    version: str

    @classmethod
    def find(cls) -> Buf | None:
        """Returns the buf beside this interpreter, or else that on the path, if there is one.

        Raises:
            DescriptorError: If it does not work.
        """
        places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        program = shutil.which("buf", path=places)
        if program is None:
            return None
        return cls(program, _run([program, "--version"], Path(tempfile.gettempdir())).strip())

    def breaking(self, old: FileDescriptorSet, new: FileDescriptorSet) -> list[Complaint]:
        """Returns what buf says of a change, by all of its categories.

        Raises:
            DescriptorError: If buf fails.
        """
        before, after = mark(old), mark(new)
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            (folder / "old.binpb").write_bytes(before.files.SerializeToString())
            (folder / "new.binpb").write_bytes(after.files.SerializeToString())
            config = json.dumps({"version": "v2", "breaking": {"use": _CATEGORIES}})
            command = ["breaking", "new.binpb", "--against", "old.binpb", "--config", config]
            printed = self._lines([*command, "--error-format", "json"], folder)
            rules = self._lines(
                ["config", "ls-breaking-rules", "--version", "v2", "--format", "json"], folder
            )
        breaks = {rule.get("id"): _consequences(rule.get("categories", ())) for rule in rules}
        found: list[Complaint] = []
        for one in printed:
            rule, message, path = (str(one.get(key, "")) for key in ("type", "message", "path"))
            if not is_common(path):
                element = after.lines.get((path, one.get("start_line", 0)), path)
                names = _names(message, path, before)
                found.append(Complaint(rule, message, breaks.get(rule, SOURCE), element, names))
        return found

    def _lines(self, arguments: Sequence[str], folder: Path) -> list[dict[str, Any]]:
        printed = _run([self.program, *arguments], folder)
        try:
            return [json.loads(line) for line in printed.splitlines()]
        except ValueError:
            raise DescriptorError(f"{self.program}: prints what is no JSON") from None


def _names(message: str, path: str, old: Marks) -> frozenset[str]:
    """Returns what a message quotes, and the full names that are meant, below a package."""
    quoted = set(_QUOTED.findall(message))
    packages = quoted & set(old.packages.values()) or {old.packages.get(path, "")}
    full = {joined(package, name) for package in packages for name in quoted}
    return frozenset(quoted | {old.known[name] for name in full & old.known.keys()})


def _consequences(categories: Sequence[str]) -> frozenset[Consequence]:
    if "WIRE" in categories:
        return WIRE
    return JSON if "WIRE_JSON" in categories else SOURCE


def _run(command: Sequence[str], folder: Path) -> str:
    try:
        result = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,  # where no buf.yaml lies
            timeout=_HANG,
            env={**os.environ, "BUF_CACHE_DIR": str(folder)},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise DescriptorError(f"{command[0]}: {error}") from None
    if result.returncode not in {0, _FOUND}:
        last = (result.stderr.strip().splitlines() or ["no message"])[-1]
        raise DescriptorError(f"{command[0]}: {last}")
    return result.stdout
