"""The one turn that answers the calls of a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast, overload

from toolwire._apis import api_of
from toolwire._calls._call import TAKEN, C, Call, Calls, turn_class
from toolwire._calls._call import calls as calls_of
from toolwire._calls._hooks import check_hook
from toolwire._calls._mcp import opened
from toolwire._calls._pairing import pair, response_message
from toolwire._calls._plain import plain
from toolwire._calls._read import to_plain
from toolwire._calls._result import Outcome, Result, ToolError, error_response
from toolwire._errors import UsageError
from toolwire._given import hint_to_join
from toolwire._json import from_dict, to_dict
from toolwire._json._faults import fault, found, too_deep
from toolwire._json._kinds import is_list
from toolwire._message_fields import get, short_name
from toolwire._messages import DEEPEST, as_message, fits
from toolwire._words import with_article

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from google.protobuf.message import Message

    from toolwire import gemini, v1, v1beta1
    from toolwire._paths import Path

Rewrite: TypeAlias = "Callable[[Call, dict[str, object]], Mapping[str, object]]"

_USER = "user"
_BELOW = DEEPEST - 6  # a value in an entry of a response, in a part, in a turn, in a request


@overload
def respond(calls: Calls[C], *results: object, rewrite: Rewrite | None = ...) -> C: ...
@overload
def respond(
    calls: v1.GenerateContentResponse | v1.Candidate | v1.Content,
    *results: object,
    rewrite: Rewrite | None = ...,
) -> v1.Content: ...
@overload
def respond(
    calls: v1beta1.GenerateContentResponse | v1beta1.Candidate | v1beta1.Content,
    *results: object,
    rewrite: Rewrite | None = ...,
) -> v1beta1.Content: ...
@overload
def respond(
    calls: gemini.GenerateContentResponse
    | gemini.Candidate
    | gemini.Content
    | gemini.BidiGenerateContentServerMessage
    | gemini.BidiGenerateContentToolCall,
    *results: object,
    rewrite: Rewrite | None = ...,
) -> gemini.Content: ...
@overload
def respond(calls: object, *results: object, rewrite: Rewrite | None = ...) -> Message: ...
def respond(calls: object, *results: object, rewrite: Rewrite | None = None) -> Message:
    """Builds the one Content that answers the calls of a model's turn.

    Its parts stand in the order of the calls, each with the name of its call and the id, where
    the call has one. A result that is no object goes back as ``{"output": result}``, an exception
    as ``{"error": {"type": ..., "message": ...}}``, without a traceback.

    Args:
        calls: What ``calls`` returned, or what it takes, or a list of calls of one turn.
        *results: One for each call, in their order: what the function returned, or the exception
            that it raised. Or, in any order, what names its call: an Outcome of a Toolbox, a
            FunctionResponse, a Result with a name or an id.
        rewrite: Gets each call and the object that goes back for it, and returns the object to
            go back in its place.

    Returns:
        The turn, of the class of the model's turn. The ``reply`` of a session takes it as well.

    Raises:
        UsageError: If there are no calls, they are not of one API, one is not complete, results
            are missing or extra, files are given that the API has no field for, or an argument is
            of a wrong kind.
        JsonError: If a result is no JSON: the path says where.
    """
    check_hook("rewrite", rewrite)
    asked = read_calls(calls)
    if not asked:
        raise UsageError(f"there are no calls to respond to{_reason(asked)}")
    check_complete(asked)
    cls = _turn_class(asked)
    parts = [
        _part(call, result, index, rewrite)
        for index, (call, result) in enumerate(zip(asked, pair(asked, results), strict=True))
    ]
    return from_dict(cls, {"role": _USER, "parts": parts}, max_depth=DEEPEST - 1)


def read_calls(given: object, tools: object = None) -> Sequence[Call]:
    """Returns the calls that ``calls`` returned or reads, or that stand in a list.

    Args:
        given: Any of these.
        tools: As for ``calls``.

    Raises:
        UsageError: If it is none of these.
        JsonError: If arguments nest deeper than protobuf reads.
    """
    if isinstance(given, Calls):
        return cast("Calls[Message]", given)
    if not isinstance(given, (list, tuple)):
        if as_message(given) is None:
            hint = "; put it into a list" if isinstance(given, Call) else hint_to_join(given)
            what = f"what functions.calls returned, a list of calls, or {TAKEN}"
            raise UsageError(f"expected {what}, found {found(given, None)}{hint}")
        return calls_of(given, tools=tools)
    several = cast("Sequence[object]", given)
    for item in several:
        if not isinstance(item, Call):
            hint = hint_to_join(several) if as_message(item) is not None else ""
            raise UsageError(f"expected a Call, found {found(item, None)}{hint}")
    return cast("Sequence[Call]", several)


def _turn_class(calls: Sequence[Call]) -> type[Message]:
    """Returns the class of the turn that calls stand in.

    Raises:
        UsageError: If they are not of one API.
    """
    turn = cast("Calls[Message]", calls).content if isinstance(calls, Calls) else None
    if turn is not None:
        return type(turn)
    kinds = {call.part.DESCRIPTOR for call in calls}
    if len(kinds) > 1:
        names = sorted(with_article(kind.full_name) for kind in kinds)
        raise UsageError(f"expected calls of one API, found {' and '.join(names)}")
    return turn_class(calls[0].part)


def check_complete(calls: Sequence[Call]) -> None:
    """Refuses calls of which only some pieces are there.

    Raises:
        UsageError: If there is one.
    """
    for call in calls:
        if call.is_partial:
            # What is joined holds no pieces any more.
            fields = get(call.part, "function_call").ListFields()
            hint = "the stream was cut off in it, or its other chunks are not joined with it"
            if any(field.name == "partial_args" for field, _ in fields):
                hint = "join the chunks of the stream first"
            raise UsageError(f"the call of {call} is not complete: {hint}")


def to_response(value: object, at: Path = None, kind: object = None) -> dict[str, object]:
    """Returns the object that goes back for what a function returned.

    Args:
        value: What it returned.
        at: Where the object will stand, for the error.
        kind: How the function annotates what it returns; None where that is not known.

    Raises:
        JsonError: If the value is no JSON, or is an answer to a call already.
        ToolError: If it says that a tool of an MCP server has failed.
    """
    result = opened(plain(value, at, _BELOW, kind))
    if _is_answer(value):
        raise fault(
            "expected what a function returned, found an answer to a call; "
            "for respond, unpack the FunctionResponses with *",
            at,
        )
    return cast("dict[str, object]", result) if isinstance(result, dict) else {"output": result}


def _is_answer(value: object) -> bool:
    """Tells whether a value answers calls by itself, or is a list of such answers."""
    message = as_message(next(iter(value), None) if is_list(value) else value)
    if message is None or api_of(message.DESCRIPTOR.file.package) is None:
        return False
    match short_name(message.DESCRIPTOR):
        case "Content":  # several are what an agent has said, and may be a result
            return not is_list(value) and _is_answer(get(message, "parts"))
        case "Part":
            return message.HasField("function_response")
        case name:
            return name == "FunctionResponse"


def part_fields(
    call: Call, response: Mapping[str, object], media: Sequence[object]
) -> dict[str, object]:
    """Returns the fields of the part that answers a call.

    Raises:
        UsageError: If files are given that the API has no field for.
    """
    fields: dict[str, object] = {"name": call.name, "response": response}
    kind = call.part.DESCRIPTOR.fields_by_name["function_response"].message_type
    known = set[str]() if kind is None else set(kind.fields_by_name)
    if call.id and "id" in known:
        fields["id"] = call.id
    if not is_list(media):
        raise UsageError(f"media: expected a list of files for {call}, found {found(media, None)}")
    if media:
        if "parts" not in known:
            raise UsageError(
                f"a {call.part.DESCRIPTOR.file.package}.FunctionResponse takes no files: "
                f"found {len(media)} for {call}"
            )
        fields["parts"] = [_file(item) for item in media]
    return {"function_response": fields}


def _part(call: Call, result: object, index: int, rewrite: Rewrite | None) -> dict[str, object]:
    here = (((None, "parts"), index), "functionResponse")
    at = (here, "response")
    message = response_message(result)
    if message is not None:
        return {"function_response": _completed(message, call, here, rewrite)}
    media: Sequence[object] = ()
    if isinstance(result, Outcome):
        media, result = result.media, result.response
    elif isinstance(result, Result):
        media, result = result.media, result.value
    response = _response(result, at)
    if rewrite is not None:
        response = _rewritten(rewrite, call, response, at)
    return part_fields(call, response, media)


def _response(result: object, at: Path) -> dict[str, object]:
    if isinstance(result, Exception):
        return error_response(result)
    try:
        return to_response(result, at)
    except ToolError as error:
        return error_response(error)


def _rewritten(
    rewrite: Rewrite, call: Call, response: dict[str, object], at: Path
) -> dict[str, object]:
    """Returns what goes back in place of a response, which is not wrapped once more.

    Raises:
        UsageError: If it is no object.
        JsonError: If it is no JSON.
    """
    rewritten = plain(rewrite(call, response), at, _BELOW)
    if not isinstance(rewritten, dict):
        raise UsageError(f"rewrite: expected an object for {call}, found {found(rewritten, None)}")
    return cast("dict[str, object]", rewritten)


def _completed(message: Message, call: Call, at: Path, rewrite: Rewrite | None) -> Message:
    """Returns a copy of a FunctionResponse that names its call, and is rewritten if it must be.

    Raises:
        JsonError: If it nests too deeply for protobuf, which copies by recursion.
    """
    if not fits(message, DEEPEST):
        raise too_deep(DEEPEST, at)
    copy: Any = type(message)()
    copy.CopyFrom(message)
    copy.name = call.name
    if call.id and "id" in copy.DESCRIPTOR.fields_by_name:
        copy.id = call.id
    if rewrite is not None:
        response: Message = copy.response
        said = cast("dict[str, object]", to_plain(response))
        new = _rewritten(rewrite, call, said, (at, "response"))
        response.CopyFrom(from_dict(type(response), new))
    named: Message = copy
    return named


def _file(item: object) -> object:
    """Returns a file as a FunctionResponsePart takes it; a Part says the same in other classes."""
    message = as_message(item)
    if message is None or short_name(message.DESCRIPTOR) != "Part":
        return item
    return to_dict(message, raw_bytes=True, proto_names=True)


def _reason(calls: Sequence[Call]) -> str:
    if not isinstance(calls, Calls):
        return ""
    reason: str = calls.block_reason or calls.finish_reason
    return f": the reply ended with {reason}" if reason else ""
