"""Words of error messages that more than one of them needs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

_LARGE = 10**20
_LONGEST = 60
_STOP = re.compile(r"(?<!\.)\.;")  # and not the dots of what was cut


def with_article(noun: str) -> str:
    """Returns a noun, such as the name of a type, with the article that it is spoken with."""
    return f"{'an' if noun[:1].lower() in set('aeio') else 'a'} {noun}"


def kind_of(value: object) -> str:
    """Returns what a value is where something else was expected: a class, or of which type."""
    if isinstance(value, type):
        return f"the class {value.__name__}"
    kind = type(value)
    if not is_genai(value):
        return kind.__name__
    way = "toolwire.from_dict(cls, it.model_dump(exclude_none=True)) makes a message of it"
    return f"{kind.__module__}.{kind.__qualname__} ({way})"


def is_genai(value: object) -> bool:
    """Tells whether a value is a model of google-genai: named as a message is, and none."""
    kind = type(value)
    return str(kind.__module__).startswith("google.genai.") and hasattr(kind, "model_dump")


def kind_spoken(value: object) -> str:
    """Returns that with an article where it wants one: "an int", "the class Part"."""
    kind = kind_of(value)
    return kind if isinstance(value, type) else with_article(kind)


def in_a_row(said: Iterable[str]) -> str:
    """Joins what an error says by semicolons; sentences of others lose their full stops to them."""
    return _STOP.sub(";", "; ".join(said))


def counted(number: int, noun: str) -> str:
    """Returns a number of things: "1 turn", "2 turns"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def method_spoken(full_name: str) -> str:
    """Returns a method with its service, but without the package: "Greeter.SayHello"."""
    return ".".join(full_name.split(".")[-2:])


def in_seconds(number: float) -> str:
    """Returns a time as an error tells it: "1 second", "0.3 seconds"."""
    return f"{number:g} second{'' if number == 1 else 's'}"


def shown(value: object) -> str:
    """Returns an argument as an error shows it: a small one itself, any other by its type.

    Nothing of the value's own runs, and nothing recurses.
    """
    kind = type(value)
    is_number = kind in (bool, float) or (kind is int and abs(cast("int", value)) < _LARGE)
    if value is None or is_number:
        return repr(value)
    if kind is str:
        text = cast("str", value)
        return repr(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...")
    return kind_spoken(value)
