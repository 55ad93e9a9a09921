"""What a docstring says of a function and of its parameters: Google, NumPy or Sphinx style."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, NamedTuple

from toolwire._functions._extras import require

if TYPE_CHECKING:
    from collections.abc import Mapping


class Doc(NamedTuple):
    """A docstring in parts.

    Attributes:
        text: The summary and what follows it, without the sections.
        parameters: Descriptions by name.
    """

    text: str
    parameters: Mapping[str, str]


def parse(docstring: str | None) -> Doc:
    """Takes a docstring apart.

    Raises:
        MissingExtraError: If docstring-parser is not installed.
    """
    if not docstring or not docstring.strip():
        return Doc("", {})
    parser = require("docstring_parser")
    cleaned = inspect.cleandoc(docstring)
    try:
        found = parser.parse(cleaned)
    except parser.ParseError:  # a docstring is prose: what cannot be taken apart is all description
        return Doc(cleaned, {})
    parameters = {
        each.arg_name.lstrip("*"): each.description.strip()
        for each in found.params
        if each.description
    }
    parts = (found.short_description, found.long_description)
    gap = "\n\n" if found.blank_after_short_description else "\n"
    return Doc(gap.join(part.strip() for part in parts if part), parameters)
