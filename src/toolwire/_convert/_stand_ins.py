"""What a schema says in other words where another API takes no such value."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from toolwire._convert._plan import concept_of
from toolwire._convert._scalars import is_default
from toolwire._functions.schema._said import bound_sentence, format_sentence, joined
from toolwire._message_fields import enum_names, field_of, find_field, get, set_of
from toolwire._paths import quote
from toolwire._rules._profile import profile_of
from toolwire._rules._schemas import type_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from google.protobuf.message import Message

    from toolwire._descriptor_types import MessageType
    from toolwire._rules._profile import Profile


class StandIn(NamedTuple):
    """What stands for a field that the other API does not take.

    Attributes:
        reason: Why it does not, for the report.
        sentence: What the description says instead; empty for nothing.
        type: The type instead, which null fits as well; empty for none.
    """

    reason: str
    sentence: str = ""
    type: str = ""

    def put(self, target: Message) -> None:
        """Writes it."""
        if self.sentence:
            before: str = get(target, "description")
            setattr(target, "description", joined(before, self.sentence))  # noqa: B010
        if self.type:
            setattr(target, "nullable", True)  # noqa: B010 - of a message of any API
            setattr(target, field_of(target, "type").name, _types(target.DESCRIPTOR)[self.type])


def stand_ins(source: Message, target: MessageType) -> Mapping[str, StandIn]:
    """Returns what stands for the fields of a schema that another API takes otherwise, by name."""
    here, there = profile_of(source.DESCRIPTOR), profile_of(target)
    if concept_of(source.DESCRIPTOR) != "Schema" or here is None or there is None:
        return {}
    found: dict[str, StandIn] = {}
    kind = type_of(source)
    if kind == "NULL" and kind not in _types(target):
        reason = f"{there.api} has no type NULL: becomes text that may be null"
        found["type"] = StandIn(reason, "Always null.", "STRING")
    if _is_refused(source, kind, here, there):
        given: str = get(source, "format")
        reason = f"{quote(given)} is no format of {kind} that {there.api} takes"
        found["format"] = StandIn(f"{reason}: said in the description", format_sentence(given))
    for name in set_of(source, ("minimum", "maximum")):
        bound = target.fields_by_name.get(name)
        if bound is not None and not bound.has_presence and is_default(get(source, name), bound):
            reason = f"0 cannot be told from unset in {there.api}: said in the description"
            found[name] = StandIn(reason, bound_sentence(name, 0))
    if "ref" in source.DESCRIPTOR.fields_by_name and "ref" not in target.fields_by_name:
        way_out = "functions.response_schema and functions.declare resolve a Schema's"
        found["ref"] = StandIn(f"{there.api} has no references: {way_out}")
    return found


def _is_refused(source: Message, kind: str | None, here: Profile, there: Profile) -> bool:
    """Tells whether another API takes no such format as a schema has."""
    given: str = get(source, "format")
    if here.formats == there.formats or kind is None or not given:
        return False
    return given not in there.formats.get(kind, ())


def _types(schema: MessageType) -> Mapping[str, int]:
    field = find_field(schema, "type")
    names = {} if field is None else enum_names(field)
    return {name: number for number, name in names.items()}
