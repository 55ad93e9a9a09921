"""Which functions the model calls, and with what."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from toolwire._message_fields import enum_name, get
from toolwire._rules._calling import calling_config, declarations
from toolwire.testing._model._fits import dict_of
from toolwire.testing._model._hints import is_place, read, words
from toolwire.testing._model._instances import Maker
from toolwire.testing._model._schemas import parameters
from toolwire.testing._model._values import has

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire.testing._model._hints import Hints
    from toolwire.testing._model._values import Json

_SEVERAL = re.compile(r"\b(both|all|each|every|several|multiple|parallel)\b", re.IGNORECASE)
_MOST_CALLS = 16
_LONGEST_PROMPT = 4000  # the end of a long one says what is asked
_PLURAL = re.compile(r"(?<=\w\w\w)s$")


class Call(NamedTuple):
    """A function to call.

    Attributes:
        name: Its name.
        arguments: What to pass; they fit the declared parameters.
    """

    name: str
    arguments: dict[str, Json]


def callable_functions(request: Message) -> list[Message]:
    """Returns the declarations that may be called, the first of each name, as declared.

    Mode NONE leaves none of them, and allowed names in a mode that restricts leave those.
    """
    functions: dict[str, Message] = {}
    for declaration in declarations(request):
        functions.setdefault(str(get(declaration, "name")), declaration)
    config = calling_config(request)
    if config is not None:
        if enum_name(config, "mode") == "NONE":
            return []
        if has(config, "allowed_function_names"):
            allowed = set(get(config, "allowed_function_names"))
            functions = {name: found for name, found in functions.items() if name in allowed}
    return list(functions.values())


def must_call(request: Message) -> bool:
    """Tells whether the request leaves the model nothing but calling a function."""
    config = calling_config(request)
    return config is not None and enum_name(config, "mode") == "ANY"


def choose(functions: list[Message], prompt: str) -> list[Call]:
    """Chooses the calls for a prompt.

    One function is called, the one that the prompt names or whose name has most words in common
    with it, else the first. Several are called if the prompt names them or has a word like "both"
    or "all" in it; with one function only, that one twice. A function of one place is called for
    every place in the prompt.
    """
    prompt = prompt[-_LONGEST_PROMPT:]
    hints = read(prompt)
    named = _named(functions, prompt)
    wants_several = _SEVERAL.search(prompt) is not None
    if len(named) > 1:
        chosen = named
    elif wants_several and len(functions) > 1:
        chosen = functions
    elif named:
        chosen = named
    else:
        chosen = [max(functions, key=lambda function: _likeness(function, prompt))]
    calls: list[Call] = []
    for function in chosen[:_MOST_CALLS]:
        schema = parameters(function)
        turns = _turns(schema, hints) if len(chosen) == 1 else 1
        if wants_several and len(functions) == 1:
            turns = max(turns, 2)
        calls.extend(_call(function, schema, hints, turn) for turn in range(turns))
    return calls[:_MOST_CALLS]


def _call(function: Message, schema: dict[str, Json], hints: Hints, turn: int) -> Call:
    return Call(str(get(function, "name")), Maker(schema, hints, turn).make())


def _turns(schema: dict[str, Json], hints: Hints) -> int:
    """Returns how often to call a function: once for each place, if it is about one place."""
    places = sum(map(is_place, dict_of(schema, "properties")))
    return max(1, len(hints.names)) if places == 1 else 1


def _named(functions: list[Message], prompt: str) -> list[Message]:
    """Returns the functions whose name stands in the prompt, in the prompt's order."""
    found: list[tuple[int, Message]] = []
    for function in functions:
        name = re.escape(str(get(function, "name")))
        match = re.search(rf"(?<![\w.:-]){name}(?![\w:-]|\.\w)", prompt)
        if match:
            found.append((match.start(), function))
    return [function for _, function in sorted(found, key=lambda pair: pair[0])]


def _likeness(function: Message, prompt: str) -> int:
    spoken = {_PLURAL.sub("", word) for word in words(prompt)}
    return len(spoken & {_PLURAL.sub("", word) for word in words(str(get(function, "name")))})
