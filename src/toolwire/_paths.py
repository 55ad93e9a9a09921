"""Places in a message: a chain of steps that costs next to nothing until it is rendered.

A codec that walks a message extends the chain by one tuple a step; only an error, or a
collector of unknown fields, turns it into text such as::

    tools[0].functionDeclarations[1].parameters.properties["order_id"].type

Names are JSON names. A key of a map or of a ``Struct`` stands in brackets as a JSON string, an
extension in brackets by its full name, and so does a name that is no plain identifier.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, TypeAlias, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

Step: TypeAlias = "str | int | tuple[str]"
"""A field's JSON name, the index of a list item, or the key of a map entry (in a 1-tuple)."""

Path: TypeAlias = "tuple[object, Step] | None"
"""The path of the parent and one step more; ``None`` is the message itself.

The parent is a ``Path`` as well. The alias does not say so, because mypyc crashes on recursive
aliases; ``steps_up`` walks the chain with the right type.
"""

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_EXTENSION = re.compile(r"\[[A-Za-z_][A-Za-z0-9_.]*\]")
_TOKEN = re.compile(
    r"""\.?(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |   (?P<extension>\[[A-Za-z_][A-Za-z0-9_.]*\])
    |   \[(?P<index>[0-9]+)\]
    |   \[(?P<key>"(?:[^"\\]|\\.)*")\]""",
    re.VERBOSE | re.DOTALL,
)


def render(path: Path, *, longest: int | None = None) -> str:
    """Returns the path as text.

    Args:
        path: The chain of steps.
        longest: Cuts keys and names to that many characters, for error messages.
    """
    steps = reversed(list(steps_up(path)))
    return "".join(_render_step(step, longest) for step in steps).removeprefix(".")


def steps_up(path: Path) -> Iterator[Step]:
    """Yields the steps of a path, the innermost first."""
    while path is not None:
        parent, step = path
        yield step
        path = cast("Path", parent)


def parse(text: str) -> tuple[str | int, ...]:
    """Reads a rendered path back: names and keys as strings, list items as numbers.

    Raises:
        ValueError: If the text is no path.
    """
    steps: list[str | int] = []
    position = 0
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None or (token.lastgroup == "name" and (text[position] == ".") != bool(steps)):
            raise ValueError(f"no path: {quote(text, longest=80)}")
        position = token.end()
        if token["index"] is not None:
            steps.append(int(token["index"]))
        elif token["key"] is not None:
            steps.append(str(json.loads(token["key"])))
        else:
            steps.append(token["name"] or token["extension"])
    return tuple(steps)


def quote(text: str, *, longest: int | None = None) -> str:
    """Returns the text in double quotes, as JSON, cut to ``longest`` characters."""
    if longest is not None and len(text) > longest:
        text = text[:longest] + "..."
    try:
        text.encode()
    except UnicodeEncodeError:  # lone surrogates cannot be printed: keep them escaped
        return json.dumps(text)
    return json.dumps(text, ensure_ascii=False)


def _render_step(step: Step, longest: int | None) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    if isinstance(step, tuple):
        return f"[{quote(step[0], longest=longest)}]"
    if longest is None or len(step) <= longest:
        if _IDENTIFIER.fullmatch(step):
            return "." + step  # an f-string would ask a member of an enum for its own form
        if _EXTENSION.fullmatch(step):
            return step
    return f"[{quote(step, longest=longest)}]"
