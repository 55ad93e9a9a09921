"""What the prompt says that an argument can be made of."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolwire.testing._model._values import Json

_SENTENCE = re.compile(r"[.!?\n]+\s*")
_NAME = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w'-]*(?:\s+[A-ZÀ-ÖØ-Þ][\w'-]*)*")
_CODE = re.compile(r"\b(?=[\w-]*\d)[A-Za-z0-9][\w-]*\b")
_DIGIT = re.compile(r"\d")
_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_QUOTED = re.compile(r"\"([^\"\n]+)\"|“([^”\n]+)”")
_WORD = re.compile(r"[A-Za-z]+?(?=[A-Z]|[^A-Za-z]|$)")
_MOST_MEMBERS = 1000
_NO_NAMES = frozenset({"I", "I'd", "I'm", "I'll", "I've", "OK"})

PLACES = frozenset(
    {"city", "town", "place", "location", "country", "region", "origin", "destination"}
)
_CODES = frozenset({"id", "number", "code", "key", "sku"})
_TEXTS = frozenset({"query", "question", "prompt", "text", "message"})


@dataclass(frozen=True, slots=True)
class Hints:
    """The parts of a prompt that look like values.

    Attributes:
        prompt: The whole text.
        names: Capitalised words that do not start a sentence: places and the like.
        codes: Words with a digit in them.
        dates: Dates such as 2026-01-31.
        quoted: What stands in double quotes.
    """

    prompt: str = ""
    names: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    _lowered: str = field(default="", repr=False)

    def of_enum(self, values: list[Json]) -> list[Json]:
        """Returns the values of an enumeration that the prompt mentions, in its order."""
        found: list[tuple[int, Json]] = []
        for value in values[:_MOST_MEMBERS]:
            if isinstance(value, str) and value:
                spoken = re.escape(value.lower().replace("_", " "))
                match = re.search(rf"(?<!\w){spoken}(?!\w)", self._lowered)
                if match:
                    found.append((match.start(), value))
        return [value for _, value in sorted(found, key=lambda pair: pair[0])]

    def of_text(self, name: str, format_: str) -> tuple[str, ...]:
        """Returns what the prompt has for a text parameter, by its name and format."""
        parts = words(name)
        if format_ == "date":
            return self.dates
        if is_place(name):
            return self.names
        if parts and parts[-1] in _CODES:
            return self.codes
        if self.quoted:
            return self.quoted
        return (self.prompt,) if parts and parts[-1] in _TEXTS and self.prompt else ()


def read(prompt: str) -> Hints:
    """Finds what a prompt says."""
    names: list[str] = []
    for sentence in _SENTENCE.split(prompt):
        for match in _NAME.finditer(sentence):
            found = match.group()
            if match.start() == 0:  # capitalised for being first
                found = found.partition(" ")[2]
            is_name = found and found not in _NO_NAMES and not _DIGIT.search(found)
            if is_name and found not in names:
                names.append(found)
    return Hints(
        prompt=prompt,
        names=tuple(names),
        codes=tuple(dict.fromkeys(_CODE.findall(prompt))),
        dates=tuple(dict.fromkeys(_DATE.findall(prompt))),
        quoted=tuple(first or second for first, second in _QUOTED.findall(prompt)),
        _lowered=prompt.lower().replace("_", " "),
    )


def words(name: str) -> list[str]:
    """Splits a name such as ``get_weather`` or ``getWeather`` into lower-case words."""
    return [word.lower() for word in _WORD.findall(name)]


def is_place(name: str) -> bool:
    """Tells whether a parameter's name says that it is a place."""
    return not PLACES.isdisjoint(words(name))
