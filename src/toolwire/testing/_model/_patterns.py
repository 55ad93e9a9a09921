"""Texts that match a regular expression: enough of the syntax for the patterns of schemas.

A pattern with anything else in it (look-around, back references, flags) is left alone, and so is
one that could take Python's matcher for ever.
"""

from __future__ import annotations

import re
import string
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

_LONGEST = 500
_DEEPEST = 20
_MOST_REPEATS = 1000
_DIGITS = frozenset(string.digits)
_WORD = frozenset(string.ascii_letters + string.digits + "_")
_SPACE = frozenset(" \t\n\r")
_ANY = frozenset(string.ascii_letters + string.digits + string.punctuation + " ")
_CLASSES = {
    "d": _DIGITS, "w": _WORD, "s": _SPACE,
    "D": _ANY - _DIGITS, "W": _ANY - _WORD, "S": _ANY - _SPACE,
}  # fmt: skip
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}
_QUANTIFIER = re.compile(r"\{(\d+)(?:(,)(\d*))?\}")


class UnsupportedError(Exception):
    """A pattern that this module does not read."""


@dataclass(frozen=True, slots=True)
class Chars:
    """One character out of some; none at all for an anchor."""

    chars: frozenset[str]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A node several times; without ``most`` there is no limit."""

    node: Node
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several sequences of nodes."""

    options: tuple[tuple[Node, ...], ...]


Node: TypeAlias = "Chars | Repeat | Choice"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern that was read."""

    tree: Choice
    expression: re.Pattern[str] | None

    def matches(self, text: str) -> bool:
        """Tells whether a text matches; no text does where looking could take for ever."""
        return self.expression is not None and self.expression.search(text) is not None

    def sample(self, extra: int = 0, turn: int = 0) -> str:
        """Returns a text that matches.

        Args:
            extra: How many more repetitions than needed to make of what may repeat.
            turn: Chooses among the texts of that length.
        """
        return _sample(self.tree, extra, turn)


@lru_cache(maxsize=256)
def read(pattern: str) -> Pattern | None:
    """Reads a pattern, or returns None if it is of no use here."""
    if len(pattern) > _LONGEST:
        return None
    try:
        reader = _Reader(pattern)
        tree = reader.choice(0)
        if reader.position != len(pattern):
            return None
        return Pattern(tree, None if _is_risky(tree) else re.compile(pattern))
    except (UnsupportedError, re.error, OverflowError):
        return None


class _Reader:
    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.position = 0

    def choice(self, depth: int) -> Choice:
        if depth > _DEEPEST:
            raise UnsupportedError
        options: list[tuple[Node, ...]] = []
        nodes: list[Node] = []
        while (char := self._peek()) not in ("", ")"):
            if char == "|":
                self.position += 1
                options.append(tuple(nodes))
                nodes = []
            else:
                nodes.append(self._repeated(self._atom(depth)))
        return Choice((*options, tuple(nodes)))

    def _peek(self) -> str:
        return self.pattern[self.position : self.position + 1]

    def _take(self) -> str:
        char = self._peek()
        if not char:
            raise UnsupportedError
        self.position += 1
        return char

    def _atom(self, depth: int) -> Node:
        char = self._take()
        if char in "^$":
            return Chars(frozenset())
        if char == ".":
            return Chars(_ANY)
        if char == "\\":
            return self._escape()
        if char == "[":
            return self._class()
        if char == "(":
            return self._group(depth)
        if char in "*+?{":
            raise UnsupportedError
        return Chars(frozenset(char))

    def _group(self, depth: int) -> Node:
        if self._peek() == "?":
            prefix = re.compile(r"\?(:|P?<[A-Za-z_]\w*>)").match(self.pattern, self.position)
            if prefix is None or prefix.group(1).startswith("<"):  # Python wants a P
                raise UnsupportedError
            self.position = prefix.end()
        inner = self.choice(depth + 1)
        if self._take() != ")":
            raise UnsupportedError
        return inner

    def _escape(self) -> Chars:
        char = self._take()
        if char in _CLASSES:
            return Chars(_CLASSES[char])
        if char in "AbZ":
            return Chars(frozenset())
        if char in _CONTROLS:
            return Chars(frozenset(_CONTROLS[char]))
        if char.isalnum():
            raise UnsupportedError
        return Chars(frozenset(char))

    def _class(self) -> Chars:
        negated = self._peek() == "^"
        self.position += negated
        chars: set[str] = set()
        first = True
        while (char := self._take()) != "]" or first:
            first = False
            if char == "[":
                raise UnsupportedError
            low = self._escape().chars if char == "\\" else frozenset(char)
            if self._peek() == "-" and self.pattern[self.position + 1 : self.position + 2] != "]":
                self.position += 1
                end = self._take()
                high = self._escape().chars if end == "\\" else frozenset(end)
                if len(low) != 1 or len(high) != 1:
                    raise UnsupportedError
                bounds = ord(*low), ord(*high)
                if bounds[0] > bounds[1] or bounds[1] - bounds[0] > _MOST_REPEATS:
                    raise UnsupportedError
                chars.update(map(chr, range(bounds[0], bounds[1] + 1)))
            else:
                chars |= low
        found = frozenset(_ANY - chars if negated else chars)
        if not found or any(pair in self.pattern for pair in ("--", "&&", "||", "~~")):
            raise UnsupportedError
        return Chars(found)

    def _repeated(self, node: Node) -> Node:
        char = self._peek()
        if char in ("*", "+", "?"):
            self.position += 1
            repeat = Repeat(node, int(char == "+"), 1 if char == "?" else None)
        elif char == "{":
            found = _QUANTIFIER.match(self.pattern, self.position)
            if found is None:
                raise UnsupportedError
            self.position = found.end()
            least = int(found.group(1))
            most = least if not found.group(2) else int(found.group(3)) if found.group(3) else None
            if least > _MOST_REPEATS or (most is not None and not least <= most):
                raise UnsupportedError
            repeat = Repeat(node, least, most)
        else:
            return node
        if self._peek() == "?":  # as few as possible: the same texts
            self.position += 1
        if self._peek() in ("*", "+", "?", "{"):
            raise UnsupportedError
        return repeat


def _is_risky(tree: Choice) -> bool:
    """Tells whether matching may take a time that grows faster than the text's length squared."""
    return _loops(tree)[0] > 2 or _loops(tree)[1]  # noqa: PLR2004  squared


def _loops(node: Node) -> tuple[int, bool]:
    """Returns the number of open repetitions, and whether one holds what can match in two ways."""
    if isinstance(node, Chars):
        return 0, False
    if isinstance(node, Repeat):
        loops, risky = _loops(node.node)
        is_open = node.most is None or node.most > _DEEPEST
        is_simple = isinstance(node.node, Chars) or not (loops or _branches(node.node))
        return loops + is_open, risky or (is_open and not is_simple)
    parts = [_loops(part) for option in node.options for part in option]
    return sum(loops for loops, _ in parts), any(risky for _, risky in parts)


def _branches(node: Node) -> bool:
    if isinstance(node, Chars):
        return False
    if isinstance(node, Repeat):
        return node.least != node.most or _branches(node.node)
    return len(node.options) > 1 or any(
        _branches(part) for option in node.options for part in option
    )


def _sample(node: Node, extra: int, turn: int) -> str:
    if isinstance(node, Chars):
        ordered = sorted(node.chars, key=lambda char: (not char.isalnum(), char.isupper(), char))
        return ordered[turn % len(ordered)] if ordered else ""
    if isinstance(node, Repeat):
        count = node.least + extra
        count = count if node.most is None else min(count, node.most)
        made = ""
        for index in range(count):
            made += _sample(node.node, extra if index == 0 else 0, turn)
            if len(made) > _MOST_REPEATS:
                break
        return made
    option = node.options[turn % len(node.options)]
    return "".join(_sample(part, extra, turn) for part in option)
