"""Functions and tools of others, by Python name or in a JSON file."""

from __future__ import annotations

from pathlib import Path

import click

from toolwire import JsonError
from toolwire._json._text import parse_text
from toolwire._paths import quote
from toolwire.cli._guess import listed
from toolwire.cli._load import load
from toolwire.cli._records import reading

_STDIN = "-"


def is_python_name(given: str) -> bool:
    """Tells MODULE:NAME from the name of a file."""
    return ":" in given and not Path(given).exists()


def existing_file(given: str, hint: str) -> Path:
    """Returns the file that an argument or option names.

    Args:
        given: What is no MODULE:NAME.
        hint: The argument or option.

    Raises:
        BadParameter: If there is no such file.
    """
    path = Path(given)
    if given != _STDIN and not path.is_file():
        what = f"{given!r} is neither a file nor MODULE:NAME, such as shop.tools:find_order"
        raise click.BadParameter(what, param_hint=hint)
    return path


def read_tree(file: Path) -> object:
    """Reads any JSON; ``-`` is standard input.

    Raises:
        Error: If the file cannot be read, or is no JSON.
    """
    with reading(file) as data:
        tree, repeated = parse_text(data)
        if repeated is not None:
            raise JsonError(f"the key {quote(repeated)} stands twice in one object")
    return tree


def sources(given: str, hint: str) -> list[object]:
    """Returns what an argument gives to be declared: one thing, or all of a list.

    Args:
        given: MODULE:NAME, or a JSON file.
        hint: The argument.

    Raises:
        BadParameter: If there is no such thing.
        Error: If the file is no JSON.
    """
    found = load(given, hint) if is_python_name(given) else read_tree(existing_file(given, hint))
    several = listed(found)
    return [found] if several is None else [*several]
