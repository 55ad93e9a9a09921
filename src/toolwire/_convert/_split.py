"""``split_tool``: a Tool with several kinds as Tools with one kind each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from toolwire._errors import ConversionError
from toolwire._given import given
from toolwire._rules._tools import kinds_set
from toolwire._words import with_article

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._descriptor_types import FieldType
    from toolwire._messages import M


@overload
def split_tool(tool: M) -> list[M]: ...
@overload
def split_tool(tool: object) -> list[Any]: ...
def split_tool(tool: object) -> list[Any]:
    """Splits a Tool with several kinds, which servers refuse, into one Tool for each kind.

    Args:
        tool: A Tool of any API and pool, or a proto-plus wrapper; it stays as it is.

    Returns:
        Plain messages of the same class, in the order of the field numbers; all function
        declarations stay together. What the schema does not know may be a newer kind, and so
        comes last in a Tool of its own. A Tool with one kind or none comes back as a copy.

    Raises:
        ConversionError: If it is no Tool, or nests too deeply.
    """
    whole = given(tool, "a Tool")
    if whole.DESCRIPTOR.name != "Tool":
        raise ConversionError(f"expected a Tool, found {with_article(whole.DESCRIPTOR.full_name)}")
    present = sorted(kinds_set(whole), key=lambda kind: kind.number)
    split = [_only(whole, kind) for kind in present]
    rest = type(whole)()
    rest.CopyFrom(whole)
    for kind in present:
        rest.ClearField(kind.name)
    if rest.ByteSize() or not split:
        split.append(rest)
    return split


def _only(tool: Message, kind: FieldType) -> Message:
    alone = type(tool)()
    into: Any = getattr(alone, kind.name)
    into.MergeFrom(getattr(tool, kind.name))
    if not kind.is_repeated:
        into.SetInParent()
    return alone
