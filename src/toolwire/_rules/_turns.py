"""Rules of the turns of a conversation: every call of a function has its response."""

# ruff: noqa: ARG001  a rule gets the context, whether it asks it or not

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from toolwire._message_fields import get, json_name
from toolwire._rules._calling import has_cache
from toolwire._rules._rule import Finding, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._paths import Step
    from toolwire._rules._rule import Context


class Entry(NamedTuple):
    """A function call or response in a turn.

    Attributes:
        part: Position of its part in the turn.
        name: Name of the function.
        id: Identifier of the call, where the API has one and it is set.
    """

    part: int
    name: str
    id: str


def entries(turn: Message, field: str) -> list[Entry]:
    """Returns the function calls or responses of a turn.

    Args:
        turn: A Content.
        field: ``function_call`` or ``function_response``.
    """
    parts: list[Message] = list(get(turn, "parts"))
    found: list[Entry] = []
    for position, part in enumerate(parts):
        if field in part.DESCRIPTOR.fields_by_name and part.HasField(field):
            entry: Message = get(part, field)
            has_id = "id" in entry.DESCRIPTOR.fields_by_name
            found.append(Entry(position, get(entry, "name"), get(entry, "id") if has_id else ""))
    return [entry for entry in found if entry.name]


def paired(request: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each call without its response and each response without its call.

    The responses to the calls of one turn go back together in the next turn. They pair by id where
    both sides have one, else by name and position.
    """
    turns: list[Message] = list(get(request, "contents"))
    contents = json_name(request, "contents")
    calls: list[Entry] = []
    for position, turn in enumerate(turns):
        responses = entries(turn, "function_response")
        # The calls before the first turn may stand in a cache.
        is_known = position or not has_cache(request)
        if is_known and (calls or responses):
            yield from compare(calls, responses, (contents, position), turn)
        calls = entries(turn, "function_call")
    if calls:
        names = ", ".join(shown(call.name) for call in calls)
        yield Finding(
            (contents, len(turns) - 1), f"calls {names} without a turn of responses after it"
        )


def response_order(request: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each turn whose responses stand in another order than the calls."""
    calls: list[Entry] = []
    for position, turn in enumerate(get(request, "contents")):
        responses = entries(turn, "function_response")
        names, wanted = [each.name for each in responses], [each.name for each in calls]
        by_id = all(entry.id for entry in (*calls, *responses))
        if not by_id and names != wanted and sorted(names) == sorted(wanted):
            order = ", ".join(map(shown, wanted))
            fault = f"has its responses in another order than the calls: {order}"
            yield Finding((json_name(request, "contents"), position), fault)
        calls = entries(turn, "function_call")


def compare(
    calls: list[Entry], responses: list[Entry], at: tuple[Step, ...], turn: Message
) -> Iterator[Finding]:
    """Yields what does not pair in the calls of a turn and the responses of the next.

    Args:
        calls: The calls.
        responses: The responses.
        at: The way to the turn of the responses.
        turn: That turn.
    """
    by_id = all(entry.id for entry in (*calls, *responses))
    wanted = Counter(call.id if by_id else call.name for call in calls)
    parts = json_name(turn, "parts")
    for response in responses:
        key = response.id if by_id else response.name
        if wanted[key]:
            wanted[key] -= 1
        else:
            fault = f"{_shown(response)} is an extra response: the turn before has no such call"
            yield Finding((*at, parts, response.part), fault)
    for call in calls:
        key = call.id if by_id else call.name
        if wanted[key]:
            wanted[key] -= 1
            yield Finding(at, f"misses the response to {_shown(call)} of the turn before")


def _shown(entry: Entry) -> str:
    return f"{shown(entry.name)} (id {shown(entry.id)})" if entry.id else shown(entry.name)
