"""The types with a JSON form of their own, and what reads and writes each.

Rules: ProtoJSON specification, "Well-Known Types". ``Empty`` is none of them.
"""

# ruff: noqa: PLR0917 - a walk hands its state on, by position since that is faster

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolwire._json import _schema
from toolwire._json._any import read_any, write_any
from toolwire._json._copy import taken_as_value
from toolwire._json._field_mask import read_field_mask, write_field_mask
from toolwire._json._struct import (
    read_list_value,
    read_struct,
    read_value,
    write_list_value,
    write_struct,
    write_value,
)
from toolwire._json._times import read_duration, read_timestamp, write_duration, write_timestamp
from toolwire._json._unknown import Unwritten, refuse_below
from toolwire._messages import as_message

if TYPE_CHECKING:
    from collections.abc import Callable

    from google.protobuf.message import Message

    from toolwire._json._options import ReadOptions, WriteOptions
    from toolwire._json._plan import MessagePlan, Reader, Writer
    from toolwire._paths import Path


def _whole(write: Callable[[Any, Path, int, WriteOptions], object]) -> Writer:
    """Makes a writer for a type in whose JSON no unknown field can stand."""

    def writer(
        _plan: MessagePlan,
        source: Any,
        at: Path,
        left: int,
        options: WriteOptions,
        extra: Unwritten | None,
    ) -> object:
        refuse_below(extra, at)
        return write(source, at, left, options)

    return writer


def _leaf_reader(read: Callable[[object, Path], dict[str, Any]]) -> Reader:
    """Makes a reader for a type whose JSON is a single value."""

    def reader(
        plan: MessagePlan, value: object, at: Path, left: int, options: ReadOptions
    ) -> Message | dict[str, Any]:
        source = as_message(value)
        if source is not None:
            return taken_as_value(plan.cls, source, at, left, options)
        return read(value, at)

    return reader


def _leaf_writer(write: Callable[[Any, Path], object]) -> Writer:
    """Makes a writer for a type whose JSON is a single value."""
    return _whole(lambda source, at, _left, _options: write(source, at))


def _read_wrapper(
    plan: MessagePlan, value: object, at: Path, left: int, options: ReadOptions
) -> Message | dict[str, Any]:
    """Reads a wrapper such as ``Int32Value``, whose JSON is the value it wraps."""
    source = as_message(value)
    if source is not None:
        return taken_as_value(plan.cls, source, at, left, options)
    read: Any = plan.by_json_name["value"].read_scalar
    return {"value": read(value, at)}


def _write_wrapper(
    plan: MessagePlan,
    source: Any,
    at: Path,
    left: int,
    options: WriteOptions,
    extra: Unwritten | None,
) -> object:
    field = plan.by_json_name["value"]
    return field.write(field, source.value, at, left, options, extra)


WELL_KNOWN: dict[str, tuple[Reader, Writer]] = {
    _schema.ANY: (read_any, write_any),
    _schema.STRUCT: (read_struct, _whole(write_struct)),
    _schema.VALUE: (read_value, _whole(write_value)),
    _schema.LIST_VALUE: (read_list_value, _whole(write_list_value)),
    _schema.TIMESTAMP: (_leaf_reader(read_timestamp), _leaf_writer(write_timestamp)),
    _schema.DURATION: (_leaf_reader(read_duration), _leaf_writer(write_duration)),
    _schema.FIELD_MASK: (_leaf_reader(read_field_mask), _leaf_writer(write_field_mask)),
    **dict.fromkeys(_schema.WRAPPERS, (_read_wrapper, _write_wrapper)),
}
