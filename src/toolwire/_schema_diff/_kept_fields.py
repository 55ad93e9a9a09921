"""Changes of a field that is in both schemas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolwire._schema_diff._finding import BEHAVIOUR, JSON, NONE, SOURCE, WIRE
from toolwire._schema_diff._types import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolwire._schema_diff._index import Field, Message
    from toolwire._schema_diff._types import Types

_FORMS = {"singular": "one value", "repeated": "a list", "map": "a map"}
_COMPOSITE = {"message", "group"}


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that changed: the end of the rule's name, what it means, and both states."""

    rule: str
    verdict: Verdict
    old: str
    new: str


def kept_field(old: Field, new: Field, types: Types) -> Iterator[Change]:
    """Yields what changed, but for the number, the oneof and the options."""
    yield from _names(old, new)
    if old.cardinality != new.cardinality:
        yield _cardinality(old, new, types)
    if old.cardinality == new.cardinality or not (old.key or new.key):
        yield from _type(old, new, types)
    yield from _presence(old, new)
    if old.default != new.default:
        verdict = Verdict(BEHAVIOUR, ("each side has its own default where nothing was sent",))
        yield Change("default-changed", verdict, old.default, new.default)


def _names(old: Field, new: Field) -> Iterator[Change]:
    unknown = Verdict(NONE, ())
    if old.json_name != new.json_name:
        note = f'in JSON a new peer refuses "{old.json_name}", and an old one "{new.json_name}"'
        unknown = Verdict(JSON, (note,))
    if old.name != new.name:
        gone = Verdict(SOURCE, (f"in Python `{old.name}` is an error now",))
        yield Change("renamed", unknown | gone, old.name, new.name)
    elif unknown.consequences:
        yield Change("json-name-changed", unknown, old.json_name, new.json_name)


def _cardinality(old: Field, new: Field, types: Types) -> Change:
    before, after = _FORMS[old.cardinality], _FORMS[new.cardinality]
    verdict = Verdict(JSON | SOURCE, (f"in JSON and Python it was {before} and is {after}",))
    is_single = "singular" in {old.cardinality, new.cardinality}
    is_packed = "true" in {old.options.get("packed"), new.options.get("packed")}
    if not _reads_either(old, new, types):
        note = f"each side misreads, or refuses, the other's bytes: {old} is not {new}"
        verdict = Verdict(WIRE, (note,)) | verdict
    elif is_single and is_packed:
        note = "the singular side takes a packed list for an unknown field"
        verdict = Verdict(WIRE, (note,)) | verdict
    elif is_single:
        does = "merges them" if old.type.kind in _COMPOSITE else "keeps the last"
        verdict |= Verdict(BEHAVIOUR, (f"of several values the singular side {does}",))
    return Change("cardinality-changed", verdict, str(old), str(new))


def _reads_either(old: Field, new: Field, types: Types) -> bool:
    """Tells whether the bytes of one cardinality can be those of the other."""
    if old.key:
        return _is_entry(types.new.messages, new, old)
    if new.key:
        return _is_entry(types.old.messages, old, new)
    return types.reads_alike(old.type, new.type)


def _is_entry(messages: Mapping[str, Message], field: Field, table: Field) -> bool:
    """Tells whether a field is of a message that has the key and value of a map."""
    message = messages.get(field.type.name)
    parts = {part.number: part for part in message.fields} if message else {}
    return [(number, parts[number].type, parts[number].repeated) for number in sorted(parts)] == [
        (1, table.key, False),
        (2, table.type, False),
    ]


def _type(old: Field, new: Field, types: Types) -> Iterator[Change]:
    verdict = Verdict(NONE, ())
    if old.key and new.key and old.key != new.key:
        verdict |= types.judge_key(old.key, new.key)
    if not types.same(old.type, new.type):
        verdict |= types.judge(old.type, new.type)
    if verdict.consequences:
        yield Change("type-changed", verdict, str(old), str(new))


def _presence(old: Field, new: Field) -> Iterator[Change]:
    before, after = old.presence, new.presence
    # Messages and members of oneofs have presence: what changed is said of those.
    is_scalar = old.oneof == new.oneof and not {old.type.kind, new.type.kind} & _COMPOSITE
    if "required" in {before, after} and before != after:
        who = "an old" if before == "required" else "a new"
        verdict = Verdict(WIRE, (f"{who} peer refuses messages without it",))
        yield Change("required-changed", verdict, before, after)
    elif {before, after} == {"implicit", "explicit"} and is_scalar:
        yield Change("presence-changed", _presence_verdict(after), before, after)


def _presence_verdict(after: str) -> Verdict:
    notes: tuple[str, ...] = ("a zero that was set is told from an unset field, and it is sent",)
    if after == "implicit":
        notes = (
            "a zero cannot be told from an unset field any more, and is not sent",
            "in Python `HasField` is an error now",
        )
    return Verdict(SOURCE | BEHAVIOUR, notes)
