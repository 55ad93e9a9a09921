"""The loop of calls and answers: all that its two drivers share. It waits for nothing."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from toolwire._calls import calls as calls_of
from toolwire._calls import respond
from toolwire._calls._crew import Crew
from toolwire._client._inputs import draft
from toolwire._client._methods import class_of, find_method
from toolwire._client._prepared import Options
from toolwire._client._settings import check_timeout
from toolwire._client._tools import declared_names, read_tools
from toolwire._client._transcript import ToolLoopError, Transcript, Turn
from toolwire._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from google.protobuf.message import Message

    from toolwire._apis import Api
    from toolwire._calls import Calls, Outcome
    from toolwire._calls._hooks import After, Before
    from toolwire._client._types import Metadata

MAX_TURNS = 10
THREADS = 8
_UNFORCED = "AUTO"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopOptions:
    """What ``run_tools`` takes beside a request: see there."""

    max_turns: int = MAX_TURNS
    tool_timeout: float | None = None
    threads: int = THREADS
    before: Before | None = None
    after: After | None = None
    on_chunk: Callable[[Any], object] | None = None
    timeout: float | None = None
    retries: int | None = None
    metadata: Metadata = ()


_OPTIONS = frozenset(each.name for each in dataclasses.fields(LoopOptions))


class Loop:
    """One conversation: what is sent next, and what to do with what came.

    Attributes:
        method: What generates.
        crew: Runs the functions.
        deadline: When all must have ended, by the monotonic clock; None for any time.
        on_chunk: Gets each chunk of a stream as it comes; None for whole responses.
        transcript: What has been said.
    """

    def __init__(
        self,
        api: Api,
        given: Sequence[object],
        tools: object,
        fields: Mapping[str, Any],
    ) -> None:
        """Makes the first request.

        Args:
            api: The API.
            given: The model, and what is said first.
            tools: Functions, toolboxes and tools.
            fields: Options of the loop, and other fields of the request.

        Raises:
            UsageError: If an argument is wrong.
            JsonError: If a value does not fit its field.
            DeclarationError: If a function cannot be declared.
        """
        options = LoopOptions(**{k: v for k, v in fields.items() if k in _OPTIONS})
        _check(options)
        self.on_chunk = options.on_chunk
        streams = self.on_chunk is not None
        self.method = find_method(api, "stream_generate_content" if streams else "generate_content")
        self._options = options
        metadata = options.metadata
        self._metadata = tuple(metadata) if isinstance(metadata, Iterator) else metadata
        kind = self.method.request.DESCRIPTOR.fields_by_name["tools"].message_type
        messages, boxes = read_tools(
            class_of(kind), tools, "tools", timeout=options.tool_timeout, threads=options.threads
        )
        self.crew = Crew((box.group for box in boxes), options.before, options.after)
        self._elsewhere = {name for name in declared_names(messages) if name not in self.crew}
        others = {name: value for name, value in fields.items() if name not in _OPTIONS}
        made = draft(self.method, given, {**others, "tools": messages})
        self._request: Any = made.request
        self._request.model = made.name
        self.transcript: Transcript[Any, Any] = Transcript(list(self._request.contents))
        seconds = None if options.timeout is None else check_timeout(options.timeout)
        self.deadline = None if seconds is None else time.monotonic() + seconds

    def next(self) -> tuple[tuple[Message], Options]:
        """Returns the next request, and how to send it.

        Raises:
            ToolLoopError: If there is no time left.
        """
        self.check_time()
        left = None if self.deadline is None else self.deadline - time.monotonic()
        return (self._request,), Options(left, self._options.retries, self._metadata)

    def check_time(self) -> None:
        """Raises the loop's own error if the time is up.

        Raises:
            ToolLoopError: If it is.
        """
        if self.deadline is not None and time.monotonic() >= self.deadline:
            turn = len(self.transcript.turns) + 1
            raise self._stopped(
                f"the time of {self._options.timeout:g} seconds was up in turn {turn}"
            )

    def take(self, response: Message) -> Calls[Message] | None:
        """Notes a turn of the model.

        Returns:
            The calls to run; None if the conversation ends here: the model calls nothing, or
            something that was declared by a message alone, or the answer was cut off in a call.

        Raises:
            ToolLoopError: If the model calls functions in its last turn. Nothing runs then,
                since it would not get to know what came of it.
        """
        calls = calls_of(response, tools=self._request.tools)
        self.transcript.turns.append(Turn(response, calls))
        if calls.content is not None:
            self.transcript.contents.append(calls.content)
        if not calls or any(each.is_partial or each.name in self._elsewhere for each in calls):
            return None
        done = len(self.transcript.turns)
        if done == self._options.max_turns:
            names = ", ".join(dict.fromkeys(call.name for call in calls))
            raise self._stopped(f"the model still calls functions in turn {done}: {names}")
        self._unforce()
        return calls

    def answer(self, outcomes: Sequence[Outcome]) -> None:
        """Notes what came of the calls of the last turn."""
        turn = self.transcript.turns[-1]
        reply = respond(cast("Calls[Message]", turn.calls), *outcomes)
        self.transcript.turns[-1] = Turn(turn.response, turn.calls, tuple(outcomes))
        self.transcript.contents.append(reply)
        self._request.contents.extend((turn.calls.content, reply))

    def _unforce(self) -> None:
        """Lets the model answer: where each turn must call a function, none is the last."""
        if not self._request.tool_config.HasField("function_calling_config"):
            return
        config: Any = self._request.tool_config.function_calling_config
        modes = config.DESCRIPTOR.fields_by_name["mode"].enum_type.values_by_name
        if config.mode == modes["ANY"].number:
            config.mode = modes[_UNFORCED].number
            config.ClearField("allowed_function_names")  # which no other mode takes

    def _stopped(self, message: str) -> ToolLoopError:
        return ToolLoopError(message, self.transcript)


def _check(options: LoopOptions) -> None:
    turns = options.max_turns
    if not isinstance(cast("object", turns), int) or isinstance(turns, bool) or turns < 1:
        raise UsageError(f"max_turns takes a whole number from 1, found {turns!r}")
    for name in ("before", "after", "on_chunk"):
        hook = getattr(options, name)
        if hook is not None and not callable(hook):
            raise UsageError(f"{name} takes a function")
