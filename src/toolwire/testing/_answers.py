"""From a request to its responses, or to a refusal; independent of the transport."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from toolwire._rules import find
from toolwire.testing import _model
from toolwire.testing._refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from google.protobuf.message import Message

    from toolwire.testing._api import Method

_MOST_FOUND = 100
MISSING_MODEL = "missing-model"
"""The one model that the server does not have."""


def answer(method: Method, request: Message) -> Iterator[Message]:
    """Yields the responses to a request.

    Raises:
        Refusal: If the request breaks a rule, names a missing model or wants a method that the
            server does not answer; before the first response.
    """
    respond = _ANSWERS.get(method.name)
    if respond is None:
        answered = ", ".join(sorted(_ANSWERS))
        raise Refusal(
            "UNIMPLEMENTED",
            f"the local server does not answer {method.service}/{method.name}, only {answered}",
        )
    _examine(request)
    name = _model.model_name(request)
    if name == MISSING_MODEL:
        raise Refusal("NOT_FOUND", f"model {name!r} was not found")
    yield from respond(request, method.response)


def _examine(request: Message) -> None:
    errors = (found for found in find(request) if found.severity == "error")
    found = list(itertools.islice(errors, _MOST_FOUND + 1))
    if not found:
        found = list(itertools.islice(_model.wrong_signatures(request), _MOST_FOUND + 1))
    if found:
        shown, is_complete = found[:_MOST_FOUND], len(found) <= _MOST_FOUND
        raise Refusal("INVALID_ARGUMENT", str(shown[0]), shown, is_complete=is_complete)


def _generate(request: Message, response: type[Message]) -> Iterator[Message]:
    yield _model.reply(request, response())


def _stream(request: Message, response: type[Message]) -> Iterator[Message]:
    yield from _model.chunks(_model.reply(request, response()))


def _count(request: Message, response: type[Message]) -> Iterator[Message]:
    yield _model.count(request, response())


def _compute(request: Message, response: type[Message]) -> Iterator[Message]:
    yield _model.compute(request, response())


_ANSWERS: dict[str, Callable[[Message, type[Message]], Iterator[Message]]] = {
    "GenerateContent": _generate,
    "StreamGenerateContent": _stream,
    "CountTokens": _count,
    "ComputeTokens": _compute,
}
