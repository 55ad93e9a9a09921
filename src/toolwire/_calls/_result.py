"""What goes back for a call: a result, or what went wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from toolwire._errors import Error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolwire._calls._call import Call

ErrorKind: TypeAlias = Literal[
    "UnknownFunction", "InvalidArguments", "InvalidResult", "Timeout", "Refused"
]

_LONGEST = 2000  # characters of an error's message


class ToolError(Error):
    """Why a toolbox has no result of a call, where the function itself raised nothing.

    Attributes:
        kind: What went wrong; it goes back as the type of the error.
    """

    def __init__(self, kind: ErrorKind, message: str) -> None:
        super().__init__(message)
        self.kind: ErrorKind = kind


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a call that a toolbox ran.

    Attributes:
        call: The call.
        response: What goes back to the model, as a plain JSON object.
        value: What the function returned, None where it did not.
        error: What it raised, or a ``ToolError``; None where all went well.
        media: Files that go back beside the response.
        seconds: How long the function ran.
    """

    call: Call
    response: dict[str, object]
    value: object = None
    error: Exception | None = None
    media: Sequence[object] = ()
    seconds: float = 0.0


def error_response(error: Exception) -> dict[str, object]:
    """Returns the response that tells the model what went wrong: type and message, no more."""
    kind = error.kind if isinstance(error, ToolError) else type(error).__name__
    try:
        message = str(error)
    except Exception:  # noqa: BLE001 - an exception may fail to describe itself
        message = ""
    if len(message) > _LONGEST:
        message = f"{message[:_LONGEST]}..."
    sound = message.encode(errors="replace").decode()  # protobuf takes no lone surrogates
    return {"error": {"type": kind, "message": sound}}
