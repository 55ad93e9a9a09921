"""What came of a conversation in which functions were run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from toolwire._errors import Error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolwire._calls import Call, Calls, Outcome

R = TypeVar("R", bound=Message)
C = TypeVar("C", bound=Message)


@dataclass(frozen=True, slots=True)
class Turn(Generic[R, C]):
    """One turn of the model.

    Attributes:
        response: What the server answered; of a stream, its chunks joined.
        calls: The calls of functions in it, in order.
        outcomes: What came of each, in the same order; empty where none was run.
    """

    response: R
    calls: Calls[C]
    outcomes: Sequence[Outcome] = ()


@dataclass(slots=True)
class Transcript(Generic[R, C]):
    """A whole conversation of ``run_tools``.

    Attributes:
        contents: The history: what was said first, then each turn of the model, the very message
            that was received, and each turn that answers it. Give it, and what comes next, to
            the next call.
        turns: The turns of the model, one for each response.
    """

    contents: list[C]
    turns: list[Turn[R, C]] = field(default_factory=list[Any])

    @property
    def response(self) -> R:
        """The last response."""
        return self.turns[-1].response

    @property
    def text(self) -> str:
        """The text of the last response, without the model's thoughts.

        Raises:
            AnswerError: If there is no answer: see ``toolwire.text``.
        """
        from toolwire._answers import text  # noqa: PLC0415 - a client without tools needs none

        return text(self.response)

    @property
    def pending(self) -> tuple[Call, ...]:
        """The calls of the last turn that nobody has answered; empty where the model is done."""
        last = self.turns[-1] if self.turns else None
        return () if last is None or last.outcomes else tuple(last.calls)

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
