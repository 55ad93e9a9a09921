"""What helps where a value does not fit: how to make what is wanted, or where the value has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire import _rpc
from toolwire._apis import api_of
from toolwire._messages import is_map_entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from toolwire._descriptor_types import FieldType, MessageType


def hint_from(found: Message, *wanted: MessageType) -> str:
    """Returns how a message of another kind leads to one that is wanted; nothing if it does not.

    Args:
        found: The message.
        *wanted: The kinds that would do.
    """
    from toolwire._convert._plan import alike  # noqa: PLC0415 - most requests have no fault

    source: MessageType = found.DESCRIPTOR
    if any(alike(source, kind) for kind in wanted):
        return "; toolwire.convert makes one API's messages into another's"
    for kind in wanted:
        for field, inner in _fields(kind):
            if inner.full_name == source.full_name:
                value = "[...]" if field.is_repeated else "..."
                return f"; {kind.name}({field.name}={value}) takes it"
    names = {kind.full_name for kind in wanted}
    return next((f"; give its {path}" for path, kind in _inside(source) if kind in names), "")


def _inside(kind: MessageType) -> Iterator[tuple[str, str]]:
    """Yields what stands in a message, such as ``candidates[0].content``, two levels down."""
    outer = [(_place(field), inner) for field, inner in _fields(kind)]
    for path, inner in outer:
        yield path, inner.full_name
    for path, inner in outer:
        for field, innermost in _fields(inner):
            yield f"{path}.{_place(field)}", innermost.full_name


def _place(field: FieldType) -> str:
    return f"{field.name}[0]" if field.is_repeated else field.name


def _fields(kind: MessageType) -> Iterator[tuple[FieldType, MessageType]]:
    """Yields the fields that hold messages, with the kinds of these."""
    for field in kind.fields:
        if field.message_type is not None and not is_map_entry(field.message_type):
            yield field, field.message_type


def hint_to_declare(kind: MessageType, path: str) -> str:
    """Returns what makes a schema of what other packages take for one, if the fault lies in one.

    Args:
        kind: The message that is read.
        path: The place of the fault in it.
    """
    outer = kind
    for step in path.split("."):
        field = outer.fields_by_camelcase_name.get(step.partition("[")[0])
        if field is None or field.message_type is None:
            break
        outer = field.message_type
        if outer.name == _rpc.SCHEMA:
            api = api_of(kind.file.package)
            name = "response_schema" if field.name == "response_schema" else "declare"
            option = f", api={api.name!r}" if api is not None and api.name != "v1" else ""
            return f"; functions.{name}(...{option}) takes classes and JSON Schema"
    return ""
