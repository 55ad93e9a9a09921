"""Texts that match a regular expression: enough of the syntax for the patterns of schemas.

A pattern with anything else in it (look-around, back references, flags) is left alone. Python's
matcher only ever sees one character of a pattern: a whole one can keep it busy for ever, and the
process with it. The rest is done here, on sets of positions, in a bounded number of steps.
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
MOST_STEPS = 50_000
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
    """One character out of some, the plainest first; none at all for an anchor."""

    chars: str
    expression: re.Pattern[str]


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

    def match(self, text: str, steps: int = MOST_STEPS) -> tuple[bool, int]:
        """Tells whether a text matches, and how many of some steps are left.

        None matches where it would take too many steps to tell.
        """
        matcher = _Matcher(text, min(steps, MOST_STEPS))
        try:
            found = bool(matcher.ends(self.tree, set(range(len(text) + 1))))
        except _TooLongError:
            found = False
        return found, steps - matcher.steps

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
        re.compile(pattern)
        return Pattern(tree)
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
        start = self.position
        char = self._take()
        if char == "(":
            return self._group(depth)
        chars = sorted(self._chars(char), key=_plainness)
        return Chars("".join(chars), re.compile(self.pattern[start : self.position]))

    def _chars(self, char: str) -> frozenset[str]:
        if char in "^$":
            return frozenset()
        if char == ".":
            return _ANY
        if char == "\\":
            return self._escape()
        if char == "[":
            return self._class()
        if char in "*+?{":
            raise UnsupportedError
        return frozenset(char)

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

    def _escape(self) -> frozenset[str]:
        char = self._take()
        if char in _CLASSES:
            return _CLASSES[char]
        if char in "AbZ":
            return frozenset()
        if char in _CONTROLS:
            return frozenset(_CONTROLS[char])
        if char.isalnum():
            raise UnsupportedError
        return frozenset(char)

    def _class(self) -> frozenset[str]:
        negated = self._peek() == "^"
        self.position += negated
        chars: set[str] = set()
        first = True
        while (char := self._take()) != "]" or first:
            first = False
            if char == "[":
                raise UnsupportedError
            low = self._escape() if char == "\\" else frozenset(char)
            if self._peek() == "-" and self.pattern[self.position + 1 : self.position + 2] != "]":
                self.position += 1
                end = self._take()
                high = self._escape() if end == "\\" else frozenset(end)
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
        return found

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


def _plainness(char: str) -> tuple[bool, bool, str]:
    return not char.isalnum(), char.isupper(), char


class _TooLongError(Exception):
    """Telling whether a text matches takes too many steps."""


class _Matcher:
    def __init__(self, text: str, most: int) -> None:
        self.steps = 0
        self._text = text
        self._most = most

    def ends(self, node: Node, starts: set[int]) -> set[int]:
        """Returns where a node's matches end that begin at one of some positions."""
        self.steps += len(starts) + 1
        if self.steps > self._most:
            raise _TooLongError
        if isinstance(node, Chars):
            found = (node.expression.match(self._text, start) for start in starts)
            return {match.end() for match in found if match is not None}
        if isinstance(node, Repeat):
            return self._repeated(node, starts)
        ends: set[int] = set()
        for option in node.options:
            reached = starts
            for part in option:
                if not reached:
                    break
                reached = self.ends(part, reached)
            ends |= reached
        return ends

    def _repeated(self, repeat: Repeat, starts: set[int]) -> set[int]:
        reached = starts
        for _ in range(repeat.least):
            before, reached = reached, self.ends(repeat.node, reached)
            if reached == before:  # and so it stays
                break
        count, new, ends = repeat.least, reached, set(reached)
        while new and (repeat.most is None or count < repeat.most):
            new = self.ends(repeat.node, new) - ends
            ends |= new
            count += 1
        return ends


def _sample(node: Node, extra: int, turn: int) -> str:
    if isinstance(node, Chars):
        return node.chars[turn % len(node.chars)] if node.chars else ""
    if isinstance(node, Repeat):
        count = node.least + extra
        count = count if node.most is None else min(count, node.most)
        if count == 0:
            return ""
        made = _sample(node.node, extra, turn)
        again = (_sample(node.node, 0, turn) if extra else made) or made
        room = max(0, _MOST_REPEATS - len(made))
        return made + again * min(count - 1, room // max(1, len(again)))
    option = node.options[turn % len(node.options)]
    return "".join(_sample(part, extra, turn) for part in option)
