"""What a docstring says of a function and of its parameters: Google, NumPy or Sphinx style."""

from __future__ import annotations

import inspect
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from toolwire._functions._extras import require

if TYPE_CHECKING:
    from collections.abc import Mapping

# Titles of Google style, beside those of docstring-parser.
_MORE_TITLES: Mapping[str, str] = {
    **dict.fromkeys(("Keyword Args", "Keyword Arguments", "Other Parameters"), "param"),
    **dict.fromkeys(("Return", "Yield", "Raise", "Warns"), "returns"),
}
_LISTS = {"param", "attribute"}
# NumPy's sections that speak to who writes Python; the others are said to the model.
_LEFT_OUT = _LISTS | {"other_param", "receives", "returns", "yields", "raises", "warns", "examples"}
_DEPRECATED = re.compile(r"\.\.\s*deprecated\s*::")


class Doc(NamedTuple):
    """A docstring in parts.

    Attributes:
        text: The summary, all prose beside it, and the sections that are no business of Python's.
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
    wider = parser.google.GoogleParser(_google_sections())
    found: list[Any] = []
    for read in (parser.parse, wider.parse):
        with suppress(parser.ParseError):  # a docstring is prose: it need not be of that style
            found.append(read(f"\n{text}"))  # parsers clean it, the first line by other rules
    return max(found, key=lambda each: (len(each.params), len(each.meta)), default=None)


def _google_sections() -> list[Any]:
    """Returns the sections of Google style; only those of parameters must be lists."""
    google = require("docstring_parser").google
    keys = {section.title: section.key for section in google.DEFAULT_SECTIONS}
    kinds = google.SectionType
    return [
        google.Section(title, key, kinds.MULTIPLE if key in _LISTS else kinds.SINGULAR)
        for title, key in {**keys, **_MORE_TITLES}.items()
    ]


def _apart(text: str, style: str) -> tuple[str, str]:
    """Returns a docstring without what parsers lose: prose behind its sections, Notes; and that."""
    if style == "NUMPYDOC":
        return _numpy_apart(text.splitlines())
    titles = "|".join(section.title for section in _google_sections())
    opens = {
        "GOOGLE": re.compile(rf"(?:{titles}):\s*$"),
        "REST": re.compile(":"),
        "EPYDOC": re.compile("@"),
    }[style]
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


def _numpy_apart(lines: list[str]) -> tuple[str, str]:
    """Does the same of NumPy's style, whose titles are underlined."""
    sections = require("docstring_parser").numpydoc.DEFAULT_SECTIONS
    left_out = {section.title for section in sections if section.key in _LEFT_OUT}
    kept: list[str] = []
    prose: list[str] = []
    into = kept
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if line.strip() and below.rstrip() == "-" * len(line.rstrip()):
            into = kept if line.strip() in left_out else prose
        elif _DEPRECATED.match(line):
            into = prose
        into.append(line)
    return "\n".join(kept), "\n".join(prose).strip()
