"""The loop of calls and answers: all that its two drivers share. It waits for nothing."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from toolwire._call_errors import DeadlineExceeded
from toolwire._calls import calls as calls_of
from toolwire._calls import respond
from toolwire._calls._crew import Crew
from toolwire._calls._hooks import check_blocking, check_hook
from toolwire._calls._jobs import check_seconds, check_threads
from toolwire._client._in_time import LateError
from toolwire._client.calls._prepared import Options
from toolwire._client.calls._settings import check_timeout
from toolwire._client.requests._inputs import draft, hint_to_field
from toolwire._client.requests._methods import class_of, find_method
from toolwire._client.requests._tools import declared_names, read_tools
from toolwire._client.tool_loop._transcript import ToolLoopError, Transcript, Turn
from toolwire._client.tool_loop._within import bounded
from toolwire._errors import UsageError
from toolwire._words import counted, in_seconds, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import TracebackType

    from google.protobuf.message import Message

    from toolwire._apis import Api
    from toolwire._calls import Calls, Outcome
    from toolwire._calls._hooks import After, Before
    from toolwire._client.calls._types import Metadata
    from toolwire._client.requests._inputs import Draft
    from toolwire._client.requests._methods import Method

MAX_TURNS = 10
THREADS = 8
_UNFORCED = "AUTO"
_MOMENT = 0.5  # seconds for `after` to be told of a function that took all the time
_TICK = 0.002  # seconds: gRPC counts milliseconds, and may be ahead of our deadline by one


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


_OPTIONS = tuple(each.name for each in dataclasses.fields(LoopOptions))
_TAKEN = f"{', '.join(_OPTIONS[:-1])} and {_OPTIONS[-1]}"


class Loop:
    """One conversation: what is sent next, and what to do with what came. Drive it in a ``with``.

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
            given: The model, and what is said first; or a ready request.
            tools: Functions, toolboxes and tools, beside those of a ready request.
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
        made = _draft(self.method, given, fields)
        kind = self.method.request.DESCRIPTOR.fields_by_name["tools"].message_type
        messages, boxes = read_tools(
            class_of(kind), tools, "tools", made.request.tools, timeout=options.tool_timeout
        )
        self._groups = [box.group for box in boxes]
        self.crew = Crew(self._groups, options.before, options.after, options.threads)
        self._elsewhere = {name for name in declared_names(messages) if name not in self.crew}
        made.request.ClearField("tools")
        made.request.tools.extend(messages)
        made.request.model = made.name
        self._request: Any = made.request
        self.transcript: Transcript[Any, Any] = Transcript(list(self._request.contents))
        self._seconds = None if options.timeout is None else check_timeout(options.timeout)
        self.deadline = None if self._seconds is None else time.monotonic() + self._seconds

    def __enter__(self) -> None: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Gives what ends the conversation early the transcript, which would be lost else.

        Raises:
            ToolLoopError: If the model's call or a hook was cut off since the time for all is up.
        """
        if isinstance(error, LateError):
            raise self._out_of_time()
        if isinstance(error, DeadlineExceeded):
            self._left()
        if error is not None:
            vars(error)["transcript"] = self.transcript  # whatever its class does with attributes

    def check_blocking(self) -> None:
        """Refuses async hooks.

        Raises:
            UsageError: If there is one.
        """
        check_blocking("on_chunk", self.on_chunk)
        self.crew.check_blocking()

    def bound_hooks(self) -> None:
        """Lets no async hook outlast the time for all.

        Those of what has been done get a moment more, to be told of what took all of that time.
        """
        if self.deadline is None:
            return
        end, told = self.deadline, self.deadline + _MOMENT
        groups = [
            dataclasses.replace(
                group, before=bounded(group.before, end), after=bounded(group.after, told)
            )
            for group in self._groups
        ]
        options = self._options
        before, after = bounded(options.before, end), bounded(options.after, told)
        self.crew = Crew(groups, before, after, options.threads)
        self.on_chunk = bounded(options.on_chunk, end)

    def next(self) -> tuple[tuple[Message], Options]:
        """Returns the next request, and how to send it.

        Raises:
            ToolLoopError: If there is no time left.
        """
        return (self._request,), Options(self._left(), self._options.retries, self._metadata)

    def _left(self) -> float | None:
        """Returns the seconds that are left, None if there is no end to them.

        Raises:
            ToolLoopError: If none are.
        """
        if self._seconds is None or self.deadline is None:
            return None
        left = self.deadline - time.monotonic()
        if left <= _TICK:
            raise self._out_of_time()
        return left

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
        content: Any = calls.content
        if content is not None and any(map(_says_something, content.parts)):
            self.transcript.contents.append(content)  # servers refuse a turn that says nothing
        if not calls or any(each.is_partial or each.name in self._elsewhere for each in calls):
            return None
        done = len(self.transcript.turns)
        if done == self._options.max_turns:
            names = ", ".join(dict.fromkeys(call.name for call in calls))
            raise self._stopped(f"the model still calls functions in turn {done}: {names}")
        self._unforce()
        return calls

    def note(self, outcomes: Sequence[Outcome]) -> None:
        """Notes what came of the calls of the last turn, so that no hook can lose it."""
        turn = self.transcript.turns[-1]
        self.transcript.turns[-1] = Turn(turn.response, turn.calls, tuple(outcomes))

    def answer(self, outcomes: Sequence[Outcome]) -> None:
        """Notes what goes back for the calls of the last turn."""
        self.note(outcomes)
        turn = self.transcript.turns[-1]
        reply = respond(cast("Calls[Message]", turn.calls), *outcomes)
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

    def _out_of_time(self) -> ToolLoopError:
        done = counted(len(self.transcript.turns), "turn")
        seconds = in_seconds(cast("float", self._seconds))
        return self._stopped(f"the time of {seconds} was up after {done}")

    def _stopped(self, message: str) -> ToolLoopError:
        return ToolLoopError(message, self.transcript)


def _draft(
    method: Method[Any, Any], given: Sequence[object], fields: Mapping[str, object]
) -> Draft[Any]:
    """Makes the first request, without the tools that stand beside it."""
    others = {name: value for name, value in fields.items() if name not in _OPTIONS}
    known = method.request.DESCRIPTOR.fields_by_name
    for name in others:
        if name not in known:
            hint = hint_to_field(name, method.request.DESCRIPTOR, _OPTIONS)
            hint = hint or f"; beside fields of the request it takes {_TAKEN}"
            raise UsageError(f"run_tools takes no {name!r}{hint}")
    made = draft(method, given, others)
    if not made.is_ours:
        made.request = method.request.FromString(made.request.SerializeToString())
    return made


def _says_something(part: Any) -> bool:
    """Tells whether a part has more than an empty text, such as a signature."""
    if part.text:
        return True
    rest = type(part)()
    rest.CopyFrom(part)
    rest.ClearField("text")
    rest.ClearField("thought")
    return bool(rest.ByteSize())


def _check(options: LoopOptions) -> None:
    turns = options.max_turns
    if not isinstance(cast("object", turns), int) or isinstance(turns, bool) or turns < 1:
        raise UsageError(f"max_turns takes a whole number from 1, found {shown(turns)}")
    check_seconds("tool_timeout", options.tool_timeout)
    check_threads("threads", options.threads)
    for name in ("before", "after", "on_chunk"):
        check_hook(name, getattr(options, name))
