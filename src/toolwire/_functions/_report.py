"""What a declaration does not carry as it was: collected, and refused in strict mode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from toolwire._errors import Change, DeclarationError
from toolwire._paths import render

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolwire._paths import Path

T_co = TypeVar("T_co", covariant=True)

SHOWN = 60
"""How many characters of a name stand in an error."""

_MOST_LISTED = 20


def fault(reason: str, at: Path) -> DeclarationError:
    """Returns the error for a faulty place, ready to be raised."""
    return DeclarationError(reason, path=render(at, longest=SHOWN))


class Report:
    """Collects changes; each is told once, however often a shared definition is used there."""

    def __init__(self) -> None:
        self._changes: dict[Change, None] = {}

    def dropped(self, at: Path, message: str) -> None:
        """Notes what is gone."""
        self.add(Change(render(at), "dropped", message))

    def changed(self, at: Path, message: str) -> None:
        """Notes what something else stands for."""
        self.add(Change(render(at), "changed", message))

    def add(self, change: Change) -> None:
        """Notes a change that was found elsewhere."""
        self._changes[change] = None

    def changes(self) -> list[Change]:
        """Returns all that was noted, in the order of the source."""
        return list(self._changes)

    def refuse(self) -> None:
        """Raises if there is anything in the report.

        Raises:
            DeclarationError: With all of it.
        """
        found = self.changes()
        if not found:
            return
        listed = "; ".join(str(change) for change in found[:_MOST_LISTED])
        more = len(found) - _MOST_LISTED
        listed += f"; and {more} more" if more > 0 else ""
        count = "1 change" if len(found) == 1 else f"{len(found)} changes"
        raise DeclarationError(
            f"strict mode allows no change, and there would be {count}: {listed}", changes=found
        )


class Declared(tuple[T_co, "list[Change]"], Generic[T_co]):  # noqa: SLOT001 - has one more attribute
    """A declaration and what it does not carry: ``message, changes = declare(..., report=True)``.

    Attributes:
        names: Where parameters were renamed, the name that is sent to the name in the source.
    """

    names: Mapping[str, str]

    def __new__(
        cls, message: T_co, changes: Sequence[Change], names: Mapping[str, str] | None = None
    ) -> Declared[T_co]:
        """Makes the pair."""
        made = super().__new__(cls, (message, list(changes)))
        made.names = dict(names or {})
        return made

    def __getnewargs__(self) -> tuple[object, ...]:
        return (*self, self.names)

    @property
    def message(self) -> T_co:
        """The declaration."""
        return self[0]

    @property
    def changes(self) -> list[Change]:
        """What was dropped or changed, in the order of the source."""
        return self[1]

    def original(self, args: Mapping[str, object]) -> dict[str, object]:
        """Returns the arguments of a call under the names that the source has."""
        return {self.names.get(name, name): value for name, value in args.items()}


def unwrap(declared: Declared[T_co], report: bool) -> T_co | Declared[T_co]:
    """Returns the pair, or the message alone where no report was asked for."""
    return declared if report else declared.message
