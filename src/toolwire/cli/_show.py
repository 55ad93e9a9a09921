"""Prints text, and messages as JSON, in colour on a terminal."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import click

import toolwire

if TYPE_CHECKING:
    from google.protobuf.message import Message

_KEY = re.compile(r'^( *)("[^"]*")(:)', re.MULTILINE)
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


def show_error(text: str) -> None:
    """Prints an error on standard error."""
    echo(style(f"error: {text}", fg="red"), err=True)


def style(text: str, **how: str | bool) -> str:
    """Marks a text as click does: with ``fg=``, ``bold=`` and so on."""
    return click.style(text, **how)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def echo(text: str, *, err: bool = False, end: str = "\n") -> None:
    """Prints a text, which may be marked."""
    # click drops colours where the output is no terminal; NO_COLOR (no-color.org) drops them too.
    color = False if os.environ.get("NO_COLOR") else None
    click.echo(f"{text}{end}", nl=False, err=err, color=color)
