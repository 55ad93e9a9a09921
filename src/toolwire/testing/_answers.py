"""From a request to its responses, or to a refusal; independent of the transport."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from toolwire._message_fields import get
from toolwire._rules import find
from toolwire._rules._resources import SHORT_NAME
from toolwire.testing import _model
from toolwire.testing._live import converse
from toolwire.testing._model._values import has
from toolwire.testing._refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from google.protobuf.message import Message

    from toolwire.testing._api import Method
    from toolwire.testing._store import Store

_MOST_FOUND = 100
_SETUP = "setup"
_CACHED = "cached_content"
_REQUIRED = "field.required"
MISSING_MODEL = "missing-model"
"""The one model that the server does not have."""


def answer(method: Method, requests: Iterator[Message], store: Store) -> Iterator[Message]:
    """Yields the responses to a request, or to all that a client sends in a session.

    Args:
        method: The method.
        requests: What the client sends; one message unless the method reads a stream.
        store: What the server keeps.

    Raises:
        Refusal: If a request breaks a rule or names what is missing; before the first response,
            unless the client goes on sending.
    """
    first = next(requests, None)
    if first is None:
        return
    _examine(method, first)
    name = _model.model_name(get(first, _SETUP) if has(first, _SETUP) else first)
    if name == MISSING_MODEL:
        raise Refusal("NOT_FOUND", f"model {name!r} was not found")
    cached = get(first, _CACHED) if has(first, _CACHED) else None
    if isinstance(cached, str) and not store.has(cached):
        raise Refusal("NOT_FOUND", f"cached content {cached!r} was not found")
    if method.reads_stream and _SETUP in first.DESCRIPTOR.fields_by_name:
        yield from converse(method, first, requests)
        return
    respond = _ANSWERS.get(method.name)
    if respond is not None:
        yield from respond(first, method.response)
    elif (kept := store.answer(method, first)) is not None:
        yield kept
    else:
        yield from _unknown(method, first, requests)


def _unknown(method: Method, first: Message, others: Iterator[Message]) -> Iterator[Message]:
    """Yields the responses of a method that a newer schema has brought."""
    yield _model.filled(first, method.response())
    for request in others:
        if method.writes_stream:
            yield _model.filled(request, method.response())


def _examine(method: Method, request: Message) -> None:
    is_part = method.name.startswith("Update")  # what it does not name stays as it is
    errors = (
        found
        for found in find(request)
        if (found.severity == "error" and not (is_part and found.rule == _REQUIRED))
        or found.rule == SHORT_NAME
    )
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


def _embed(request: Message, response: type[Message]) -> Iterator[Message]:
    yield _model.embed(request, response())


def _embed_all(request: Message, response: type[Message]) -> Iterator[Message]:
    yield _model.embed_all(request, response())


def _predict(request: Message, response: type[Message]) -> Iterator[Message]:
    yield _model.predict(request, response())


def _raw(request: Message, response: type[Message]) -> Iterator[Message]:
    yield _model.raw(request, response())


def _raw_pieces(request: Message, response: type[Message]) -> Iterator[Message]:
    yield from _model.raw_pieces(request, response())


_ANSWERS: dict[str, Callable[[Message, type[Message]], Iterator[Message]]] = {
    "GenerateContent": _generate,
    "StreamGenerateContent": _stream,
    "CountTokens": _count,
    "ComputeTokens": _compute,
    "EmbedContent": _embed,
    "BatchEmbedContents": _embed_all,
    "Predict": _predict,
    "RawPredict": _raw,
    "StreamRawPredict": _raw_pieces,
}
