"""The one tree of exceptions that toolwire raises.

Error:
    ├── DecodeError          bytes that are not the message (also a ValueError)
    ├── JsonError            JSON that is not the message (also a ValueError)
    ├── ValidationError      a well-formed message that breaks a rule
    ├── ConversionError      a message that another API cannot carry, or chunks that are no answer
    ├── AnswerError          a response that holds no answer
    ├── DescriptorError      a name that the schema does not have, or a bad schema
    ├── DeclarationError     Python or JSON Schema that a declaration cannot carry (a ValueError)
    ├── MissingExtraError    a part that needs an extra which is not installed (an ImportError)
    ├── UsageError           a client, stream or helper that is asked for what cannot work
    ├── ToolError            a call of a function that a toolbox has no result of
    ├── ToolLoopError        a loop of calls and answers that reached a limit
    └── CallError            a call that failed
        ├── InvalidArgument, NotFound, PermissionDenied, Unauthenticated,
        └── ResourceExhausted, Unavailable, DeadlineExceeded, Cancelled

Errors about data carry the path of the faulty field. Every error pickles, so it crosses
process pools unharmed.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from toolwire._words import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolwire._findings import Change, Loss, Violation


class Error(Exception):
    """Base class of everything that toolwire raises on purpose."""

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.args, self.__dict__)


class DataError(Error, ValueError):
    """Input that cannot be read as the message it is meant to be.

    Attributes:
        path: Where in the message, in JSON names, such as
            ``tools[0].functionDeclarations[1].name``; empty for the message itself.
        reason: What is wrong there, without the path.
        record: Number of the message in its stream, from 1; None for a message by itself.
        offset: Byte of the stream at which that record, or a fault between records, begins,
            from 0; otherwise None.
    """

    def __init__(
        self, reason: str, *, path: str = "", record: int | None = None, offset: int | None = None
    ) -> None:
        self.reason = reason
        self.path = path
        self.record = record
        self.offset = offset
        place = "" if record is None else f"record {record}{self._spot()}"
        super().__init__(": ".join(part for part in (place, path, reason) if part))

    def _spot(self) -> str:
        """Where in the stream the record is, after its number."""
        return "" if self.offset is None else f" at byte {self.offset}"


class DecodeError(DataError):
    """Bytes that are not a valid binary encoding of the message."""


class JsonError(DataError):
    """Text that is no JSON, or JSON that does not fit the message.

    Attributes:
        path: Where in the message, in JSON names; empty for the message itself.
        reason: What is wrong there.
        line: Line of the fault, from 1, where the text is no JSON. In a stream also for other
            faults: the line where the record begins. Otherwise None.
        column: Column of the fault in characters, from 1, likewise.
        record: Number of the message in its stream, from 1; None for a message by itself.
        offset: Byte of the stream at which that record, or a fault between records, begins.
    """

    def __init__(
        self,
        reason: str,
        *,
        path: str = "",
        line: int | None = None,
        column: int | None = None,
        record: int | None = None,
        offset: int | None = None,
    ) -> None:
        self.line = line
        self.column = column
        super().__init__(reason, path=path, record=record, offset=offset)

    def _spot(self) -> str:
        return "" if self.line is None else f" at line {self.line}, column {self.column}"


_MOST_TOLD = 5  # violations that the text of an error lists


class ValidationError(Error):
    """A message that breaks at least one rule; its text has the first few and how many there are.

    Attributes:
        violations: All that was found, in the order of the message's fields.
    """

    def __init__(self, violations: Sequence[Violation]) -> None:
        told = "; ".join(str(violation) for violation in violations[:_MOST_TOLD])
        more = len(violations) - _MOST_TOLD
        count = f"{len(violations)} violations: " if len(violations) > 1 else ""
        super().__init__(f"{count}{told}" + (f"; and {more} more" if more > 0 else ""))
        self.violations = tuple(violations)


class ConversionError(Error):
    """A message that another API, or another class, cannot carry.

    Attributes:
        path: Where in what was given, in JSON names; empty for the message itself.
        losses: All that a strict conversion would lose; otherwise empty.
    """

    def __init__(self, reason: str, *, path: str = "", losses: Sequence[Loss] = ()) -> None:
        super().__init__(f"{path}: {reason}" if path else reason)
        self.path = path
        self.losses = tuple(losses)


class AnswerError(Error):
    """A response that holds no answer, since the prompt or the candidate was stopped.

    Attributes:
        reason: Name of the finish or block reason; its number where the schema has no name for it.
        message: What the server says about it; often empty.
    """

    def __init__(self, what: str, *, reason: str, message: str) -> None:
        super().__init__(": ".join(part for part in (f"{what} {reason}", message) if part))
        self.reason = reason
        self.message = message


class DescriptorError(Error):
    """A name that the schema does not have, or a schema that cannot be used."""


class DeclarationError(Error, ValueError):
    """A callable, type or schema that cannot be declared to an API.

    Attributes:
        path: Where in the source, in JSON Schema's keywords, such as
            ``properties["order"].items``; empty for the whole of it.
        reason: What is wrong there, without the path.
        changes: In strict mode, all that a declaration would not carry as it was.
        function: Of a list of functions, the name of the one that it is about; else empty.
    """

    def __init__(
        self, reason: str, *, path: str = "", changes: Sequence[Change] = (), function: str = ""
    ) -> None:
        self.reason = reason
        self.path = path
        self.changes = tuple(changes)
        self.function = function
        place = f"{path} (function {shown(function)})" if function else path
        super().__init__(f"{place}: {reason}" if place else reason)


class MissingExtraError(Error, ImportError):
    """A part of toolwire that needs packages which are not installed."""


class UsageError(Error, ValueError):
    """A client, stream or helper that is asked for what cannot work: nothing was done."""


def own_errors(module: str) -> None:
    """Has tracebacks name the errors of a public module as users import them.

    Args:
        module: Name of the module, which has imported them from wherever they are written.
    """
    for value in vars(sys.modules[module]).values():
        is_error = isinstance(value, type) and issubclass(value, Error)
        if is_error and value.__module__.startswith("toolwire._"):
            value.__module__ = module


def _rebuild(cls: type[Error], args: tuple[object, ...], state: dict[str, object]) -> Error:
    """Makes an unpickled error without calling its keyword-only constructor."""
    error = cls.__new__(cls, *args)
    error.args = args
    error.__dict__.update(state)
    return error
