"""The command ``toolwire proto diff``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from toolwire import DescriptorError, Error
from toolwire._schema_diff import (
    CONSEQUENCES,
    Buf,
    changes,
    compare,
    cross_check,
    defined,
    load,
    narrow,
    report,
    to_json,
)
from toolwire.cli._show import echo, show_error
from toolwire.codegen import Toolchain

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import FileDescriptorSet

    from toolwire._schema_diff import Finding

_GRAVE = CONSEQUENCES[:3]  # those that break something
_NEVER = "never"
_EPILOG = """\b
OLD and NEW are each one of
  - a folder of .proto files, where import paths begin; needs the extra
    "codegen",
  - a file with a serialized FileDescriptorSet, imports included,
  - REVISION:PATH, either of these as a git revision has it below the top of
    the repository,
  - builtin, the schema of toolwire itself, or builtin:v1 for one API of it.

Exit codes: 0 nothing that --fail-on names; 1 something of it; 2 wrong usage, or a side that is no
schema.
"""


@click.command("diff", epilog=_EPILOG)
@click.argument("old")
@click.argument("new")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
@click.option("--changes", "as_changes", is_flag=True, help="Write Markdown for a changelog.")
@click.option(
    "--fail-on",
    type=click.Choice([*_GRAVE, _NEVER]),
    default=_NEVER,
    show_default=True,
    help="Exit with 1 where something breaks that much: wire; wire or JSON; or also Python source.",
)
@click.option(
    "--root",
    "roots",
    multiple=True,
    metavar="NAME",
    help="Compare only what this message, enum, service or method needs; repeatable.",
)
@click.option("--no-buf", is_flag=True, help="Do without buf's opinion, even if buf is installed.")
@click.option(
    "--compiler",
    metavar="PYTHON",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Interpreter with grpcio-tools and mypy-protobuf; by default this one.",
)
def diff_command(
    *,
    old: str,
    new: str,
    as_json: bool,
    as_changes: bool,
    fail_on: str,
    roots: tuple[str, ...],
    no_buf: bool,
    compiler: Path | None,
) -> None:
    """Say what changed from one schema to another, and what that breaks."""
    if as_json and as_changes:
        raise click.UsageError("--json and --changes exclude each other")
    try:
        toolchain = Toolchain.of(compiler) if compiler else None
        before, after = _narrowed(load(old, toolchain), load(new, toolchain), roots)
        findings = compare(before, after)
    except Error as error:
        show_error(str(error))
        sys.exit(2)
    note = "without buf: --no-buf"
    if not no_buf:
        findings, note = _second_opinion(findings, before, after)
    if as_json:
        text = to_json(findings, note=note)
    else:
        text = changes(findings) if as_changes else report(findings, note=note)
    echo(text, end="")
    if fail_on != _NEVER:
        grave = set(_GRAVE[: _GRAVE.index(fail_on) + 1])
        sys.exit(any(grave & finding.consequences for finding in findings))


def _narrowed(
    old: FileDescriptorSet, new: FileDescriptorSet, roots: tuple[str, ...]
) -> tuple[FileDescriptorSet, FileDescriptorSet]:
    if not roots:
        return old, new
    known = defined(old).keys() | defined(new).keys()
    for root in roots:
        if root not in known:
            raise DescriptorError(f"neither side has a message, enum, service or method {root}")
    return narrow(old, roots), narrow(new, roots)


def _second_opinion(
    findings: list[Finding], old: FileDescriptorSet, new: FileDescriptorSet
) -> tuple[list[Finding], str]:
    """Returns the findings with what buf says of them, and where that is from."""
    try:
        buf = Buf.find()
        if buf is None:
            return findings, "without buf: it is not installed"
        checked = cross_check(findings, buf.breaking(old, new))
    except DescriptorError as error:
        return findings, f"without buf: {error}"
    if not checked:
        return checked, f"buf {buf.version} found nothing, either"
    alone = len(checked) - len(findings)
    agreed = sum(bool(finding.buf) for finding in checked) - alone
    more = f", and found {alone} more" if alone else ""
    return checked, f"buf {buf.version} says so of {agreed} of them, too{more}"
