"""The one turn that answers the calls of a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast, overload

from toolwire._calls._call import C, Call, Calls
from toolwire._calls._call import calls as calls_of
from toolwire._calls._pairing import pair, response_message
from toolwire._calls._plain import plain
from toolwire._calls._result import Outcome, Result, error_response
from toolwire._errors import UsageError
from toolwire._json import from_dict, to_dict
from toolwire._messages import DEEPEST, as_message
from toolwire._rules._schema import short_name

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
    calls: gemini.GenerateContentResponse | gemini.Candidate | gemini.Content,
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
        calls: What ``calls`` returned, or what it takes.
        *results: One for each call, in their order: what the function returned, or the exception
            that it raised. Or, in any order, what names its call: an Outcome of a Toolbox, a
            FunctionResponse, a Result with a name or an id.
        rewrite: Gets each call and the object that goes back for it, and returns the object to
            go back in its place.

    Returns:
        The turn, of the class of the model's turn.

    Raises:
        UsageError: If there are no calls, a call is not complete, results are missing or extra,
            or files are given that the API has no field for.
        JsonError: If a result is no JSON: the path says where.
    """
    found = cast("Calls[Message]", calls) if isinstance(calls, Calls) else calls_of(calls)
    turn = found.content
    if turn is None or not found:
        raise UsageError(f"there are no calls to respond to{_reason(found)}")
    check_complete(found)
    parts = [
        _part(call, result, index, rewrite)
        for index, (call, result) in enumerate(zip(found, pair(found, results), strict=True))
    ]
    return from_dict(type(turn), {"role": _USER, "parts": parts}, max_depth=DEEPEST - 1)


def check_complete(found: Sequence[Call]) -> None:
    """Refuses calls of which only some pieces are there.

    Raises:
        UsageError: If there is one.
    """
    for call in found:
        if call.is_partial:
            raise UsageError(
                f"the call of {call} is not complete: join the chunks of the stream first"
            )


def to_response(value: object, at: Path = None) -> dict[str, object]:
    """Returns the object that goes back for what a function returned or raised.

    Args:
        value: What it returned, or the exception.
        at: Where the object will stand, for the error.

    Raises:
        JsonError: If the value is no JSON.
    """
    if isinstance(value, Exception):
        return error_response(value)
    found = plain(value, at, _BELOW)
    return cast("dict[str, object]", found) if isinstance(found, dict) else {"output": found}


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
    if media:
        if "parts" not in known:
            raise UsageError(
                f"a {call.part.DESCRIPTOR.file.package}.FunctionResponse takes no files: "
                f"found {len(media)} for {call}"
            )
        fields["parts"] = [_file(item) for item in media]
    return {"function_response": fields}


def _part(call: Call, result: object, index: int, rewrite: Rewrite | None) -> dict[str, object]:
    message = response_message(result)
    if message is not None:
        return {"function_response": _completed(message, call)}
    at = ((((None, "parts"), index), "functionResponse"), "response")
    media: Sequence[object] = ()
    if isinstance(result, Outcome):
        media, result = result.media, result.response
    elif isinstance(result, Result):
        media, result = result.media, result.value
    response = to_response(result, at)
    if rewrite is not None:
        response = to_response(rewrite(call, response), at)
    return part_fields(call, response, media)


def _completed(message: Message, call: Call) -> Message:
    """Returns a copy of a FunctionResponse that names its call."""
    copy: Any = type(message)()
    copy.CopyFrom(message)
    copy.name = call.name
    if call.id and "id" in copy.DESCRIPTOR.fields_by_name:
        copy.id = call.id
    named: Message = copy
    return named


def _file(item: object) -> object:
    """Returns a file as a FunctionResponsePart takes it; a Part says the same in other classes."""
    message = as_message(item)
    if message is None or short_name(message.DESCRIPTOR) != "Part":
        return item
    return to_dict(message, raw_bytes=True, proto_names=True)


def _reason(found: Calls[Message]) -> str:
    reason = found.block_reason or found.finish_reason
    return f": the reply ended with {reason}" if reason else ""
