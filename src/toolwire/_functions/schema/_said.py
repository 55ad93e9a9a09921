"""What an API has no field for, in words: a model reads the description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._functions._keywords import ANNOTATIONS
from toolwire._functions._report import SHOWN
from toolwire._paths import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from toolwire._functions._keywords import Json, Node

_LONGEST = 400  # characters that one keyword may take
_BOUNDS = {"minimum": ("At least", "More than"), "maximum": ("At most", "Less than")}


def sentence_of(keyword: str, value: Json) -> str | None:
    """Returns a keyword as a sentence; None where there is none, "" where it demands nothing."""
    spell = _SENTENCES.get(keyword)
    said = spell(value) if spell is not None else None
    return said if said is None or len(said) <= _LONGEST else None


def format_sentence(name: str) -> str:
    """Returns a format as a sentence."""
    return "Encoded as base64." if name == "byte" else f"Format: {name}."


def bound_sentence(name: str, value: float, *, is_open: bool = False) -> str:
    """Returns a bound of a number as a sentence.

    Args:
        name: ``minimum`` or ``maximum``.
        value: The bound.
        is_open: Whether the bound itself does not fit.
    """
    return f"{_BOUNDS[name][is_open]} {value}."


def joined(before: str, sentence: str) -> str:
    """Returns a description with one more sentence."""
    before = before.rstrip()
    if before and before[-1] not in ".!?:;":
        before += "."
    return f"{before} {sentence}".strip()


def words_of_values(schema: Node) -> str:
    """Says in a few words which values a converted schema lets in."""
    branches = schema.get("any_of")
    every = branches if isinstance(branches, list) else [schema]
    kinds = dict.fromkeys(_kind(each) for each in every)
    about = str(schema.get("description", "")).rstrip(".")
    return f"each of type {' or '.join(kinds)}" + (f", {about}" if about else "")


def _kind(schema: Json) -> str:
    kind = schema.get("type") if isinstance(schema, dict) else None
    return "any of several types" if kind is None else str(kind).lower()


def _flag(sentence: str) -> Callable[[Json], str | None]:
    def spell(value: Json) -> str | None:
        return (sentence if value else "") if isinstance(value, bool) else None

    return spell


def _text(sentence: str) -> Callable[[Json], str | None]:
    def spell(value: Json) -> str | None:
        return sentence.format(value) if isinstance(value, str) else None

    return spell


def _multiple(value: Json) -> str | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return f"A multiple of {value}." if is_number else None


def _dependent(value: Json) -> str | None:
    if not isinstance(value, dict):
        return None
    said: list[str] = []
    for name, others in value.items():
        if not isinstance(others, list):
            return None
        if others:
            said.append(f"{_quoted(name)} takes {' and '.join(map(_quoted, others))} beside it.")
    return " ".join(said)


def _patterns(value: Json) -> str | None:
    if not isinstance(value, dict):
        return None
    said: list[str] = []
    for pattern, schema in value.items():
        kind = schema.get("type") if isinstance(schema, dict) else None
        of = f": each of type {kind}" if isinstance(kind, str) else ""
        said.append(f"Members may have names that match {_quoted(pattern)}{of}.")
    return " ".join(said)


def _names(value: Json) -> str | None:
    """Speaks of what the members' names must be, if there are words for all of it."""
    if not isinstance(value, dict) or value.keys() - ANNOTATIONS - {"type"} - _OF_NAMES.keys():
        return None
    said = [
        f"Names of members {_OF_NAMES[name](value[name])}." for name in value if name in _OF_NAMES
    ]
    return " ".join(said)


_OF_NAMES: Mapping[str, Callable[[Json], str]] = {
    "pattern": lambda pattern: f"match {_quoted(pattern)}",
    "format": lambda name: f"have the format {name}",
    "minLength": lambda count: f"have at least {count} characters",
    "maxLength": lambda count: f"have at most {count} characters",
    "enum": lambda members: f"are of {', '.join(map(_quoted, _listed(members)))}",
}


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [value]


def _quoted(value: object) -> str:
    return quote(str(value), longest=SHOWN)


_SENTENCES: Mapping[str, Callable[[Json], str | None]] = {
    "uniqueItems": _flag("No two items are alike."),
    "multipleOf": _multiple,
    "contentEncoding": _text("Encoded as {}."),
    "contentMediaType": _text("Its content is {}."),
    "dependentRequired": _dependent,
    "patternProperties": _patterns,
    "propertyNames": _names,
    "deprecated": _flag("Deprecated."),
}
