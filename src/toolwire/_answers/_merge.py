"""How fields of successive chunks come together, as far as no place needs more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from google.protobuf.unknown_fields import UnknownFieldSet

from toolwire._errors import ConversionError
from toolwire._given import place
from toolwire._message_fields import get, short_name
from toolwire._messages import is_map_entry
from toolwire._paths import quote

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._descriptor_types import FieldType
    from toolwire._paths import Path

# All below go by message and field name. The same in all chunks, or they are of several answers:
_FIXED = {("GenerateContentResponse", "response_id"), ("Content", "role")}
# Lists of which each chunk has the next entries, also equal ones:
_CONTINUED = {("LogprobsResult", "chosen_candidates"), ("LogprobsResult", "top_candidates")}
# Numbers that are about those entries:
_ADDED = {("LogprobsResult", "log_probability_sum")}
# Lists with one entry for each value of a field of theirs:
_KEYED = {("Candidate", "safety_ratings"): "category"}
# Messages of which each chunk has the newest state, lists included:
_STATES = {"GenerateContentResponse.UsageMetadata", "GenerateContentResponse.PromptFeedback"}
_LONGEST = 60  # characters of a text in an error
# Packages of messages that are one value, such as a time:
_VALUES = ("google.protobuf", "google.type")


def merge(into: Message, chunk: Message, at: Path, skip: tuple[str, ...] = ()) -> None:
    """Takes what a chunk says into what the chunks before it said.

    Of single values the last one counts. A list goes on, or is there anew with what it had before.

    Args:
        into: What was said before.
        chunk: What comes now.
        at: The place of the chunk, for errors.
        skip: Fields that the caller takes care of.

    Raises:
        ConversionError: If the two contradict each other.
    """
    for field, value in chunk.ListFields():
        if field.name not in skip:
            _merge_field(into, field, value, at)
    keep_unknown(into, chunk)


def keep_unknown(into: Message, chunk: Message) -> None:
    """Takes over the fields that the schema does not know."""
    if len(UnknownFieldSet(chunk)):
        bare = type(chunk)()
        bare.CopyFrom(chunk)
        for field, _ in chunk.ListFields():
            bare.ClearField(field.name)
        into.MergeFromString(bare.SerializeToString())


def fault(at: Path, reason: str) -> ConversionError:
    """Makes the error about a place in the chunks."""
    return ConversionError(reason, path=place(at))


def shown(text: str) -> str:
    """Returns a text of a chunk as an error shows it."""
    return quote(text, longest=_LONGEST)


def same(before: str, now: str, at: Path) -> str:
    """Returns what is not empty of two texts that must not differ.

    Raises:
        ConversionError: If they do.
    """
    if before and now and before != now:
        raise fault(at, f"{shown(now)} contradicts {shown(before)} in the chunks before")
    return now or before


def _merge_field(into: Message, field: FieldType, value: Any, at: Path) -> None:
    key = (short_name(into.DESCRIPTOR), field.name)
    here: Path = (at, field.json_name)
    kind = field.message_type
    if field.is_repeated:
        if kind is not None and is_map_entry(kind):
            get(into, field.name).MergeFrom(value)
        else:
            _merge_list(into, field, value)
    elif kind is None:
        if key in _FIXED:
            value = same(get(into, field.name), value, here)
        elif key in _ADDED:
            value += get(into, field.name)
        setattr(into, field.name, value)
    elif kind.file.package in _VALUES:
        get(into, field.name).CopyFrom(value)
    else:
        inner: Message = get(into, field.name)
        inner.SetInParent()
        merge(inner, value, here)


def _merge_list(into: Message, field: FieldType, value: Any) -> None:
    name = short_name(into.DESCRIPTOR)
    items: Any = get(into, field.name)
    by = _KEYED.get((name, field.name))
    if by is not None:
        newer = {getattr(item, by) for item in value}
        kept = [item for item in items if getattr(item, by) not in newer]
        value = [*kept, *value]
    elif (name, field.name) in _CONTINUED or not (name in _STATES or starts_with(value, items)):
        items.extend(value)
        return
    fresh = type(into)()
    get(fresh, field.name).extend(value)
    into.ClearField(field.name)
    get(into, field.name).extend(get(fresh, field.name))


def starts_with(longer: Any, shorter: Any) -> bool:
    """Tells whether a list begins with all of another."""
    return len(longer) >= len(shorter) and list(longer[: len(shorter)]) == list(shorter)
