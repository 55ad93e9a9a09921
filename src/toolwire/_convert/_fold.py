"""A message whose fields another API has in a message inside, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._convert import _table
from toolwire._convert._fields import Conversion
from toolwire._convert._plan import concept_of, plan_of
from toolwire._message_fields import get, is_missing

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._paths import Path


class FoldingConversion(Conversion):
    """A conversion that also takes the fields of a message in one API to one inside in another."""

    def message(self, source: Message, target: Message, at: Path = None) -> None:
        """Fills a message with what another one says."""
        if not self._fold(source, target, at) and not self._unfold(source, target, at):
            super().message(source, target, at)

    def _fold(self, source: Message, target: Message, at: Path) -> bool:
        """Fills the message inside the target, where only that has all the fields of the source.

        Returns:
            Whether that is so.
        """
        name = _table.FOLDED.get(concept_of(source.DESCRIPTOR), "")
        known = target.DESCRIPTOR.fields_by_name
        inner = known[name].message_type if name in known else None
        if inner is None or name in source.DESCRIPTOR.fields_by_name:
            return False
        names = {field.name for field, _ in source.ListFields()}
        if not any(one in inner.fields_by_name and one not in known for one in names):
            return False
        into: Message = get(target, name)
        self.fields(source, into, at)
        self.unknown(source, at)
        for field, value in into.ListFields():
            if field.message_type is None and field.name in known:
                setattr(target, field.name, value)  # the model is said twice
        return True

    def _unfold(self, source: Message, target: Message, at: Path) -> bool:
        """Fills the target from the message inside the source.

        Returns:
            Whether there is one.
        """
        name = _table.FOLDED.get(concept_of(source.DESCRIPTOR), "")
        known = source.DESCRIPTOR.fields_by_name
        if name not in known or name in target.DESCRIPTOR.fields_by_name:
            return False
        whole = known[name]
        if is_missing(source, whole):
            return False
        inner: Message = get(source, name)
        self.fields(inner, target, (at, whole.json_name))
        self.unknown(inner, (at, whole.json_name))
        said_twice = (known[field.name] for field, _ in inner.ListFields() if field.name in known)
        is_odd = any(not one.is_repeated and is_missing(source, one) for one in said_twice)
        if is_odd or all(field.name in known for field, _ in target.ListFields()):
            reason = "is written out, and would not come back the same"
            self.lose((at, whole.json_name), whole, reason)
        plan = plan_of(source.DESCRIPTOR, target.DESCRIPTOR)
        for field, value in source.ListFields():
            here: Path = (at, field.json_name)
            said = inner.DESCRIPTOR.fields_by_name.get(field.name)
            if field.name == name:
                continue
            if said is None or is_missing(inner, said):
                self.field(field, value, target, plan[field.name], here)
                self.lose(here, field, f"moves into what {whole.json_name} says")
            elif field.is_repeated or value != get(inner, field.name):
                self.lose(here, field, f"stands beside {whole.json_name}")
        self.unknown(source, at)
        return True
