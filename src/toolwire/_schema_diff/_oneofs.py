"""Changes of oneofs, and of which fields are in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolwire._schema_diff._finding import ADDITION, BEHAVIOUR, JSON, SOURCE, WIRE, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolwire._schema_diff._index import Field, Message

    Kept = Sequence[tuple[Field, Field]]


def oneof_changes(old: Message, new: Message, kept: Kept) -> Iterator[Finding]:
    """Yields the changes of the oneofs of one message.

    Args:
        old: The old message.
        new: The new one.
        kept: Its fields that are in both.
    """
    renamed = _renamed(old, new, kept)
    for name in old.oneofs:
        path = f"{old.full_name}.{name}"
        if name in renamed:
            note = f"in Python `WhichOneof` wants `{renamed[name]}`"
            new_path = f"{new.full_name}.{renamed[name]}"
            yield Finding("oneof-renamed", path, SOURCE, note, name, renamed[name], new_path)
        elif name not in new.oneofs:
            note = f"in Python `WhichOneof` does not take `{name}` any more"
            yield Finding("oneof-removed", path, SOURCE, note, old=_members(name, old))
    for name in new.oneofs:
        if name not in old.oneofs and name not in renamed.values():
            path = f"{new.full_name}.{name}"
            text = _members(name, new)
            yield Finding("oneof-added", path, ADDITION, "", new=text, new_path=path)
    for one, other in kept:
        if renamed.get(one.oneof, one.oneof) != other.oneof:
            yield _moved(one, other, kept)


def _renamed(old: Message, new: Message, kept: Kept) -> dict[str, str]:
    """Finds oneofs whose fields are all in a oneof that is new, and alone there."""
    found: dict[str, str] = {}
    for name in old.oneofs:
        homes = {other.oneof for one, other in kept if one.oneof == name}
        if name in new.oneofs or len(homes) != 1:
            continue
        home = homes.pop()
        origins = {one.oneof for one, other in kept if other.oneof == home}
        if home and home not in old.oneofs and origins == {name}:
            found[name] = home
    return found


def _moved(old: Field, new: Field, kept: Kept) -> Finding:
    """A field that came into a oneof, or left one: it may meet others now, or could before."""
    breaks, notes = BEHAVIOUR, list[str]()
    joined = [one.name for one, other in kept if other.oneof == new.oneof and one is not old]
    left = [other.name for one, other in kept if one.oneof == old.oneof and one is not old]
    if new.oneof and joined:
        breaks |= WIRE | JSON
        notes.append(_collision("an old", "a new", joined))
    if old.oneof and left:
        breaks |= WIRE | JSON
        notes.append(_collision("a new", "an old", left))
    if old.oneof:
        breaks |= SOURCE
        notes.append(f"in Python `WhichOneof` of `{old.oneof}` never names it")
    if new.presence == "implicit":
        notes.append("in Python `HasField` is an error now")
    if not notes:
        notes.append("no field that peers know is beside it, so that nothing is lost")
    rule = "changed-oneof" if old.oneof and new.oneof else "joined-oneof"
    rule = rule if new.oneof else "left-oneof"
    return Finding(
        f"field-{rule}",
        old.full_name,
        breaks,
        "; ".join(notes),
        old.oneof or "no oneof",
        new.oneof or "no oneof",
        new.full_name,
    )


def _collision(sender: str, reader: str, others: Sequence[str]) -> str:
    names = ", ".join(f"`{name}`" for name in others)
    return (
        f"{sender} peer may set it together with {names}: {reader} one keeps the last on the "
        "wire, and refuses them in JSON"
    )


def _members(name: str, message: Message) -> str:
    return ", ".join(field.name for field in message.fields if field.oneof == name)
