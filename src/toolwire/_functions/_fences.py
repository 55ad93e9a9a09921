"""Code fences, which models put around JSON where no schema holds them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE = re.compile(r"`{3,}|~{3,}")
# Strings of JSON, which end with their line, hide fences. Nothing is tried in two ways: models
# repeat themselves without end.
_IN_BLOCK = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|`{3,}|~{3,}')
_WHOLE = {"{}", "[]", '""'}


def without_fence(text: str) -> str:
    """Returns the one block of JSON in a text, or all of it where there is none, or several."""
    stripped = text.strip()
    if stripped[:1] + stripped[-1:] in _WHOLE:
        return stripped
    blocks = [block for language, block in _blocks(stripped) if language in {"", "json"}]
    return blocks[0].strip() if len(blocks) == 1 else stripped


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yields language and content of each fenced block; one that stays open ends with the text."""
    fence = language = ""
    lines: list[str] = []
    for line in text.split("\n"):
        if not fence:
            fence, language = _opening(line)
            continue
        end = _closing(line, fence)
        lines.append(line[:end])
        if end is not None:
            yield language, "\n".join(lines)
            fence = ""
            lines.clear()
    if lines:
        yield language, "\n".join(lines)


def _opening(line: str) -> tuple[str, str]:
    """Returns the fence that a line ends with, and the language behind it; or nothing twice."""
    found = _FENCE.search(line)
    if found is None:
        return "", ""
    info = line[found.end() :]
    is_code_in_prose = found[0][0] in info or (info.strip() and info[0].isspace())
    return ("", "") if is_code_in_prose else (found[0], "".join(info.split()[:1]).lower())


def _closing(line: str, fence: str) -> int | None:
    """Returns where a line closes a block, at its end or in front of what is said then."""
    for found in _IN_BLOCK.finditer(line):
        if found[0].startswith(fence):
            return found.start()
    return None
