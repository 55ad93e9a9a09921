"""The conversion itself: field by field, by name, with a report of what is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from google.protobuf.unknown_fields import UnknownFieldSet

from toolwire._convert import _table
from toolwire._convert._lost import Lost
from toolwire._convert._names import model_name
from toolwire._convert._plan import (
    Move,
    alike,
    api_name,
    changes_service,
    concept_of,
    is_vertex,
    plan_of,
)
from toolwire._convert._scalars import is_default, kind_of, scalar
from toolwire._convert._stand_ins import stand_ins
from toolwire._convert._structs import reshape
from toolwire._findings import Loss
from toolwire._given import place
from toolwire._message_fields import is_missing, schema_name, set_of, short_name
from toolwire._messages import is_map_entry
from toolwire._words import with_article

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._convert._scalars import Scalar
    from toolwire._descriptor_types import FieldType, MessageType
    from toolwire._paths import Path

_NONE = Move(None)


class Conversion:
    """One conversion.

    Attributes:
        losses: What was lost so far.
    """

    def __init__(self) -> None:
        self.losses: list[Loss] = []

    def message(self, source: Message, target: Message, at: Path = None) -> None:
        """Fills a message with what another one says."""
        if source.DESCRIPTOR.full_name == target.DESCRIPTOR.full_name:
            copy(source, target)
            return
        self.fields(source, target, at)
        self.unknown(source, at)

    def fields(self, source: Message, target: Message, at: Path) -> None:
        """Fills a message with the fields of another one that the schema knows."""
        plan = plan_of(source.DESCRIPTOR, target.DESCRIPTOR)
        others = stand_ins(source, target.DESCRIPTOR)
        exact_first = sorted(
            source.ListFields(), key=lambda item: plan.get(item[0].name, _NONE).change is not None
        )
        for field, value in exact_first:
            if field.is_extension:
                self.lose((at, f"[{field.full_name}]"), field, "an extension of its own API")
                continue
            stand_in = others.get(schema_name(field))
            if stand_in is not None:
                self.lose((at, field.json_name), field, stand_in.reason)
            else:
                self.field(field, value, target, plan[field.name], (at, field.json_name))
        for other in others.values():
            other.put(target)

    def unknown(self, source: Message, at: Path) -> None:
        """Reports the fields of a message that its schema does not know."""
        fields = UnknownFieldSet(source)
        for number in sorted({fields[i].field_number for i in range(len(fields))}):
            name = short_name(source.DESCRIPTOR)
            reason = f"field {number} is unknown to the schema of {name}"
            self.losses.append(Loss(place(at), "unknown field", reason))

    def lose(self, at: Path, field: FieldType, reason: str) -> None:
        """Reports that a field's value was left out or changed."""
        self.losses.append(Loss(place(at), kind_of(field), reason))

    def field(self, field: FieldType, value: Any, target: Message, move: Move, at: Path) -> None:
        """Takes over one field, or reports that it was lost."""
        to = move.target
        if to is None:
            owner = f"{api_name(target.DESCRIPTOR)}.{short_name(target.DESCRIPTOR)}".lstrip(".")
            self.lose(at, field, f"{owner} has no such field")
            return
        oneof = to.containing_oneof
        if not is_missing(target, to) or (oneof is not None and target.WhichOneof(oneof.name)):
            self.lose(at, field, f"the other API's {to.json_name} is already taken")
            return
        try:
            if not field.is_repeated and not to.is_repeated:
                self._single(field, value, target, to, at)
            elif field.is_repeated and to.is_repeated and _is_map(field) == _is_map(to):
                self._many(field, value, target, to, at)
            else:
                raise Lost("one value here, a list there")  # noqa: TRY301 - one way to lose
        except Lost as lost:
            self.lose(at, field, str(lost))
            return
        if move.change is not None:
            self.lose(at, field, move.change)

    def _single(
        self, field: FieldType, value: Any, target: Message, to: FieldType, at: Path
    ) -> None:
        if field.message_type is not None:
            if to.message_type is None:
                raise Lost(f"the other API has {with_article(kind_of(to))} there")
            self._inner(value, getattr(target, to.name), at)
            return
        converted = self._scalar(field, value, to, at)
        named = (concept_of(_owner(field)), field.name)
        if field.has_presence and not to.has_presence and is_default(converted, to):
            if named not in _table.ZERO_IS_UNSET:
                raise Lost(f"{value!r} cannot be told from unset in the other API")
            return
        setattr(target, to.name, converted)

    def _many(self, field: FieldType, value: Any, target: Message, to: FieldType, at: Path) -> None:
        into: Any = getattr(target, to.name)
        if _is_map(field):
            self._map(field, value, into, to, at)
            return
        _check_kinds(field, to)
        for index, item in enumerate(value):
            here: Path = (at, index)
            if field.message_type is not None:
                self.message(item, into.add(), here)
                if _is_pointless(item, into[-1]):
                    del into[-1]
                    self.lose(here, field, "left out, since what it is about was lost")
                continue
            try:
                into.append(self._scalar(field, item, to, here))
            except Lost as lost:
                self.lose(here, field, str(lost))

    def _map(self, field: FieldType, value: Any, into: Any, to: FieldType, at: Path) -> None:
        item, item_to = _value_of(field), _value_of(to)
        _check_kinds(item, item_to)
        for key in sorted(value):
            here: Path = (at, (str(key),))
            if item.message_type is None:
                into[key] = self._scalar(item, value[key], item_to, here)
            else:
                self.message(value[key], into[key], here)

    def _inner(self, source: Message, target: Message, at: Path) -> None:
        if alike(source.DESCRIPTOR, target.DESCRIPTOR):
            self.message(source, target, at)
        else:
            reshape(source, target)
        target.SetInParent()

    def _scalar(self, field: FieldType, value: Scalar, to: FieldType, at: Path) -> Scalar:
        source, target = _owner(field), _owner(to)
        named = (concept_of(source), field.name)
        if changes_service(source, target):
            if named in _table.STORED:
                raise Lost("names what only the original service keeps")
            if named in _table.MODELS and isinstance(value, str):
                to_vertex = is_vertex(target)
                prefix = _table.MODELS[concept_of(target if to_vertex else source), field.name]
                value, change = model_name(value, to_vertex=to_vertex, prefix=prefix)
                if change is not None:
                    self.lose(at, field, change)
                return value
        try:
            return scalar(value, field, to)
        except Lost as lost:
            fallback = _table.FALLBACKS.get(named, "")
            if to.enum_type is None or fallback not in to.enum_type.values_by_name:
                raise
            self.lose(at, field, f"{lost}: becomes {fallback}")
            return int(to.enum_type.values_by_name[fallback].number)


def copy(source: Message, target: Message) -> None:
    """Fills a message with one of the same full name, of whichever pool; nothing is lost."""
    if type(source) is type(target):
        target.CopyFrom(source)
    else:
        target.ParseFromString(source.SerializeToString())


def _owner(field: FieldType) -> MessageType:
    return cast("MessageType", field.containing_type)  # only that of a lone extension is None


def _is_map(field: FieldType) -> bool:
    return field.message_type is not None and is_map_entry(field.message_type)


def _value_of(field: FieldType) -> FieldType:
    """Returns the field of a map's values."""
    assert field.message_type is not None  # noqa: S101 - a map field holds entries
    return field.message_type.fields_by_name["value"]


def _check_kinds(field: FieldType, to: FieldType) -> None:
    source, target = field.message_type, to.message_type
    same = source is target if source is None or target is None else alike(source, target)
    if not same:
        raise Lost(f"the other API has {with_article(kind_of(to))} there")


def _is_pointless(source: Message, target: Message) -> bool:
    """Tells whether an item of a list has lost the one field that it is about."""
    needed = _table.NEEDED.get(concept_of(source.DESCRIPTOR))
    if needed is None:
        return False
    if not needed:
        return bool(source.ListFields()) and not target.ListFields()
    return bool(set_of(source, (needed,))) and not set_of(target, (needed,))
