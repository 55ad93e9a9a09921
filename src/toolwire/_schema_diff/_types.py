"""What the change of a type means on the wire, in JSON and in Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolwire._schema_diff._finding import BEHAVIOUR, JSON, NONE, SOURCE, WIRE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolwire._schema_diff._finding import Consequence
    from toolwire._schema_diff._index import Field, Schema, Type

_BITS_32 = frozenset({"int32", "uint32", "sint32", "fixed32", "sfixed32"})
_BITS_64 = frozenset({"int64", "uint64", "sint64", "fixed64", "sfixed64"})
_SIGNED = frozenset({"int32", "int64", "sfixed32", "sfixed64"})
_UNSIGNED = frozenset({"uint32", "uint64", "fixed32", "fixed64"})

# Types of one row read each other's bytes.
_ALIKE = (
    frozenset({"int32", "int64", "uint32", "uint64", "bool", "enum"}),
    frozenset({"sint32", "sint64"}),
    frozenset({"fixed32", "sfixed32"}),
    frozenset({"fixed64", "sfixed64"}),
)
# The wire types: a reader that expects another one takes the field for unknown.
_WIRE_TYPES = (
    frozenset({"int32", "int64", "uint32", "uint64", "sint32", "sint64", "bool", "enum"}),
    frozenset({"fixed32", "sfixed32", "float"}),
    frozenset({"fixed64", "sfixed64", "double"}),
    frozenset({"string", "bytes", "message"}),
    frozenset({"group"}),
)
_LENGTH = 3  # the row of what stands after its length
# Messages that JSON does not write as an object of their fields.
_JSON_OF_MESSAGES = {
    "Any": "an object with @type",
    "BoolValue": "a bool",
    "BytesValue": "base64 text",
    "DoubleValue": "a number",
    "Duration": "a duration in a string",
    "FieldMask": "a field mask in a string",
    "FloatValue": "a number",
    "Int32Value": "an integer",
    "Int64Value": "an integer in a string",
    "ListValue": "any array",
    "StringValue": "a string",
    "Struct": "any object",
    "Timestamp": "a time in a string",
    "UInt32Value": "an integer",
    "UInt64Value": "an integer in a string",
    "Value": "any JSON",
}
_JSON_OF_SCALARS = {
    **dict.fromkeys(_BITS_32, "an integer"),
    **dict.fromkeys(_BITS_64, "an integer in a string"),
    "float": "a number",
    "double": "a number",
    "bool": "a bool",
    "string": "a string",
    "bytes": "base64 text",
    "enum": "the name of an enum value",
}
_PYTHON = {
    **dict.fromkeys(_BITS_32 | _BITS_64, "int"),
    "float": "float",
    "double": "float",
    "bool": "bool",
    "string": "str",
    "bytes": "bytes",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a change means.

    Attributes:
        consequences: What it breaks.
        notes: The same in words.
    """

    consequences: frozenset[Consequence]
    notes: tuple[str, ...]

    def __or__(self, other: Verdict) -> Verdict:
        return Verdict(self.consequences | other.consequences, self.notes + other.notes)


@dataclass(frozen=True, slots=True)
class Types:
    """Compares types of two schemas.

    Attributes:
        old: The old schema.
        new: The new schema.
        names: Old full name of a message or enum that is in both, to the new one.
    """

    old: Schema
    new: Schema
    names: Mapping[str, str]

    def same(self, old: Type, new: Type) -> bool:
        """Tells whether two types are one, which may have another name now."""
        return old.kind == new.kind and self.names.get(old.name, old.name) == new.name

    def same_fields(self, old: Field, new: Field) -> bool:
        """Tells whether two fields hold the same."""
        if old.key is None or new.key is None:
            return old.cardinality == new.cardinality and self.same(old.type, new.type)
        return self.same(old.key, new.key) and self.same(old.type, new.type)

    def judge(self, old: Type, new: Type) -> Verdict:
        """Says what it means that one type took the place of another."""
        verdict = self._wire(old, new) | self._json(old, new) | _python(old, new)
        return verdict if verdict.consequences else Verdict(BEHAVIOUR, verdict.notes)

    def judge_key(self, old: Type, new: Type) -> Verdict:
        """Says the same of the keys of a map, which JSON has in strings whatever they are."""
        verdict = self._wire(old, new)
        before, after = (_PYTHON.get(one.kind, one.kind) for one in (old, new))
        if before != after:
            note = f"in JSON and Python it was {before} and is {after}"
            verdict |= Verdict(JSON | SOURCE, (note,))
        notes = tuple(f"keys: {note}" for note in verdict.notes)
        return Verdict(verdict.consequences or BEHAVIOUR, notes)

    def reads_alike(self, old: Type, new: Type) -> bool:
        """Tells whether each side reads what the other one writes."""
        if old.kind == new.kind:
            return not old.name or self._fits(old, new)
        if (old.kind, new.kind) == ("string", "bytes"):
            return True
        return any({old.kind, new.kind} <= row for row in _ALIKE)

    def _fits(self, old: Type, new: Type) -> bool:
        return self.names.get(old.name, old.name) == new.name or self._covers(old, new)

    def _covers(self, old: Type, new: Type) -> bool:
        """Tells whether all that a message or enum has is in the other one, just the same."""
        if old.kind == "enum":
            olds, news = self.old.enums.get(old.name), self.new.enums.get(new.name)
            if olds is None or news is None:
                return False
            known = {(value.name, value.number) for value in news.values}
            return {(value.name, value.number) for value in olds.values} <= known
        before, after = self.old.messages.get(old.name), self.new.messages.get(new.name)
        if before is None or after is None:
            return False
        by_name = {field.name: field for field in after.fields}
        return bool(before.fields) and all(
            field.name in by_name
            and field.number == by_name[field.name].number
            and self.same_fields(field, by_name[field.name])
            for field in before.fields
        )

    def _wire(self, old: Type, new: Type) -> Verdict:
        if self.reads_alike(old, new):
            notes = _losses(old.kind, new.kind)
            return Verdict(BEHAVIOUR if notes else NONE, notes)
        if _wire_type(old.kind) == _wire_type(new.kind):
            note = f"each side misreads, or refuses, the other's bytes: {old} is not {new}"
        else:
            note = f"each side takes the other's value for an unknown field: {old} is not {new}"
        return Verdict(WIRE, (note,))

    def _json(self, old: Type, new: Type) -> Verdict:
        before, after = json_form(old), json_form(new)
        if before != after:
            return Verdict(JSON, (f"in JSON it was {before} and is {after}",))
        if old.name and new.name and not self._fits(old, new):
            return Verdict(JSON, ("JSON of one side does not fit the other's",))
        return Verdict(NONE, ())


def takes(reader: Field, sent: Field) -> bool:
    """Tells whether a field expects what another one sends, whatever it makes of it."""
    expected = {_wire_type(reader.type.kind)}
    if reader.key:
        expected = {_LENGTH}
    elif reader.repeated:
        expected.add(_LENGTH)  # packed or not, it is read
    is_packed = sent.key or sent.options.get("packed") == "true"
    return (_LENGTH if is_packed else _wire_type(sent.type.kind)) in expected


def _wire_type(kind: str) -> int:
    return next(number for number, row in enumerate(_WIRE_TYPES) if kind in row)


def json_form(kind: Type) -> str:
    """Returns what a type is in JSON."""
    if kind.kind in {"message", "group"}:
        package, _, name = kind.name.rpartition(".")
        own = _JSON_OF_MESSAGES.get(name) if package == "google.protobuf" else None
        return own or "an object"
    return _JSON_OF_SCALARS.get(kind.kind, kind.kind)


def _python(old: Type, new: Type) -> Verdict:
    before, after = (one.name or _PYTHON.get(one.kind, one.kind) for one in (old, new))
    if before == after:
        return Verdict(NONE, ())
    return Verdict(SOURCE, (f"in Python it was {before} and is {after}",))


def _losses(old: str, new: str) -> tuple[str, ...]:
    """Says which values change though the bytes are read."""
    notes: list[str] = []
    kinds = {old, new}
    if kinds & _BITS_64 and kinds & (_BITS_32 | {"enum"}):
        notes.append("the narrower side cuts values beyond 32 bits")
    if kinds & (_SIGNED | {"enum"}) and kinds & _UNSIGNED:
        notes.append("the unsigned side reads a negative number as a large one")
    if "bool" in kinds and len(kinds) > 1:
        notes.append("the bool side reads every number but 0 as true")
    if kinds == {"string", "bytes"}:
        notes.append("the string side refuses bytes that are no UTF-8")
    return tuple(notes)
