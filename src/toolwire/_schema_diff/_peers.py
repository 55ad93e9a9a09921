"""What a program that knows one of the schemas makes of what the other one's sends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolwire._schema_diff._types import takes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolwire._schema_diff._index import Field, Reserved


@dataclass(frozen=True, slots=True)
class Peer:
    """A program that knows a message by one of the schemas.

    Attributes:
        age: ``old`` or ``new``.
        fields: The message's fields, or its extensions.
        reserved: What the message reserves.
    """

    age: str
    fields: Sequence[Field]
    reserved: Reserved

    def reads(self, sent: Field) -> str:
        """Says what it takes a field for that the other side sends."""
        what = f"unknown ({sent.number} is reserved)"
        if not self.reserved.has(sent.number):
            what = "unknown"
        for field in self.fields:
            if field.number == sent.number:
                own = f"`{field.name}` ({field})"
                what = own if takes(field, sent) else f"unknown, since there it is {own}"
        article = "an" if self.age == "old" else "a"
        return f"{article} {self.age} peer reads field {sent.number} as {what}"
