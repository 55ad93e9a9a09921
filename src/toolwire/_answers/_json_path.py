"""JSONPaths that name one place, such as ``$.address.lines[0]`` (RFC 9535)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolwire._answers._merge import fault, shown

if TYPE_CHECKING:
    from toolwire._paths import Path

_MOST_STEPS = 50
_STEP = re.compile(
    r"""\.(?P<name>[^.\[\]'"\s*]+)
    |   \[(?P<index>[0-9]{1,9})\]
    |   \['(?P<single>(?:[^'\\]|\\.)*)'\]
    |   \["(?P<double>(?:[^"\\]|\\.)*)"\]""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u(?P<hex>[0-9A-Fa-f]{4})|(?P<char>.))", re.DOTALL)
_CHARACTERS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def parse(text: str, at: Path) -> tuple[str | int, ...]:
    """Returns the steps of a JSONPath: names, and positions in lists.

    Raises:
        ConversionError: If it is none, does not begin at a name, or is too long.
    """
    steps: list[str | int] = []
    position = 1
    is_path = text.startswith("$")
    while is_path and position < len(text):
        step = _STEP.match(text, position)
        if step is None or len(steps) == _MOST_STEPS:
            is_path = False
            break
        position = step.end()
        if step["index"] is not None:
            steps.append(int(step["index"]))
        else:
            quoted = step["single"] if step["single"] is not None else step["double"]
            steps.append(step["name"] if quoted is None else _unescaped(quoted))
    if not is_path or not steps or isinstance(steps[0], int):
        expected = "expected a JSONPath of an argument such as $.name"
        raise fault(at, f"{expected}, found {shown(text)}")
    return tuple(steps)


def _unescaped(text: str) -> str:
    """Returns a quoted name as it is meant; two halves of one character come together."""
    found = _ESCAPE.sub(
        lambda escape: (
            chr(int(escape["hex"], 16))
            if escape["hex"]
            else _CHARACTERS.get(escape["char"], escape["char"])
        ),
        text,
    )
    return found.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
