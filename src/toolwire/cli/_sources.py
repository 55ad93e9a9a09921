"""Functions and tools of others, by Python name or in a JSON file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

import click

from toolwire import JsonError
from toolwire._functions._report import Declared
from toolwire._json._text import parse_text
from toolwire._paths import quote
from toolwire.cli._guess import listed
from toolwire.cli._load import load
from toolwire.cli._records import named, reading

_STDIN = "-"
_PAIR = 2


@dataclass(frozen=True, slots=True)
class Source:
    """One thing to be declared.

    Attributes:
        given: MODULE:NAME, or a JSON file.
        index: Its place in the list that this is; None if it is no list.
        found: The thing.
    """

    given: str
    index: int | None
    found: object

    @property
    def is_python(self) -> bool:
        """Whether it stands in a Python module."""
        return _is_python_name(self.given)

    @property
    def place(self) -> str:
        """Where it stands, for an error."""
        if self.is_python:
            return self.given if self.index is None else f"{self.given}[{self.index}]"
        file = named(Path(self.given))
        return file if self.index is None else f"{file}: [{self.index}]"


def _is_python_name(given: str) -> bool:
    """Tells MODULE:NAME, and what must be meant for it, from the name of a file of JSON."""
    return given.endswith(".py") or (":" in given and not Path(given).exists())


def sources(given: str, hint: str) -> list[Source]:
    """Returns what an argument gives to be declared: one thing, or all of a list.

    Args:
        given: MODULE:NAME, or a JSON file.
        hint: The argument or option.

    Raises:
        BadParameter: If there is no such thing, or nothing in it.
        Error: If the file is no JSON.
    """
    found = load(given, hint) if _is_python_name(given) else _read(_existing_file(given, hint))
    several = None if _is_declared(found) else listed(found)
    if several is None:
        return [Source(given, None, found)]
    if not several:
        raise click.BadParameter(f"there are no functions in {given}", param_hint=hint)
    return [Source(given, index, each) for index, each in enumerate(several)]


def of_pair(found: object) -> tuple[object, object] | None:
    """Returns what declares a function and the function, if something is such a pair."""
    pair = cast("tuple[object, ...]", found) if isinstance(found, tuple) else ()
    return (pair[0], pair[1]) if len(pair) == _PAIR and callable(pair[1]) else None


def _is_declared(found: object) -> bool:
    """Tells a declaration with its report, by itself or with its function, from a list."""
    pair = of_pair(found)
    return isinstance(found if pair is None else pair[0], Declared)


def _existing_file(given: str, hint: str) -> Path:
    path = Path(given)
    if given != _STDIN and not path.is_file():
        what = f"{given!r} is neither a file nor MODULE:NAME, such as shop.tools:find_order"
        raise click.BadParameter(what, param_hint=hint)
    return path


def _read(file: Path) -> object:
    """Reads any JSON; ``-`` is standard input.

    Raises:
        Error: If the file cannot be read, or is no JSON.
    """
    with reading(file) as data:
        tree, repeated = parse_text(data)
        if repeated is not None:
            raise JsonError(f"the key {quote(repeated)} stands twice in one object")
    return tree
