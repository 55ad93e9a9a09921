"""Enum values: by name in JSON, by number where the schema has no name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._json._faults import expected, fault, found, near
from toolwire._json._scalars_read import read_int32
from toolwire._json._schema import NULL_VALUE
from toolwire._json._tree import check_text
from toolwire._json._unknown import collect
from toolwire._paths import quote

if TYPE_CHECKING:
    from google.protobuf.descriptor import EnumDescriptor

    from toolwire._json._options import ReadOptions
    from toolwire._paths import Path


_FEW = 8  # values that an error lists


class EnumPlan:
    """The values of an enum.

    Attributes:
        name: The full name of the enum.
        numbers: The numbers by name.
        names: The first name of every number.
        is_closed: Whether other numbers are no values of it.
        is_null: Whether it is ``NullValue``, whose 0 is null.
    """

    __slots__ = ("is_closed", "is_null", "name", "names", "numbers")

    def __init__(self, enum: EnumDescriptor) -> None:
        self.name: str = enum.full_name
        self.numbers: dict[str, int] = {value.name: value.number for value in enum.values}
        self.names: dict[int, str] = {
            number: name for name, number in reversed(self.numbers.items())
        }
        self.is_closed: bool = enum.is_closed
        self.is_null = self.name == NULL_VALUE

    def read(self, value: object, at: Path, options: ReadOptions) -> int | None:
        """Reads a name or a number; None where an unknown value is passed over.

        Raises:
            JsonError: If it is no value of the enum.
        """
        hint = ""
        if isinstance(value, str):
            number = self.numbers.get(value)
            if number is not None:
                return number
            hint = near(check_text(value, at), self.numbers)
        elif value is None and self.is_null:
            return 0
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            number = read_int32(value, at)
            if not self.is_closed or number in self.names:
                return number
        else:
            raise expected(f"a value of {self.name}", value, at)
        if options.unknown == "error":
            reason = f"{found(value, at)} is no value of {self.name}{hint}"
            raise fault(f"{reason}{self._listed(after=hint)}", at)
        collect(options.unknown, value, at)
        return None

    def _listed(self, *, after: str) -> str:
        """Returns ``; it has "A", "B"`` for an error, where there are few."""
        if len(self.numbers) > _FEW:
            return ""
        return f"{' It' if after else '; it'} has {', '.join(map(quote, self.numbers))}"
