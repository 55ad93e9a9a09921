"""Prints messages as JSON, in colour on a terminal."""

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
    _echo(f"\n{_style(text, bold=True)}")


def show(label: str, message: Message) -> None:
    """Prints a message as JSON, on one line where it is short."""
    text = toolwire.to_json(message)
    if len(text) > _NARROW:
        text = toolwire.to_json(message, indent=2)
    keys = _KEY.sub(lambda key: f"{key[1]}{_style(key[2], fg='cyan')}{key[3]}", text)
    show_text(label, keys)


def show_text(label: str, text: str) -> None:
    """Prints a labelled text."""
    _echo(f"{_style(label, fg='green')}: {text}")


def show_error(text: str) -> None:
    """Prints an error on standard error."""
    _echo(_style(f"error: {text}", fg="red"), err=True)


def _style(text: str, **style: str | bool) -> str:
    return click.style(text, **style)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def _echo(text: str, *, err: bool = False) -> None:
    # click drops colours where the output is no terminal; NO_COLOR (no-color.org) drops them too.
    click.echo(text, err=err, color=False if os.environ.get("NO_COLOR") else None)
