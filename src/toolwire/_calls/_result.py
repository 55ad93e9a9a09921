"""What goes back for a call: a result, or what went wrong."""

from __future__ import annotations

import builtins
import copy
import dataclasses
import pickle
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from toolwire._calls._shown import files_shown, listed, members_shown, name_shown
from toolwire._errors import Error
from toolwire._words import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolwire._calls._call import Call

ErrorKind: TypeAlias = Literal[
    "UnknownFunction",
    "InvalidArguments",
    "InvalidResult",
    "Timeout",
    "Refused",
    "ToolFailed",
    "CancelledError",
    "GeneratorExit",
]

_LONGEST = 2000  # characters of an error's message
_MOST = 8  # errors of a group in one message
_GROUP: Any = getattr(builtins, "BaseExceptionGroup", ())  # Python 3.10 has none


class ToolError(Error):
    """Why a toolbox has no result of a call, where the function itself raised no ``Exception``.

    Attributes:
        kind: What went wrong; it goes back as the type of the error. ``CancelledError`` and
            ``GeneratorExit`` came out of the function, though nobody had cancelled it.
            ``ToolFailed`` is what an MCP server says of its tool.
    """

    def __init__(self, kind: ErrorKind, message: str) -> None:
        super().__init__(message)
        self.kind: ErrorKind = kind

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.kind!r}, {str(self)!r})"


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """The result of a call, with what plain values cannot say.

    Attributes:
        value: What the function returned; an exception if it failed.
        media: Files that belong to it, where the API takes them: a FunctionResponsePart or a
            mapping of one, or a Part with ``inline_data`` or ``file_data``.
        name: Name of the function, where results are given in another order than the calls.
        id: The call's own, likewise.
    """

    value: object
    media: Sequence[object] = ()
    name: str = ""
    id: str = ""

    def __repr__(self) -> str:
        names = {"name": self.name, "id": self.id}
        given = [f"{field}={name_shown(value)}" for field, value in names.items() if value]
        return f"<Result {listed([shown(self.value), *files_shown(self.media), *given])}>"

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> object:
        """Tells pydantic that what such a result holds is not known before the call."""
        from pydantic_core import core_schema  # noqa: PLC0415 - only pydantic calls this

        return core_schema.any_schema()


@dataclass(frozen=True, slots=True, repr=False)
class Outcome:
    """What came of a call that a toolbox ran.

    Attributes:
        call: The call.
        response: What goes back to the model, as a plain JSON object.
        value: What the function returned, None where it did not.
        error: What it raised, or a ``ToolError``; None where all went well.
        media: Files that go back beside the response.
        seconds: How long the function ran.

    It pickles whatever the function did: a value or media that do not are left out then, and an
    ``Error`` with its text stands for an exception.
    """

    call: Call
    response: dict[str, object]
    value: object = None
    error: Exception | None = None
    media: Sequence[object] = ()
    seconds: float = 0.0

    def __reduce__(self) -> tuple[object, ...]:
        return Outcome, (
            self.call,
            self.response,
            self.value if _is_portable(self.value) else None,
            self.error if _is_portable(self.error) else Error(_told(cast("Exception", self.error))),
            self.media if _is_portable(self.media) else (),
            self.seconds,
        )

    def __repr__(self) -> str:
        error = self.error
        told = members_shown(self.response) if error is None else _kind_of(error)
        shown_ = listed(filter(None, [told, *files_shown(self.media)]))
        return f"<Outcome of {name_shown(self.call.name)}: {shown_ or 'nothing'}>"

    def __copy__(self) -> Outcome:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Outcome:
        fields = dataclasses.fields(self)
        return Outcome(*(copy.deepcopy(getattr(self, each.name), memo) for each in fields))


def _is_portable(value: object) -> bool:
    """Tells whether a value that anyone made crosses to another process."""
    try:
        pickle.loads(pickle.dumps(value))  # noqa: S301 - of our own
    except Exception:  # noqa: BLE001 - a value may do anything
        return False
    return True


def _told(error: BaseException) -> str:
    return ": ".join(filter(None, _described(error)))


def error_response(error: Exception) -> dict[str, object]:
    """Returns the response that tells the model what went wrong: type and message, no more."""
    kind, message = _described(error)
    return {"error": {"type": kind, "message": message}}


def _kind_of(error: BaseException) -> str:
    return error.kind if isinstance(error, ToolError) else type(error).__name__


def _described(error: BaseException) -> tuple[str, str]:
    kind = _kind_of(error)
    try:
        message = str(error)
        if isinstance(error, _GROUP):  # as of a TaskGroup, whose own message says nothing
            group: Any = error
            message = f"{message}: {'; '.join(map(_told, group.exceptions[:_MOST]))}"
    except Exception:  # noqa: BLE001 - an exception may fail to describe itself
        message = ""
    if len(message) > _LONGEST:
        message = f"{message[:_LONGEST]}..."
    return kind, message.encode(errors="replace").decode()  # protobuf takes no lone surrogates
