"""Wraps text to the terminal's width."""

from __future__ import annotations

import io
import re
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING

from toolwire.cli._show import echo

if TYPE_CHECKING:
    from collections.abc import Iterator

_WIDEST, _NARROWEST = 100, 40  # columns: longer lines are hard to read, shorter ones are none
_ITEM = re.compile(r" {0,3}([*+-]|\d+[.)])\s+")


def columns() -> int:
    """Returns how wide text may be."""
    return max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size().columns))


def echo_wrapped(text: str, *, hang: int = 4, err: bool = False) -> None:
    """Prints a text, which may be marked: on a terminal with its lines wrapped between words.

    Args:
        text: The text; a marked part must not be longer than a word or a line.
        hang: Number of spaces before each line but the first.
        err: Whether it goes to standard error.
    """
    stream: object = sys.stderr if err else sys.stdout  # None where it was closed
    if not isinstance(stream, io.TextIOBase) or not stream.isatty():
        echo(text, err=err)
        return
    width = shutil.get_terminal_size().columns
    lines = textwrap.wrap(
        text,
        width,
        subsequent_indent=" " * hang,
        break_long_words=False,
        break_on_hyphens=False,
    )
    echo("\n".join(lines), err=err)


def wrap(text: str, indent: int, width: int) -> Iterator[str]:
    """Yields the lines of a comment, indented.

    Paragraphs and items of lists are filled; what is indented, as code is, stays as it is.

    Args:
        text: The comment.
        indent: Number of spaces before each line.
        width: Columns of a line, the indent included.
    """
    for block in _blocks(text):
        item = _ITEM.match(block[0])
        if not item and block[0][:1] in {" ", ""}:
            yield from ((" " * indent + line).rstrip() for line in block)
            continue
        start, hang = (item.start(1), item.end()) if item else (0, 0)
        yield from textwrap.wrap(
            " ".join(line.strip() for line in block),
            width,
            initial_indent=" " * (indent + start),
            subsequent_indent=" " * (indent + hang),
            break_long_words=False,
            break_on_hyphens=False,
        )


def _blocks(text: str) -> Iterator[list[str]]:
    """Cuts a text into what is filled together, and lines that are left alone."""
    block: list[str] = []
    for line in text.splitlines():
        is_item = _ITEM.match(line)
        is_continued = line.startswith("  ") and block and _ITEM.match(block[0])
        is_alone = not line or (line[0] == " " and not is_item and not is_continued)
        if block and (is_item or is_alone):
            yield block
            block = []
        if is_alone:
            yield [line]
        else:
            block.append(line)
    if block:
        yield block
