"""Code fences, which models put around JSON where no schema holds them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_BACKTICKS = re.compile(r"`{3,}")
_FENCES = re.compile(r"`{3,}|^ {0,3}~{3,}")
# Strings of JSON, which end with their line, hide fences. Nothing is tried in two ways: models
# repeat themselves without end.
_IN_BLOCK = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|`{3,}|~{3,}')
_WHOLE = {"{}", "[]", '""'}
_SCALAR = re.compile(r"-?\d[\d.eE+-]*|true|false|null")


def without_fence(text: str) -> str:
    """Returns the one block of JSON in a text, or all of it where there is none, or several."""
    stripped = text.strip()
    if _is_whole(stripped):
        return stripped
    for fences in (_FENCES, _BACKTICKS):  # a line of tildes may be drawn below a text, too
        blocks = _candidates(stripped, fences)
        found = [block for block in blocks if _is_whole(block)]
        if found:
            break
    else:
        found = [block for block in blocks if block]  # cut off, or text as an enum is
    return found[0] if len(found) == 1 else stripped


def _is_whole(text: str) -> bool:
    """Tells whether a text begins and ends as JSON does."""
    return text[:1] + text[-1:] in _WHOLE or _SCALAR.fullmatch(text) is not None


def _candidates(text: str, fences: re.Pattern[str]) -> list[str]:
    """Returns the blocks that are said to be JSON; where none is, those that say nothing."""
    blocks = list(_blocks(text, fences))
    labels = {language for language, _ in blocks}
    wanted = "json" if "json" in labels else ""
    return [block.strip() for language, block in blocks if language == wanted]


def _blocks(text: str, fences: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Yields language and content of each fenced block; one that stays open ends with the text."""
    fence = language = ""
    lines: list[str] = []
    for line in text.split("\n"):
        if not fence:
            fence, language, begun = _opening(line, fences)
            lines += [begun] if begun else []
            continue
        end = _closing(line, fence)
        lines.append(line[:end])
        if end is not None:
            yield language, "\n".join(lines)
            fence = ""
            lines.clear()
    if lines:
        yield language, "\n".join(lines)


def _opening(line: str, fences: re.Pattern[str]) -> tuple[str, str, str]:
    """Returns the fence that a line ends with, its language, and JSON that begins behind both.

    All are empty for a line that opens no block.
    """
    found = fences.search(line)
    if found is None:
        return "", "", ""
    fence, info = found[0].strip(), line[found.end() :]
    if fence[0] in info or (info.strip() and info[0].isspace()):  # code in prose
        return "", "", ""
    language, rest = [*info.split(maxsplit=1), "", ""][:2]
    return fence, language.lower(), rest if rest[:1] in {"[", "{"} else ""


def _closing(line: str, fence: str) -> int | None:
    """Returns where a line closes a block, at its end or in front of what is said then."""
    for found in _IN_BLOCK.finditer(line):
        if found[0].startswith(fence):
            return found.start()
    return None
