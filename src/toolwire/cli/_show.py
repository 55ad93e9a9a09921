"""Prints text, and messages as JSON, in colour on a terminal."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

import click

import toolwire

if TYPE_CHECKING:
    from collections.abc import Iterable

    from google.protobuf.message import Message

_KEY = re.compile(r'^( *)("[^"]*")(:)', re.MULTILINE)
# What a terminal obeys, and JSON does not escape.
_OBEYED = re.compile(r"[\x7f-\x9f]")
_NARROW = 100  # characters up to which JSON stays on one line


def heading(text: str) -> None:
    """Prints a heading between two parts of the output."""
    echo(f"\n{style(text, bold=True)}")


def show(label: str, message: Message) -> None:
    """Prints a message as JSON, on one line where it is short."""
    text = toolwire.to_json(message)
    if len(text) > _NARROW:
        text = toolwire.to_json(message, indent=2)
    keys = _KEY.sub(lambda key: f"{key[1]}{style(key[2], fg='cyan')}{key[3]}", text)
    show_text(label, keys)


def show_text(label: str, text: str) -> None:
    """Prints a labelled text."""
    echo(f"{style(label, fg='green')}: {text}")


def show_json(text: str) -> None:
    """Prints JSON, which is in UTF-8 whatever the locale is, so that every reader takes it.

    Raises:
        OSError: If it cannot be written.
    """
    show_pieces([f"{text}\n".encode()])


def show_pieces(pieces: Iterable[bytes]) -> None:
    """Prints bytes as they are.

    Raises:
        OSError: If they cannot be written.
    """
    check_output()
    sys.stdout.flush()
    for piece in pieces:
        left = memoryview(piece)
        while left:  # without a buffer, as PYTHONUNBUFFERED wants it, not all may be taken at once
            left = left[sys.stdout.buffer.write(left) :]
    sys.stdout.buffer.flush()


def check_output() -> None:
    """Checks that there is a standard output.

    Raises:
        OSError: If it is closed.
    """
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison] - so it is when closed
        raise OSError("standard output is closed")


def show_error(text: str) -> None:
    """Prints an error on standard error."""
    echo(style(f"error: {text}", fg="red"), err=True)


def style(text: str, **how: str | bool) -> str:
    """Marks a text as click does: with ``fg=``, ``bold=`` and so on."""
    return click.style(text, **how)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def echo(text: str, *, err: bool = False, end: str = "\n") -> None:
    """Prints a text, which may be marked.

    Raises:
        OSError: If it cannot be written; on a closed standard error it goes nowhere.
    """
    if not err:
        check_output()
    text = _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    # click drops colours where the output is no terminal; NO_COLOR (no-color.org) drops them too.
    color = False if os.environ.get("NO_COLOR") else None
    click.echo(f"{text}{end}", nl=False, err=err, color=color)
