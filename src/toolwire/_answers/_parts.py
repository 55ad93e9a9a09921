"""The parts of a candidate: text that goes on, calls, and everything that stays as it came."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from google.protobuf.unknown_fields import UnknownFieldSet

from toolwire._answers._calls import Calls
from toolwire._message_fields import get

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from toolwire._paths import Path


@dataclass(slots=True)
class _Entry:
    """A part, with the texts of it that are still to be put together."""

    part: Message
    texts: list[str] = field(default_factory=list[str])


class Parts:
    """The parts that have come so far."""

    def __init__(self) -> None:
        self._entries: list[_Entry] = []
        self._blank: Message | None = None
        self._calls = Calls()

    def add(self, part: Message, at: Path) -> None:
        """Takes a part in.

        Raises:
            ConversionError: If it is a piece of a call that contradicts what came of it.
        """
        if _is_blank(part):
            # Streams end with one; only where nothing else comes is it the answer.
            self._blank = self._blank or _copy(part)
            return
        if part.HasField("function_call"):
            own = self._calls.take(part, at)
            if own is not None:
                self._entries.append(_Entry(own))
            return
        if not _is_mere_text(part):
            self._entries.append(_Entry(_copy(part)))
            return
        last = self._entries[-1] if self._entries else None
        if last is None or not last.texts or get(last.part, "thought") != get(part, "thought"):
            last = _Entry(_copy(part))
            self._entries.append(last)
        last.texts.append(get(part, "text"))

    def finish(self) -> list[Message]:
        """Returns the parts."""
        self._calls.finish()
        for entry in self._entries:
            if len(entry.texts) > 1:
                setattr(entry.part, "text", "".join(entry.texts))  # noqa: B010 - any API's part
        if not self._entries and self._blank is not None:
            return [self._blank]
        return [entry.part for entry in self._entries]


def _is_mere_text(part: Message) -> bool:
    """Tells whether a part is nothing but text of the answer or of a thought."""
    names = {found.name for found, _ in part.ListFields()}
    return names <= {"text", "thought"} and "text" in names and not len(UnknownFieldSet(part))


def _is_blank(part: Message) -> bool:
    return not part.ByteSize() or (_is_mere_text(part) and not get(part, "text"))


def _copy(part: Message) -> Message:
    copied = type(part)()
    copied.CopyFrom(part)
    return copied
