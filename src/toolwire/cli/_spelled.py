"""Errors that speak of options as Python spells them, for people at a command line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click

_OPTION = re.compile(
    r"^([a-z_]+)(?= (?:takes|holds|was given)\b)|\b([a-z_]+)=(?:True\b|(?![\w'\"]))"
)


def on_command_line(text: str, command: click.Command, **others: str) -> str:
    """Names the options that a text speaks of as they are written here.

    Args:
        text: The text, with options such as ``location=``, or one that it begins with.
        command: Whose options they are.
        **others: Options that have another name there.
    """
    options = {each.name: each.opts[0] for each in command.params} | others
    return _OPTION.sub(lambda found: options.get(found[1] or found[2], found[0]), text)
