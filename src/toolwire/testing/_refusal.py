"""What the server says no with, before any transport is involved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolwire._findings import Violation

Code: TypeAlias = Literal["INVALID_ARGUMENT", "NOT_FOUND", "UNIMPLEMENTED"]


class Refusal(Exception):
    """A request that the server refuses.

    Attributes:
        code: Name of the status code.
        message: What is wrong, for people.
        violations: The rules that the request breaks.
        is_complete: Whether the violations are all there are.
    """

    def __init__(
        self,
        code: Code,
        message: str,
        violations: Sequence[Violation] = (),
        *,
        is_complete: bool = True,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.violations = tuple(violations)
        self.is_complete = is_complete
