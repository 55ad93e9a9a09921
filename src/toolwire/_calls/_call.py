"""The function calls that a model's turn asks for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar, cast, overload

from google.protobuf.message import Message

from toolwire._calls._guide import Guide, guide_of
from toolwire._calls._read import Reader
from toolwire._errors import UsageError
from toolwire._json._faults import found as describe
from toolwire._json._kinds import is_object
from toolwire._messages import as_message
from toolwire._rules._schema import enum_names, get, is_missing, short_name

if TYPE_CHECKING:
    from toolwire import gemini, v1, v1beta1

C = TypeVar("C", bound=Message)
C_co = TypeVar("C_co", bound=Message, covariant=True)


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a function that the model asks for.

    Attributes:
        name: Name of the function.
        args: The arguments, as plain Python all the way down.
        id: What tells the call from others; empty where the API or the model gives none.
        position: Position of its part in the turn.
        part: That part, as it was received.
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


class Calls(Sequence[Call], Generic[C_co]):
    """The calls of one turn, in order.

    Attributes:
        content: The turn, the very message that was received: it goes back as it is. None where
            there is none, so that there are no calls either.
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
        shown = [f"{call.name}({call.args})" for call in self._calls]
        reasons = ("finish_reason", "block_reason")
        shown += [f"{name}={getattr(self, name)}" for name in reasons if getattr(self, name)]
        return f"<Calls {', '.join(shown) or 'none'}>"


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
    response: gemini.GenerateContentResponse | gemini.Candidate | gemini.Content,
    *,
    tools: object = ...,
    keep_floats: bool = ...,
) -> Calls[gemini.Content]: ...
@overload
def calls(response: object, *, tools: object = ..., keep_floats: bool = ...) -> Calls[Message]: ...
def calls(response: object, *, tools: object = None, keep_floats: bool = False) -> Calls[Message]:
    """Returns the function calls that a model asks for, in order.

    Args:
        response: A GenerateContentResponse, of which the first candidate counts, or a Candidate
            or Content; of any API and pool, or in a proto-plus wrapper.
        tools: A Tool or FunctionDeclaration, a Toolbox, or several of them. Where a schema says
            NUMBER, the argument stays a float even without a fraction.
        keep_floats: Leaves every number a float.

    Returns:
        The calls; none where there is no content, and then the reason for it.

    Raises:
        UsageError: If the response or a tool is none of these.
        JsonError: If arguments nest deeper than protobuf reads.
    """
    found = as_message(response)
    kind = short_name(found.DESCRIPTOR) if found is not None else ""
    if found is None or kind not in ("GenerateContentResponse", "Candidate", "Content"):
        raise UsageError(
            "expected a GenerateContentResponse, Candidate or Content, "
            f"found {describe(response, None)}{_hint(response)}"
        )
    block = ("", "")
    if kind == "GenerateContentResponse":
        block = _blocked(found)
        candidates: Sequence[Message] = get(found, "candidates")
        if not candidates:
            return Calls((), None, block=block)
        found = candidates[0]
        kind = "Candidate"
    finish = ("", "")
    if kind == "Candidate":
        finish = (_name(found, "finish_reason"), _text(found, "finish_message"))
        if not found.HasField("content"):
            return Calls((), None, finish=finish, block=block)
        found = cast("Message", get(found, "content"))
    guides = {name: guide_of(declared) for name, declared in declarations(tools)}
    reader = Reader(keep_floats=keep_floats)
    return Calls(_calls(found, guides, reader), found, finish=finish, block=block)


def declarations(tools: object) -> Iterable[tuple[str, Message]]:
    """Yields the functions that tools declare, by name.

    Raises:
        UsageError: If something is neither a tool nor a declaration.
    """
    if tools is None:
        return
    message = as_message(tools)
    if message is None:
        if not isinstance(tools, Iterable) or isinstance(tools, (str, bytes)):
            inner = getattr(tools, "tool", None)  # of a Toolbox
            if as_message(inner) is None:
                raise UsageError(f"expected a Tool in tools, found {describe(tools, None)}")
            tools = (inner,)
        for tool in cast("Iterable[object]", tools):
            yield from declarations(tool)
    elif "function_declarations" in message.DESCRIPTOR.fields_by_name:
        for declared in get(message, "function_declarations"):
            yield str(get(declared, "name")), declared
    elif short_name(message.DESCRIPTOR) == "FunctionDeclaration":
        yield str(get(message, "name")), message
    else:
        raise UsageError(f"expected a Tool in tools, found a {message.DESCRIPTOR.full_name}")


def _calls(content: Message, guides: dict[str, Guide | None], reader: Reader) -> Iterable[Call]:
    parts: Sequence[Message] = get(content, "parts")
    for position, part in enumerate(parts):
        if part.HasField("function_call"):
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


def _hint(response: object) -> str:
    is_stream = hasattr(response, "__iter__") and not isinstance(response, (str, bytes))
    return "; join the chunks of a stream first" if is_stream and not is_object(response) else ""


def _blocked(response: Message) -> tuple[str, str]:
    if not response.HasField("prompt_feedback"):
        return "", ""
    feedback: Message = get(response, "prompt_feedback")
    return _name(feedback, "block_reason"), _text(feedback, "block_reason_message")


def _name(message: Message, field: str) -> str:
    """Returns the name of an enum field's value; its number if the schema is older."""
    known = message.DESCRIPTOR.fields_by_name.get(field)
    if known is None or is_missing(message, known):
        return ""
    number: int = get(message, field)
    return enum_names(known).get(number, str(number))


def _text(message: Message, field: str) -> str:
    return str(get(message, field)) if field in message.DESCRIPTOR.fields_by_name else ""
