"""Rules of who speaks in a conversation, and in which order."""

# ruff: noqa: ARG001  a rule gets the context, whether it asks it or not

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._message_fields import get, json_name
from toolwire._rules._calling import brings_functions, declared_names, has_cache
from toolwire._rules._rule import Finding, listed, shown
from toolwire._rules._turns import entries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._rules._rule import Context

_ROLES = ("user", "model")
# Answers once had a role of their own, which still goes through.
_ANSWERING = (*_ROLES, "function")


def role(turn: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a turn of somebody that no model knows."""
    if context.field is not None and context.field.name == "system_instruction":
        return  # it is nobody's turn: the role does not matter
    speaker: str = get(turn, "role")
    known = _ANSWERING if entries(turn, "function_response") else _ROLES
    if speaker and speaker not in known:
        yield Finding((json_name(turn, "role"),), f'is {shown(speaker)}: use "user" or "model"')


def role_missing(request: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each turn of nobody in a conversation of several turns."""
    turns: list[Message] = list(get(request, "contents"))
    for position, turn in enumerate(turns) if len(turns) > 1 else ():
        if not get(turn, "role"):
            steps = (json_name(request, "contents"), position, json_name(turn, "role"))
            yield Finding(steps, 'is missing: with several turns, each is of "user" or "model"')


def call_role(turn: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for calls in a turn that is not the model's."""
    speaker: str = get(turn, "role")
    if speaker in _ANSWERING and speaker != "model" and entries(turn, "function_call"):
        fault = f'is {shown(speaker)}, but the turn has function calls, which "model" makes'
        yield Finding((json_name(turn, "role"),), fault)


def response_role(turn: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for responses in a turn that is not the user's."""
    speaker: str = get(turn, "role")
    if speaker in _ANSWERING and speaker != "user" and entries(turn, "function_response"):
        fault = f'is {shown(speaker)}, but the turn has function responses, which come from "user"'
        yield Finding((json_name(turn, "role"),), fault)


def order(request: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for a conversation that the model begins, or that waits for nobody."""
    turns: list[Message] = list(get(request, "contents"))
    contents = json_name(request, "contents")
    if not turns:
        return
    if get(turns[0], "role") == "model" and not has_cache(request):
        yield Finding((contents, 0), 'is of "model": a conversation begins with "user"')
    last = turns[-1]
    # What is wrong with calls that nobody answers is another rule's business.
    if len(turns) > 1 and get(last, "role") == "model" and not entries(last, "function_call"):
        fault = 'is of "model", though the last turn is what the model replies to'
        yield Finding((contents, len(turns) - 1), fault)


def call_order(request: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each turn with calls that does not come right after the user's."""
    turns: list[Message] = list(get(request, "contents"))
    before = "" if has_cache(request) else "nothing"
    for position, turn in enumerate(turns):
        if entries(turn, "function_call") and before in ("model", "nothing"):
            after = "begins the conversation" if before == "nothing" else 'follows one of "model"'
            fault = f'has function calls and {after}: calls come right after a turn of "user"'
            yield Finding((json_name(request, "contents"), position), fault)
        before = str(get(turn, "role"))


def declared_calls(request: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each call in the history of a function that is not declared."""
    declared = declared_names(request)
    if not declared or has_cache(request) or brings_functions(request):
        return
    known = set(declared)
    for position, turn in enumerate(get(request, "contents")):
        for entry in entries(turn, "function_call"):
            if entry.name not in known:
                fault = f"{shown(entry.name)} is not declared: declared are {listed(declared)}"
                steps = (json_name(request, "contents"), position, json_name(turn, "parts"))
                yield Finding((*steps, entry.part, "functionCall", "name"), fault)


def call_ids(turn: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each call or response of a turn with the id of an earlier one."""
    for name in ("function_call", "function_response"):
        seen: set[str] = set()
        for entry in entries(turn, name):
            if entry.id and entry.id in seen:
                part: Message = get(turn, "parts")[entry.part]
                steps = (json_name(turn, "parts"), entry.part, json_name(part, name), "id")
                yield Finding(steps, f"{shown(entry.id)} is the id of an earlier one in this turn")
            seen.add(entry.id)


def signature_lost(request: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each turn with calls that lost the signature others still have.

    Only the turns since the user last said something are looked at: those are what models check.
    """
    recent: list[tuple[int, Message]] = []
    turns: list[Message] = list(get(request, "contents"))
    for position, turn in enumerate(turns):
        if get(turn, "role") == "user" and not entries(turn, "function_response"):
            recent.clear()
        elif entries(turn, "function_call"):
            recent.append((position, turn))
    signed = [position for position, turn in recent if _is_signed(turn)]
    contents = json_name(request, "contents")
    for position, turn in recent if signed else ():
        if not _is_signed(turn):
            fault = f"has calls without a thoughtSignature, which {contents}[{signed[0]}] has"
            yield Finding((contents, position), f"{fault}: send all parts back as they came")


def signature_of_user(turn: Message, context: Context) -> Iterator[Finding]:
    """Yields a finding for each signature in a turn of the user's."""
    parts: list[Message] = list(get(turn, "parts"))
    for index, part in enumerate(parts) if get(turn, "role") == "user" else ():
        if getattr(part, "thought_signature", b""):
            steps = (json_name(turn, "parts"), index, json_name(part, "thought_signature"))
            yield Finding(steps, 'stands in a turn of "user": it belongs to the part it came with')


def _is_signed(turn: Message) -> bool:
    return any(getattr(part, "thought_signature", b"") for part in get(turn, "parts"))
