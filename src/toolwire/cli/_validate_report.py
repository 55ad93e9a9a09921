"""What ``toolwire validate`` tells: violations, for people or as JSON."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from toolwire import Violation
from toolwire._words import counted
from toolwire.cli._formats import JSON_LINES, guess
from toolwire.cli._records import named
from toolwire.cli._show import echo, show_json, style
from toolwire.cli._wrap import echo_wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from toolwire._findings import Severity
    from toolwire.cli._records import Records

UNREADABLE = "json.unreadable"
"""The rule that a message breaks that is none, and a file that cannot be read."""

_COLORS: dict[Severity, str] = {"error": "red", "warning": "yellow"}


class Report:
    """Tells what is wrong with the messages of files, as it comes where that can be.

    Attributes:
        count: How many violations there are of each severity.
    """

    def __init__(self, files: Sequence[Path], *, as_json: bool) -> None:
        """Begins.

        Args:
            files: What will be read.
            as_json: Whether to write JSON: one object, or for a single file of JSON Lines one on a
                line for each record.
        """
        self.count: Counter[Severity] = Counter()
        self._files = len(files)
        self._as_json = as_json
        self._is_lines = self._files == 1 and guess(files[0]) is JSON_LINES
        self._listed: list[Mapping[str, object]] = []
        self._notes: list[str] = []

    def begin(self, records: Records) -> None:
        """Begins a file that is open."""
        self._is_lines = self._files == 1 and records.form is JSON_LINES

    def add(self, records: Records, number: int, found: Sequence[Violation]) -> None:
        """Tells what is wrong with a message of a file, whose number is from 0."""
        if not (self._as_json and self._is_lines):
            found = [replace(each, path=records.placed(each.path, number)) for each in found]
        self._tell(records.file, found)

    def unreadable(self, file: Path, reason: str) -> None:
        """Tells that a file cannot be read, or not to its end."""
        self._tell(file, [Violation("", UNREADABLE, "error", reason, "reading the file")])

    def note(self, file: Path, text: str) -> None:
        """Has something about a file told to people at the end."""
        self._notes.append(f"{self._place(file)}{text}")

    def end(self) -> None:
        """Tells what is left to be told."""
        if not self._as_json:
            total = ", ".join(counted(self.count[kind], kind) for kind in _COLORS)
            echo(f"{total} in {self._files} files" if self._files > 1 else total, err=True)
            for note in self._notes:
                echo(note, err=True)
        elif not self._is_lines:
            write_json("violations", self._listed)

    def _tell(self, file: Path, found: Sequence[Violation]) -> None:
        self.count.update(each.severity for each in found)
        if not self._as_json:
            for each in found:
                label = style(each.severity, fg=_COLORS[each.severity])
                echo_wrapped(f"{label}: {self._place(file)}{each} [{each.rule}]")
            return
        name = click.format_filename(file)  # which may be no text
        entries = [{"file": name, **asdict(each)} for each in found]
        if self._is_lines:
            write_json("violations", entries, indent=None)
        else:
            self._listed += entries

    def _place(self, file: Path) -> str:
        """Returns the beginning of a line for people, which names the file where it must."""
        return f"{named(file)}: " if self._files > 1 else ""


def write_json(
    name: str, entries: Iterable[Mapping[str, object]], *, indent: int | None = 2
) -> None:
    """Writes an object with a list of entries by that name to standard output."""
    show_json(json.dumps({name: list(entries)}, ensure_ascii=False, indent=indent))
