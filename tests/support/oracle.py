"""google.protobuf.json_format beside our codec: they agree but for the listed differences."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from google.protobuf import json_format
from google.protobuf.message import DecodeError, EncodeError
from google.protobuf.message_factory import GetMessageClass

from support.differences import row_of_refusal, row_of_result, row_of_their_refusal
from support.native import binary
from toolwire._errors import JsonError
from toolwire._json import from_json
from toolwire._json._schema import ANY
from toolwire._messages import descriptor_of, is_map_entry

if TYPE_CHECKING:
    from google.protobuf.message import Message

# What json_format raises: its own errors, and those that it lets through from below.
_ERRORS = (
    *(json_format.Error, DecodeError, EncodeError),
    *(UnicodeDecodeError, ValueError, TypeError, RecursionError),
)


def theirs_read(cls: type[Message], data: str | bytes, *, lenient: bool = False) -> Message | None:
    """Returns what json_format reads; None where it refuses."""
    try:
        return _theirs_read(cls, data, lenient=lenient)
    except _ERRORS:
        return None


def theirs_written(message: Message, **options: Any) -> str | None:
    """Returns what json_format writes; None where it refuses."""
    pool = descriptor_of(message).file.pool
    try:
        return json_format.MessageToJson(message, descriptor_pool=pool, **options)
    except _ERRORS:
        return None


def ordered(text: str | None) -> str | None:
    """Returns a JSON text with its keys in order, and its numbers as Python spells them."""
    return None if text is None else json.dumps(json.loads(text), sort_keys=True)


def compare_reading(cls: type[Message], data: str | bytes) -> str:
    """Reads with both, and returns what came out: ``"read"``, ``"refused"``, or the row's name.

    Raises:
        AssertionError: If they differ, and no row of the list says so.
    """
    ours: Message | None = None
    theirs: Message | None = None
    problem = their_problem = ""
    error: JsonError | None = None
    try:
        ours = from_json(cls, data)
    except JsonError as caught:
        error, problem = caught, str(caught)
    try:
        theirs = _theirs_read(cls, data)
    except _ERRORS as caught:
        their_problem = f"{type(caught).__name__}: {caught}"
    if ours is not None and theirs is not None:
        if binary(ours) == binary(theirs) or binary(ours) == binary(_tidy(theirs)):
            return "read"
        row = row_of_result(data)
    elif error is not None:
        if theirs is None:
            return "refused"
        row = row_of_refusal(error, data)
    else:
        row = row_of_their_refusal(their_problem, data)
    where = f"{cls.DESCRIPTOR.full_name} from {data!r}: here {problem or ours!r}"
    assert row is not None, f"{where}; json_format {their_problem or theirs!r}"
    return row.name


def _theirs_read(cls: type[Message], data: str | bytes, *, lenient: bool = False) -> Message:
    pool = descriptor_of(cls).file.pool
    return json_format.Parse(data, cls(), lenient, pool)


def _tidy(message: Message) -> Message:
    """Packs every ``Any`` anew, since json_format packs the maps in it in any order."""
    copy = type(message)()
    copy.CopyFrom(message)
    _tidy_in_place(copy)
    return copy


def _tidy_in_place(message: Any) -> None:
    kind = descriptor_of(message)
    if kind.full_name == ANY and message.type_url:
        name = message.type_url.rpartition("/")[2]
        content = GetMessageClass(kind.file.pool.FindMessageTypeByName(name))()
        content.ParseFromString(message.value)
        _tidy_in_place(content)
        message.value = binary(content)
        return
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        items = value if field.is_repeated else [value]
        if is_map_entry(field.message_type):
            if field.message_type.fields_by_name["value"].message_type is None:
                continue
            items = value.values()
        for item in items:
            _tidy_in_place(item)
