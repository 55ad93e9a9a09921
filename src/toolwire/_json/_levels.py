"""How deep a walk is: levels of messages, counted as protobuf's binary reader counts them.

What is read from JSON within the limit can be sent, and what is written can be read again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolwire._json._faults import fault

# Not only for type checkers: mypyc wants a native class that an attribute has at run time.
from toolwire._json._options import ReadOptions, WriteOptions  # noqa: TC001
from toolwire._messages import DEEPEST

if TYPE_CHECKING:
    from toolwire._errors import JsonError
    from toolwire._paths import Path


@dataclass
class ReadLevel:
    """A level of messages while reading.

    Attributes:
        options: How to read.
        depth: How many levels the message lies below the outermost one.
    """

    options: ReadOptions
    depth: int = 0

    def below(self, levels: int, at: Path) -> ReadLevel:
        """Returns a level that many levels further down.

        Raises:
            JsonError: If that is below the limit.
        """
        if self.depth + levels > self.options.max_depth:
            raise too_deep(self.options.max_depth, at)
        return ReadLevel(self.options, self.depth + levels)


@dataclass
class WriteLevel:
    """A level of messages while writing.

    Attributes:
        options: How to write.
        depth: How many levels the message lies below the outermost one.
    """

    options: WriteOptions
    depth: int = 0

    def below(self, levels: int, at: Path) -> WriteLevel:
        """Returns a level that many levels further down.

        Raises:
            JsonError: If protobuf's binary reader would not read a message so deep.
        """
        if self.depth + levels > DEEPEST:
            raise too_deep(DEEPEST, at)
        return WriteLevel(self.options, self.depth + levels)


def too_deep(limit: int, at: Path) -> JsonError:
    """Returns the error for a message that stands too deep."""
    return fault(f"nested deeper than {limit} levels of messages", at)
