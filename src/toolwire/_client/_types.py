"""What the methods of clients take, as types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from toolwire import v1

Dict: TypeAlias = Mapping[str, object]
"""A message as a mapping, with JSON names or proto names."""

Piece: TypeAlias = v1.Part | v1.Content | Dict | str
"""Text, a part, or a whole turn."""

Contents: TypeAlias = Piece | Iterable[Piece]
"""A conversation. Text and parts that stand together make one turn of the user."""

Instruction: TypeAlias = Piece | Iterable[v1.Part | Dict | str]
"""One turn: a whole one, or what it consists of."""

Metadata: TypeAlias = Iterable[tuple[str, str | bytes]]
"""Headers; the value of one whose name ends in ``-bin`` is bytes."""
