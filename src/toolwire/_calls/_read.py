"""``Struct``, ``Value`` and ``ListValue`` as plain Python, all the way down."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from toolwire._errors import UsageError
from toolwire._json._faults import too_deep
from toolwire._message_fields import get
from toolwire._messages import DEEPEST, unwrap
from toolwire._words import with_article

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from google.protobuf.message import Message

    from toolwire._calls._guide import Guide
    from toolwire._paths import Path

_EXACT = 1 << 53  # from there not every whole number is a double
KINDS = ("google.protobuf.Struct", "google.protobuf.Value", "google.protobuf.ListValue")


def to_plain(message: object, *, keep_floats: bool = False) -> object:
    """Returns a ``Struct``, ``Value`` or ``ListValue`` as plain Python, all the way down.

    A number without a fraction is an int as far as doubles count in ones, up to 2**53; a larger
    one and -0.0 stay floats. The result shares nothing with the message.

    Args:
        message: The message, of any pool.
        keep_floats: Leaves every number a float.

    Raises:
        UsageError: If it is a message of another kind.
        JsonError: If it is no message, or nests deeper than protobuf reads.
    """
    plain = unwrap(message)
    name = plain.DESCRIPTOR.full_name
    if name not in KINDS:
        raise UsageError(f"expected a Struct, Value or ListValue, found {with_article(name)}")
    reader = Reader(keep_floats=keep_floats)
    if name == KINDS[0]:
        return reader.struct(plain)
    if name == KINDS[1]:
        return reader.value(plain, None, None, DEEPEST)
    return reader.list(plain, None, None, DEEPEST)


class Reader:
    """Reads values by one set of rules.

    Args:
        keep_floats: Leaves every number a float.
    """

    __slots__ = ("_keep_floats",)

    def __init__(self, *, keep_floats: bool) -> None:
        self._keep_floats = keep_floats

    def struct(
        self, struct: Message, guide: Guide | None = None, at: Path = None, left: int = DEEPEST
    ) -> dict[str, object]:
        """Returns a ``Struct`` as a dict, its keys in order.

        Args:
            struct: The message.
            guide: What the declared schema says.
            at: Where it stands, for the error.
            left: How many levels of messages may lie below.

        Raises:
            JsonError: If it nests too deeply.
        """
        fields: Mapping[str, Message] = get(struct, "fields")
        below = left - 2  # an entry is a message, and so is its value
        return {
            key: self.value(fields[key], guide and guide.key(key), (at, (key,)), below)
            for key in sorted(fields)
        }

    def list(self, values: Message, guide: Guide | None, at: Path, left: int) -> list[object]:
        """Returns a ``ListValue`` as a list; the arguments are those of ``struct``.

        Raises:
            JsonError: If it nests too deeply.
        """
        items: Sequence[Message] = get(values, "values")
        return [
            self.value(item, guide and guide.item(index), (at, index), left - 1)
            for index, item in enumerate(items)
        ]

    def value(self, value: Message, guide: Guide | None, at: Path, left: int) -> object:
        """Returns a ``Value``, None for one that has nothing set; the arguments are as above.

        Raises:
            JsonError: If it nests too deeply.
        """
        if left < 0:
            raise too_deep(DEEPEST, at)
        kind = value.WhichOneof("kind")
        if kind is None or kind == "null_value":
            return None
        found: object = get(value, kind)
        if kind == "struct_value":
            return self.struct(cast("Message", found), guide, at, left - 1)
        if kind == "list_value":
            return self.list(cast("Message", found), guide, at, left - 1)
        if isinstance(found, float):
            return self._number(found, guide)
        return found

    def _number(self, value: float, guide: Guide | None) -> float:
        is_whole = value.is_integer() and abs(value) <= _EXACT
        if self._keep_floats or not is_whole or math.copysign(1, value) < 0 == value:
            return value
        return value if guide is not None and guide.is_float() else int(value)
