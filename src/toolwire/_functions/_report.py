"""What a declaration does not carry as it was: collected, and refused in strict mode."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Generic, TypeVar

from toolwire._errors import DeclarationError, Error
from toolwire._findings import Change
from toolwire._paths import render
from toolwire._words import counted, is_genai, kind_spoken, with_article

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from toolwire._paths import Path

T_co = TypeVar("T_co", covariant=True)

SHOWN = 60
"""How many characters of a name stand in an error."""

_MOST_LISTED = 20


class Unfit(Exception):
    """No value fits a schema: alternatives leave it out, whatever else needs it is refused."""

    def __init__(self, reason: str, at: Path) -> None:
        super().__init__(reason)
        self.reason = reason
        self.at = at


def fault(reason: str, at: Path) -> DeclarationError:
    """Returns the error for a faulty place, ready to be raised."""
    return DeclarationError(reason, path=render(at, longest=SHOWN))


def mistyped(expected: str, value: object, at: Path = None) -> DeclarationError:
    """Returns the error for a value of another type, ready to be raised."""
    found = kind_spoken(value) if is_genai(value) else with_article(type(value).__name__)
    return fault(f"expected {expected}, found {found}", at)


def words_of(error: BaseException) -> str:
    """Returns an error of somebody else's code as text, in one line."""
    kind = type(error).__name__
    try:
        text = str(error).partition("\n")[0]
    except Exception:  # noqa: BLE001 - its own __str__ fails
        text = ""
    return f"{kind}: {text}" if text else kind


@contextmanager
def guarded(at: Path = None) -> Generator[None]:
    """Turns what somebody else's code raises, such as a ``__getattr__``, into our error.

    Raises:
        DeclarationError: In place of any error that is not ours.
    """
    try:
        yield
    except Error:
        raise
    except RecursionError:
        raise fault("nested too deeply for the stack", at) from None
    except Exception as error:
        raise unreadable(error, at) from error


def unreadable(error: Exception, at: Path) -> DeclarationError:
    """Returns the error for what raises when it is read, ready to be raised."""
    return fault(f"cannot be read: {words_of(error)}", at)


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
        count = counted(len(found), "change")
        raise DeclarationError(
            f"strict mode allows no change, and there would be {count}: {listed}", changes=found
        )


class Declared(tuple[T_co, "list[Change]"], Generic[T_co]):  # noqa: SLOT001 - has one more attribute
    """A declaration and what it does not carry: ``message, changes = declare(..., report=True)``.

    Attributes:
        message: The declaration.
        changes: What was dropped or changed, in the order of the source.
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
