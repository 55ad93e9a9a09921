"""Options of a descriptor as text, those that this process does not know included."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

from google.protobuf import text_format
from google.protobuf.unknown_fields import UnknownFieldSet

import toolwire._annotations as _  # noqa: F401 - protobuf learns the options of google.api

if TYPE_CHECKING:
    from collections.abc import Mapping

    from google.protobuf.descriptor import FieldDescriptor
    from google.protobuf.message import Message

Names: TypeAlias = "Mapping[tuple[str, int], str]"
"""Full name of an options message and number of an extension of it, to its full name."""

# What these say is read in another place.
_ELSEWHERE = {"features", "packed", "map_entry"}


def texts(options: Message, names: Names) -> dict[str, str]:
    """Returns the name and the value of each option that is set.

    Args:
        options: The options of a descriptor.
        names: Extensions that the schema itself declares.
    """
    found: dict[str, str] = {}
    for field, value in options.ListFields():
        name = field.full_name if field.is_extension else field.name
        if name not in _ELSEWHERE:
            items = value if field.is_repeated else [value]
            found[name] = ", ".join(_text(field, item) for item in items)
    kind = options.DESCRIPTOR.full_name
    for unknown in cast("Any", UnknownFieldSet(options)):
        name = names.get((kind, unknown.field_number), f"({unknown.field_number})")
        text = str(_plain(unknown.data))
        found[name] = f"{found[name]}, {text}" if name in found else text
    return found


def _text(field: FieldDescriptor, value: Any) -> str:
    if field.message_type is not None:
        return text_format.MessageToString(value, as_one_line=True)
    if field.enum_type is not None:
        known = field.enum_type.values_by_number.get(value)
        return known.name if known else str(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _plain(data: Any) -> object:
    """Returns what can be compared, where a group is a set of fields again."""
    if isinstance(data, UnknownFieldSet):
        return [(field.field_number, _plain(field.data)) for field in cast("Any", data)]
    return data
