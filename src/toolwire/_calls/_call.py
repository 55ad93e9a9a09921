"""The function calls that a model's turn asks for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, overload

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from toolwire._calls._guide import Guide, guide_of
from toolwire._calls._read import Reader
from toolwire._calls._shown import listed, members_shown, name_shown
from toolwire._errors import DescriptorError, UsageError
from toolwire._given import hint_to_join
from toolwire._json._faults import found as describe
from toolwire._json._faults import too_deep
from toolwire._message_fields import enum_name, field_of, get, is_missing, short_name
from toolwire._messages import DEEPEST, as_message, attribute, fits
from toolwire._rpc import CANDIDATE, RESPONSE, TURN
from toolwire._words import with_article

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor

    from toolwire import gemini, v1, v1beta1

C = TypeVar("C", bound=Message)
C_co = TypeVar("C_co", bound=Message, covariant=True)

_LIVE, _LIVE_CALLS = "BidiGenerateContentServerMessage", "BidiGenerateContentToolCall"
_KINDS = (RESPONSE, CANDIDATE, TURN, _LIVE, _LIVE_CALLS)
TAKEN = f"a {RESPONSE}, {CANDIDATE}, {TURN} or {_LIVE}"


@dataclass(frozen=True, slots=True, repr=False)
class Call:
    """One call of a function that the model asks for.

    Attributes:
        name: Name of the function.
        args: The arguments, as plain Python all the way down.
        id: What tells the call from others; empty where the API or the model gives none.
        position: Position of its part in the turn.
        part: That part, as it was received; of a session's message, which has none, one made of it.
        is_partial: Whether more pieces of the call follow in the stream that it comes from.
    """

    name: str
    args: dict[str, object]
    id: str
    position: int
    part: Message
    is_partial: bool = False

    def __str__(self) -> str:
        return f"{self.name} (id {self.id})" if self.id else self.name

    def __repr__(self) -> str:
        return f"<Call {call_shown(self)}{f' (id {name_shown(self.id)})' if self.id else ''}>"


class Calls(Sequence[Call], Generic[C_co]):
    """The calls of one turn, in order.

    Attributes:
        content: The turn, the very message that was received: it goes back as it is. None where
            there is none, so that there are no calls either. Of a session's message, which is no
            turn, one made of its calls.
        finish_reason: Name of the reason for which the candidate ended, such as ``STOP``; a
            number where the schema does not know the name; empty where none was given.
        finish_message: More about it in words, or empty.
        block_reason: Why the prompt was blocked, likewise; then there is no candidate.
        block_message: More about it in words, or empty.
    """

    __slots__ = (
        "_calls",
        "block_message",
        "block_reason",
        "content",
        "finish_message",
        "finish_reason",
    )

    def __init__(
        self,
        found: Iterable[Call],
        content: C_co | None,
        *,
        finish: tuple[str, str] = ("", ""),
        block: tuple[str, str] = ("", ""),
    ) -> None:
        self._calls = tuple(found)
        self.content = content
        self.finish_reason, self.finish_message = finish
        self.block_reason, self.block_message = block

    def __len__(self) -> int:
        return len(self._calls)

    @overload
    def __getitem__(self, index: int) -> Call: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Call, ...]: ...
    def __getitem__(self, index: int | slice) -> Call | tuple[Call, ...]:
        return self._calls[index]

    def __repr__(self) -> str:
        shown = [listed(map(call_shown, self._calls))]
        reasons = ("finish_reason", "block_reason")
        shown += [f"{name}={getattr(self, name)}" for name in reasons if getattr(self, name)]
        return f"<Calls {', '.join(filter(None, shown)) or 'none'}>"


def call_shown(call: Call) -> str:
    """Returns a call as a line shows it, such as ``weather(city='Lisbon')``."""
    return f"{name_shown(call.name)}({members_shown(call.args)})"


@overload
def calls(
    response: v1.GenerateContentResponse | v1.Candidate | v1.Content,
    *,
    tools: object = ...,
    keep_floats: bool = ...,
) -> Calls[v1.Content]: ...
@overload
def calls(
    response: v1beta1.GenerateContentResponse | v1beta1.Candidate | v1beta1.Content,
    *,
    tools: object = ...,
    keep_floats: bool = ...,
) -> Calls[v1beta1.Content]: ...
@overload
def calls(
    response: gemini.GenerateContentResponse
    | gemini.Candidate
    | gemini.Content
    | gemini.BidiGenerateContentServerMessage
    | gemini.BidiGenerateContentToolCall,
    *,
    tools: object = ...,
    keep_floats: bool = ...,
) -> Calls[gemini.Content]: ...
@overload
def calls(response: object, *, tools: object = ..., keep_floats: bool = ...) -> Calls[Message]: ...
def calls(response: object, *, tools: object = None, keep_floats: bool = False) -> Calls[Message]:
    """Returns the function calls that a model asks for, in order.

    Args:
        response: A GenerateContentResponse, of which the first candidate counts, a Candidate or
            Content, or of a session a BidiGenerateContentServerMessage or its
            BidiGenerateContentToolCall; of any API and pool, or in a proto-plus wrapper.
        tools: A Tool or FunctionDeclaration, a Toolbox, or several of them. Where a schema says
            NUMBER, the argument stays a float even without a fraction.
        keep_floats: Leaves every number a float.

    Returns:
        The calls; none where there is no content, and then the reason for it. Other messages of a
        session than one with a tool call have none.

    Raises:
        UsageError: If the response or a tool is none of these.
        DescriptorError: If it only has the name of one of these, and not its fields.
        JsonError: If arguments nest deeper than protobuf reads.
    """
    found = as_message(response)
    kind = short_name(found.DESCRIPTOR) if found is not None else ""
    if found is None or kind not in _KINDS:
        here = f"found {describe(response, None)}{hint_to_join(response)}"
        raise UsageError(f"expected {TAKEN}, {here}")
    block = ("", "")
    if kind == RESPONSE:
        block = _blocked(found)
        candidates: Sequence[Message] = get(found, "candidates")
        if not candidates:
            return Calls((), None, block=block)
        found = candidates[0]
        kind = CANDIDATE
    finish = ("", "")
    if kind == CANDIDATE:
        finish = (_name(found, "finish_reason"), _text(found, "finish_message"))
        if is_missing(found, field_of(found, "content")):
            return Calls((), None, finish=finish, block=block)
        found = cast("Message", get(found, "content"))
    if kind == _LIVE:
        found = cast("Message", get(found, "tool_call"))
    if kind in (_LIVE, _LIVE_CALLS):
        if is_missing(found, field_of(found, "function_calls")):
            return Calls((), None)
        found = _turn_of(found)
    guides = {name: guide_of(declared) for name, declared in declarations(tools)}
    reader = Reader(keep_floats=keep_floats)
    return Calls(_calls(found, guides, reader), found, finish=finish, block=block)


def turn_class(message: Message) -> type[Message]:
    """Returns the class of a turn, beside the class of a message.

    Raises:
        DescriptorError: If there is none.
    """
    file = message.DESCRIPTOR.file
    name = f"{file.package}.{TURN}"
    try:
        return GetMessageClass(cast("Descriptor", file.pool.FindMessageTypeByName(name)))
    except KeyError:
        pass
    raise DescriptorError(f"there is no {name} to answer with")


def _turn_of(asked: Message) -> Message:
    """Returns what a session's message calls as the turn that it would be in a response.

    Raises:
        JsonError: If it nests too deeply for protobuf, which copies by recursion.
    """
    if not fits(asked, DEEPEST):
        raise too_deep(DEEPEST, (None, "functionCalls"))
    turn = turn_class(asked)(role="model")
    parts: Any = get(turn, "parts")
    for call in get(asked, "function_calls"):
        get(parts.add(), "function_call").CopyFrom(call)
    return turn


def declarations(tools: object) -> Iterable[tuple[str, Message]]:
    """Yields the functions that tools declare, by name.

    Raises:
        UsageError: If something is neither a tool nor a declaration.
    """
    if tools is None:
        return
    is_one = as_message(tools) is not None or isinstance(tools, (str, bytes))
    several: Iterable[object] = (tools,)
    if not is_one and isinstance(tools, Iterable):
        several = cast("Iterable[object]", tools)
    for tool in several:
        yield from _declared(tool)


def _declared(tool: object) -> Iterable[tuple[str, Message]]:
    message = as_message(tool) or as_message(attribute(tool, "tool"))  # that of a Toolbox
    if message is None:
        raise UsageError(f"expected a Tool in tools, found {describe(tool, None)}")
    if "function_declarations" in message.DESCRIPTOR.fields_by_name:
        for declared in get(message, "function_declarations"):
            yield str(get(declared, "name")), declared
    elif short_name(message.DESCRIPTOR) == "FunctionDeclaration":
        yield str(get(message, "name")), message
    else:
        kind = with_article(message.DESCRIPTOR.full_name)
        raise UsageError(f"expected a Tool in tools, found {kind}")


def _calls(content: Message, guides: dict[str, Guide | None], reader: Reader) -> Iterable[Call]:
    parts: Sequence[Message] = get(content, "parts")
    for position, part in enumerate(parts):
        if not is_missing(part, field_of(part, "function_call")):
            call: Message = get(part, "function_call")
            name: str = get(call, "name")
            args: Message = get(call, "args")
            at = ((((None, "parts"), position), "functionCall"), "args")
            plain = reader.struct(args, guides.get(name), at)
            yield Call(name, plain, _text(call, "id"), position, part, _is_partial(call))


def _is_partial(call: Message) -> bool:
    fields = call.DESCRIPTOR.fields_by_name
    if "will_continue" in fields and get(call, "will_continue"):
        return True
    return (
        "partial_args" in fields and bool(get(call, "partial_args")) and not call.HasField("args")
    )


def _blocked(response: Message) -> tuple[str, str]:
    if is_missing(response, field_of(response, "prompt_feedback")):
        return "", ""
    feedback: Message = get(response, "prompt_feedback")
    return _name(feedback, "block_reason"), _text(feedback, "block_reason_message")


def _name(message: Message, field: str) -> str:
    """Returns the name of an enum field's value; its number if the schema is older."""
    known = message.DESCRIPTOR.fields_by_name.get(field)
    if known is None or is_missing(message, known):
        return ""
    return enum_name(message, field) or str(get(message, field))


def _text(message: Message, field: str) -> str:
    return str(get(message, field)) if field in message.DESCRIPTOR.fields_by_name else ""
