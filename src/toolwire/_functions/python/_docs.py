"""What a docstring says of a function and of its parameters: Google, NumPy or Sphinx style."""

from __future__ import annotations

import inspect
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from toolwire._functions._extras import require

if TYPE_CHECKING:
    from collections.abc import Mapping

_MORE_TITLES = ("Keyword Args", "Keyword Arguments", "Other Parameters")  # of Google style


class Doc(NamedTuple):
    """A docstring in parts.

    Attributes:
        text: The summary and all prose beside it, without the sections.
        parameters: Descriptions by name.
    """

    text: str
    parameters: Mapping[str, str]


def parse(docstring: str | None) -> Doc:
    """Takes a docstring apart, whose indentation is cleaned.

    Raises:
        MissingExtraError: If docstring-parser is not installed.
    """
    if not docstring or not docstring.strip():
        return Doc("", {})
    found = _parsed(docstring)
    if found is None:
        return Doc(docstring, {})
    sections, prose = _apart(docstring, found.style.name) if found.meta else (docstring, "")
    found = (prose and _parsed(sections)) or found
    parameters = {
        name.strip().lstrip("*"): each.description.strip()
        for each in found.params
        if each.description
        for name in each.arg_name.split(",")  # NumPy has one description for several
    }
    parts = (found.short_description, found.long_description)
    gap = "\n\n" if found.blank_after_short_description else "\n"
    text = gap.join(part.strip() for part in parts if part)
    return Doc(f"{text}\n\n{prose}".strip(), parameters)


def own_docstring(source: type) -> str | None:
    """Returns what somebody wrote; a dataclass without a docstring gets its signature as one.

    What was written of a generic model is said of it with its types, too.
    """
    made_of: dict[str, Any] = getattr(source, "__pydantic_generic_metadata__", {})
    source = made_of.get("origin") or source
    text = source.__dict__.get("__doc__")
    if not isinstance(text, str) or text.startswith(f"{source.__name__}("):
        return None
    return inspect.cleandoc(text)


def _parsed(text: str) -> Any:
    """Returns a docstring as the style has it that finds most in it; None where none reads it."""
    parser = require("docstring_parser")
    google = parser.google
    kind = google.SectionType.MULTIPLE
    more = [google.Section(title, "param", kind) for title in _MORE_TITLES]
    wider = google.GoogleParser([*google.DEFAULT_SECTIONS, *more])
    found: list[Any] = []
    for read in (parser.parse, wider.parse):
        with suppress(parser.ParseError):  # a docstring is prose: it need not be of that style
            found.append(read(f"\n{text}"))  # parsers clean it, the first line by other rules
    return max(found, key=lambda each: len(each.meta), default=None)


def _apart(text: str, style: str) -> tuple[str, str]:
    """Returns a docstring without the prose behind its sections, which parsers lose, and that."""
    titles = [section.title for section in require("docstring_parser").google.DEFAULT_SECTIONS]
    opens = {
        "GOOGLE": re.compile(rf"(?:{'|'.join([*titles, *_MORE_TITLES])}):\s*$"),
        "REST": re.compile(":"),
        "EPYDOC": re.compile("@"),
    }.get(style)
    if opens is None:
        return text, ""
    kept: list[str] = []
    prose: list[str] = []
    into, is_behind, is_apart = kept, False, True
    for line in text.splitlines():
        if opens.match(line):
            into, is_behind = kept, True
        elif is_behind and line[:1].strip() and (is_apart or style == "GOOGLE"):
            into = prose
        into.append(line)
        is_apart = not line.strip()
    return "\n".join(kept), "\n".join(prose).strip()
