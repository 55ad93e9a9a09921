"""Answers that give back what was asked: of models with a format of their own, and unknown ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._message_fields import enum_names, get
from toolwire.testing._model._reply import model_name
from toolwire.testing._model._values import has, put

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._descriptor_types import FieldType

_PIECE = 1024  # bytes
_DEPTH = 3


def predict(request: Message, response: Message) -> Message:
    """Fills in the response to a PredictRequest: its instances are the predictions."""
    get(response, "predictions").extend(get(request, "instances"))
    if has(request, "parameters"):
        get(response, "metadata").CopyFrom(get(request, "parameters"))
    put(response, model=str(get(request, "endpoint")), model_display_name=model_name(request))
    return response


def raw(request: Message, response: Message) -> Message:
    """Fills in the response to a RawPredictRequest: its own body."""
    response.CopyFrom(get(request, "http_body"))
    return response


def raw_pieces(request: Message, response: Message) -> Iterator[Message]:
    """Yields the body of a StreamRawPredictRequest in pieces, the media type with the first."""
    whole = raw(request, response)
    data: bytes = get(whole, "data")
    for start in range(0, max(1, len(data)), _PIECE):
        piece = type(whole)()
        if not start:
            piece.CopyFrom(whole)
        put(piece, data=data[start : start + _PIECE])
        yield piece


def filled(request: Message, response: Message) -> Message:
    """Fills in the response of a method that nothing is known of, from its descriptor.

    Fields that the request has, too, are given back. A text is the name of its field, a number
    is 1, a list has one item, and an enum has its first value beside the unspecified one.
    """
    _fill(response, _DEPTH)
    known = request.DESCRIPTOR.fields_by_name
    for field in response.DESCRIPTOR.fields:
        same = known.get(field.name)
        if same is not None and has(request, field.name) and _are_alike(field, same):
            response.ClearField(field.name)
            response.MergeFrom(_only(type(response), request, field))
    return response


def _are_alike(field: FieldType, other: FieldType) -> bool:
    kinds = [each.message_type or each.enum_type for each in (field, other)]
    return (field.type, field.is_repeated, kinds[0]) == (other.type, other.is_repeated, kinds[1])


def _only(cls: type[Message], request: Message, field: FieldType) -> Message:
    """Returns a message with one field as the request has it."""
    made: Message = cls(**{field.name: get(request, field.name)})
    return made


def _fill(message: Message, depth: int) -> None:
    for field in message.DESCRIPTOR.fields:
        kind = field.message_type
        is_second = field.containing_oneof is not None and bool(
            message.WhichOneof(field.containing_oneof.name)
        )
        if is_second or (kind is not None and (not depth or kind.GetOptions().map_entry)):
            continue
        if kind is None:
            put(message, **{field.name: [_plain(field)] if field.is_repeated else _plain(field)})
            continue
        inner: Message = get(message, field.name)
        inner = get(message, field.name).add() if field.is_repeated else inner
        if kind.file.package != "google.protobuf":
            _fill(inner, depth - 1)
        if not field.is_repeated:
            inner.SetInParent()


def _plain(field: FieldType) -> object:
    if field.enum_type is not None:
        return next((number for number in enum_names(field) if number), 0)
    if field.type == field.TYPE_STRING:
        return field.name
    if field.type == field.TYPE_BYTES:
        return field.name.encode()
    return field.type == field.TYPE_BOOL or 1
