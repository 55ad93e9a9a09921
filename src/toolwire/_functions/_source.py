"""What was handed over to be declared, as JSON Schema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolwire._functions._keywords import Json
    from toolwire._paths import Path


@dataclass(frozen=True, slots=True)
class Source:
    """What was handed over.

    Attributes:
        name: The name it has by itself; empty if it has none.
        description: What it says of itself.
        parameters: JSON Schema of the parameters; None for none.
        response: JSON Schema of the result; None if it is not told.
        owns_titles: Whether every title in it is the user's own.
        parameters_at: Where the parameters stand in what was handed over.
        response_at: Likewise the result.
    """

    name: str
    description: str
    parameters: Json
    response: Json = None
    owns_titles: bool = False
    parameters_at: Path = None
    response_at: Path = None
