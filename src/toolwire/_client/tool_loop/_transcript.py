"""What came of a conversation in which functions were run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from toolwire._errors import AnswerError, Error, UsageError
from toolwire._words import counted, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolwire._calls import Calls, Outcome

R = TypeVar("R", bound=Message)
C = TypeVar("C", bound=Message)


@dataclass(frozen=True, slots=True, repr=False)
class Turn(Generic[R, C]):
    """One turn of the model.

    Attributes:
        response: What the server answered; of a stream, its chunks joined.
        calls: The calls of functions in it, in order.
        outcomes: What came of each, in the same order; empty where none was run. Where a hook
            raised, they are there, and the calls are still ``pending``.
    """

    response: R
    calls: Calls[C]
    outcomes: Sequence[Outcome] = ()

    def __repr__(self) -> str:
        from toolwire._calls._call import call_shown  # noqa: PLC0415 - a client needs none
        from toolwire._calls._shown import listed  # noqa: PLC0415

        return f"<Turn: {listed(map(call_shown, self.calls)) or _said(self.response)}>"


@dataclass(slots=True, repr=False)
class Transcript(Generic[R, C]):
    """A whole conversation of ``run_tools``.

    Attributes:
        contents: The history: what was said first, then each turn of the model, the very message
            that was received, and each turn that answers it. Give it, and what comes next, to
            the next call. One in which the model said nothing is in ``turns`` alone.
        turns: The turns of the model, one for each response.
    """

    contents: list[C]
    turns: list[Turn[R, C]] = field(default_factory=list[Any])

    def __repr__(self) -> str:
        from toolwire._calls._shown import listed, name_shown  # noqa: PLC0415 - a client needs none

        calls = [call for turn in self.turns for call in turn.calls]
        shown = [listed(name_shown(call.name) for call in calls)]
        if self.turns and not self.turns[-1].calls:
            shown.append(_said(self.response))
        elif self.pending:
            shown.append(f"{len(self.pending)} pending")
        told = "; ".join(filter(None, shown))
        return f"<Transcript of {counted(len(self.turns), 'turn')}{told and f': {told}'}>"

    @property
    def response(self) -> R:
        """The last response.

        Raises:
            UsageError: If there is none, since the first call of the model failed.
        """
        if not self.turns:
            raise UsageError("there is no response: the first call of the model failed")
        return self.turns[-1].response

    @property
    def text(self) -> str:
        """The text of the last response, without the model's thoughts.

        Raises:
            AnswerError: If there is no answer: see ``toolwire.text``.
            UsageError: As ``response``.
        """
        from toolwire._answers import text  # noqa: PLC0415 - a client without tools needs none

        return text(self.response)

    @property
    def pending(self) -> Calls[C]:
        """The calls of the last turn that nobody has answered; empty where the model is done.

        Answer them with ``functions.respond``.
        """
        from toolwire._calls import Calls  # noqa: PLC0415 - a client without tools needs none

        last = self.turns[-1] if self.turns else None
        is_open = last is not None and self.contents[-1:] == [last.calls.content]
        return last.calls if last is not None and is_open else Calls[C]((), None)

    @property
    def usage(self) -> dict[str, int]:
        """The tokens of all turns: each count of ``usage_metadata``, summed, by its name."""
        total: dict[str, int] = {}
        for turn in self.turns:
            response: Any = turn.response
            usage: Message = response.usage_metadata
            for each in usage.DESCRIPTOR.fields:
                if each.type == FieldDescriptor.TYPE_INT32 and not each.is_repeated:
                    total[each.name] = total.get(each.name, 0) + getattr(usage, each.name)
        return total


def _said(response: Message) -> str:
    """Returns what a response says, cut to a line, or why it says nothing."""
    from toolwire._answers import text  # noqa: PLC0415 - a client without tools needs none

    try:
        return shown(text(response))
    except Error as error:  # names, which no server makes long
        return error.reason if isinstance(error, AnswerError) else type(error).__name__


class ToolLoopError(Error):
    """``run_tools`` reached a limit, of turns or of time, before the model was done.

    Attributes:
        transcript: What had been said until then.
    """

    def __init__(self, message: str, transcript: Transcript[Any, Any]) -> None:
        super().__init__(message)
        self.transcript = transcript

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (*self.args, self.transcript)
