"""Texts for string parameters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolwire.testing._model import _patterns
from toolwire.testing._model._fits import number_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolwire.testing._model._fits import Schema
    from toolwire.testing._model._hints import Hints

_LONGEST = 10_000
_SAID = re.compile(r"\bFormat: ([a-z0-9-]+)\.|\bEncoded as base64\.")
_LONGEST_SEARCH = 64
# The name of the parameter as it is; then cut or filled, for a schema that forbids some lengths.
_SIZES = (None, 0, 1, 2, 4, 8, 16, 32, 64, 128)

# A text of each format, with the number of the turn in it.
_FORMATS = {
    "date-time": "2026-01-{turn:02d}T09:00:00Z",
    "date": "2026-01-{turn:02d}",
    "time": "09:{turn:02d}:00Z",
    "duration": "PT{turn}H",
    "email": "user{turn}@example.com",
    "idn-email": "user{turn}@example.com",
    "hostname": "host{turn}.example.com",
    "uri": "https://example.com/{turn}",
    "url": "https://example.com/{turn}",
    "uri-reference": "/{turn}",
    "ipv4": "192.0.2.{turn}",
    "ipv6": "2001:db8::{turn:x}",
    "uuid": "00000000-0000-4000-8000-{turn:012x}",
    "byte": "dG9vbHdpcmU=",
    "int32": "{turn}",
    "int64": "{turn}",
    "float": "{turn}.5",
    "double": "{turn}.5",
    "json-pointer": "/{turn}",
    "regex": "^{turn}$",
}


def texts(schema: Schema, name: str, hints: Hints, nth: int, turn: int) -> Iterator[str]:
    """Yields texts that may fit, the best first: from the prompt, then made up.

    Args:
        schema: What the text is for.
        name: Name of the parameter.
        hints: What the prompt says.
        nth: Which of the prompt's words for such a parameter to take.
        turn: From 0; another one gives another text.
    """
    format_ = _format(schema)
    shape = _FORMATS.get(format_)
    found = hints.of_text(name, format_) if shape is None or format_ == "date" else ()
    yield from found[nth : nth + 1]
    pattern = schema.get("pattern")
    if shape is not None:
        for number in range(turn, turn + (28 if pattern else 1)):
            yield shape.format(turn=number % 28 + 1)
    shortest = int(number_of(schema, "minLength") or 0)
    longest = number_of(schema, "maxLength")
    if isinstance(pattern, str) and pattern:
        yield from _matching(pattern, shortest, turn)
    plain = name.replace("_", " ") or "text"
    plain = f"{plain} {turn + 1}" if turn else plain
    for size in _SIZES:
        most = longest if size is None else size if longest is None else min(size, longest)
        yield _of_length(plain, max(shortest, size or 0), None if most is None else int(most))


def _format(schema: Schema) -> str:
    """Returns the format, which the description has where an API's schema cannot say it."""
    said = _SAID.search(str(schema.get("description", "")))
    return str(schema.get("format") or (said and (said[1] or "byte")) or "")


def _matching(pattern: str, shortest: int, turn: int) -> Iterator[str]:
    read = _patterns.read(pattern)
    if read is None:
        return
    for extra in (1, 0, *range(2, 8), *range(8, min(shortest, _LONGEST_SEARCH) + 1)):
        for choice in range(turn, turn + 3):
            text = read.sample(extra, choice)
            yield text
            if extra == 1 and len(text) < shortest <= _LONGEST:  # an open end takes anything
                yield from (text.ljust(shortest, "x"), text.rjust(shortest, "x"))
    if shortest > _LONGEST_SEARCH:
        yield read.sample(min(shortest, _LONGEST), turn)


def _of_length(text: str, shortest: int, longest: int | None) -> str:
    if longest is not None and len(text) > longest:
        tail = text[-1:] if text[-1:].isdigit() else ""  # keeps the texts of two turns apart
        text = text[: max(0, longest - len(tail))] + tail if longest else ""
    return text + "x" * (min(shortest, _LONGEST) - len(text))
